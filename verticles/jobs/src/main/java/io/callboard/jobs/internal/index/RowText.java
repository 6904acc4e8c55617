package io.callboard.jobs.internal.index;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.callboard.jobs.model.Job;
import io.callboard.time.Machine;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Text of a row, as UTF-8: the begin of the command or of the arguments, then each label as {@code
 * key=value} between two bytes that UTF-8 does not have.
 */
@Machine
final class RowText {
  /** Maximum number of bytes of a command or of arguments that are searched. */
  static final int MOST_WORK = 1_024;

  static final byte[] NONE = {};
  private static final byte SEPARATOR = (byte) 0xff;

  private RowText() {}

  /** Returns the text of a job. */
  static byte[] of(Job job) {
    byte[] work = job.work().getBytes(UTF_8);
    if (work.length > MOST_WORK) {
      work = Arrays.copyOf(work, MOST_WORK);
    }
    return job.labels().isEmpty() ? work : with(work, job.labels());
  }

  private static byte[] with(byte[] work, Map<String, String> labels) {
    int length = work.length + 1;
    Map<String, byte[]> encoded = new TreeMap<>();
    for (Map.Entry<String, String> label : labels.entrySet()) {
      byte[] bytes = (label.getKey() + "=" + label.getValue()).getBytes(UTF_8);
      encoded.put(label.getKey(), bytes);
      length += bytes.length + 1;
    }
    byte[] text = Arrays.copyOf(work, length);
    int at = work.length;
    for (byte[] label : encoded.values()) {
      text[at++] = SEPARATOR;
      System.arraycopy(label, 0, text, at, label.length);
      at += label.length;
    }
    text[at] = SEPARATOR;
    return text;
  }

  /** Returns a text as it is sent: a character for each byte. */
  static String sent(byte[] text) {
    return new String(text, ISO_8859_1);
  }

  /** Returns a text that was sent. */
  static byte[] sent(String text) {
    return text.isEmpty() ? NONE : text.getBytes(ISO_8859_1);
  }

  /** Returns what the text of a job with a label {@code key} or {@code key=value} contains. */
  static byte[] label(String label) {
    boolean withValue = label.indexOf('=') >= 0;
    byte[] bytes = (withValue ? label : label + "=").getBytes(UTF_8);
    byte[] part = new byte[bytes.length + (withValue ? 2 : 1)];
    part[0] = SEPARATOR;
    System.arraycopy(bytes, 0, part, 1, bytes.length);
    if (withValue) {
      part[part.length - 1] = SEPARATOR;
    }
    return part;
  }

  /** Returns whether a text contains a part. */
  static boolean contains(byte[] text, byte[] part) {
    for (int from = 0; from <= text.length - part.length; from++) {
      if (Arrays.equals(text, from, from + part.length, part, 0, part.length)) {
        return true;
      }
    }
    return false;
  }
}

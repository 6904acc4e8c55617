package io.callboard.jobs.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * The output of one run. Its processes append to it, also while it is cut or read here; that needs
 * no lock, since an append goes to wherever the end is.
 */
final class RunLog {
  private final Path file;
  private final LogLimits limits;
  private long leftOut;
  private int gapBytes;

  RunLog(Path file, LogLimits limits) {
    this.file = file;
    this.limits = limits;
  }

  /** Cuts the log if it has outgrown the limit for a live run. */
  void boundLive() throws IOException {
    bound(limits.live());
  }

  /** Cuts the log if it has outgrown what is kept. */
  void boundEnded() throws IOException {
    bound((long) limits.head() + limits.tail() + gapBytes);
  }

  private synchronized void bound(long limit) throws IOException {
    try {
      if (Files.size(file) <= limit) {
        return;
      }
      try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ);
          FileChannel end = FileChannel.open(file, StandardOpenOption.APPEND)) {
        long size = in.size();
        byte[] tail = read(in, Math.max(limits.head(), size - limits.tail()), limits.tail());
        long removed = size - limits.head() - tail.length - gapBytes;
        if (removed <= 0) {
          return;
        }
        leftOut += removed;
        byte[] gap =
            ("\n[callboard: " + leftOut + " bytes left out]\n").getBytes(StandardCharsets.UTF_8);
        gapBytes = gap.length;
        end.truncate(limits.head());
        writeAll(end, gap);
        writeAll(end, tail);
      }
    } catch (NoSuchFileException e) {
      // the job removed it: nothing to bound
    }
  }

  void append(String line) throws IOException {
    Files.writeString(file, line + '\n', StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** The last {@code maxBytes}, as of now; empty if there is no log. */
  LogText last(int maxBytes) throws IOException {
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = in.size();
      byte[] bytes = read(in, Math.max(0, size - maxBytes), (int) Math.min(size, maxBytes));
      String text = new String(bytes, StandardCharsets.UTF_8);
      return new LogText(text, size, bytes.length >= size);
    } catch (NoSuchFileException e) {
      return new LogText("", 0, true);
    }
  }

  /** The last lines, as of now, within the last {@code maxBytes}. */
  LogText tail(int lines, int maxBytes) throws IOException {
    LogText last = last(maxBytes);
    String text = last.text();
    int from = text.endsWith("\n") ? text.length() - 1 : text.length();
    for (int i = 0; i < lines && from >= 0; i++) {
      from = text.lastIndexOf('\n', from - 1);
    }
    return from < 0
        ? last
        : new LogText(lines == 0 ? "" : text.substring(from + 1), last.size(), false);
  }

  private static byte[] read(FileChannel in, long from, int count) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(count);
    while (buffer.hasRemaining() && in.read(buffer, from + buffer.position()) > 0) {}
    // shorter than it was a moment ago if it was cut meanwhile
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private static void writeAll(FileChannel out, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      int written = out.write(buffer);
      if (written < 0) {
        throw new IOException("cannot append to a log");
      }
    }
  }
}

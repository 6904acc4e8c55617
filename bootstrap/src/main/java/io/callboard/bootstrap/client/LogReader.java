package io.callboard.bootstrap.client;

import io.callboard.bootstrap.client.NodeClient.Answer;
import io.callboard.bootstrap.client.NodeClient.RefusedException;
import io.callboard.dashboard.contract.Problem.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Output of one run, read on from where the last reading ended. Of a long log the node keeps the
 * beginning and the end only: what was left out before it was read is missing.
 */
final class LogReader {
  /** Number of bytes that are always kept of the beginning. */
  private static final long HEAD = 256 << 10;

  private static final Pattern RANGE = Pattern.compile("bytes (\\d+)-.*");

  private final Remote node;
  private final String path;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);

  private ByteBuffer undecoded = ByteBuffer.allocate(0);
  private long offset;
  private long leftOut;
  private boolean complete;

  /** Creates a reader that begins with the first byte. */
  LogReader(Remote node, String job, int run) {
    this.node = node;
    this.path = "/jobs/%s/log?run=%d".formatted(Remote.encoded(job), run);
  }

  /** Returns what was added since the last reading, or a part of it; empty if there is nothing. */
  String next() throws IOException {
    Answer answer = read(offset);
    if (isShortened(answer)) {
      answer = read(offset);
    }
    Matcher range = RANGE.matcher(answer.header("Content-Range"));
    offset = (range.matches() ? Long.parseLong(range.group(1)) : offset) + answer.body().length;
    complete = isComplete(answer) && offset >= answer.number("Callboard-Log-Kept");
    return decoded(answer.body());
  }

  private Answer read(long from) throws IOException {
    try {
      return node.answer("GET", path + "&offset=" + from, null);
    } catch (RefusedException e) {
      if (from > 0 && e.code().equals(Kind.RANGE_NOT_SATISFIABLE.name())) {
        return read(0); // it was shortened, and this answer says by how much
      }
      throw e;
    }
  }

  /** Returns whether bytes were left out since the last reading; moves the offset accordingly. */
  private boolean isShortened(Answer answer) {
    long missing = answer.number("Callboard-Log-Written") - answer.number("Callboard-Log-Kept");
    if (missing == leftOut) {
      return false;
    }
    long position = offset + leftOut;
    leftOut = missing;
    offset = position <= HEAD ? position : Math.max(HEAD, position - missing);
    return true;
  }

  private static boolean isComplete(Answer answer) {
    return answer.header("Callboard-Log").startsWith("complete");
  }

  /** Returns whether the run has ended and all of its output was returned. */
  boolean isComplete() {
    return complete;
  }

  /** A character may be divided between two answers. */
  private String decoded(byte[] added) {
    ByteBuffer bytes = ByteBuffer.allocate(undecoded.remaining() + added.length);
    bytes.put(undecoded).put(added).flip();
    CharBuffer text = CharBuffer.allocate(bytes.remaining() + 1);
    var unused = decoder.decode(bytes, text, complete);
    undecoded = bytes.slice();
    return text.flip().toString();
  }
}

package io.callboard.bootstrap.client;

import io.callboard.bootstrap.client.NodeClient.Answer;
import io.callboard.bootstrap.client.NodeClient.RefusedException;
import io.callboard.dashboard.internal.contract.Problem.Kind;
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

  private final ClientCommand node;
  private final String path;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);

  private ByteBuffer undecoded = ByteBuffer.allocate(0);
  private long offset;
  private long wanted;
  private boolean begun;
  private long leftOut;
  private boolean complete;

  /** Creates a reader of all bytes. */
  LogReader(ClientCommand node, String job, int run) {
    this(node, job, run, 0, Long.MAX_VALUE);
  }

  /**
   * Creates a reader of a range of what is kept.
   *
   * @param from number of bytes before it
   * @param most number of its bytes; there may be fewer
   */
  LogReader(ClientCommand node, String job, int run, long from, long most) {
    this.offset = from;
    this.wanted = most;
    this.node = node;
    this.path = "/jobs/%s/log?run=%d".formatted(ClientCommand.encoded(job), run);
  }

  /** Returns what was added since the last reading, or a part of it; empty if there is nothing. */
  String next() throws IOException {
    Answer answer = read(offset);
    if (isShortened(answer)) {
      answer = read(offset);
    }
    Matcher range = RANGE.matcher(answer.header("Content-Range"));
    int length = (int) Math.min(answer.body().length, wanted);
    offset = (range.matches() ? Long.parseLong(range.group(1)) : offset) + length;
    wanted -= length;
    complete = wanted == 0 || (isComplete(answer) && offset >= answer.number("Callboard-Log-Kept"));
    return decoded(answer.body(), length);
  }

  private Answer read(long from) throws IOException {
    try {
      return node.answer("GET", path + "&offset=" + from, null);
    } catch (RefusedException e) {
      if (begun && from > 0 && e.code().equals(Kind.RANGE_NOT_SATISFIABLE.name())) {
        return read(0); // it was shortened, and this answer says by how much
      }
      throw e;
    }
  }

  /** Returns whether bytes were left out since the last reading; moves the offset accordingly. */
  private boolean isShortened(Answer answer) {
    long missing = answer.number("Callboard-Log-Written") - answer.number("Callboard-Log-Kept");
    if (missing == leftOut || !begun) {
      leftOut = missing;
      begun = true;
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

  /** Returns whether all was returned: the range, or the output of a run that has ended. */
  boolean isComplete() {
    return complete;
  }

  /** A character may be divided between two answers. */
  private String decoded(byte[] added, int length) {
    ByteBuffer bytes = ByteBuffer.allocate(undecoded.remaining() + length);
    bytes.put(undecoded).put(added, 0, length).flip();
    CharBuffer text = CharBuffer.allocate(bytes.remaining() + 1);
    var unused = decoder.decode(bytes, text, complete);
    undecoded = bytes.slice();
    return text.flip().toString();
  }
}

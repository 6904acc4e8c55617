package io.callboard.codecs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A durable timer of an actor, as it is stored among the entries of its outbox: a line that says
 * when, then a {@link Segment} of the message that the actor is sent.
 *
 * <pre>
 * {"f":2,"timer":{"key":"reminder","dueMs":1763759224000,"everyMs":0,"fired":false}}
 * {"f":4,"n":1,"c":"9ae0daaf"}
 * {"from":"/a/b~7","n":1763759224000,"t":"remind","v":1,"k":7,"b":{}}
 * </pre>
 *
 * @param key under which the actor knows it
 * @param dueMs since the epoch
 * @param everyMs how often from then on; 0 for once
 * @param fired whether its message is in the mailbox; the entry goes when it is handled, and
 *     without an entry it is not handled
 */
public record TimerEntry(String key, long dueMs, long everyMs, boolean fired, Envelope message)
    implements OutboxEntryKind {
  /** The format that this code writes. Entries of format 1 are messages on their way. */
  public static final int FORMAT = 2;

  private static final byte[] START = "{\"f\":2,\"timer\":".getBytes(StandardCharsets.US_ASCII);

  private record Header(int f, When timer) {}

  private record When(String key, long dueMs, long everyMs, boolean fired) {}

  /** Returns whether {@code entry} of an outbox is a timer. */
  public static boolean is(byte[] entry) {
    return OutboxEntryKind.begins(entry, START);
  }

  /** Returns this timer with its message in the mailbox. */
  public TimerEntry inMailbox() {
    return new TimerEntry(key, dueMs, everyMs, true, message);
  }

  @Override
  public byte[] encode() {
    When when = new When(key, dueMs, everyMs, fired);
    return OutboxEntryKind.encode(Json.bytes(new Header(FORMAT, when)), message);
  }

  /**
   * Reads a timer of an outbox.
   *
   * @param what names the entry in errors, for example its znode
   * @throws CodecException if it is malformed or damaged
   */
  public static TimerEntry decode(String what, byte[] bytes) {
    int end = LineCursor.endOfLine(bytes, 0);
    When when = Json.read(what, Arrays.copyOf(bytes, end), Header.class).timer();
    Envelope message = OutboxEntryKind.message(what, bytes);
    if (message.handling().timer() < 1 || when.dueMs() < 0 || when.everyMs() < 0) {
      throw CodecException.malformed(what, "it is not a durable timer");
    }
    return new TimerEntry(when.key(), when.dueMs(), when.everyMs(), when.fired(), message);
  }
}

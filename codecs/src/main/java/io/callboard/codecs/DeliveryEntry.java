package io.callboard.codecs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A message that an actor delivers until it is confirmed, as it is stored among the entries of its
 * outbox.
 *
 * <pre>
 * {"f":3,"delivery":{"to":"/courier","attempts":1,"dueMs":1763759224000}}
 * {"f":2,"n":1,"c":"9ae0daaf"}
 * {"from":"/a/b~7","n":1,"t":"deliver","v":1,"b":{}}
 * </pre>
 *
 * @param to a volatile actor
 * @param attempts how often it was sent, or is about to be: counted before
 * @param dueMs since the epoch, when it is sent again, or given up
 */
public record DeliveryEntry(ActorPath to, int attempts, long dueMs, Envelope message)
    implements OutboxEntryKind {
  /** The format that this code writes. */
  public static final int FORMAT = 3;

  private static final byte[] START = "{\"f\":3,\"delivery\":".getBytes(StandardCharsets.US_ASCII);

  private record Header(int f, Open delivery) {}

  private record Open(String to, int attempts, long dueMs) {}

  /** Returns whether {@code entry} of an outbox is a delivery. */
  public static boolean is(byte[] entry) {
    return OutboxEntryKind.begins(entry, START);
  }

  /** Returns this delivery with one more attempt, due again at {@code nextDueMs}. */
  public DeliveryEntry again(long nextDueMs) {
    return new DeliveryEntry(to, attempts + 1, nextDueMs, message);
  }

  @Override
  public byte[] encode() {
    Open open = new Open(to.toString(), attempts, dueMs);
    return OutboxEntryKind.encode(Json.bytes(new Header(FORMAT, open)), message);
  }

  /**
   * Reads a delivery of an outbox.
   *
   * @param what names the entry in errors, for example its znode
   * @throws CodecException if it is malformed or damaged
   */
  public static DeliveryEntry decode(String what, byte[] bytes) {
    byte[] line = Arrays.copyOf(bytes, LineCursor.endOfLine(bytes, 0));
    Open open = Json.read(what, line, Header.class).delivery();
    if (open.attempts() < 1 || open.dueMs() < 0) {
      throw CodecException.malformed(what, "it is not a delivery");
    }
    ActorPath to = OutboxEntry.receiver(what, open.to());
    return new DeliveryEntry(
        to, open.attempts(), open.dueMs(), OutboxEntryKind.message(what, bytes));
  }
}

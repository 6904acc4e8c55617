package io.callboard.codecs;

import static io.callboard.codecs.LineBuffer.ascii;

import java.time.Instant;

/**
 * Body of the message that carries the events of one commit of one actor to a feed. It is written
 * without a tree between, since it goes along with the commit.
 *
 * <pre>
 * {"actor":"/a/b","turn":57,"at":"2026-11-22T10:15:30.123Z","ended":false,"events":[
 *   {"number":1234,"type":"deposited","version":1,"body":{"cents":500}}]}
 * </pre>
 *
 * <p>Not thread-safe; used once.
 */
public final class FeedEntry {
  /** Type of the message. */
  public static final MessageType TYPE = new MessageType("feed-committed", 1);

  private static final byte[] NUMBER = ascii("\"number\":");
  private static final byte[] EVENT_TYPE = ascii("\"type\":\"");
  private static final byte[] VERSION = ascii("\"version\":");
  private static final byte[] BODY = ascii("\"body\":");
  private static final int ALONG = 64;

  private final LineBuffer events = new LineBuffer(512);
  private int count;

  /** Adds an event with its number. */
  public void add(long number, WrittenEvent event) {
    if (events.length() > 0) {
      events.put((byte) ',');
    }
    events.put((byte) '{');
    events.number(NUMBER, number);
    events.string(EVENT_TYPE, event.type().name());
    events.number(VERSION, event.type().version());
    events.put(BODY);
    events.put(event.body());
    events.put((byte) '}');
    count++;
  }

  /**
   * Returns whether the entry stays within {@code mostEvents} and {@code mostBytes} with one more
   * event.
   */
  public boolean takes(WrittenEvent more, int mostEvents, int mostBytes) {
    return count < mostEvents
        && events.length() + more.bytes() + more.type().name().length() + ALONG <= mostBytes;
  }

  /**
   * Returns the body of the message.
   *
   * @param ended whether the actor deleted itself with these
   */
  public byte[] body(ActorPath actor, long turn, Instant at, boolean ended) {
    events.put((byte) ']');
    events.put((byte) '}');
    return events.after(
        "{\"actor\":\"%s\",\"turn\":%d,\"at\":\"%s\",\"ended\":%b,\"events\":["
            .formatted(actor, turn, at, ended));
  }
}

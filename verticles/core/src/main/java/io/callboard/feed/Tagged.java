package io.callboard.feed;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Named;
import io.callboard.codecs.ProtocolCodec;
import java.time.Instant;

/**
 * One event in a feed.
 *
 * @param feed its tag
 * @param position in the feed: the first event has 1, and no number is left out
 * @param actor the path of the actor that persisted it
 * @param turn of that actor, which committed it
 * @param number of the event among those of its actor; 0 for {@link #ENDED}
 * @param at when it was committed, by the clock of the node
 * @param type its logical name
 * @param version of its type
 * @param body as it was written
 */
@Named("feed-tagged")
public record Tagged(
    String feed,
    long position,
    String actor,
    long turn,
    long number,
    Instant at,
    String type,
    int version,
    JsonNode body) {
  /** The type of what the archive is told when an actor has deleted itself. */
  public static final String ENDED = "callboard..ended";

  /**
   * The event itself, as today's version of its type.
   *
   * @param events the root of the protocol of its actor's events
   * @throws io.callboard.codecs.CodecException if it is none of them, or newer than this code
   */
  public <E> E event(Class<E> events) {
    return ProtocolCodec.of(events).decode("event", new MessageType(type, version), body);
  }
}

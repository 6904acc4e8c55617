package io.callboard.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Named;
import io.callboard.codecs.OldEvent;
import io.callboard.codecs.ProtocolCodec;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * One event in a feed, with its position and its origin.
 *
 * @param feed its tag
 * @param position in the feed: the first event has 1, and no number is left out
 * @param actor the path of the actor that persisted it
 * @param turn of that actor, which committed it
 * @param number of the event among those of its actor; 0 for {@link #ENDED}
 * @param at the time of its commit, by the node's clock
 * @param type its logical name
 * @param version of its type
 * @param body as it was written
 */
@Named("feed-tagged")
public record FeedEvent(
    String feed,
    long position,
    String actor,
    long turn,
    long number,
    Instant at,
    String type,
    int version,
    JsonNode body) {
  /** The type of the event that the archive gets when an actor has deleted itself. */
  public static final String ENDED = "callboard..ended";

  /**
   * Returns the event in the current version of its type.
   *
   * @param events the root of the protocol of its actor's events
   * @throws CodecException if it is none of them, perhaps because the actor's upcaster makes others
   *     of it ({@link #events}), or newer than this code
   */
  public <E> E event(Class<E> events) {
    ProtocolCodec<E> codec = ProtocolCodec.of(events);
    if (!codec.reads(type)) {
      throw CodecException.unknownEvent(place(), type, events.getSimpleName(), codec.names());
    }
    return codec.decode("event", new MessageType(type, version), body);
  }

  /**
   * Returns the current events that the stored event stands for, by the upcaster of the actor's
   * class and the steps of its types: one, several, or none. It is upcast alone, as if a replay
   * began and ended with it: an upcaster that makes one event of several gets each of them as one
   * that comes alone.
   *
   * @param actor makes an object of the actor's class, which is not started
   * @return empty for what is of the toolkit, too, as {@link #ENDED}
   * @throws CodecException if it cannot be read, or is newer than this code
   */
  public <E> List<E> events(Supplier<? extends EventReader<E>> actor) {
    return OldEvent.isOwn(type) ? List.of() : actor.get().today(old());
  }

  /**
   * Returns the event in its stored form.
   *
   * @throws IllegalStateException if its body is no JSON object
   */
  public OldEvent old() {
    if (!(body instanceof ObjectNode object)) {
      throw new IllegalStateException("%s is not a JSON object".formatted(place()));
    }
    return new OldEvent(number, new MessageType(type, version), object.deepCopy());
  }

  private String place() {
    return "event %d of %s, position %d of feed %s".formatted(number, actor, position, feed);
  }
}

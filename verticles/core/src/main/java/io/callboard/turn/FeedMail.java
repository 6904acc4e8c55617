package io.callboard.turn;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.FeedEntry;
import io.callboard.codecs.WrittenEvent;
import io.callboard.feed.Feeds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the feeds are told of the events of one persistent actor: messages that go with the commit
 * of the events. Written to by the actor's turns, read for its commits.
 */
final class FeedMail {
  /** Bytes of an event that goes to a feed. */
  static final int MOST_EVENT_BYTES = 256 << 10;

  /** Bytes after which a message takes no further event: what is inline needs no blob. */
  private static final int MESSAGE_BYTES = 24 << 10;

  private final ActorPath actor;
  private final boolean archived;

  /**
   * @param archived whether the archive is told that the actor has ended
   */
  FeedMail(ActorPath actor, boolean archived) {
    this.actor = actor;
    this.archived = archived;
  }

  /**
   * Whether {@code event} may go where it is to go.
   *
   * @throws IllegalArgumentException for a tag that is no name of a feed
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE}
   */
  static void check(ActorPath actor, WrittenEvent event) {
    for (String tag : event.tags()) {
      ActorPath unused = Feeds.path(tag);
    }
    if (!event.tags().isEmpty() && event.body().length > MOST_EVENT_BYTES) {
      throw CallboardException.tooLarge(
          "event %s of %s, which goes to feed %s"
              .formatted(event.type().name(), actor, event.tags().get(0)),
          event.body().length,
          MOST_EVENT_BYTES);
    }
  }

  /**
   * By feed, in the order of the events.
   *
   * @param first the number of the first of {@code events}
   * @param ends whether the actor deletes itself with them
   */
  Map<ActorPath, List<byte[]>> of(
      long turn, long first, Instant now, List<WrittenEvent> events, boolean ends) {
    Map<String, FeedEntry> open = new LinkedHashMap<>(0);
    Map<ActorPath, List<byte[]>> done = new LinkedHashMap<>(0);
    long number = first;
    for (WrittenEvent event : events) {
      for (String tag : event.tags()) {
        add(open, done, tag, number, event, turn, now);
      }
      number++;
    }
    if (archived && ends) {
      FeedEntry last = open.computeIfAbsent(Feeds.ARCHIVE, tag -> new FeedEntry());
      close(done, Feeds.ARCHIVE, last.body(actor, turn, now, true));
      open.remove(Feeds.ARCHIVE);
    }
    open.forEach((tag, entry) -> close(done, tag, entry.body(actor, turn, now, false)));
    return done;
  }

  private void add(
      Map<String, FeedEntry> open,
      Map<ActorPath, List<byte[]>> done,
      String tag,
      long number,
      WrittenEvent event,
      long turn,
      Instant now) {
    FeedEntry entry = open.computeIfAbsent(tag, t -> new FeedEntry());
    entry.add(number, event);
    if (entry.bytes() >= MESSAGE_BYTES) {
      close(done, tag, entry.body(actor, turn, now, false));
      open.remove(tag);
    }
  }

  private static void close(Map<ActorPath, List<byte[]>> done, String tag, byte[] body) {
    done.computeIfAbsent(Feeds.path(tag), to -> new ArrayList<>(1)).add(body);
  }
}

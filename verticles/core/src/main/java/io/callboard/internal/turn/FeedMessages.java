package io.callboard.internal.turn;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.FeedEntry;
import io.callboard.codecs.WrittenEvent;
import io.callboard.feed.Feeds;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Messages for the feeds about the events of one persistent actor; they go with the commit of the
 * events. A machine without I/O, and without a state.
 */
@Machine
public final class FeedMessages {
  /** Limit of the bytes of an event for a feed: alone in a message it needs no blob. */
  public static final int MOST_EVENT_BYTES = 30 << 10;

  /** Limit of the levels of its JSON, which is nested in others on the way. */
  private static final int MOST_LEVELS = 80;

  /**
   * Limits of a message with several events, which a feed handles in one turn: bytes, then events.
   */
  private static final int MESSAGE_BYTES = 8 << 10;

  private static final int MESSAGE_EVENTS = 100;

  private final ActorPath actor;
  private final boolean archived;

  /**
   * @param archived whether the end of the actor is reported to the archive
   */
  public FeedMessages(ActorPath actor, boolean archived) {
    this.actor = actor;
    this.archived = archived;
  }

  /**
   * Checks whether {@code event} may go to its feeds.
   *
   * @throws IllegalArgumentException for a tag that cannot name a feed
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE}
   */
  public static void check(ActorPath actor, WrittenEvent event) {
    for (String tag : event.tags()) {
      ActorPath unused = Feeds.path(tag);
    }
    if (event.tags().isEmpty()) {
      return;
    }
    String what =
        "event %s of %s, which goes to feed %s"
            .formatted(event.type().name(), actor, event.tags().get(0));
    if (event.body().length > MOST_EVENT_BYTES) {
      throw CallboardException.tooLarge(what, event.body().length, MOST_EVENT_BYTES);
    } else if (levels(event.body()) > MOST_LEVELS) {
      throw new CallboardException(
          Code.PAYLOAD_TOO_LARGE,
          "%s has more than %d levels of JSON".formatted(what, MOST_LEVELS));
    }
  }

  private static int levels(byte[] json) {
    int level = 0;
    int most = 0;
    boolean inText = false;
    for (int i = 0; i < json.length; i++) {
      if (inText && json[i] == '\\') {
        i++;
      } else if (json[i] == '"') {
        inText = !inText;
      } else if (!inText && (json[i] == '{' || json[i] == '[')) {
        most = Math.max(most, ++level);
      } else if (!inText && (json[i] == '}' || json[i] == ']')) {
        level--;
      }
    }
    return most;
  }

  /**
   * Returns the messages by feed, in the order of the events.
   *
   * @param first the number of the first of {@code events}
   * @param ends whether the actor deletes itself with them
   */
  public Map<ActorPath, List<byte[]>> of(
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
    FeedEntry before = open.get(tag);
    if (before != null && !before.takes(event, MESSAGE_EVENTS, MESSAGE_BYTES)) {
      close(done, tag, before.body(actor, turn, now, false));
      open.remove(tag);
    }
    open.computeIfAbsent(tag, t -> new FeedEntry()).add(number, event);
  }

  private static void close(Map<ActorPath, List<byte[]>> done, String tag, byte[] body) {
    done.computeIfAbsent(Feeds.path(tag), to -> new ArrayList<>(1)).add(body);
  }
}

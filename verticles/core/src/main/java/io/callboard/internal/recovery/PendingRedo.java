package io.callboard.internal.recovery;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.WrittenEvent;
import io.callboard.feed.Feeds;
import io.callboard.internal.turn.FeedMessages;
import io.callboard.journal.Correction;
import io.callboard.journal.NewerFields;
import io.callboard.journal.Redo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link Redo} under way: requested, made by a life, durable. Any thread. */
public final class PendingRedo {
  private static final Logger log = LoggerFactory.getLogger(PendingRedo.class);

  private final ActorPath path;
  private final Redo redo;
  private final String node;
  private final boolean archived;
  private final Promise<Void> done;

  /**
   * @param archived whether the actor's events are archived
   */
  PendingRedo(ActorPath path, Redo redo, String node, boolean archived, Promise<Void> done) {
    this.path = path;
    this.redo = redo;
    this.node = node;
    this.archived = archived;
    this.done = done;
  }

  Redo redo() {
    return redo;
  }

  /**
   * Returns the event that records the new state.
   *
   * @param newer the unknown fields of newer code that {@code made} was made of
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE} if the state is, {@code CONFLICT} if it
   *     would replace what newer code makes of the same events
   */
  WrittenEvent event(Object made, NewerFields newer) {
    if (!newer.isEmpty()) {
      throw new CallboardException(
          Code.CONFLICT,
          "%s has events or a state of a newer version with fields that this node does not know: restore it on a node of the newer version"
              .formatted(path));
    }
    List<String> tags = archived ? List.of(Feeds.ARCHIVE) : List.of();
    WrittenEvent event = Correction.written(redo, made, node, tags);
    if (event.body().length > FeedMessages.MOST_EVENT_BYTES) {
      throw CallboardException.tooLarge(
          "the restored state of %s".formatted(path),
          event.body().length,
          FeedMessages.MOST_EVENT_BYTES);
    }
    FeedMessages.check(path, event);
    return event;
  }

  /** Completes the redo: its event is durable. */
  void committed() {
    if (redo.event() == null) {
      log.info("the state of {} was rebuilt from all its events: {}", path, redo.why());
    } else {
      log.info("{} was restored to its event {}: {}", path, redo.event(), redo.why());
    }
    done.tryComplete();
  }

  /** Fails the redo: its event will not be durable, or its outcome is unknown. */
  void failed(Throwable cause) {
    done.tryFail(cause);
  }

  Future<Void> done() {
    return done.future();
  }
}

package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.store.StoredActor;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an index up to date: changed jobs are told over the event bus, at most once; what was
 * missed is found by reading all from the store, at the start, when the members change, and now and
 * then.
 */
final class IndexFeed {
  private static final Logger log = LoggerFactory.getLogger(IndexFeed.class);
  private static final Duration RESYNC = Duration.ofMinutes(5);
  private static final ActorPath STORED = ActorPath.of(JobActor.PREFIX);

  private final Callboard callboard;
  private final JobIndex index;
  private final News news;
  private final AtomicReference<Reading> reading = new AtomicReference<>(Reading.NONE);
  private long resync = -1;
  private volatile boolean closed;

  IndexFeed(Callboard callboard, JobIndex index, News news) {
    this.callboard = callboard;
    this.index = index;
    this.news = news;
  }

  Future<Void> start() {
    resync = callboard.vertx().setPeriodic(RESYNC.toMillis(), id -> refresh());
    return news.hear(JobActor.CHANGED, this::changed).compose(v -> read());
  }

  /**
   * Reads all again, once however often it is asked meanwhile; a failure waits for the next time.
   */
  void refresh() {
    if (closed
        || reading.getAndUpdate(was -> was == Reading.NONE ? Reading.ONE : Reading.ANOTHER)
            != Reading.NONE) {
      return;
    }
    read()
        .onComplete(
            done -> {
              if (done.failed() && !closed) {
                log.warn(
                    "the index of jobs could not be refreshed; the next time will do: {}",
                    done.cause().toString());
              }
              if (reading.getAndSet(Reading.NONE) == Reading.ANOTHER) {
                refresh();
              }
            });
  }

  private enum Reading {
    NONE,
    ONE,
    ANOTHER
  }

  private void changed(JsonObject json) {
    try {
      index.put(
          Json.read("a changed job", json.encode().getBytes(StandardCharsets.UTF_8), Job.class));
    } catch (CodecException e) {
      log.warn("a changed job of another node cannot be read; the next reading of all will do", e);
    }
  }

  /** Reads every job from the store. */
  private Future<Void> read() {
    return callboard
        .stored(STORED)
        .map(
            all -> {
              all.readable().forEach(this::readOne);
              all.unreadable()
                  .forEach((path, why) -> log.error("job {} cannot be shown: {}", path, why));
              return null;
            });
  }

  private void readOne(StoredActor actor) {
    try {
      actor
          .record()
          .state(JobActor.Slot.class)
          .map(JobActor.Slot::job)
          .ifPresent(job -> index.put(job.view()));
    } catch (CodecException e) {
      log.error("job {} cannot be shown: {}", actor.path(), e.getMessage());
    }
  }

  void close() {
    closed = true;
    callboard.vertx().cancelTimer(resync);
  }
}

package io.callboard.jobs;

import io.callboard.Broadcast;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.jobs.actor.JobActor;
import io.callboard.jobs.actor.JobNews;
import io.callboard.jobs.actor.Tombstone;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.internal.PromiseInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feed of the index of jobs: changed jobs are published to all nodes, at most once; changes that
 * were missed are found by reading all jobs from the store, a page at a time: at the start, a
 * little after the members have changed, and now and then.
 */
final class IndexFeed {
  private static final Logger log = LoggerFactory.getLogger(IndexFeed.class);
  static final Duration RESYNC = Duration.ofMinutes(5);
  private static final ActorPath STORED = ActorPath.of(JobActor.PREFIX);

  /**
   * Delay from a change of the members to the reading, with as much again at random: changes come
   * in bursts, and the nodes are not all to read at the moment in which one has died.
   */
  static final Duration SETTLE = Duration.ofSeconds(2);

  private final Callboard callboard;
  private final JobIndex index;
  private final Broadcast<JobNews> news;
  private final AtomicReference<Reading> reading = new AtomicReference<>(Reading.NONE);
  private final AtomicBoolean settling = new AtomicBoolean();
  private final RandomGenerator random;
  private final Duration settle;
  private final BiConsumer<String, Tombstone> tombstones;

  /** Jobs that the last reading did not see, possibly because they were created after it began. */
  private volatile Set<String> missed = Set.of();

  private final Context context;
  private volatile @Nullable Alarm resync;
  private volatile Runnable unsubscribe = () -> {};
  private volatile boolean closed;

  /**
   * Creates the feed.
   *
   * @param tombstones receives new tombstones, and all of them with each reading
   */
  IndexFeed(
      Callboard callboard,
      JobIndex index,
      Duration settle,
      BiConsumer<String, Tombstone> tombstones) {
    this.callboard = callboard;
    this.index = index;
    this.news = JobNews.of(callboard);
    this.random = callboard.random();
    this.context = ((VertxInternal) callboard.vertx()).createEventLoopContext();
    this.settle = settle;
    this.tombstones = tombstones;
  }

  Future<Void> start() {
    resyncLater();
    unsubscribe = news.subscribe(this::heard);
    return read();
  }

  private void resyncLater() {
    resync =
        callboard
            .time()
            .after(
                context,
                RESYNC,
                () -> {
                  if (!closed) {
                    resyncLater();
                    refresh();
                  }
                });
  }

  /** Reads all jobs again, once, after a burst of changes of the members has settled. */
  void membersChanged() {
    if (closed || !settling.compareAndSet(false, true)) {
      return;
    }
    Duration delay = settle.plusMillis(random.nextLong(settle.toMillis()));
    Alarm unused =
        callboard
            .time()
            .after(
                context,
                delay,
                () -> {
                  settling.set(false); // a change from here on may be missed by this reading
                  refresh();
                });
  }

  /**
   * Reads all jobs again, once for any number of calls meanwhile; a failed reading is repeated at
   * the next occasion.
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
                    "the index of jobs could not be refreshed, the next refresh is tried at its time: {}",
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

  private void heard(JobNews what) {
    if (what instanceof JobNews.JobChanged changed) {
      index.put(changed.job());
    } else if (what instanceof JobNews.JobDeleted gone) {
      deleted(gone.id(), gone.tombstone());
    } else if (what instanceof JobNews.JobLetGo gone) {
      index.letGo(gone.id(), gone.version());
    }
  }

  private void deleted(String id, Tombstone tombstone) {
    Long letGo = tombstone.letGo();
    if (letGo == null) {
      index.deleted(id);
    } else {
      index.letGo(id, letGo);
    }
    tombstones.accept(id, tombstone);
  }

  /** Reads every job from the store, holding at most one page of them. */
  private Future<Void> read() {
    VertxInternal vertx = (VertxInternal) callboard.vertx();
    PromiseInternal<Void> done = vertx.getOrCreateContext().promise();
    Look look = new Look();
    vertx
        .createWorkerContext() // decoding a thousand records would block an event loop
        .runOnContext(
            v ->
                callboard
                    .admin()
                    .stored(STORED, look::page)
                    .<Void>map(
                        all -> {
                          look.over();
                          return null;
                        })
                    .onComplete(done));
    return done.future();
  }

  /** Reading of all jobs. */
  private final class Look {
    private final Set<String> unseen = index.ids();
    private int tombs;

    void page(StoredActors page) {
      page.readable().forEach(this::one);
      page.unreadable()
          .forEach(
              (path, why) -> {
                unseen.remove(path.name());
                log.error(
                    "the record of job {} cannot be read, the job is missing from lists: {}",
                    path,
                    why);
              });
    }

    private void one(StoredActor actor) {
      String id = actor.path().name();
      try {
        JobActor.Slot slot = actor.record().state(JobActor.Slot.class).orElse(JobActor.Slot.EMPTY);
        if (slot.job() != null) {
          unseen.remove(id);
          index.put(slot.job().view());
        } else if (slot.deleted() != null) {
          tombs++;
          deleted(id, slot.deleted());
        }
      } catch (CodecException e) {
        unseen.remove(id);
        log.error(
            "the record of job {} cannot be read, the job is missing from lists: {}",
            actor.path(),
            e.getMessage());
      }
    }

    /**
     * Removes the jobs that two consecutive readings did not see: they are gone, though no
     * announcement arrived here.
     */
    void over() {
      Set<String> again = new HashSet<>(unseen);
      again.retainAll(missed);
      again.forEach(index::remove);
      missed = unseen;
      index.tombstones(tombs);
    }
  }

  void close() {
    closed = true;
    unsubscribe.run();
    Alarm set = resync;
    if (set != null) {
      set.cancel();
    }
  }
}

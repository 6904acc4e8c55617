package io.callboard.internal.ownership;

import io.callboard.codecs.Partition;
import io.callboard.internal.context.NodeContext;
import io.callboard.store.StoreException;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When {@link PartitionOwnership} looks at the leases: one look at a time, what is asked for
 * meanwhile comes next, all at once. One that fails is repeated after a pause, which grows, while
 * it is owed. Called on the durable context.
 */
final class LeaseRefresh {
  private static final Logger log = LoggerFactory.getLogger(LeaseRefresh.class);
  private static final ExponentialBackoff PAUSE =
      Backoff.exponential(Duration.ofMillis(250), Duration.ofSeconds(10));

  private final Look look;
  private final BiConsumer<Duration, Runnable> later;
  private final LongSupplier nanoTime;
  private final RandomGenerator random;
  private final Set<Partition> changed = new HashSet<>();
  private Promise<Void> swept = Promise.promise();
  private Promise<Void> seen = Promise.promise();
  private boolean looking;
  private boolean all;
  private boolean some;
  private boolean pausing;

  /** A look at all, because of one that failed. */
  private boolean owed;

  private long nextNs = Long.MAX_VALUE;
  private long failures;
  private boolean told;
  private boolean closed;

  /** What looks; each look ends with {@link #ended}. */
  interface Look {
    /** Reads every lease, and acts. */
    void all(Promise<Void> done);

    /** Reads those, which may be none, and acts. */
    void some(Set<Partition> which, Promise<Void> done);

    /** Whether something is left to claim or to give back, which another look at all could do. */
    boolean isUnsettled();
  }

  LeaseRefresh(
      Look look,
      BiConsumer<Duration, Runnable> later,
      LongSupplier nanoTime,
      RandomGenerator random) {
    this.look = look;
    this.later = later;
    this.nanoTime = nanoTime;
    this.random = random;
  }

  /** At what is known, and the leases that have changed. */
  void soon() {
    some = true;
    next();
  }

  /** At the lease of a partition, which has changed. */
  void soon(Partition partition) {
    changed.add(partition);
    soon();
  }

  /** At all, after the one that is under way, or the next that is asked for. */
  void allNext() {
    all = true;
  }

  /**
   * At all; completes when what came of it was done. Fails if it is closed before; once it is
   * closed there is nothing to look at, and it succeeds.
   */
  Future<Void> all() {
    if (closed) {
      return Future.succeededFuture();
    }
    all = true;
    Future<Void> result = swept.future();
    next();
    return result;
  }

  /** At all; completes when they were read and what is lost is known, and fails when closed. */
  Future<Void> allSeen() {
    if (closed) {
      return Future.failedFuture(StoreException.closed());
    }
    Future<Void> result = seen.future();
    all = true;
    next();
    return result;
  }

  /** At what is known, so much later, unless that is due before. */
  void in(long nanos) {
    long atNs = nanoTime.getAsLong() + nanos;
    if (nextNs != Long.MAX_VALUE && nextNs - atNs <= 0) {
      return;
    }
    nextNs = atNs;
    later.accept(
        Duration.ofNanos(nanos),
        () -> {
          if (nextNs == atNs) {
            nextNs = Long.MAX_VALUE;
            soon();
          }
        });
  }

  private void next() {
    if (looking || closed) {
      return;
    }
    looking = true;
    if (all) {
      all = false;
      some = false;
      changed.clear();
      Promise<Void> done = swept;
      swept = Promise.promise();
      begin(done, () -> look.all(done));
    } else if (some) {
      some = false;
      Set<Partition> which = Set.copyOf(changed);
      changed.clear();
      Promise<Void> done = Promise.promise();
      begin(done, () -> look.some(which, done));
    } else {
      looking = false;
    }
  }

  /** A look that throws has ended. */
  private void begin(Promise<Void> done, Runnable begun) {
    try {
      begun.run();
    } catch (RuntimeException | Error e) {
      ended(done, e);
    }
  }

  /** Every lease was read, and what is lost is known. */
  void seen() {
    owed = false;
    Promise<Void> waited = seen;
    seen = Promise.promise();
    var unused = waited.tryComplete();
  }

  /**
   * The look under way is over.
   *
   * @param cause why it failed; null if it did not
   */
  void ended(Promise<Void> done, @Nullable Throwable cause) {
    looking = false;
    Throwable failure = cause == null && all && closed ? StoreException.closed() : cause;
    if (failure != null) {
      failed(failure);
      var unused = done.tryFail(failure);
      return;
    }
    if (failures > 0) {
      log.info("the leases were looked at, after {} attempts that failed", failures);
    }
    failures = 0;
    told = false;
    if (all) {
      swept.future().onComplete(done); // it was too early to tell
    } else {
      var unused = done.tryComplete();
    }
    next();
  }

  /** Who asked for a look meanwhile is told now, and it is made after the pause. */
  private void failed(Throwable cause) {
    boolean asked = all || some;
    all = false;
    some = false;
    Promise<Void> meanwhile = swept;
    swept = Promise.promise();
    meanwhile.fail(cause);
    if (closed) {
      return;
    }
    failures++;
    if (!told && !StoreException.isDenial(cause)) {
      told = true;
      log.warn("the leases could not all be looked at and claimed: {}", cause.toString());
    }
    owed |= asked || look.isUnsettled();
    if (!pausing && owed) {
      pausing = true;
      later.accept(PAUSE.delay(failures, random), this::paused);
    }
  }

  private void paused() {
    pausing = false;
    if (owed) {
      all().onFailure(NodeContext::reportedElsewhere);
    }
  }

  /** No more; who waits for one is told. */
  void close() {
    closed = true;
    var unused = seen.tryFail(StoreException.closed());
  }
}

package io.callboard.internal.ownership;

import io.callboard.codecs.Partition;
import io.callboard.internal.context.NodeContext;
import io.callboard.store.StoreException;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Causes;
import io.callboard.supervision.ExponentialBackoff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schedule of the reads of the leases: one at a time, requests meanwhile are merged, failures are
 * retried with backoff as long as a read is owed. Called on the durable context.
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

  /** Completed by the next full read that sees all leases; null if nobody waits for one. */
  private @Nullable Promise<Void> seen;

  /** Completed by the full read under way; null if nobody waits for it. */
  private @Nullable Promise<Void> seeing;

  private boolean looking;
  private boolean all;
  private boolean some;
  private boolean pausing;

  /** True if a full read is owed because one has failed. */
  private boolean owed;

  private long nextNs = Long.MAX_VALUE;
  private long failures;
  private boolean told;
  private boolean closed;

  /** Reader of the leases; each read ends with {@link #ended}. */
  interface Look {
    /** Reads every lease, and acts. */
    void all(Promise<Void> done);

    /** Reads those leases, of which there may be none, and acts. */
    void some(Set<Partition> which, Promise<Void> done);

    /**
     * Returns whether something is left to claim or to give back, so that another full read could
     * help.
     */
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

  /** Requests a look at what is known, and a read of the leases that have changed. */
  void soon() {
    some = true;
    next();
  }

  /** Requests a read of the lease of a partition, which has changed. */
  void soon(Partition partition) {
    changed.add(partition);
    soon();
  }

  /** Requests a full read after the present one, or together with the next request. */
  void allNext() {
    all = true;
  }

  /**
   * Requests a full read; completes when its consequences are carried out. Fails if closed before
   * the read; once closed there is nothing to read, and it succeeds.
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

  /**
   * Requests a full read; completes when all leases were read and losses are known; fails when
   * closed.
   */
  Future<Void> allSeen() {
    if (closed) {
      return Future.failedFuture(StoreException.closed());
    }
    Promise<Void> awaited = seen == null ? Promise.promise() : seen;
    seen = awaited;
    all = true;
    next();
    return awaited.future();
  }

  /** Requests a look at what is known after {@code nanos}, unless an earlier one is due. */
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
      seeing = seen;
      seen = null;
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

  /** Begins a read; one that throws has ended. */
  private void begin(Promise<Void> done, Runnable begun) {
    try {
      begun.run();
    } catch (RuntimeException | Error e) {
      ended(done, e);
    }
  }

  /** Reports that every lease was read and losses are known. */
  void seen() {
    owed = false;
    Promise<Void> waited = seeing;
    seeing = null;
    if (waited != null) {
      var unused = waited.tryComplete();
    }
  }

  /**
   * Ends the read under way.
   *
   * @param cause why it failed; null if it succeeded
   */
  void ended(Promise<Void> done, @Nullable Throwable cause) {
    looking = false;
    if (seeing != null) { // it has not come that far: the next one
      if (seen == null) {
        seen = seeing;
      } else {
        seen.future().onComplete(seeing);
      }
      seeing = null;
    }
    Throwable failure = cause == null && all && closed ? StoreException.closed() : cause;
    if (failure != null) {
      failed(failure);
      var unused = done.tryFail(failure);
      return;
    }
    if (failures > 0) {
      log.info("the leases were read and claimed after {} failed attempts", failures);
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

  /** Fails the requests made meanwhile; the next read follows after the pause. */
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
      log.warn(
          "not all leases could be read and claimed; further attempts follow: {}",
          Causes.text(cause));
    }
    owed |= asked || seen != null || look.isUnsettled();
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

  /** Schedules nothing more, and fails those who wait for a read. */
  void close() {
    closed = true;
    for (Promise<Void> awaited : Arrays.asList(seeing, seen)) {
      if (awaited != null) {
        var unused = awaited.tryFail(StoreException.closed());
      }
    }
    seeing = null;
    seen = null;
  }
}

package io.callboard.turn;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.ParkedFilter;
import io.callboard.Time;
import io.callboard.store.ParkedKey;
import io.callboard.store.StoredParked;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds parked messages and replays them at a rate, some of them at once. Every method is called on
 * the durable context.
 */
final class BulkRun {
  /** Messages at most; what is parked beyond that takes another run. */
  static final int MOST = 10_000;

  /** Messages a second at most. */
  static final double HIGHEST_RATE = 1_000;

  private static final int READ_AT_ONCE = 50;
  private static final double STEPS_A_SECOND = 20;

  /** As they came into their mailboxes. */
  private static final Comparator<ParkedKey> ORDER =
      Comparator.comparing(ParkedKey::actor)
          .thenComparingLong(key -> number(key.id(), 0))
          .thenComparingLong(key -> number(key.id(), 1))
          .thenComparing(ParkedKey::id);

  private final CallboardRuntime runtime;
  private final Function<List<StoredParked>, Future<Integer>> replay;
  private final double ratePerSecond;
  private final Promise<Integer> end = Promise.promise();
  private List<ParkedKey> keys = List.of();
  private int next;
  private int replayed;
  private Time.@Nullable Alarm timer;

  /**
   * @param replay replays what can be, in that order, and tells how many
   */
  BulkRun(
      CallboardRuntime runtime,
      Function<List<StoredParked>, Future<Integer>> replay,
      double ratePerSecond) {
    this.runtime = runtime;
    this.replay = replay;
    this.ratePerSecond = ratePerSecond;
  }

  /** A part of the id that parking gives, {@code <segment>-<index>}. */
  private static long number(String id, int part) {
    String[] parts = id.split("-", 3);
    boolean usual = parts.length == 2 && parts[part].matches("\\d{1,18}");
    return usual ? Long.parseLong(parts[part]) : Long.MAX_VALUE;
  }

  /** How many were replayed, at the end. Completes on the durable context. */
  Future<Integer> end() {
    return end.future();
  }

  /** Starts with what {@code filter} means; completes with how many these are. */
  Future<Integer> start(ParkedFilter filter) {
    Promise<Integer> matched = Promise.promise();
    matched.future().onFailure(this::fail);
    boolean sifts = filter.type().isPresent() || filter.cause().isPresent();
    runtime
        .store()
        .parkedKeys(filter.actor())
        .map(found -> found.stream().sorted(ORDER).toList())
        .onFailure(matched::fail)
        .onSuccess(
            found ->
                runtime.onDurableContext(
                    matched,
                    () -> {
                      if (sifts) {
                        sift(filter, found, 0, new ArrayList<>(), matched);
                      } else {
                        found(found, matched);
                      }
                    }));
    return matched.future();
  }

  private void sift(
      ParkedFilter filter,
      List<ParkedKey> all,
      int from,
      List<ParkedKey> matching,
      Promise<Integer> matched) {
    if (from >= all.size() || matching.size() >= MOST || isOver()) {
      found(matching, matched);
      return;
    }
    int to = Math.min(all.size(), from + READ_AT_ONCE);
    read(all.subList(from, to))
        .onFailure(matched::fail)
        .onSuccess(
            stored ->
                runtime.onDurableContext(
                    matched,
                    () -> {
                      stored.stream()
                          .filter(each -> ParkedContent.matches(filter, each))
                          .forEach(each -> matching.add(each.key()));
                      sift(filter, all, to, matching, matched);
                    }));
  }

  private Future<List<StoredParked>> read(List<ParkedKey> some) {
    List<Future<Optional<StoredParked>>> reads =
        some.stream().map(key -> runtime.store().parked(key)).toList();
    return Future.all(reads)
        .map(all -> reads.stream().flatMap(read -> read.result().stream()).toList());
  }

  private void found(List<ParkedKey> found, Promise<Integer> matched) {
    keys = found.stream().limit(MOST).toList();
    matched.complete(keys.size());
    step();
  }

  private boolean isOver() {
    return end.future().isComplete();
  }

  private void step() {
    if (isOver()) {
      return;
    } else if (next == keys.size()) {
      end.complete(replayed);
      return;
    }
    int size = (int) Math.max(1, Math.min(READ_AT_ONCE, ratePerSecond / STEPS_A_SECOND));
    List<ParkedKey> some = keys.subList(next, Math.min(keys.size(), next + size));
    long due = runtime.nanoTime() + (long) (some.size() / ratePerSecond * 1e9);
    next += some.size();
    read(some)
        .compose(replay)
        .onFailure(this::fail)
        .onSuccess(
            count ->
                runtime.onDurableContext(
                    end,
                    () -> {
                      replayed += count;
                      stepAt(due);
                    }));
  }

  private void stepAt(long due) {
    long nanos = due - runtime.nanoTime();
    if (nanos <= 0 || next == keys.size() || isOver()) {
      step();
    } else {
      timer = runtime.after(Duration.ofNanos(nanos), this::step);
    }
  }

  private void fail(Throwable cause) {
    runtime.onDurableContext(() -> end.tryFail(cause));
  }

  /** Nothing more is replayed. */
  void cancel() {
    if (timer != null) {
      timer.cancel();
    }
    end.tryFail(
        new CallboardException(
            Code.STOPPED,
            "the node stopped when %d of %d messages were replayed"
                .formatted(replayed, keys.size())));
  }
}

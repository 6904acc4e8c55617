package io.callboard.turn;

import io.callboard.NodeCounts;
import io.callboard.supervision.Failure;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** What the node counts; written from any thread. */
final class Counters {
  final LongAdder handled = new LongAdder();
  final LongAdder turns = new LongAdder();
  final LongAdder sent = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder parked = new LongAdder();
  final LongAdder dead = new LongAdder();
  final LongAdder restarts = new LongAdder();
  private final Map<Failure.Kind, LongAdder> failures = new EnumMap<>(Failure.Kind.class);

  Counters() {
    for (Failure.Kind kind : Failure.Kind.values()) {
      failures.put(kind, new LongAdder());
    }
  }

  /** Something went wrong with an actor. */
  void failed(Failure.Kind kind) {
    Objects.requireNonNull(failures.get(kind), "all kinds are there").increment();
  }

  /**
   * @param commits group commits applied
   */
  NodeCounts snapshot(long commits) {
    Map<Failure.Kind, Long> byKind = new EnumMap<>(Failure.Kind.class);
    failures.forEach((kind, count) -> byKind.put(kind, count.sum()));
    return new NodeCounts(
        handled.sum(),
        turns.sum(),
        commits,
        sent.sum(),
        failed.sum(),
        parked.sum(),
        dead.sum(),
        restarts.sum(),
        Collections.unmodifiableMap(byKind));
  }
}

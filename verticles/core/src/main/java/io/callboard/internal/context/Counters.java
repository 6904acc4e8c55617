package io.callboard.internal.context;

import io.callboard.admin.NodeCounts;
import io.callboard.supervision.Failure;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a node; written from any thread. */
public final class Counters {
  public final LongAdder handled = new LongAdder();
  public final LongAdder turns = new LongAdder();
  public final LongAdder sent = new LongAdder();
  public final LongAdder failed = new LongAdder();
  public final LongAdder parked = new LongAdder();
  public final LongAdder dead = new LongAdder();
  public final LongAdder restarts = new LongAdder();
  private final Map<Failure.Kind, LongAdder> failures = new EnumMap<>(Failure.Kind.class);

  public Counters() {
    for (Failure.Kind kind : Failure.Kind.values()) {
      failures.put(kind, new LongAdder());
    }
  }

  /** Counts a failure of an actor. */
  public void failed(Failure.Kind kind) {
    Objects.requireNonNull(failures.get(kind), "all kinds are there").increment();
  }

  /**
   * @param commits group commits applied
   */
  public NodeCounts snapshot(long commits) {
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

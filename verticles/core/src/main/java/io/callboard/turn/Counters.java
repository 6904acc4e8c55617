package io.callboard.turn;

import io.callboard.NodeCounts;
import java.util.concurrent.atomic.LongAdder;

/** What the node counts; written from any thread. */
final class Counters {
  final LongAdder handled = new LongAdder();
  final LongAdder turns = new LongAdder();
  final LongAdder sent = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder parked = new LongAdder();
  final LongAdder dead = new LongAdder();

  /**
   * @param commits group commits applied
   */
  NodeCounts snapshot(long commits) {
    return new NodeCounts(
        handled.sum(), turns.sum(), commits, sent.sum(), failed.sum(), parked.sum(), dead.sum());
  }
}

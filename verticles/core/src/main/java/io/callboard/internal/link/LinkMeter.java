package io.callboard.internal.link;

import io.callboard.admin.LinkCounts;
import java.util.concurrent.atomic.LongAdder;

/** Counters behind {@link LinkCounts}; written from any thread. */
final class LinkMeter {
  final LongAdder framesOut = new LongAdder();
  final LongAdder framesIn = new LongAdder();
  final LongAdder messagesOut = new LongAdder();
  final LongAdder messagesIn = new LongAdder();
  final LongAdder lost = new LongAdder();
  final LongAdder repeated = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder overflowed = new LongAdder();
  final LongAdder pushesOut = new LongAdder();
  final LongAdder pushesIn = new LongAdder();
  final LongAdder pushesDropped = new LongAdder();
  final LongAdder broadcastsOut = new LongAdder();
  final LongAdder broadcastsIn = new LongAdder();
  final LongAdder broadcastsDropped = new LongAdder();

  LinkCounts snapshot() {
    return new LinkCounts(
        framesOut.sum(),
        framesIn.sum(),
        messagesOut.sum(),
        messagesIn.sum(),
        lost.sum(),
        repeated.sum(),
        refused.sum(),
        overflowed.sum(),
        pushesOut.sum(),
        pushesIn.sum(),
        pushesDropped.sum(),
        broadcastsOut.sum(),
        broadcastsIn.sum(),
        broadcastsDropped.sum());
  }
}

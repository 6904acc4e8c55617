package io.callboard.examples.search;

import io.vertx.core.json.JsonObject;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the front ends since the start. Thread-safe. */
final class SearchCounts {
  final LongAdder queries = new LongAdder();
  final LongAdder whole = new LongAdder();
  final LongAdder partial = new LongAdder();
  final LongAdder early = new LongAdder();
  final LongAdder rerouted = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder abandoned = new LongAdder();

  JsonObject json() {
    return new JsonObject()
        .put("queries", queries.sum())
        .put("whole", whole.sum())
        .put("partial", partial.sum())
        .put("early", early.sum())
        .put("rerouted", rerouted.sum())
        .put("refused", refused.sum())
        .put("abandoned", abandoned.sum());
  }
}

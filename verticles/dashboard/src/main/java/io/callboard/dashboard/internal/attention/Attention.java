package io.callboard.dashboard.internal.attention;

import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;

/**
 * Reader of the present troubles of the cell, by what one node sees. Nothing is read before
 * somebody asks. Thread-safe.
 */
public final class Attention {
  private final FactsReader facts;
  private final Clock clock;
  private final FirstSeen seen = new FirstSeen();

  /** Creates the reader. */
  public Attention(FactsReader facts, Clock clock) {
    this.facts = facts;
    this.clock = clock;
  }

  /** Completes with the present troubles; facts that cannot be read are one of them. */
  public Future<AttentionRules.Found> now() {
    return facts.read().map(this::check);
  }

  private synchronized AttentionRules.Found check(Facts read) {
    Instant now = clock.instant();
    AttentionRules.Found found = AttentionRules.check(read, now);
    return new AttentionRules.Found(seen.dated(found.items(), now), found.omitted(), found.read());
  }
}

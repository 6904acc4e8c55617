package io.callboard.store;

import java.time.Instant;
import java.util.Map;

/**
 * A live node of the cell.
 *
 * @param facts the facts that it publishes about itself, for example its HTTP address
 */
public record Member(String name, String bootId, Instant since, Map<String, String> facts) {
  /** Creates a member; the facts are copied. */
  public Member {
    facts = Map.copyOf(facts);
  }
}

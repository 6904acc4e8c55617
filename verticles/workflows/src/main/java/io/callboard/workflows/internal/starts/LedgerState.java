package io.callboard.workflows.internal.starts;

import io.callboard.codecs.Named;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Durable state of the start ledger.
 *
 * @param epoch epoch of the start desk
 * @param brakes brakes that are on, overridden, or have been, by definition
 * @param weights weights that were set for definitions among those that wait to begin
 */
@Named("master-state")
public record LedgerState(
    long epoch, Map<String, BrakeState> brakes, Map<String, Integer> weights) {
  /** State of a new ledger. */
  public static final LedgerState NONE = new LedgerState(0, Map.of(), Map.of());

  /** Maximum number of brakes that are off and kept for their history. */
  static final int MOST_OFF = 200;

  /** Copies the maps. */
  public LedgerState {
    brakes = Map.copyOf(brakes);
    weights = Map.copyOf(weights);
  }

  /** Returns the state after an event. */
  public LedgerState after(LedgerEvent event) {
    if (event instanceof LedgerEvent.DeskOpened opened) {
      return new LedgerState(opened.epoch(), brakes, weights);
    } else if (event instanceof LedgerEvent.BrakeChanged changed) {
      return with(changed.brake());
    }
    LedgerEvent.Weighed weighed = (LedgerEvent.Weighed) event;
    Map<String, Integer> next = new TreeMap<>(weights);
    next.remove(weighed.definition());
    if (weighed.weight() > 0) {
      next.put(weighed.definition(), weighed.weight());
    }
    return new LedgerState(epoch, brakes, next);
  }

  /** Of those that are off only the ones that changed last are kept. */
  private LedgerState with(BrakeState brake) {
    Map<String, BrakeState> next = new TreeMap<>(brakes);
    next.put(brake.definition(), brake);
    long off = next.values().stream().filter(BrakeState::isDefault).count();
    if (off > MOST_OFF) {
      next.values().stream()
          .filter(BrakeState::isDefault)
          .min(Comparator.comparing(BrakeState::since).thenComparing(BrakeState::definition))
          .ifPresent(oldest -> next.remove(oldest.definition()));
    }
    return new LedgerState(epoch, next, weights);
  }

  /** Returns the brake of a definition; one that is off if none is known. */
  public BrakeState brake(String definition, Instant now) {
    BrakeState known = brakes.get(definition);
    return known == null ? BrakeState.off(definition, now) : known;
  }
}

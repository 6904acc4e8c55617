package io.callboard.workflows.starts;

import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Durable state of the workflow master.
 *
 * @param epoch epoch of the start desk
 * @param brakes brakes that are on, overridden, or have been, by definition
 * @param weights weights that were set for definitions among those that wait to begin
 */
public record MasterState(
    long epoch, Map<String, BrakeState> brakes, Map<String, Integer> weights) {
  /** State of a new master. */
  public static final MasterState NONE = new MasterState(0, Map.of(), Map.of());

  /** Maximum number of brakes that are off and kept for their history. */
  static final int MOST_OFF = 200;

  /** Copies the maps. */
  public MasterState {
    brakes = Map.copyOf(brakes);
    weights = Map.copyOf(weights);
  }

  /** Returns the state after an event. */
  public MasterState after(MasterEvent event) {
    if (event instanceof MasterEvent.DeskOpened opened) {
      return new MasterState(opened.epoch(), brakes, weights);
    } else if (event instanceof MasterEvent.BrakeChanged changed) {
      return with(changed.brake());
    }
    MasterEvent.Weighed weighed = (MasterEvent.Weighed) event;
    Map<String, Integer> next = new TreeMap<>(weights);
    next.remove(weighed.definition());
    if (weighed.weight() > 0) {
      next.put(weighed.definition(), weighed.weight());
    }
    return new MasterState(epoch, brakes, next);
  }

  /** Of those that are off only the ones that changed last are kept. */
  private MasterState with(BrakeState brake) {
    Map<String, BrakeState> next = new TreeMap<>(brakes);
    next.put(brake.definition(), brake);
    long off = next.values().stream().filter(BrakeState::isDefault).count();
    if (off > MOST_OFF) {
      next.values().stream()
          .filter(BrakeState::isDefault)
          .min(Comparator.comparing(BrakeState::since).thenComparing(BrakeState::definition))
          .ifPresent(oldest -> next.remove(oldest.definition()));
    }
    return new MasterState(epoch, next, weights);
  }

  /** Returns the brake of a definition; one that is off if none is known. */
  public BrakeState brake(String definition, Instant now) {
    BrakeState known = brakes.get(definition);
    return known == null ? BrakeState.off(definition, now) : known;
  }
}

package io.callboard.workflows.internal.dispatch;

import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Machine;
import io.callboard.workflows.internal.protocol.ZoneSlots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Slots of a worker: its own, and those of each of its zones of handlers. A run takes a slot of the
 * lane to which it was assigned. A lane in which an attempt could not begin rests for a while, so
 * that what is given back is not assigned to it at once again: twice as long each time, until one
 * begins there. A part of {@link WorkerMachine}.
 */
@Machine
final class WorkerLanes {
  /** Time for which a lane takes nothing after an attempt could not begin in it. */
  static final Duration REST = Duration.ofSeconds(1);

  /** The longest of these times, when none has begun there for a while. */
  static final Duration LONGEST_REST = Duration.ofMinutes(1);

  /** Maximum length of a reason, which travels with each Hello. */
  static final int MOST_CHARACTERS = 200;

  private static final ExponentialBackoff RESTS = Backoff.exponential(REST, LONGEST_REST);

  /** Key of the worker's own lane; no zone has that name. */
  private static final String OWN = "";

  private final Map<String, Lane> lanes = new TreeMap<>();

  /** Slots and what takes them. */
  private static final class Lane {
    int slots;
    Set<String> types = Set.of();
    @Nullable String trouble;
    @Nullable String restsFor;
    long restsUntilNs;
    int rests;
    int alive;

    /** Returns why the lane takes no runs; null if it takes some. */
    @Nullable String why() {
      return trouble == null ? restsFor : trouble;
    }

    int open() {
      return why() == null ? slots : 0;
    }
  }

  private static String key(@Nullable String zone) {
    return zone == null ? OWN : zone;
  }

  private Lane lane(@Nullable String zone) {
    return lanes.computeIfAbsent(key(zone), name -> new Lane());
  }

  /**
   * Sets the types and slots that the worker offers.
   *
   * @param types all that the worker runs, in whichever lane: a desk of an earlier version knows
   *     the worker's own only
   * @return whether it is something else than before
   */
  boolean offer(Set<String> types, int slots, List<ZoneSlots> zones) {
    boolean changed = set(lane(null), types, slots, null);
    for (ZoneSlots zone : zones) {
      changed |= set(lane(zone.zone()), zone.types(), zone.slots(), zone.trouble());
    }
    for (Map.Entry<String, Lane> each : lanes.entrySet()) {
      String name = each.getKey();
      boolean offered = name.equals(OWN) || zones.stream().anyMatch(z -> z.zone().equals(name));
      if (!offered) {
        changed |= set(each.getValue(), Set.of(), 0, null);
      }
    }
    lanes
        .entrySet()
        .removeIf(
            each ->
                !each.getKey().equals(OWN)
                    && each.getValue().types.isEmpty()
                    && each.getValue().alive == 0);
    return changed;
  }

  private static boolean set(Lane lane, Set<String> types, int slots, @Nullable String trouble) {
    boolean changed =
        lane.slots != slots
            || !lane.types.equals(types)
            || (lane.trouble == null) != (trouble == null);
    lane.slots = slots;
    lane.types = Set.copyOf(types);
    lane.trouble = trouble;
    return changed;
  }

  /** Returns whether a lane has a slot for a run of that type. */
  boolean takes(@Nullable String zone, String type) {
    Lane lane = lanes.get(key(zone));
    return lane != null && lane.alive < lane.open() && serves(lane.types, type);
  }

  private static boolean serves(Set<String> types, String type) {
    return types.contains(type) || types.stream().anyMatch(each -> each.startsWith(type + "@"));
  }

  /** Records that a run takes a slot of a lane. */
  void begins(@Nullable String zone) {
    lane(zone).alive++;
  }

  /** Records that a run has freed its slot of a lane. */
  void ends(@Nullable String zone) {
    lane(zone).alive--;
  }

  /**
   * Pauses a lane.
   *
   * @return for how long; null if the lane is paused already
   */
  @Nullable Duration rest(@Nullable String zone, String why, long nowNs) {
    Lane lane = lane(zone);
    if (lane.restsFor != null) {
      return null;
    }
    lane.rests++;
    Duration time = RESTS.longest(lane.rests);
    lane.restsFor = why.substring(0, Math.min(why.length(), MOST_CHARACTERS));
    lane.restsUntilNs = nowNs + time.toNanos();
    return time;
  }

  /** Records that an attempt has begun in a lane: its next pause is a short one. */
  void begun(@Nullable String zone) {
    lane(zone).rests = 0;
  }

  /**
   * Ends the pauses that are over.
   *
   * @return whether there was one
   */
  boolean wake(long nowNs) {
    boolean woken = false;
    for (Lane lane : lanes.values()) {
      if (lane.restsFor != null && lane.restsUntilNs - nowNs <= 0) {
        lane.restsFor = null;
        woken = true;
      }
    }
    return woken;
  }

  /**
   * Returns the types of the worker without those whose zone takes none now: a desk of an earlier
   * version, which knows no zones, is not to give it those.
   */
  Set<String> types() {
    Set<String> open = new TreeSet<>(lane(null).types);
    lanes.forEach(
        (name, lane) -> {
          if (!name.equals(OWN) && lane.why() != null) {
            open.removeAll(lane.types);
          }
        });
    return open;
  }

  /** Returns the number of offered slots of the worker's own lane. */
  int own() {
    return lane(null).open();
  }

  /** Returns why the worker's own lane takes no runs; null if that is not known. */
  @Nullable String trouble() {
    return lane(null).why();
  }

  /**
   * Returns the offered slots in zones of handlers; null for none.
   *
   * @param takes whether the worker takes anything
   * @param trouble why it takes nothing, if that is not its lanes' trouble; null if it is not
   */
  @Nullable List<ZoneSlots> zones(boolean takes, @Nullable String trouble) {
    List<ZoneSlots> zones = new ArrayList<>();
    lanes.forEach(
        (name, lane) -> {
          if (!name.equals(OWN) && !lane.types.isEmpty()) {
            String why = trouble == null ? lane.why() : trouble;
            zones.add(new ZoneSlots(name, takes ? lane.open() : 0, lane.types, why));
          }
        });
    return zones.isEmpty() ? null : zones;
  }
}

package io.callboard.workflows.internal.dispatch;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.protocol.WorkerNews;
import io.callboard.workflows.internal.protocol.ZoneSlots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Workers that the desk knows, their seats in pools of those that offer the same. */
@Machine
final class DeskWorkers {
  /** Time without news after which a worker is given no runs. */
  static final Duration SILENCE = Duration.ofSeconds(15);

  /** Pause after which the registry is asked again to make the life of a worker durable. */
  static final Duration ENROLL_PAUSE = Duration.ofSeconds(10);

  private final Map<String, DeskWorker> byBoot = new TreeMap<>();
  private final Map<String, DeskWorker> byNode = new HashMap<>();
  private final Map<Set<String>, WorkerPool> pools = new LinkedHashMap<>();
  private final Map<String, List<WorkerPool>> offering = new HashMap<>();
  private final ToIntFunction<DeskSeat> credit;
  private Set<String> drained = Set.of();

  /**
   * Creates the table.
   *
   * @param credit returns the credit of a seat from what is known of it
   */
  DeskWorkers(ToIntFunction<DeskSeat> credit) {
    this.credit = credit;
  }

  /** Returns the worker of a boot; null if none is known. */
  @Nullable DeskWorker ofBoot(String boot) {
    return byBoot.get(boot);
  }

  /** Returns the newest worker of a node; null if none is known. */
  @Nullable DeskWorker ofNode(String node) {
    return byNode.get(node);
  }

  /** Returns all workers. */
  Collection<DeskWorker> all() {
    return byBoot.values();
  }

  /** Returns all pools. */
  Collection<WorkerPool> pools() {
    return pools.values();
  }

  /** Returns the pools that offer a type. */
  List<WorkerPool> offering(String type) {
    return offering.getOrDefault(type, List.of());
  }

  /** Adds a worker. */
  DeskWorker add(WorkerId id, long nowNs) {
    DeskWorker worker = new DeskWorker(id, nowNs);
    byBoot.put(id.boot(), worker);
    byNode.put(id.node(), worker);
    return worker;
  }

  /** Removes a worker. */
  void remove(DeskWorker worker) {
    worker.forEachSeat(this::leave);
    byBoot.remove(worker.id.boot());
    byNode.remove(worker.id.node(), worker);
  }

  /** Sets the nodes whose workers get no runs. */
  void drained(Set<String> nodes) {
    drained = Set.copyOf(nodes);
    byBoot.values().forEach(this::refresh);
  }

  /** Returns whether a worker takes no runs because it is being drained. */
  boolean isDrained(DeskWorker worker) {
    return worker.draining || drained.contains(worker.id.node());
  }

  /**
   * Moves the seats of a worker to the pools of the types that they offer.
   *
   * @return pools that are new, so that they do not know who waits
   */
  List<WorkerPool> offers(DeskWorker worker, WorkerNews.Hello hello) {
    List<ZoneSlots> reported = hello.zones();
    List<ZoneSlots> zones = reported == null ? List.of() : reported;
    Set<String> own = new TreeSet<>(hello.types());
    Set<String> named = new TreeSet<>();
    for (ZoneSlots zone : zones) {
      own.removeAll(zone.types());
      named.add(zone.zone());
    }
    worker.zones.forEach(
        (zone, seat) -> {
          if (!named.contains(zone)) {
            leave(seat);
            seat.slots = 0;
          }
        });
    worker.zones.values().removeIf(seat -> seat.pool == null && seat.taking.isEmpty());
    worker.types = new TreeSet<>(hello.types());
    zones.forEach(zone -> worker.types.addAll(zone.types()));
    List<WorkerPool> made = new ArrayList<>();
    offers(worker.own, hello.slots(), own, hello.trouble(), made);
    for (ZoneSlots zone : zones) {
      offers(worker.seat(zone.zone()), zone.slots(), zone.types(), zone.trouble(), made);
    }
    return made;
  }

  private void offers(
      DeskSeat seat,
      int slots,
      Set<String> types,
      @Nullable String trouble,
      List<WorkerPool> made) {
    seat.slots = slots;
    seat.trouble = trouble;
    if (seat.pool != null && seat.types.equals(types)) {
      return;
    }
    leave(seat);
    seat.types = Set.copyOf(types);
    Set<String> served = served(types);
    WorkerPool pool = pools.get(served);
    if (pool == null) {
      WorkerPool added = new WorkerPool(served);
      pools.put(served, added);
      served.forEach(type -> offering.computeIfAbsent(type, t -> new ArrayList<>()).add(added));
      made.add(added);
      pool = added;
    }
    pool.seats++;
    seat.pool = pool;
  }

  /** Returns the types that steps may name: those given, and handlers without their version. */
  private static Set<String> served(Set<String> types) {
    Set<String> served = new TreeSet<>(types);
    for (String type : types) {
      int at = type.indexOf('@');
      if (at > 0) {
        served.add(type.substring(0, at));
      }
    }
    return served;
  }

  private void leave(DeskSeat seat) {
    WorkerPool pool = seat.pool;
    if (pool != null) {
      pool.free.remove(seat);
      seat.credit = 0;
      seat.pool = null;
      if (--pool.seats == 0) {
        pools.remove(pool.types);
        pool.types.forEach(
            type -> {
              List<WorkerPool> left = offering(type);
              left.remove(pool);
              if (left.isEmpty()) {
                offering.remove(type);
              }
            });
      }
    }
  }

  /** Sorts the seats of a worker by their present credit. */
  void refresh(DeskWorker worker) {
    worker.forEachSeat(this::refresh);
  }

  /** Sorts a seat by its present credit. */
  void refresh(DeskSeat seat) {
    WorkerPool pool = seat.pool;
    if (pool != null) {
      int now = credit.applyAsInt(seat);
      if (now != seat.credit) {
        pool.free.remove(seat);
        seat.credit = now;
        if (now > 0) {
          pool.free.add(seat);
        }
      }
    }
  }

  /** Returns whether the registry is to be asked to make the life of a worker durable. */
  static boolean isToBeEnrolled(DeskWorker worker, long nowNs) {
    Long asked = worker.askedNs;
    return !worker.enrolled && (asked == null || nowNs - asked >= ENROLL_PAUSE.toNanos());
  }

  /** Returns whether a worker gets runs, apart from its credit. */
  boolean takesRuns(DeskWorker worker, long nowNs) {
    return worker.enrolled
        && worker.goneNs == null
        && !isDrained(worker)
        && nowNs - worker.heardNs < SILENCE.toNanos();
  }
}

package io.callboard.workflows.work;

import io.callboard.time.Machine;
import io.callboard.workflows.protocol.WorkerId;
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

/** Workers that the desk knows, in pools of those that offer the same. */
@Machine
final class DeskWorkers {
  /** Time without news after which a worker is given no runs. */
  static final Duration SILENCE = Duration.ofSeconds(15);

  private final Map<String, DeskWorker> byBoot = new TreeMap<>();
  private final Map<String, DeskWorker> byNode = new HashMap<>();
  private final Map<Set<String>, WorkerPool> pools = new LinkedHashMap<>();
  private final Map<String, List<WorkerPool>> offering = new HashMap<>();
  private final ToIntFunction<DeskWorker> credit;
  private Set<String> drained = Set.of();

  /**
   * Creates the table.
   *
   * @param credit returns the credit of a worker from what is known of it
   */
  DeskWorkers(ToIntFunction<DeskWorker> credit) {
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
    leave(worker);
    byBoot.remove(worker.id.boot());
    byNode.remove(worker.id.node(), worker);
  }

  /** Sets the nodes whose workers get no runs. */
  void drained(Set<String> nodes) {
    drained = Set.copyOf(nodes);
    byBoot.values().forEach(this::refresh);
  }

  /** Returns whether a worker takes no runs because somebody wants that. */
  boolean isDrained(DeskWorker worker) {
    return worker.draining || drained.contains(worker.id.node());
  }

  /**
   * Moves a worker to the pool of what it offers.
   *
   * @return whether the pool is new, so that it does not know who waits
   */
  boolean offers(DeskWorker worker, Set<String> types) {
    if (worker.pool != null && worker.types.equals(types)) {
      return false;
    }
    leave(worker);
    worker.types = Set.copyOf(types);
    Set<String> served = served(types);
    boolean isNew = !pools.containsKey(served);
    WorkerPool pool = pools.computeIfAbsent(served, WorkerPool::new);
    if (isNew) {
      served.forEach(type -> offering.computeIfAbsent(type, t -> new ArrayList<>()).add(pool));
    }
    pool.workers++;
    worker.pool = pool;
    return isNew;
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

  private void leave(DeskWorker worker) {
    WorkerPool pool = worker.pool;
    if (pool != null) {
      pool.free.remove(worker);
      worker.credit = 0;
      worker.pool = null;
      if (--pool.workers == 0) {
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

  /** Orders a worker by its credit of now. */
  void refresh(DeskWorker worker) {
    WorkerPool pool = worker.pool;
    if (pool != null) {
      int now = credit.applyAsInt(worker);
      if (now != worker.credit) {
        pool.free.remove(worker);
        worker.credit = now;
        if (now > 0) {
          pool.free.add(worker);
        }
      }
    }
  }

  /** Returns whether a worker gets runs, apart from its credit. */
  boolean takesRuns(DeskWorker worker, long nowNs) {
    return worker.enrolled
        && worker.goneNs == null
        && !isDrained(worker)
        && nowNs - worker.heardNs < SILENCE.toNanos();
  }
}

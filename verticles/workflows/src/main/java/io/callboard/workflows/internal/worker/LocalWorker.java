package io.callboard.workflows.internal.worker;

import io.callboard.Callboard;
import io.callboard.admin.ZoneStatus;
import io.callboard.task.BackgroundTasks;
import io.callboard.workflows.internal.dispatch.WorkerMachine;
import io.callboard.workflows.internal.output.StepOutputs;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.StepReports;
import io.callboard.workflows.internal.protocol.ZoneSlots;
import io.callboard.zone.ZoneOptions.Kind;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Offer of the worker of this node, over all lives of its actor. One object a boot; any thread. */
public final class LocalWorker {
  /** Time in which an attempt gets a thread of its zone; its run is given back then. */
  static final Duration NO_THREAD = Duration.ofSeconds(30);

  /** Kinds of zones in which a handler that blocks has one of a number of threads. */
  private static final Set<String> THREADS =
      Set.of(Kind.FIXED.label(), Kind.ELASTIC.label(), Kind.FORK_JOIN.label());

  private final Callboard callboard;
  private final StepCodes codes;
  private final StepReports reports;
  private final StepOutputs outputs;
  private final RunningCode code;
  private final Duration threadWithin;
  private final AtomicInteger lives = new AtomicInteger();
  private final Map<String, Integer> slotsOfZones = new ConcurrentHashMap<>();
  private final Map<String, Integer> threads = new ConcurrentHashMap<>();
  private final BackgroundTasks tasks;
  private volatile int slots;
  private volatile boolean draining;
  private volatile int held;
  private volatile long sessionUntilNs = Long.MIN_VALUE;
  private volatile @Nullable WorkerMachine machine;

  /**
   * Creates a worker.
   *
   * @param slots runs that it takes at once
   */
  public LocalWorker(Callboard callboard, StepCodes codes, StepReports reports, int slots) {
    this(callboard, codes, reports, slots, NO_THREAD);
  }

  /**
   * Creates a worker.
   *
   * @param threadWithin time in which an attempt gets a thread of its zone
   */
  LocalWorker(
      Callboard callboard, StepCodes codes, StepReports reports, int slots, Duration threadWithin) {
    this.threadWithin = threadWithin;
    this.callboard = callboard;
    this.codes = codes;
    this.reports = reports;
    this.tasks = callboard.tasks("the worker of this node");
    this.outputs = new StepOutputs(callboard::blobs, tasks.context());
    // code outlives the actors of a node that fails, and so does its grace
    this.code =
        new RunningCode(
            task -> callboard.time().after(tasks.context(), WorkerMachine.CANCEL_GRACE, task));
    this.slots = slots;
  }

  /** Returns the node. */
  Callboard callboard() {
    return callboard;
  }

  /** Returns the background tasks of the worker. */
  BackgroundTasks tasks() {
    return tasks;
  }

  /** Returns the codes that the node offers. */
  StepCodes codes() {
    return codes;
  }

  /** Returns the time in which an attempt gets a thread of its zone. */
  Duration threadWithin() {
    return threadWithin;
  }

  /** Returns the receiver of the ends of runs. */
  StepReports reports() {
    return reports;
  }

  /** Returns the large outputs of steps. */
  StepOutputs outputs() {
    return outputs;
  }

  /** Returns the code that runs here, over all lives of the actor. */
  RunningCode code() {
    return code;
  }

  /** Returns the number of runs that the worker takes at once. */
  public int slots() {
    return slots;
  }

  /** Sets the number of runs that the worker takes at once. */
  public void slots(int atOnce) {
    slots = atOnce;
  }

  /** Sets the number of runs that the worker takes at once in a zone of handlers. */
  public void slots(String zone, int atOnce) {
    slotsOfZones.put(zone, atOnce);
  }

  /** Returns the present offer in zones of handlers; read several times a second. */
  List<ZoneSlots> zones() {
    List<ZoneSlots> zones = new ArrayList<>();
    new TreeMap<>(codes.zones())
        .forEach(
            (zone, types) -> {
              boolean full = callboard.admin().isZoneFull(zone);
              zones.add(new ZoneSlots(zone, slots(zone), types, full ? "the zone is full" : null));
            });
    return zones;
  }

  /** A zone with threads of its own takes as many runs as those, unless a number was set. */
  private int slots(String zone) {
    if (slots == 0) {
      return 0;
    }
    Integer set = slotsOfZones.get(zone);
    if (set != null) {
      return set;
    }
    int its = threads(zone);
    return its == 0 ? slots : its;
  }

  /** Returns the most threads that a zone has of its own, which never changes; 0 for no number. */
  private int threads(String zone) {
    if (!threads.containsKey(zone)) {
      for (ZoneStatus each : callboard.admin().zones()) {
        threads.put(each.name(), THREADS.contains(each.kind()) ? each.maxSize() : 0);
      }
    }
    return threads.getOrDefault(zone, 0);
  }

  /** Returns whether the worker takes no more runs. */
  public boolean isDraining() {
    return draining;
  }

  /** Sets whether the worker takes no more runs. */
  public void draining(boolean value) {
    draining = value;
  }

  /** Returns the number of runs that the worker holds: alive, or not known to their instances. */
  public int held() {
    return held;
  }

  /** Records until when the session of the node lives, for the next life of the actor. */
  public void sessionLives(long untilNanos) {
    sessionUntilNs = untilNanos;
  }

  /** Creates the machine of a new life. */
  WorkerMachine begin(long nowNs) {
    WorkerMachine before = machine;
    WorkerMachine made =
        new WorkerMachine(
            callboard.node(),
            callboard.bootId(),
            lives::incrementAndGet,
            before == null ? 0 : before.epoch());
    if (sessionUntilNs != Long.MIN_VALUE) {
      made.sessionLives(sessionUntilNs, nowNs);
    }
    machine = made;
    held = 0;
    return made;
  }

  /** Records which runs a machine holds now. */
  void holds(WorkerMachine of) {
    if (machine == of) {
      held = of.held();
    }
  }

  /**
   * Asks all running code to end, after the actor of the worker has stopped.
   *
   * @return completes when it has, or had its time for that
   */
  public Future<Void> endCode() {
    return code.endAll();
  }

  /** Ends the worker's background tasks, once its code has ended or had its time for that. */
  public void close() {
    tasks.close();
  }

  /** Returns the last news of a worker whose actor has stopped; empty if it never started. */
  public Optional<DeskCommand.News> bye(long nowNs) {
    WorkerMachine last = machine;
    if (last == null) {
      return Optional.empty();
    }
    held = 0;
    last.bye(nowNs);
    return last.news();
  }
}

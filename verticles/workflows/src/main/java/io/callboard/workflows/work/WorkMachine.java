package io.callboard.workflows.work;

import io.callboard.time.Machine;
import io.callboard.workflows.protocol.DeskAnswer;
import io.callboard.workflows.protocol.DeskCommand;
import io.callboard.workflows.protocol.RequestAnswer;
import io.callboard.workflows.protocol.RunPlace;
import io.callboard.workflows.protocol.StepRequest;
import io.callboard.workflows.protocol.StepRunKey;
import io.callboard.workflows.protocol.WorkerCommand.Assign;
import io.callboard.workflows.protocol.WorkerCommand.End;
import io.callboard.workflows.protocol.WorkerCommand.Order;
import io.callboard.workflows.protocol.WorkerCommand.Revoke;
import io.callboard.workflows.protocol.WorkersState;
import io.callboard.workflows.work.DeskRun.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The desk: runs that wait, the workers and their credit, and which worker gets which run.
 * Requests, news of workers, members and the time in; {@link DeskEffect}s out. O(log n) a message.
 *
 * <p>An instance of it serves one epoch. A run is assigned to one worker, against credit. It may be
 * assigned again only when its worker has confirmed that it never began; otherwise it is lost, and
 * only when its worker says so or is gone. See the package for protocol and invariants.
 */
@Machine
public class WorkMachine {
  /** Maximum number of runs that wait; further requests are refused. */
  public static final int MOST_QUEUED = 100_000;

  /**
   * Time after which a run that its worker has not accepted is revoked, and orders are repeated.
   */
  static final Duration ACCEPT_WAIT = Duration.ofSeconds(5);

  /** Time after which a node that is no member any more holds no run: it has ended them. */
  public static final Duration DEATH_GRACE = Duration.ofSeconds(5);

  /** Delay after which a refused request is to be repeated. */
  private static final Duration RETRY = Duration.ofSeconds(2);

  private static final int MOST_RECENT = 50_000;

  /** Runs that wait. */
  final StepQueues queues = new StepQueues();
  /** All runs. */
  final DeskTable runs = new DeskTable();
  /** All workers. */
  final DeskWorkers workers = new DeskWorkers(this::credit);
  /** Reports to instances that are not durable yet. */
  final Settlements settlements = new Settlements();
  /** Runs that are over. */
  final RecentRuns recent = new RecentRuns(MOST_RECENT);
  /** What is awaited before the first run is assigned. */
  final DeskStart start;
  private final DeskNews news = new DeskNews(this);
  private final long epoch;

  /** Boots of workers that are durable at the worker master. */
  private final Set<String> durableBoots;

  private final int mostQueued;
  private final RequestAnswer queued;

  /** Cancellations of runs that were not known when the desk started. */
  private final Set<StepRunKey> early = new LinkedHashSet<>();

  private List<DeskEffect> effects = new ArrayList<>();
  private boolean began;
  private boolean replaced;
  private long arrivals;
  private long assignments;
  private long nowNs;

  /**
   * Creates the desk of an epoch.
   *
   * @param durable what the worker master holds, with the epoch of this desk
   */
  public WorkMachine(WorkersState durable) {
    this(durable, MOST_QUEUED);
  }

  /** Creates a desk with another limit of the runs that wait. */
  WorkMachine(WorkersState durable, int mostQueued) {
    this.epoch = durable.epoch();
    this.durableBoots = new HashSet<>(durable.boots().keySet());
    this.mostQueued = mostQueued;
    this.queued = new RequestAnswer.Queued(epoch, null);
    this.start = new DeskStart(durable.boots());
    configure(durable.drained(), durable.weights(), 0);
  }

  /** Notes that another desk has taken over: this one has no effect any more. */
  public void replaced() {
    replaced = true;
  }

  /** Returns the epoch that this desk serves. */
  public long epoch() {
    return epoch;
  }

  /** Returns the effects of what was decided since the last call, in their order. */
  public List<DeskEffect> effects() {
    List<DeskEffect> taken = replaced ? List.of() : effects;
    effects = new ArrayList<>();
    return taken;
  }

  /** Takes a request; idempotent by its key. */
  public RequestAnswer request(StepRequest request, long now) {
    at(now);
    StepRunKey key = request.key();
    if (recent.contains(key) || settlements.contains(key)) {
      return queued;
    }
    DeskRun known = runs.ofStep(key);
    if (known == null) {
      return enqueue(request);
    } else if (known.key.run() >= key.run()) {
      if (known.key.equals(key) && known.request == null) {
        known.request = request;
      }
      DeskWorker worker = known.key.equals(key) ? known.worker : null;
      return worker != null && known.state != State.OFFERED
          ? new RequestAnswer.Queued(epoch, worker.id.node())
          : queued;
    } else if (known.takesSlot()) { // it may be alive: the later run waits until it is not
      known.successor = request;
      end(known);
      return queued;
    }
    known.successor = request;
    drop(known);
    return queued;
  }

  private RequestAnswer enqueue(StepRequest request) {
    if (queues.size() >= mostQueued) {
      return new RequestAnswer.Refused(
          "%,d steps wait for a worker already, which is the limit".formatted(queues.size()),
          RETRY);
    }
    queue(new DeskRun(request.key(), request, ++arrivals, nowNs));
    return queued;
  }

  /** Cancels a run; idempotent. */
  public void cancel(StepRunKey key, long now) {
    at(now);
    if (recent.contains(key) || settlements.contains(key)) {
      return;
    }
    DeskRun known = runs.ofStep(key);
    boolean waits = known == null || known.state == State.QUEUED;
    if (waits && !isReady()) { // a worker that has not reported yet may run it
      early.add(key);
    } else if (known == null) {
      settleCancelled(key, null, "the desk did not know it");
    } else if (known.key.run() < key.run()) {
      if (known.successor != null && known.successor.run() == key.run()) {
        known.successor = null;
      }
      settleCancelled(key, known.node(), "it had not begun");
    } else if (known.key.run() == key.run()) {
      if (known.state == State.QUEUED) {
        drop(known);
        settleCancelled(key, known.node(), "it had not begun");
      } else if (known.takesSlot()) {
        end(known);
      }
    }
  }

  /** Takes news of a worker. */
  public void news(DeskCommand.News of, long now) {
    at(now);
    news.read(of, nowNs);
    begin();
  }

  /** Notes that boots of workers are durable, so that they may be given runs. */
  public void enrolled(List<String> boots, long now) {
    at(now);
    for (String boot : boots) {
      DeskWorker worker = workers.ofBoot(boot);
      if (worker != null && !worker.enrolled) {
        durableBoots.add(boot);
        worker.enrolled = true;
        refresh(worker);
      }
    }
  }

  /** Takes the boots of the live nodes. */
  public void members(Set<String> boots, long now) {
    at(now);
    start.members(boots, nowNs);
    for (DeskWorker worker : workers.all()) {
      if (boots.contains(worker.id.boot())) {
        worker.goneNs = null;
      } else if (worker.goneNs == null) {
        worker.goneNs = nowNs;
      }
      refresh(worker);
    }
    begin();
  }

  /** Sets drained nodes, and weights that go before those of the requests. */
  public final void configure(Set<String> drained, Map<String, Integer> weights, long now) {
    at(now);
    queues.weigh(weights);
    workers.drained(drained);
    workers.pools().forEach(this::fill);
    workers.pools().forEach(this::assign);
  }

  /** Notes the outcome of a report to an instance. */
  public void reported(StepRunKey key, boolean durable, long now) {
    at(now);
    settlements.reported(key, durable, nowNs);
  }

  /** Does what the time demands; to be called about once a second. O(workers + what is due). */
  public void tick(long now) {
    at(now);
    for (DeskWorker worker : List.copyOf(workers.all())) {
      if (worker.goneNs != null && nowNs - worker.goneNs >= DEATH_GRACE.toNanos()) {
        gone(worker, "the node %s of its worker has left the cell".formatted(worker.id.node()));
      } else {
        refresh(worker);
      }
    }
    start.giveUp(nowNs).forEach(this::forget);
    begin();
    for (DeskRun run = runs.nextDue(nowNs); run != null; run = runs.nextDue(nowNs)) {
      overdue(run);
    }
    settlements.tick(nowNs, effects::add);
  }

  /** Returns where the runs of an instance are. */
  public List<RunPlace> places(String instance, long now, Instant clock) {
    at(now);
    return new DeskViews(this, nowNs).places(instance, clock);
  }

  /** Returns workers and queues. O(all runs). */
  public DeskAnswer.Overview overview(long now) {
    at(now);
    return new DeskViews(this, nowNs).overview();
  }

  private void at(long now) {
    nowNs = now;
  }

  /** Returns whether the desk may assign: it knows of all runs that are with workers. */
  boolean isReady() {
    return start.isOver();
  }

  /** Returns how many more runs a worker may be given. */
  int credit(DeskWorker worker) {
    return isReady() && !worker.reports && workers.takesRuns(worker, nowNs)
        ? Math.max(0, worker.slots - worker.taking.size())
        : 0;
  }

  /** Returns whether a boot is durable at the worker master. */
  boolean isDurable(String boot) {
    return durableBoots.contains(boot);
  }

  /** Forgets a boot that holds nothing: should it come back, it is made durable again. */
  private void forget(String boot) {
    durableBoots.remove(boot);
    effects.add(new DeskEffect.Forget(boot));
  }

  /** Adds an effect. */
  void effect(DeskEffect effect) {
    effects.add(effect);
  }

  /** Orders something of the worker of a run. */
  void tell(DeskRun run, Order order) {
    effects.add(new DeskEffect.Tell(Objects.requireNonNull(run.worker).id, order));
  }

  /** Begins to assign, once all is known. */
  private void begin() {
    if (!began && isReady()) {
      began = true;
      workers.all().forEach(workers::refresh);
      early.forEach(key -> cancel(key, nowNs));
      early.clear();
      workers.pools().forEach(this::assign);
    }
  }

  /** Orders a worker by its credit of now, and uses that. */
  void refresh(DeskWorker worker) {
    workers.refresh(worker);
    if (worker.pool != null) {
      assign(worker.pool);
    }
  }

  /** Fills a new pool with those who wait for what it offers. O(definitions that wait). */
  void fill(WorkerPool pool) {
    queues.forEach(
        (definition, types) -> {
          if (types.keySet().stream().anyMatch(pool.types::contains)) {
            pool.share.waits(definition, queues.weight(definition));
          }
        });
  }

  /** Puts a run into its queue, or back at its old place. */
  void queue(DeskRun run) {
    StepRequest request = Objects.requireNonNull(run.request);
    run.is(State.QUEUED, nowNs);
    runs.put(run);
    queues.add(run);
    for (WorkerPool pool : workers.offering(request.type())) {
      pool.share.waits(request.definition(), queues.weight(request.definition()));
    }
    workers.offering(request.type()).forEach(this::assign);
  }

  /** Takes a run from its queue. */
  void unqueue(DeskRun run) {
    StepRequest request = Objects.requireNonNull(run.request);
    queues.remove(run);
    for (WorkerPool pool : workers.offering(request.type())) {
      if (!queues.waits(request.definition(), pool.types)) {
        pool.share.rests(request.definition());
      }
    }
  }

  /** Assigns what waits for a pool, as far as there is credit. */
  private void assign(WorkerPool pool) {
    String next = pool.free.isEmpty() ? null : pool.share.next();
    while (next != null) {
      DeskRun run = queues.next(next, pool.types, nowNs);
      if (run == null) {
        pool.share.rests(next);
      } else {
        DeskWorker local = workers.ofNode(Objects.requireNonNull(run.request).node());
        DeskWorker worker = Objects.requireNonNull(pool.choose(local));
        pool.share.granted(next);
        unqueue(run);
        give(run, worker);
      }
      next = pool.free.isEmpty() ? null : pool.share.next();
    }
  }

  private void give(DeskRun run, DeskWorker worker) {
    run.number = ++assignments;
    attach(run, worker, State.OFFERED);
    runs.dueAt(run, nowNs + ACCEPT_WAIT.toNanos());
    tell(run, new Assign(run.number, Objects.requireNonNull(run.request)));
  }

  /** Notes that a worker has a run, or in which state it has it now. */
  void attach(DeskRun run, DeskWorker worker, State state) {
    runs.put(run);
    run.worker = worker;
    worker.runs.put(run.key, run);
    run.is(state, nowNs);
    boolean unused = run.takesSlot() ? worker.taking.add(run) : worker.taking.remove(run);
    workers.refresh(worker);
  }

  /** Takes a run from its worker, whose credit is used by the caller. */
  private void detach(DeskRun run) {
    DeskWorker worker = run.worker;
    if (worker != null) {
      run.worker = null;
      worker.runs.remove(run.key);
      worker.taking.remove(run);
      workers.refresh(worker);
    }
  }

  /** Adds a run that a worker has reported, for which there was no request. */
  DeskRun adopt(StepRunKey key) {
    return new DeskRun(key, null, ++arrivals, nowNs);
  }

  /** Forgets a run that is over, or that has not begun; a later run of its step comes next. */
  void drop(DeskRun run) {
    if (run.state == State.QUEUED) {
      unqueue(run);
    }
    DeskWorker worker = run.worker;
    detach(run);
    runs.remove(run);
    recent.add(run.key);
    StepRequest successor = run.successor;
    if (successor != null) {
      queue(new DeskRun(successor.key(), successor, ++arrivals, nowNs));
    }
    if (worker != null && worker.pool != null) {
      assign(worker.pool);
    }
  }

  /** Takes back a run that has not begun. */
  void back(DeskRun run) {
    if (run.successor != null || run.request == null) {
      lose(run, "its worker does not know it");
    } else if (run.cancelled) {
      drop(run);
      settleCancelled(run.key, run.node(), "it had not begun");
    } else {
      DeskWorker worker = Objects.requireNonNull(run.worker);
      detach(run);
      runs.notDue(run);
      queue(run);
      refresh(worker);
    }
  }

  /** Gives up a run that is over with an unknown outcome. */
  void lose(DeskRun run, String cause) {
    boolean reports = run.successor == null; // its instance has given it up otherwise
    drop(run);
    if (reports && run.cancelled) {
      settleCancelled(run.key, run.node(), cause);
    } else if (reports) {
      settlements.add(run.key, new DeskEffect.Lost(run.key, run.node(), cause), effects::add);
    }
  }

  /** Gives up a worker that holds nothing any more, and all its runs. */
  void gone(DeskWorker worker, String cause) {
    loseAll(worker, cause);
    workers.remove(worker);
    start.reported(worker.id.boot());
    forget(worker.id.boot());
  }

  /** Gives up all runs of a worker. */
  void loseAll(DeskWorker worker, String cause) {
    worker.slots = 0;
    workers.refresh(worker);
    List.copyOf(worker.runs.values()).forEach(run -> lose(run, cause));
  }

  private void settleCancelled(StepRunKey key, @Nullable String node, String cause) {
    recent.add(key);
    settlements.add(key, new DeskEffect.Cancelled(key, node, cause), effects::add);
  }

  /** Asks that a run ends which a worker has. */
  private void end(DeskRun run) {
    if (!run.cancelled) {
      run.cancelled = true;
      tell(run, new End(run.number, run.key));
      runs.dueAt(run, nowNs + ACCEPT_WAIT.toNanos());
    }
  }

  private void overdue(DeskRun run) {
    if (run.state == State.OFFERED || run.state == State.REVOKED) {
      notAccepted(run);
    } else if (run.state == State.RUNNING && run.cancelled) {
      tell(run, new End(run.number, run.key));
      runs.dueAt(run, nowNs + ACCEPT_WAIT.toNanos());
    }
  }

  /** Asks the worker of a run, which has not said that it runs, to give it back. */
  void notAccepted(DeskRun run) {
    attach(run, Objects.requireNonNull(run.worker), State.REVOKED);
    tell(run, run.cancelled ? new End(run.number, run.key) : new Revoke(run.number, run.key));
    runs.dueAt(run, nowNs + ACCEPT_WAIT.toNanos());
  }
}

package io.callboard.workflows.internal.dispatch;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.dispatch.DeskRun.State;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerCommand.Assign;
import io.callboard.workflows.internal.protocol.WorkerCommand.End;
import io.callboard.workflows.internal.protocol.WorkerCommand.Order;
import io.callboard.workflows.internal.protocol.WorkerCommand.Revoke;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs of the desk, on their way from a queue to a worker, back, and to their settlement. The part
 * of {@link WorkMachine} that moves them; it decides nothing of its own but who is next.
 */
@Machine
abstract class DeskRuns {
  /**
   * Time after which a run that its worker has not accepted is revoked, and orders are repeated.
   */
  static final Duration ACCEPT_WAIT = Duration.ofSeconds(5);

  /** Time for which a run rests whose instance did not answer the worker that was to begin it. */
  static final Duration REST = Duration.ofMinutes(1);

  private static final int MOST_RECENT = 50_000;

  /** Runs that wait. */
  final StepQueues queues = new StepQueues();

  /** All runs. */
  final DeskTable runs = new DeskTable();

  /** All workers. */
  final DeskWorkers workers = new DeskWorkers(this::credit);

  /** Reports to instances that are not durable yet. */
  final DeskReports reports = new DeskReports();

  /** Runs that are over. */
  final RecentRuns recent = new RecentRuns(MOST_RECENT);

  /** Owners of the instances. */
  final InstanceOwners owners = new InstanceOwners();

  /** Ends that are settled when it is known who has which run. */
  final EarlyEnds early = new EarlyEnds();

  /** Time of the message at hand. */
  long nowNs;

  private List<DeskEffect> effects = new ArrayList<>();
  private long arrivals;
  private long assignments;

  /** Returns how many more runs a seat may be given. */
  abstract int credit(DeskSeat seat);

  /** Returns whether the desk knows which worker has which run. */
  abstract boolean isReady();

  /** Returns whether a request is of a node that does not own its instance any more. */
  abstract boolean isOutdated(StepRequest request);

  /** Returns why a waiting run was lost with its worker; null if it was not. */
  abstract @Nullable String lostWith(StepRequest request);

  /** Adds an effect. */
  void effect(DeskEffect effect) {
    effects.add(effect);
  }

  /** Returns the effects since the last call. */
  List<DeskEffect> taken() {
    List<DeskEffect> taken = effects;
    effects = new ArrayList<>();
    return taken;
  }

  /** Adds a requested run; it waits, unless it is lost with the worker that had it. */
  void add(StepRequest request) {
    String cause = isReady() ? lostWith(request) : null;
    if (cause == null) {
      queue(new DeskRun(request.key(), request, ++arrivals, nowNs));
    } else {
      settleLost(request.key(), request.node(), cause);
    }
  }

  /** Sends an order to the worker of a run. */
  void tell(DeskRun run, Order order) {
    effects.add(new DeskEffect.Tell(Objects.requireNonNull(run.worker).id, order));
  }

  /** Sorts a worker by its present credit, and assigns runs to it. */
  void refresh(DeskWorker worker) {
    workers.refresh(worker);
    worker.forEachSeat(this::use);
  }

  /** Uses the credit of a seat. */
  private void use(DeskSeat seat) {
    if (seat.pool != null) {
      assign(seat.pool);
    }
  }

  /** Adds the definitions that wait for a type of a new pool to it. O(definitions that wait). */
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
    run.enter(State.QUEUED, nowNs);
    runs.put(run);
    queues.add(run);
    for (WorkerPool pool : workers.offering(request.type())) {
      pool.share.waits(request.definition(), queues.weight(request.definition()));
    }
    workers.offering(request.type()).forEach(this::assign);
  }

  /** Sets the request of the present owner of its instance for a run, which keeps its place. */
  void renew(DeskRun run, StepRequest request) {
    if (run.state == State.QUEUED) {
      unqueue(run);
      run.request = request;
      queue(run);
    } else {
      run.request = request;
    }
  }

  /** Takes a run from its queue, or ends its pause before it is queued again. */
  void unqueue(DeskRun run) {
    if (run.rests != null) {
      run.rests = null;
      runs.notDue(run);
      return;
    }
    StepRequest request = Objects.requireNonNull(run.request);
    queues.remove(run);
    for (WorkerPool pool : workers.offering(request.type())) {
      if (!queues.waits(request.definition(), pool.types)) {
        pool.share.rests(request.definition());
      }
    }
  }

  /** Assigns waiting runs to the seats of a pool, as long as they have credit. */
  final void assign(WorkerPool pool) {
    String next = pool.free.isEmpty() ? null : pool.share.next();
    while (next != null) {
      DeskRun run = queues.next(next, pool.types, nowNs);
      if (run == null) {
        pool.share.rests(next);
      } else if (isOutdated(Objects.requireNonNull(run.request))) {
        forget(run); // its present owner requests what is open
      } else {
        DeskWorker local = workers.ofNode(Objects.requireNonNull(run.request).node());
        DeskSeat seat = Objects.requireNonNull(pool.choose(local));
        pool.share.granted(next);
        unqueue(run);
        give(run, seat);
      }
      next = pool.free.isEmpty() ? null : pool.share.next();
    }
  }

  private void give(DeskRun run, DeskSeat seat) {
    run.number = ++assignments;
    attach(run, seat, State.OFFERED);
    runs.dueAt(run, nowNs + ACCEPT_WAIT.toNanos());
    tell(run, new Assign(run.number, Objects.requireNonNull(run.request), seat.zone));
  }

  /** Records that a worker has a run, with the seat whose slot it takes and its state. */
  void attach(DeskRun run, DeskSeat seat, State state) {
    DeskSeat before = run.seat;
    if (before != null && before != seat) {
      before.taking.remove(run);
      workers.refresh(before);
      if (before.worker != seat.worker) {
        before.worker.runs.remove(run.key);
      }
    }
    DeskRun known = seat.worker.runs.get(run.key);
    if (known != null && known != run) { // it was known there beside another one, and is this one
      detach(known);
      runs.remove(known);
    }
    run.worker = seat.worker;
    run.seat = seat;
    seat.worker.runs.put(run.key, run);
    run.enter(state, nowNs);
    boolean unused = run.takesSlot() ? seat.taking.add(run) : seat.taking.remove(run);
    workers.refresh(seat);
  }

  /** Takes a run from its worker, whose credit is used by the caller. */
  private void detach(DeskRun run) {
    DeskSeat seat = run.seat;
    if (seat != null) {
      run.worker = null;
      run.seat = null;
      seat.worker.runs.remove(run.key);
      seat.taking.remove(run);
      workers.refresh(seat);
    }
  }

  /**
   * Adds a run that a worker has reported and nobody has requested; it stands for its step.
   *
   * @param over whether it is over for its instance: it is to end, and a later one waits for that
   */
  DeskRun adopt(StepRunKey key, boolean over) {
    DeskRun run = new DeskRun(key, null, ++arrivals, nowNs);
    run.over = over;
    runs.put(run);
    return run;
  }

  /** Adds a run beside the one that stands for its step. */
  DeskRun beside(StepRunKey key) {
    DeskRun run = new DeskRun(key, null, ++arrivals, nowNs);
    runs.setBeside(run);
    return run;
  }

  /** Forgets a run that is over, or that will not begin; a later run of its step comes next. */
  void drop(DeskRun run) {
    DeskRun stands = runs.ofStep(run.key);
    if (stands == null || stands == run || !stands.key.equals(run.key)) { // else it goes on there
      recent.add(run.key);
    }
    forget(run);
  }

  /** Forgets a run, which is taken again if it is requested. */
  private void forget(DeskRun run) {
    if (run.state == State.QUEUED) {
      unqueue(run);
    }
    DeskSeat seat = run.seat;
    detach(run);
    runs.remove(run);
    if (runs.ofStep(run.key) == null) {
      comesAfter(run);
    }
    if (seat != null) {
      use(seat);
    }
  }

  /**
   * Puts another run in the place of one that is forgotten: what a worker has of it, as far as that
   * is alive or its only result; else the later one that waits, which waits for that.
   */
  private void comesAfter(DeskRun gone) {
    StepRequest later = gone.successor;
    DeskRun next =
        runs.beside(gone.key).stream()
            .filter(run -> run.takesSlot() || (later == null && run.key.equals(gone.key)))
            .max(
                Comparator.<DeskRun>comparingInt(run -> run.key.run())
                    .thenComparing(DeskRun::takesSlot))
            .orElse(null);
    if (next != null) {
      runs.put(next);
      next.successor = later;
      next.over = !next.key.equals(gone.key) || recent.contains(next.key);
      if (!next.over && later == null) {
        next.request = gone.request;
        next.cancelled = gone.cancelled;
      } else if (next.takesSlot()) {
        end(next);
      }
    } else if (later != null && !isOutdated(later)) {
      add(later);
    }
  }

  /**
   * Takes back a run that has not begun. One that was not requested of this desk yet will be, as
   * its instance requests it of each new desk; so will one that a former owner has requested, by
   * the present one.
   *
   * @param why why its instance does not let it begin: it rests for a while; null for another
   *     reason
   */
  void back(DeskRun run, @Nullable String why) {
    if (run.beside || run.successor != null || run.over) { // its instance has given it up
      drop(run);
    } else if (isBeside(run.key)) { // another worker has it
      forget(run);
    } else if (run.cancelled && !isReady()) { // another worker may have it
      endEarly(run, "it had not begun");
    } else if (run.cancelled) {
      drop(run);
      settleCancelled(run.key, run.node(), "it had not begun");
    } else if (run.request == null || isOutdated(run.request)) {
      forget(run);
    } else if (runs.beside(run.key).stream().anyMatch(DeskRun::takesSlot)) { // an earlier one
      run.successor = run.request;
      forget(run);
    } else {
      DeskWorker worker = Objects.requireNonNull(run.worker);
      detach(run);
      run.held = null; // what that worker said of it
      runs.notDue(run);
      if (why == null) {
        queue(run);
      } else {
        run.enter(State.QUEUED, nowNs);
        run.rests = why;
        runs.dueAt(run, nowNs + REST.toNanos());
      }
      refresh(worker);
    }
  }

  /** Returns whether another worker has a run, too. */
  private boolean isBeside(StepRunKey key) {
    return runs.beside(key).stream().anyMatch(run -> run.key.equals(key));
  }

  /** Gives up a run that is over with an unknown outcome, unless another worker has it. */
  void lose(DeskRun run, String cause) {
    // else its instance has given it up, or it stands elsewhere
    boolean settles = run.successor == null && !run.over && !run.beside;
    if (settles && isBeside(run.key)) {
      forget(run);
      return;
    } else if (settles && !isReady()) {
      endEarly(run, cause);
      return;
    }
    drop(run);
    if (settles && run.cancelled) {
      settleCancelled(run.key, run.node(), cause);
    } else if (settles) {
      settleLost(run.key, run.node(), cause);
    }
  }

  /** Gives up a run, unless another worker has it that has not reported yet. */
  private void endEarly(DeskRun run, String cause) {
    forget(run);
    early.losses.put(run.key, new EarlyEnds.Loss(run, cause));
    if (run.cancelled) {
      early.cancels.add(run.key);
    }
  }

  /** Gives up all runs of a worker. */
  void loseAll(DeskWorker worker, String cause) {
    worker.forEachSeat(seat -> seat.slots = 0);
    workers.refresh(worker);
    List.copyOf(worker.runs.values()).forEach(run -> lose(run, cause));
  }

  /** Reports to its instance that a run is lost. */
  void settleLost(StepRunKey key, @Nullable String node, String cause) {
    recent.add(key);
    reports.add(key, new DeskEffect.Lost(key, node, cause), this::effect);
  }

  /** Reports to its instance that a run was cancelled. */
  void settleCancelled(StepRunKey key, @Nullable String node, String cause) {
    recent.add(key);
    reports.add(key, new DeskEffect.Cancelled(key, node, cause), this::effect);
  }

  /** Asks the worker of a run to end it, and all others at which it is alive. */
  void end(DeskRun run) {
    endThere(run);
    runs.beside(run.key).stream()
        .filter(each -> each.key.equals(run.key) && each.takesSlot())
        .forEach(this::endThere);
  }

  private void endThere(DeskRun run) {
    if (!run.cancelled) {
      run.cancelled = true;
      tell(run, new End(run.number, run.key));
      runs.dueAt(run, nowNs + ACCEPT_WAIT.toNanos());
    }
  }

  /** Does what is due for a run. */
  void overdue(DeskRun run) {
    if (run.state == State.QUEUED) { // its rest is over
      run.rests = null;
      queue(run);
    } else if (run.state == State.OFFERED || run.state == State.REVOKED) {
      notAccepted(run);
    } else if (run.state == State.RUNNING && run.cancelled) {
      tell(run, new End(run.number, run.key));
      runs.dueAt(run, nowNs + ACCEPT_WAIT.toNanos());
    }
  }

  /** Asks the worker of a run to give it back, as the worker has not said that it runs. */
  void notAccepted(DeskRun run) {
    attach(run, Objects.requireNonNull(run.seat), State.REVOKED);
    tell(run, run.cancelled ? new End(run.number, run.key) : new Revoke(run.number, run.key));
    runs.dueAt(run, nowNs + ACCEPT_WAIT.toNanos());
  }
}

package io.callboard.workflows.internal.dispatch;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.dispatch.DeskRun.State;
import io.callboard.workflows.internal.protocol.DeskAnswer;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.RunPlace;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.protocol.WorkersState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides for the desk which worker gets which run; keeps the waiting runs, and the workers with
 * their credit. Requests, news of workers, members and the time in; {@link DeskEffect}s out. O(log
 * n) a message.
 *
 * <p>An instance of it serves one epoch. A run is assigned to one worker, against credit. It may be
 * assigned again only when its worker has confirmed that it never began; otherwise it is lost, and
 * only when its worker says so or is gone. See the package for protocol and invariants.
 */
@Machine
public class WorkMachine extends DeskRuns {
  /** Maximum number of runs that wait; further requests are refused. */
  public static final int MOST_QUEUED = 100_000;

  /** Time after which a node that is no member any more holds no run: it has ended them. */
  public static final Duration DEATH_GRACE = Duration.ofSeconds(5);

  /** Delay after which a refused request is to be repeated. */
  private static final Duration RETRY = Duration.ofSeconds(2);

  /** Events that are awaited before the first run is assigned. */
  final DeskStart start;

  private final WorkerNewsReader news = new WorkerNewsReader(this);
  private final long epoch;

  private final int mostQueued;

  private final RequestAnswer queued;

  /** Number of the last request to the worker registry. */
  private long requests;

  private boolean began;
  private boolean replaced;

  /**
   * Creates the desk of an epoch.
   *
   * @param durable what the worker registry holds, with the epoch of this desk
   */
  public WorkMachine(WorkersState durable) {
    this(durable, MOST_QUEUED);
  }

  /** Creates a desk with another limit of the runs that wait. */
  WorkMachine(WorkersState durable, int mostQueued) {
    this.epoch = durable.epoch();
    this.mostQueued = mostQueued;
    this.queued = new RequestAnswer.Queued(epoch, null);
    this.start = new DeskStart(durable.boots());
    configure(durable.drained(), durable.weights(), 0);
  }

  /** Records that another desk has taken over: this one has no effect any more. */
  public void replaced() {
    replaced = true;
  }

  /**
   * Records which desk is the present one. It may be this one still: a worker registry that was
   * itself replaced knows earlier ones only.
   */
  public void presentIs(long present) {
    if (present > epoch) {
      replaced();
    }
  }

  /** Returns the epoch that this desk serves. */
  public long epoch() {
    return epoch;
  }

  /** Returns the effects of what was decided since the last call, in their order. */
  public List<DeskEffect> effects() {
    List<DeskEffect> taken = taken();
    return replaced ? List.of() : taken;
  }

  /** Takes a request; idempotent by its key. */
  public RequestAnswer request(StepRequest request, long now) {
    at(now);
    StepRunKey key = request.key();
    if (isOutdated(request)) {
      return new RequestAnswer.Outdated(owners.epoch(key.instance()));
    }
    owners.hears(request);
    if (recent.contains(key) || reports.contains(key)) {
      return queued;
    }
    DeskRun known = runs.ofStep(key);
    if (known == null) {
      return enqueue(request);
    } else if (known.key.run() >= key.run()) {
      if (known.key.equals(key) && replaces(request, known.request)) {
        renew(known, request);
      }
      DeskWorker worker = known.key.equals(key) ? known.worker : null;
      return worker != null && known.state != State.OFFERED && known.waits() == null
          ? new RequestAnswer.Queued(epoch, worker.id.node())
          : queued;
    } else if (known.successor != null && known.successor.run() >= key.run()) {
      if (known.successor.run() == key.run() && replaces(request, known.successor)) {
        known.successor = request;
      }
      return queued; // it comes late, or again
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
    add(request);
    return queued;
  }

  /**
   * Cancels a run; idempotent. Before the desk knows who has it, that is kept until it does.
   *
   * @return null; why it is to be repeated, for people, if too many are kept already
   */
  public @Nullable String cancel(StepRunKey key, long now) {
    at(now);
    DeskRun known = runs.ofStep(key);
    boolean located = known != null && known.key.equals(key) && known.takesSlot();
    if (located || isReady() || recent.contains(key) || reports.contains(key)) {
      cancel(key);
    } else if (early.cancels.size() >= mostQueued && !early.cancels.contains(key)) {
      return "%,d cancellations wait for the workers to report already, which is the limit"
          .formatted(early.cancels.size());
    } else {
      early.cancels.add(key);
    }
    return null;
  }

  private void cancel(StepRunKey key) {
    if (recent.contains(key) || reports.contains(key)) {
      return;
    }
    DeskRun known = runs.ofStep(key);
    if (known == null) {
      settleCancelled(key, null, "the desk did not know it");
    } else if (known.key.run() < key.run()) {
      giveUp(known, key.run());
      settleCancelled(key, known.node(), "it had not begun");
    } else if (known.key.run() == key.run()) {
      if (known.state == State.QUEUED) {
        drop(known);
        settleCancelled(key, known.node(), "it had not begun");
      } else if (known.takesSlot()) {
        end(known);
      } else {
        known.cancelled = true; // its result counts, unless that is lost
      }
    } else {
      recent.add(key); // given up for the one that is known; its request may still be on its way
    }
  }

  /**
   * Gives up a run, and the one that waits behind it, because their instance has had a later run of
   * the step.
   *
   * @param later the number of that
   */
  void giveUp(DeskRun run, int later) {
    if (run.successor != null && run.successor.run() <= later) {
      run.successor = null;
    }
    if (run.takesSlot()) {
      run.over = true;
      end(run);
    } else {
      drop(run);
    }
  }

  /**
   * Records that a worker has a run: the run is not lost, and is ended if it was to be cancelled.
   */
  void located(DeskRun run) {
    EarlyEnds.Loss loss = early.losses.remove(run.key);
    if (loss != null && run.request == null) {
      run.request = loss.run().request; // it will not be repeated
    }
    if (run.takesSlot() && early.cancels.remove(run.key)) {
      end(run);
    }
  }

  /** Settles a run that was lost before it was known that nobody else has it. */
  private void settle(EarlyEnds.Loss loss) {
    StepRunKey key = loss.run().key;
    DeskRun known = runs.ofStep(key);
    if (recent.contains(key) || reports.contains(key)) {
      return;
    } else if (known != null && known.key.run() < key.run()) {
      giveUp(known, key.run());
    } else if (known != null && known.key.equals(key) && known.state == State.QUEUED) {
      drop(known); // it was requested meanwhile
    } else if (known != null) {
      return; // its instance has given it up
    }
    if (early.cancels.contains(key)) {
      settleCancelled(key, loss.run().node(), loss.cause());
    } else {
      settleLost(key, loss.run().node(), loss.cause());
    }
  }

  /** Takes news of a worker. */
  public void news(DeskCommand.News of, long now) {
    at(now);
    news.read(of, nowNs);
    begin();
  }

  /** Asks the registry to make the life of a worker durable, unless it was asked a while ago. */
  void enroll(DeskWorker worker) {
    if (DeskWorkers.isToBeEnrolled(worker, nowNs)) {
      worker.askedNs = nowNs;
      effect(new DeskEffect.Enroll(worker.id, ++requests));
    }
  }

  /** Records that boots of workers are durable, so that these lives of them may be given runs. */
  public void enrolled(List<WorkerId> lives, long now) {
    at(now);
    for (WorkerId life : lives) {
      DeskWorker worker = workers.ofBoot(life.boot());
      if (worker != null && worker.id.life() == life.life() && !worker.enrolled) {
        worker.enrolled = true;
        refresh(worker);
      }
    }
  }

  /**
   * Takes the epochs in which instances have their present owners. Before it knows them, a desk is
   * not to be told of the live nodes: it would assign what former owners request.
   *
   * @param partitions number of partitions of the space of instances
   * @param epochs epochs by number of the partition
   */
  public void owners(int partitions, Map<Integer, Long> epochs, long now) {
    at(now);
    owners.read(partitions, epochs);
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

  /** Records the outcome of a report to an instance. */
  public void reported(StepRunKey key, boolean durable, long now) {
    at(now);
    reports.reported(key, durable, nowNs);
  }

  /** Does all work that is due; to be called about once a second. O(workers + what is due). */
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
    reports.tick(nowNs, this::effect);
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

  /**
   * Returns whether the desk may assign runs: it knows all runs of all workers, and has carried out
   * the cancellations that came before.
   */
  @Override
  boolean isReady() {
    return began;
  }

  /**
   * Returns whether a request is to stand for one of the same run that came before: not one of an
   * earlier owner, of whom that may be known before the owners are read. The present owner requests
   * once only, so its request must not be forgotten with that of another.
   */
  private static boolean replaces(StepRequest request, @Nullable StepRequest before) {
    Long owner = request.owner();
    Long ownerBefore = before == null ? null : before.owner();
    return ownerBefore == null
        ? before == null || owner != null
        : owner == null || owner > ownerBefore;
  }

  /** Returns whether a request is of a node that does not own its instance any more. */
  @Override
  boolean isOutdated(StepRequest request) {
    return owners.isOutdated(request);
  }

  /**
   * Returns why a waiting run is lost: the worker to which it was given, as the node of its
   * instance was told, is gone, or in another life, and does not name it any more. So nobody knows
   * whether it had begun. Null if it may begin. Meaningful when all workers have reported.
   */
  @Override
  @Nullable String lostWith(StepRequest request) {
    WorkerId given = request.given();
    DeskWorker worker = given == null ? null : workers.ofBoot(given.boot());
    return given == null || (worker != null && worker.id.life() == given.life())
        ? null
        : "the worker of node %s that was given it is gone".formatted(given.node());
  }

  /** Returns the row of the table by which a report of a run is read. */
  HeldRule rule(HeldRule.Known known, HeldRule.Says says) {
    return HeldRule.of(known, says);
  }

  @Override
  int credit(DeskSeat seat) {
    return isReady() && !seat.worker.reports && workers.takesRuns(seat.worker, nowNs)
        ? Math.max(0, seat.slots - seat.taking.size())
        : 0;
  }

  /** Forgets a boot that holds nothing: should it come back, it is made durable again. */
  private void forget(String boot) {
    effect(new DeskEffect.Forget(boot, ++requests));
  }

  /** Gives up a worker that holds nothing any more, and all its runs. */
  void gone(DeskWorker worker, String cause) {
    loseAll(worker, cause);
    workers.remove(worker);
    start.reported(worker.id.boot());
    forget(worker.id.boot());
  }

  /** Gives up a run that waits, if it may have begun at a worker that is gone. */
  private void loseWithWorker(DeskRun run) {
    StepRequest request = run.request;
    String cause = run.state == State.QUEUED && request != null ? lostWith(request) : null;
    if (cause != null) {
      lose(run, cause);
    }
  }

  /** Begins to assign, once all is known. */
  private void begin() {
    if (!began && start.isOver()) {
      early.losses.values().forEach(this::settle);
      early.cancels.forEach(this::cancel);
      early.clear();
      began = true;
      List<DeskRun> waiting = new ArrayList<>();
      runs.forEach(run -> waiting.add(run));
      waiting.forEach(this::loseWithWorker);
      workers.all().forEach(workers::refresh);
      workers.pools().forEach(this::assign);
    }
  }
}

package io.callboard.workflows.internal.dispatch;

import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.HeldRun;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.protocol.WorkerNews;
import io.callboard.workflows.internal.protocol.WorkersState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Desk of a rehearsal: its machine is real; after each step of it the invariants are checked. */
final class PlayedDesk {
  final WorkRehearsal world;
  final PlayedWorker at;
  final WorkMachine machine;
  private final long clock;

  /** When it opened. */
  final long opened;

  private long nextTick;

  /** Runs that it was told to cancel. */
  private final Set<StepRunKey> cancelled = new HashSet<>();

  /** What the workers have, as they have said, by boot. */
  private final Map<String, Map<StepRunKey, HeldRun>> said = new HashMap<>();

  /** Runs that it has reported lost; a report may be repeated. */
  private final Set<StepRunKey> lost = new HashSet<>();

  /**
   * When the worker registry was asked last to make a life of a worker durable. A boot that was
   * forgotten as dead is new to the desk when a late message of it comes.
   */
  private final Map<WorkerId, Long> asked = new HashMap<>();

  PlayedDesk(WorkRehearsal world, PlayedWorker at, WorkersState state) {
    this.world = world;
    this.at = at;
    this.machine = world.newDesk(state);
    this.opened = world.now;
    this.clock = world.random.nextLong(1_000_000 * WorkRehearsal.SECOND);
  }

  long epoch() {
    return machine.epoch();
  }

  private long time() {
    return clock + world.now;
  }

  void pass() {
    if (at.isActive() && world.now >= nextTick) {
      nextTick = world.now + WorkRehearsal.SECOND;
      if (at.isInTouch()) {
        Set<String> members = new TreeSet<>(world.members());
        machine.owners(WorkRehearsal.PARTITIONS, world.owners(), time());
        machine.members(members, time());
        carryOut();
      }
      machine.tick(time());
      carryOut();
    }
  }

  RequestAnswer request(StepRequest request) {
    RequestAnswer answer = machine.request(request, time());
    carryOut();
    return answer;
  }

  void cancel(StepRunKey key) {
    String refused = machine.cancel(key, time());
    world.rule(refused == null, "a cancellation is refused: %s", refused);
    cancelled.add(key);
    carryOut();
  }

  void news(DeskCommand.News news) {
    machine.news(news, time());
    hear(news);
    carryOut();
  }

  /** Notes what the desk has read. */
  private void hear(DeskCommand.News of) {
    String boot = of.worker().boot();
    DeskWorker worker = machine.workers.ofBoot(boot);
    if (worker == null) {
      said.remove(boot);
    } else if (of.epoch() == epoch() && worker.id.equals(of.worker()) && worker.seq == of.seq()) {
      Map<StepRunKey, HeldRun> its = said.computeIfAbsent(boot, name -> new HashMap<>());
      of.news().forEach(each -> hear(its, each));
    }
  }

  private static void hear(Map<StepRunKey, HeldRun> its, WorkerNews news) {
    if (news instanceof WorkerNews.Hello hello) {
      its.clear();
      hello.held().forEach(held -> its.put(held.key(), held));
    } else if (news instanceof WorkerNews.Ended ended) {
      its.computeIfPresent(
          ended.key(),
          (key, was) ->
              new HeldRun(
                  key, was.node(), was.definition(), was.type(), true, null, null, null, null));
    } else if (news instanceof WorkerNews.Settled settled) {
      its.remove(settled.key());
    } else if (news instanceof WorkerNews.Revoked revoked) {
      its.remove(revoked.key());
    }
  }

  /** S4: no worker has what is reported lost, as far as the desk was told. */
  private void checkLost(StepRunKey run) {
    said.forEach(
        (boot, its) ->
            world.rule(
                machine.workers.ofBoot(boot) == null || !its.containsKey(run),
                "S4: %s is reported lost, and %s has said that it has it",
                run,
                boot));
  }

  private void carryOut() {
    check();
    for (DeskEffect effect : machine.effects()) {
      carryOut(effect);
    }
  }

  private void carryOut(DeskEffect effect) {
    if (effect instanceof DeskEffect.Tell tell) {
      world.say("desk %s > %s %s", epoch(), tell.worker(), brief(tell.order()));
      world.rule(
          !(tell.order() instanceof WorkerCommand.Assign assign)
              || !cancelled.contains(assign.request().key()),
          "S3: %s was cancelled, and is assigned",
          brief(tell.order()));
      if (tell.order() instanceof WorkerCommand.Assign assign) {
        world.assigns(this, assign.request().key());
        world.given(this, assign.request(), tell.worker());
      }
      WorkerCommand.Orders orders =
          WorkerCommand.Orders.to(tell.worker(), epoch(), List.of(tell.order()));
      world.toWorker(at, tell.worker(), worker -> worker.orders(orders));
    } else if (effect instanceof DeskEffect.Greet greet) {
      world.toWorker(at, greet.worker(), worker -> worker.deskStarted(epoch()));
    } else if (effect instanceof DeskEffect.Lost lost) {
      world.say("desk %s: %s is lost: %s", epoch(), lost.run(), lost.cause());
      if (this.lost.add(lost.run())) {
        checkLost(lost.run());
      }
      world.report(
          at, lost.run(), steps -> steps.lost(lost.run(), epoch()), ok -> told(lost.run(), ok));
    } else if (effect instanceof DeskEffect.Cancelled cancelled) {
      StepOutcome outcome = StepOutcome.cancelled(cancelled.cause());
      world.say("desk %s: %s is cancelled: %s", epoch(), cancelled.run(), cancelled.cause());
      world.report(
          at,
          cancelled.run(),
          steps -> steps.cancelled(cancelled.run(), outcome, epoch()),
          ok -> told(cancelled.run(), ok));
    } else if (effect instanceof DeskEffect.Enroll enroll) {
      Long before = asked.put(enroll.worker(), world.now);
      world.rule(
          before == null || world.now - before >= DeskWorkers.ENROLL_PAUSE.toNanos(),
          "E1: the registry is asked for %s again and again",
          enroll.worker());
      world.registry(
          this,
          20,
          state -> state.enrolled(enroll.worker(), enroll.number()),
          () -> {
            machine.enrolled(List.of(enroll.worker()), time());
            carryOut();
          },
          present -> {
            machine.presentIs(present);
            carryOut();
          });
    } else if (effect instanceof DeskEffect.Forget forget) {
      world.say("desk %s forgets %s", epoch(), forget.boot());
      asked.keySet().removeIf(worker -> worker.boot().equals(forget.boot()));
      world.registry(this, 2, state -> world.without(state, forget), () -> {}, present -> {});
    }
  }

  private static String brief(WorkerCommand.Order order) {
    return order instanceof WorkerCommand.Assign assign
        ? "Assign " + assign.number() + " " + assign.request().key()
        : order.toString();
  }

  private void told(StepRunKey run, boolean durable) {
    machine.reported(run, durable, time());
    carryOut();
  }

  /**
   * C1: credit is what is left of the slots. C2: nothing waits, without resting, while there is
   * credit for it.
   */
  private void check() {
    machine.workers.all().forEach(worker -> worker.forEachSeat(this::checkCredit));
    machine.runs.forEach(
        run -> {
          if (run.state == DeskRun.State.QUEUED && run.rests == null) {
            String type = Objects.requireNonNull(run.request).type();
            machine
                .workers
                .all()
                .forEach(worker -> worker.forEachSeat(seat -> checkIdle(run, type, seat)));
          }
        });
  }

  private void checkCredit(DeskSeat seat) {
    long taken =
        seat.worker.runs.values().stream()
            .filter(run -> run.seat == seat && run.takesSlot())
            .count();
    int credit = machine.credit(seat);
    world.rule(
        credit >= 0 && credit <= Math.max(0, seat.slots - taken),
        "C1: %s has credit %s of %s slots, and %s runs",
        seat,
        credit,
        seat.slots,
        taken);
    Map<StepRunKey, HeldRun> its = said.getOrDefault(seat.worker.id.boot(), Map.of());
    long alive =
        its.values().stream()
            .filter(held -> !held.ended() && Objects.equals(held.zone(), seat.zone))
            .count();
    world.rule(
        credit <= Math.max(0, seat.slots - alive),
        "C1: %s has credit %s of %s slots, and has said that it runs %s",
        seat,
        credit,
        seat.slots,
        its.keySet());
  }

  private void checkIdle(DeskRun run, String type, DeskSeat seat) {
    world.rule(
        seat.pool == null || !seat.pool.types.contains(type) || machine.credit(seat) == 0,
        "C2: %s waits, and %s has credit",
        run,
        seat);
  }
}

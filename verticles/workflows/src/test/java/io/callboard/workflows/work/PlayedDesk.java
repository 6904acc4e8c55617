package io.callboard.workflows.work;

import io.callboard.workflows.protocol.DeskCommand;
import io.callboard.workflows.protocol.RequestAnswer;
import io.callboard.workflows.protocol.StepOutcome;
import io.callboard.workflows.protocol.StepRequest;
import io.callboard.workflows.protocol.StepRunKey;
import io.callboard.workflows.protocol.WorkerCommand;
import io.callboard.workflows.protocol.WorkersState;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Desk of a rehearsal: its machine is real; after each step of it the invariants are checked. */
final class PlayedDesk {
  final WorkRehearsal world;
  final PlayedWorker at;
  final WorkMachine machine;
  private final long clock;
  private long nextTick;

  PlayedDesk(WorkRehearsal world, PlayedWorker at, WorkersState state) {
    this.world = world;
    this.at = at;
    this.machine = world.newDesk(state);
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
    machine.cancel(key, time());
    carryOut();
  }

  void news(DeskCommand.News news) {
    machine.news(news, time());
    carryOut();
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
      WorkerCommand.Orders orders =
          WorkerCommand.Orders.to(tell.worker(), epoch(), List.of(tell.order()));
      world.toWorker(at, tell.worker(), worker -> worker.orders(orders));
    } else if (effect instanceof DeskEffect.Greet greet) {
      world.toWorker(at, greet.worker(), worker -> worker.deskStarted(epoch()));
    } else if (effect instanceof DeskEffect.Lost lost) {
      world.say("desk %s: %s is lost: %s", epoch(), lost.run(), lost.cause());
      world.report(
          at, lost.run(), steps -> steps.lost(lost.run(), epoch()), ok -> told(lost.run(), ok));
    } else if (effect instanceof DeskEffect.Cancelled cancelled) {
      StepOutcome outcome = StepOutcome.cancelled(cancelled.cause());
      world.say("desk %s: %s is cancelled: %s", epoch(), cancelled.run(), cancelled.cause());
      world.report(
          at,
          cancelled.run(),
          steps -> steps.done(cancelled.run(), outcome),
          ok -> told(cancelled.run(), ok));
    } else if (effect instanceof DeskEffect.Enroll enroll) {
      world.master(
          this,
          state -> state.enrolled(enroll.worker()),
          () -> {
            machine.enrolled(List.of(enroll.worker()), time());
            carryOut();
          });
    } else if (effect instanceof DeskEffect.Forget forget) {
      world.master(this, state -> state.without(forget.boot()), () -> {});
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

  /** C1: credit is what is left of the slots. C2: nothing waits while there is credit for it. */
  private void check() {
    machine.workers.all().forEach(worker -> worker.forEachSeat(this::checkCredit));
    machine.runs.forEach(
        run -> {
          if (run.state == DeskRun.State.QUEUED) {
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
  }

  private void checkIdle(DeskRun run, String type, DeskSeat seat) {
    world.rule(
        seat.pool == null || !seat.pool.types.contains(type) || machine.credit(seat) == 0,
        "C2: %s waits, and %s has credit",
        run,
        seat);
  }
}

package io.callboard.workflows.internal.dispatch;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.dispatch.DeskRun.State;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.HeldRun;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.protocol.WorkerNews;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reader of the news that workers send to the desk. A part of {@link WorkMachine}. */
@Machine
final class WorkerNewsReader {
  private final WorkMachine desk;
  private long nowNs;

  /** Creates the part of a desk. */
  WorkerNewsReader(WorkMachine desk) {
    this.desk = desk;
  }

  /** Reads news, unless they are of an earlier life, for another desk, repeated or overtaken. */
  void read(DeskCommand.News of, long now) {
    nowNs = now;
    if (of.epoch() > desk.epoch()) {
      desk.replaced();
      return;
    }
    DeskWorker worker = sender(of);
    if (worker == null || of.seq() <= worker.seq) {
      return;
    }
    worker.seq = of.seq();
    worker.heardNs = nowNs;
    worker.reports = true; // it is given nothing that it cannot know of yet
    desk.workers.refresh(worker);
    for (WorkerNews each : of.news()) {
      read(worker, each);
    }
    worker.reports = false;
    if (desk.workers.ofBoot(worker.id.boot()) == worker) {
      desk.refresh(worker);
    }
  }

  /** Returns the worker that sends news; null if they are not to be read. */
  private @Nullable DeskWorker sender(DeskCommand.News of) {
    WorkerId id = of.worker();
    DeskWorker worker = desk.workers.ofBoot(id.boot());
    boolean says = of.news().stream().anyMatch(WorkerNews.Hello.class::isInstance);
    boolean isNew = worker == null || worker.id.life() < id.life();
    if (of.epoch() < desk.epoch() || (isNew && !says)) {
      desk.effect(new DeskEffect.Greet(id));
      return null;
    } else if (worker == null) {
      return desk.workers.add(id, nowNs);
    } else if (isNew) {
      worker.id = id;
      worker.seq = 0;
      worker.restarted = true;
      worker.askedNs = null;
      worker.enrolled = false; // it may have been taken for dead: only the present desk is answered
    }
    return worker.id.life() == id.life() ? worker : null;
  }

  private void read(DeskWorker worker, WorkerNews news) {
    if (news instanceof WorkerNews.Hello hello) {
      hello(worker, hello);
    } else if (news instanceof WorkerNews.Accepted accepted) {
      accepted(at(worker, accepted.key()));
    } else if (news instanceof WorkerNews.Ended ended) {
      ended(at(worker, ended.key()));
    } else if (news instanceof WorkerNews.Settled settled) {
      settled(worker, settled.key());
    } else if (news instanceof WorkerNews.Revoked revoked) {
      revoked(at(worker, revoked.key()), revoked);
    } else if (news instanceof WorkerNews.Bye) {
      desk.gone(worker, "its worker on node %s was stopped".formatted(worker.id.node()));
    }
  }

  /**
   * Handles that the instance of a run knows how it ended; if another worker has it, too, there.
   */
  private void settled(DeskWorker worker, StepRunKey key) {
    DeskRun run = at(worker, key);
    if (run != null) {
      desk.drop(run);
    }
    DeskRun other = desk.runs.ofStep(key);
    if (other == null || !other.key.equals(key)) {
      desk.recent.add(key); // its request may still be on its way
      if (other != null && other.key.run() < key.run()) {
        desk.giveUp(other, key.run());
      }
    } else if (other.state == State.QUEUED) {
      desk.drop(other);
    } else if (other.takesSlot()) {
      desk.end(other);
    }
  }

  /** Returns a run that a worker has; null if it has it not. */
  private @Nullable DeskRun at(DeskWorker worker, StepRunKey key) {
    return worker.runs.get(key);
  }

  private void accepted(@Nullable DeskRun run) {
    if (run != null && (run.state == State.OFFERED || run.state == State.REVOKED)) {
      desk.attach(run, Objects.requireNonNull(run.seat), State.RUNNING);
      if (!run.cancelled) { // otherwise the order to end it is repeated
        desk.runs.notDue(run);
      }
    }
  }

  private void ended(@Nullable DeskRun run) {
    if (run != null && run.takesSlot()) {
      desk.attach(run, Objects.requireNonNull(run.seat), State.ENDED);
      desk.runs.notDue(run);
    }
  }

  private void revoked(@Nullable DeskRun run, WorkerNews.Revoked revoked) {
    if (run == null) {
      return;
    }
    if (revoked.how() == WorkerNews.Revocation.LOST) {
      desk.lose(run, "its worker ended it, because its node had lost contact with the cell");
    } else if (run.state != State.ENDED
        && (run.number == revoked.number() || run.number == 0)) { // 0: a desk before assigned it
      desk.back(run, revoked.why());
    }
  }

  private void hello(DeskWorker worker, WorkerNews.Hello hello) {
    worker.draining = hello.draining();
    desk.workers.offers(worker, hello).forEach(desk::fill);
    Set<StepRunKey> held = new HashSet<>();
    for (HeldRun each : hello.held()) {
      held.add(each.key());
      holds(worker, each);
    }
    desk.start.reported(worker.id.boot());
    for (DeskRun run : List.copyOf(worker.runs.values())) {
      if (!held.contains(run.key)) {
        misses(run, worker.restarted);
      }
    }
    worker.restarted = false;
    desk.enroll(worker);
  }

  /** A worker has named a run. */
  private void holds(DeskWorker worker, HeldRun held) {
    StepRunKey key = held.key();
    DeskRun run = desk.runs.ofStep(key);
    boolean over = desk.recent.contains(key) || desk.reports.contains(key);
    HeldRule rule = desk.rule(HeldRule.Known.of(run, key, worker), HeldRule.Says.of(held, over));
    switch (rule.verdict()) {
      case HERE -> isHere(worker, Objects.requireNonNull(run), held);
      case MOVED -> isHereNow(worker, Objects.requireNonNull(run), held);
      case ADOPTED, REPLACES, GOES_BEFORE, DISPLACES -> {
        DeskRun adopted = desk.adopt(key, over);
        if (run != null) {
          makeRoom(run, adopted, rule.verdict());
        }
        isAt(worker, adopted, held);
      }
      case BESIDE -> isBeside(worker, held);
      default -> {} // it is of no interest
    }
  }

  private void isHere(DeskWorker worker, DeskRun run, HeldRun held) {
    if (run.state == State.QUEUED) {
      desk.unqueue(run);
    }
    isAt(worker, run, held);
  }

  /** A run lives here of which another worker has a result, which counts if this one is lost. */
  private void isHereNow(DeskWorker worker, DeskRun run, HeldRun held) {
    DeskSeat before = Objects.requireNonNull(run.seat);
    HeldRun result = run.held;
    isAt(worker, run, held);
    DeskRun left = desk.beside(run.key);
    left.held = result;
    desk.attach(left, before, State.ENDED);
  }

  /** A worker has the run that stands for its step. */
  private void isAt(DeskWorker worker, DeskRun run, HeldRun held) {
    run.held = held;
    DeskSeat seat = worker.seat(held.zone());
    if (held.ended()) {
      desk.attach(run, seat, State.ENDED);
      desk.runs.notDue(run);
    } else if (run.state != State.RUNNING || run.seat != seat) {
      desk.attach(run, seat, State.RUNNING);
      if (run.successor != null || run.cancelled || run.over) {
        run.cancelled = true;
        desk.runs.dueAt(run, nowNs);
      } else {
        desk.runs.notDue(run);
      }
    }
    desk.located(run);
  }

  /** A worker has a run beside the one that stands for its step: alive, it takes its slot. */
  private void isBeside(DeskWorker worker, HeldRun held) {
    DeskRun known = at(worker, held.key());
    DeskRun run = known == null ? desk.beside(held.key()) : known;
    run.held = held;
    DeskSeat seat = worker.seat(held.zone());
    if (held.ended()) {
      desk.attach(run, seat, State.ENDED);
      desk.runs.notDue(run);
    } else {
      if (run.state != State.RUNNING || run.seat != seat) {
        desk.attach(run, seat, State.RUNNING);
      }
      DeskRun stands = Objects.requireNonNull(desk.runs.ofStep(run.key));
      if (!stands.key.equals(run.key) || stands.cancelled) {
        desk.end(run);
      } // else one of them is being ended, as its worker was taken for dead, and will be lost
    }
  }

  /** Another run of its step stands for it instead of one that the desk knows. */
  private void makeRoom(DeskRun known, DeskRun adopted, HeldRule.Verdict verdict) {
    if (verdict == HeldRule.Verdict.GOES_BEFORE) {
      adopted.successor = known.request;
      desk.unqueue(known);
      desk.runs.remove(known);
      return;
    }
    StepRequest next = known.successor;
    if (next != null && next.run() > adopted.key.run()) {
      adopted.successor = next;
    } else if (next != null && next.run() == adopted.key.run()) {
      adopted.request = next; // it will not be repeated
    }
    known.successor = null;
    if (verdict == HeldRule.Verdict.DISPLACES) {
      desk.runs.setBeside(known);
      desk.end(known);
    } else {
      desk.drop(known);
    }
  }

  /** A worker has not named a run that it was given. */
  private void misses(DeskRun run, boolean restarted) {
    HeldRule.Says says = restarted ? HeldRule.Says.GONE : HeldRule.Says.MISSING;
    switch (desk.rule(HeldRule.Known.here(run.state), says).verdict()) {
      case OVER -> desk.drop(run);
      case LOST ->
          desk.lose(run, "its worker was restarted, or ended it when its node had lost contact");
      case ASKED -> desk.notAccepted(run);
      default -> {} // what was ordered may be on its way
    }
  }
}

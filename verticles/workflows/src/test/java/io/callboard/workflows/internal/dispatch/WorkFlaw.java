package io.callboard.workflows.internal.dispatch;

import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkersState;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Flaw of a machine of work pulling, with which the rules of its rehearsal must break. */
enum WorkFlaw {
  NONE,
  /** A run that was not accepted is assigned again before its worker has given it back. */
  REASSIGNS_WITHOUT_REVOKED,
  /** Credit is counted up and down with the messages. */
  COUNTED_CREDIT,
  /** A new desk assigns before the workers have said what they run. */
  ASSIGNS_BEFORE_HELLOS,
  /** What a worker has beside the runs that stand for their steps takes no slot at the desk. */
  COUNTS_NOTHING_BESIDE,
  /** A later run is ended because an earlier one is thought alive. */
  ENDS_LATER_RUNS,
  /** A result is forgotten when its run lives elsewhere. */
  FORGETS_RESULTS,
  /** A cancellation is carried out before the workers have said what they run. */
  CANCELS_BEFORE_HELLOS,
  /** A run is reported lost before the workers have said what they run. */
  LOSES_BEFORE_HELLOS,
  /** The worker registry is asked with each Hello. */
  ENROLLS_WITH_EACH_HELLO,
  /** A boot is forgotten by a request that is older than that by which it was made durable. */
  FORGETS_WHAT_CAME_BACK,
  /** A desk takes requests of nodes that own their instances no more. */
  TAKES_REQUESTS_OF_FORMER_OWNERS,
  /** A worker begins what was requested again without asking the instance. */
  BEGINS_WITHOUT_ASKING,
  /** A desk begins under its number what a worker had that is gone, as its node says. */
  FORGETS_WHO_HAD_IT,
  /** A worker forgets what it has given back. */
  FORGETS_TOMBSTONES,
  /** A worker obeys desks that were replaced. */
  OBEYS_OLD_DESKS,
  /** A worker goes on when its session may have ended. */
  IGNORES_ITS_SESSION;

  /** Returns a desk, with the flaw if it is one of desks. */
  WorkMachine desk(WorkersState of) {
    return switch (this) {
      case REASSIGNS_WITHOUT_REVOKED ->
          new WorkMachine(of) {
            @Override
            void notAccepted(DeskRun run) {
              back(run, null);
            }
          };
      case ASSIGNS_BEFORE_HELLOS ->
          new WorkMachine(of) {
            @Override
            boolean isReady() {
              return true;
            }
          };
      case COUNTED_CREDIT -> new CountingDesk(of);
      case COUNTS_NOTHING_BESIDE, ENDS_LATER_RUNS, FORGETS_RESULTS -> new NarrowDesk(of, this);
      case CANCELS_BEFORE_HELLOS -> new RashDesk(of);
      case LOSES_BEFORE_HELLOS ->
          new WorkMachine(of) {
            @Override
            void lose(DeskRun run, String cause) {
              boolean settles = run.successor == null && !run.over && !run.beside;
              if (settles && runs.beside(run.key).isEmpty()) {
                reports.add(run.key, new DeskEffect.Lost(run.key, run.node(), cause), this::effect);
              }
              super.lose(run, cause);
            }
          };
      case TAKES_REQUESTS_OF_FORMER_OWNERS ->
          new WorkMachine(of) {
            @Override
            boolean isOutdated(StepRequest request) {
              return false;
            }
          };
      case FORGETS_WHO_HAD_IT ->
          new WorkMachine(of) {
            @Override
            @Nullable String lostWith(StepRequest request) {
              return null;
            }
          };
      case ENROLLS_WITH_EACH_HELLO ->
          new WorkMachine(of) {
            @Override
            void enroll(DeskWorker worker) {
              worker.askedNs = null;
              super.enroll(worker);
            }
          };
      default -> new WorkMachine(of);
    };
  }

  /** Returns a worker, with the flaw if it is one of workers. */
  WorkerMachine worker(String name, String boot, IntSupplier lives, long epoch) {
    return switch (this) {
      case FORGETS_TOMBSTONES ->
          new WorkerMachine(name, boot, lives, epoch) {
            @Override
            boolean forbids(Tombstones.Stone stone, long number) {
              return false;
            }
          };
      case BEGINS_WITHOUT_ASKING ->
          new WorkerMachine(name, boot, lives, epoch) {
            @Override
            boolean asksFirst(StepRequest request) {
              return false;
            }
          };
      case OBEYS_OLD_DESKS ->
          new WorkerMachine(name, boot, lives, epoch) {
            @Override
            boolean obeys(long of) {
              return true;
            }
          };
      case IGNORES_ITS_SESSION ->
          new WorkerMachine(name, boot, lives, epoch) {
            @Override
            public void fence(long at) {}
          };
      default -> new WorkerMachine(name, boot, lives, epoch);
    };
  }

  /** Desk that settles a cancelled run of which it knows nothing, at once. */
  private static final class RashDesk extends WorkMachine {
    RashDesk(WorkersState of) {
      super(of);
    }

    @Override
    public String cancel(StepRunKey key, long now) {
      DeskRun known = runs.ofStep(key);
      if (known != null && known.key.run() >= key.run()) {
        return super.cancel(key, now);
      }
      nowNs = now;
      if (!recent.contains(key) && !reports.contains(key)) {
        settleCancelled(key, null, "the desk did not know it");
      }
      return null;
    }
  }

  /** Desk that sees one run of a step only. */
  private static final class NarrowDesk extends WorkMachine {
    private final WorkFlaw flaw;

    NarrowDesk(WorkersState of, WorkFlaw flaw) {
      super(of);
      this.flaw = flaw;
    }

    @Override
    HeldRule rule(HeldRule.Known known, HeldRule.Says says) {
      return flaw == ENDS_LATER_RUNS
              && known == HeldRule.Known.EARLIER_ALIVE
              && says == HeldRule.Says.RUNNING
          ? HeldRule.LIVES_ELSEWHERE
          : super.rule(known, says);
    }

    @Override
    void attach(DeskRun run, DeskSeat seat, DeskRun.State state) {
      super.attach(run, seat, state);
      if (flaw == COUNTS_NOTHING_BESIDE && run.beside) {
        seat.taking.remove(run);
        workers.refresh(seat);
      }
    }

    @Override
    void lose(DeskRun run, String cause) {
      if (flaw == FORGETS_RESULTS) {
        runs.beside(run.key).stream()
            .filter(each -> each != run && each.state == DeskRun.State.ENDED)
            .forEach(this::drop);
      }
      super.lose(run, cause);
    }
  }
}

package io.callboard.workflows.internal.dispatch;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.dispatch.DeskRun.State;
import io.callboard.workflows.internal.protocol.HeldRun;
import io.callboard.workflows.internal.protocol.StepRunKey;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rules for the runs that a worker names in a Hello, row by row: the knowledge of the desk about a
 * step, the worker's report of a run of it, and the verdict. Rows exclude each other. {@link
 * WorkerNewsReader} carries them out.
 */
@Machine
enum HeldRule {
  NEW(Known.NOTHING, Says.RUNNING_OR_ENDED, Verdict.ADOPTED),
  NEW_AND_SETTLED(Known.NOTHING, Says.SETTLED, Verdict.IGNORED),

  /** Rule of a run that was requested of this desk before its worker has named it. */
  REQUESTED(Known.WAITING, Says.NAMED, Verdict.HERE),
  GIVEN(From.HERE, Says.NAMED, Verdict.HERE),

  /**
   * Rule of a run at two workers: one of them is ending it, as it was taken for dead, and will say
   * that it is lost.
   */
  LIVES_ELSEWHERE(Known.ALIVE_ELSEWHERE, Says.RUNNING, Verdict.BESIDE),

  /** A run that two workers name is where it lives. */
  LIVES_HERE(Known.ENDED_ELSEWHERE, Says.RUNNING, Verdict.MOVED),

  /**
   * Rule of a run that has ended here: it may be lost where it lives, or its other result may be.
   */
  ANOTHER_RESULT(From.ELSEWHERE, Says.ENDED, Verdict.BESIDE),
  ANOTHER_AND_SETTLED(From.ELSEWHERE, Says.SETTLED, Verdict.IGNORED),

  /** The instance has given the earlier run up, or there would be no later one. */
  AFTER_ONE_THAT_WAITS(Known.EARLIER_WAITING, Says.RUNNING_OR_ENDED, Verdict.REPLACES),
  AFTER_A_RESULT(Known.EARLIER_ENDED, Says.RUNNING_OR_ENDED, Verdict.REPLACES),
  AFTER_ONE_THAT_LIVES(Known.EARLIER_ALIVE, Says.RUNNING_OR_ENDED, Verdict.DISPLACES),
  AFTER_IT_AND_SETTLED(From.EARLIER, Says.SETTLED, Verdict.IGNORED),

  /** The later run waits until this one is over. */
  BEFORE_ONE_THAT_WAITS(Known.LATER_WAITING, Says.RUNNING, Verdict.GOES_BEFORE),
  BEFORE_ONE_AT_A_WORKER(From.LATER_AT_WORKER, Says.RUNNING, Verdict.BESIDE),

  /** A result keeps no later run waiting, nor takes the place of a later one. */
  RESULT_BEFORE(From.LATER, Says.HAS_ENDED, Verdict.IGNORED),

  /** The order may still be on its way, or the answer to a question is. */
  NOT_THERE_YET(From.OPEN, Says.MISSING, Verdict.IGNORED),
  NOT_THERE(Known.RUNNING, Says.MISSING, Verdict.ASKED),

  /** Rule of a run whose end its instance knows, or that its worker had still. */
  NOT_THERE_ANY_MORE(Known.ENDED, Says.MISSING, Verdict.OVER),

  /** Another life of its worker does not know it. */
  GONE(From.HERE, Says.GONE, Verdict.LOST);

  /** Knowledge of the desk about a step. */
  enum Known {
    /** No run of it. */
    NOTHING,
    /** The run, in its queue. */
    WAITING,
    /** The run, offered to that worker. */
    OFFERED,
    /** The run, running at that worker, as it has said. */
    RUNNING,
    /** The run, of which that worker was asked whether it has it. */
    REVOKED,
    /** The run, as a result at that worker. */
    ENDED,
    /** The run, with another worker, where it may be alive. */
    ALIVE_ELSEWHERE,
    /** The run, as a result at another worker. */
    ENDED_ELSEWHERE,
    /** An earlier run, in its queue. */
    EARLIER_WAITING,
    /** An earlier run, which may be alive at some worker. */
    EARLIER_ALIVE,
    /** An earlier run, as a result at some worker. */
    EARLIER_ENDED,
    /** A later run, in its queue. */
    LATER_WAITING,
    /** A later run, which may be alive at some worker. */
    LATER_ALIVE,
    /** A later run, as a result at some worker. */
    LATER_ENDED;

    /**
     * Returns the knowledge of the desk about a step.
     *
     * @param run the run that stands for the step at the desk; null for none
     * @param key the run of which a worker speaks
     */
    static Known of(@Nullable DeskRun run, StepRunKey key, DeskWorker worker) {
      if (run == null) {
        return NOTHING;
      } else if (!run.key.equals(key)) {
        boolean earlier = run.key.run() < key.run();
        return switch (run.state) {
          case QUEUED -> earlier ? EARLIER_WAITING : LATER_WAITING;
          case OFFERED, RUNNING, REVOKED -> earlier ? EARLIER_ALIVE : LATER_ALIVE;
          case ENDED -> earlier ? EARLIER_ENDED : LATER_ENDED;
        };
      } else if (run.worker == null || run.worker == worker) {
        return here(run.state);
      }
      return run.state == State.ENDED ? ENDED_ELSEWHERE : ALIVE_ELSEWHERE;
    }

    /** Returns the knowledge of the desk about a run in its queue or at the worker. */
    static Known here(State state) {
      return switch (state) {
        case QUEUED -> WAITING;
        case OFFERED -> OFFERED;
        case RUNNING -> RUNNING;
        case REVOKED -> REVOKED;
        case ENDED -> ENDED;
      };
    }
  }

  /** Report of a worker on a run in a Hello. */
  enum Says {
    /** Report of a run that is alive there. */
    RUNNING,
    /** Report of a run that has ended there. */
    ENDED,
    /**
     * Report of a run that has ended there, and of which its instance has been told or has said
     * that it is over.
     */
    SETTLED,
    /** The worker does not name it. */
    MISSING,
    /** The worker does not name it, and is in another life than when it had it. */
    GONE;

    private static final Set<Says> NAMED = set(RUNNING, ENDED, SETTLED);
    private static final Set<Says> HAS_ENDED = set(ENDED, SETTLED);
    private static final Set<Says> RUNNING_OR_ENDED = set(RUNNING, ENDED);

    /**
     * Returns the kind of a report of a run.
     *
     * @param over whether it is over for its instance, as far as the desk knows
     */
    static Says of(HeldRun held, boolean over) {
      return !held.ended() ? RUNNING : over ? SETTLED : ENDED;
    }

    private static Set<Says> set(Says first, Says... rest) {
      return Collections.unmodifiableSet(EnumSet.of(first, rest));
    }
  }

  /** Verdict on a run that a worker names, or does not name any more. */
  enum Verdict {
    /** Verdict that nothing follows. */
    IGNORED,
    /** Verdict that it stands for its step, which had none. */
    ADOPTED,
    /** Verdict that it is at the worker, as that says. */
    HERE,
    /** Verdict that it lives at the worker; the result that the other one has stays beside it. */
    MOVED,
    /** Verdict that it stays beside the one that stands for its step; a live one takes its slot. */
    BESIDE,
    /** Verdict that it stands for its step, and the desk forgets the other one. */
    REPLACES,
    /** Verdict that it stands for its step; the other one stays beside it, and is to end. */
    DISPLACES,
    /** Verdict that it stands for its step, and the other one waits until it is over. */
    GOES_BEFORE,
    /** Verdict that its worker is asked what is with it. */
    ASKED,
    /** Verdict that it is over, and its instance knows how. */
    OVER,
    /** Verdict that it is over, and nobody knows how. */
    LOST
  }

  private static final List<HeldRule> ALL = List.of(values());

  /** Sets of what the desk has. */
  private static final class From {
    static final Set<Known> HERE = set(Known.OFFERED, Known.RUNNING, Known.REVOKED, Known.ENDED);
    static final Set<Known> OPEN = set(Known.OFFERED, Known.REVOKED);
    static final Set<Known> ELSEWHERE = set(Known.ALIVE_ELSEWHERE, Known.ENDED_ELSEWHERE);
    static final Set<Known> EARLIER =
        set(Known.EARLIER_WAITING, Known.EARLIER_ALIVE, Known.EARLIER_ENDED);
    static final Set<Known> LATER_AT_WORKER = set(Known.LATER_ALIVE, Known.LATER_ENDED);
    static final Set<Known> LATER = set(Known.LATER_WAITING, Known.LATER_ALIVE, Known.LATER_ENDED);

    private static Set<Known> set(Known first, Known... rest) {
      return Collections.unmodifiableSet(EnumSet.of(first, rest));
    }
  }

  private final Set<Known> known;
  private final Set<Says> says;
  private final Verdict verdict;

  HeldRule(Known known, Says says, Verdict verdict) {
    this(Set.of(known), Set.of(says), verdict);
  }

  HeldRule(Set<Known> known, Says says, Verdict verdict) {
    this(known, Set.of(says), verdict);
  }

  HeldRule(Known known, Set<Says> says, Verdict verdict) {
    this(Set.of(known), says, verdict);
  }

  HeldRule(Set<Known> known, Set<Says> says, Verdict verdict) {
    this.known = known;
    this.says = says;
    this.verdict = verdict;
  }

  /**
   * Returns the row to take.
   *
   * @throws IllegalStateException if none fits: a worker can only miss what it was known to have
   */
  static HeldRule of(Known known, Says says) {
    for (HeldRule rule : ALL) {
      if (rule.fits(known, says)) {
        return rule;
      }
    }
    throw new IllegalStateException(
        "no rule for a run that is %s at a worker when the desk has it as %s"
            .formatted(says, known));
  }

  /** Returns whether the row is for a pair. */
  boolean fits(Known has, Says of) {
    return known.contains(has) && says.contains(of);
  }

  /** Returns the verdict of the row. */
  Verdict verdict() {
    return verdict;
  }
}

package io.callboard.workflows.internal.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.definition.StepDefinition;
import io.callboard.workflows.definition.StepRun;
import io.callboard.workflows.internal.protocol.InstanceSpec;
import io.callboard.workflows.internal.protocol.ParentStep;
import io.callboard.workflows.internal.protocol.StepOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Limits of the tree of sub-workflows that one instance may grow, also if a definition runs itself.
 * Each instance knows those above it: their number, the product of their attempts, and that of the
 * numbers of their sub-workflows. An earlier version does not say the products: they are 1.
 */
@Machine
public final class TreeLimits {
  /** Maximum number of instances above an instance. */
  static final int MOST_DEPTH = 10;

  /** Maximum product of the attempts at sub-workflows, over all levels. */
  static final int MOST_ATTEMPTS = 1_000;

  /** Maximum product of the numbers of sub-workflows, over all levels. */
  static final int MOST_INSTANCES = 1_000_000;

  private TreeLimits() {}

  /** Returns the step for which the sub-workflow of a run runs. */
  public static ParentStep parent(InstanceProgress its, OpenRun run) {
    InstanceSpec spec = its.data().created();
    return new ParentStep(
        spec.id(),
        run.id(),
        run.run(),
        spec.parent() == null ? 1 : spec.parent().depth() + 1,
        its.definition().step(run.step()).timeout(),
        attemptsAbove(its) * attempts(its, run.step()),
        Math.toIntExact(width(its)));
  }

  /** Returns why the instance can run no sub-workflow; null if it can. */
  static @Nullable String refusal(InstanceProgress its) {
    ParentStep parent = its.data().created().parent();
    if (parent != null && parent.depth() >= MOST_DEPTH) {
      return "%d instances are above this one already, which is the limit"
          .formatted(parent.depth());
    }
    return width(its) <= MOST_INSTANCES
        ? null
        : "%,d sub-workflows could run at the level of this one; the limit is %,d"
            .formatted(width(its), MOST_INSTANCES);
  }

  /** Returns the number of attempts at a step; for a sub-workflow those that the levels leave. */
  static int attempts(InstanceProgress its, int step) {
    StepDefinition definition = its.definition().step(step);
    int wanted = definition.retry().attempts();
    if (definition.run(its.data().undoing() != null).kind() != StepRun.Kind.SUBWORKFLOW) {
      return wanted;
    }
    int above = attemptsAbove(its);
    long left = Math.min(MOST_ATTEMPTS / above, MOST_INSTANCES / (above * widthAbove(its)));
    return (int) Math.max(1, Math.min(wanted, left));
  }

  /** Returns the outcome of an attempt, final if the limit of all levels leaves no further one. */
  static StepOutcome last(InstanceProgress its, OpenRun run, StepOutcome outcome) {
    return outcome.mayRetry()
            && run.attempt() < its.definition().step(run.step()).retry().attempts()
        ? StepOutcome.failedForGood(
            "%s; it is not tried again: the attempts of the levels above and its own are %,d together, or %,d with their sub-workflows, at most"
                .formatted(InstanceMachine.text(outcome), MOST_ATTEMPTS, MOST_INSTANCES))
        : outcome;
  }

  private static int attemptsAbove(InstanceProgress its) {
    ParentStep parent = its.data().created().parent();
    return parent == null || parent.attempts() == null ? 1 : parent.attempts();
  }

  private static long widthAbove(InstanceProgress its) {
    ParentStep parent = its.data().created().parent();
    return parent == null || parent.width() == null ? 1 : parent.width();
  }

  private static long width(InstanceProgress its) {
    return widthAbove(its) * its.subworkflows();
  }
}

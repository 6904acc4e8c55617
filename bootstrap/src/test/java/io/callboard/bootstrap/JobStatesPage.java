package io.callboard.bootstrap;

import io.callboard.jobs.internal.transition.JobEffect;
import io.callboard.jobs.internal.transition.JobTransition;
import io.callboard.jobs.internal.transition.JobTrigger;
import io.callboard.jobs.internal.transition.RunTransition;
import io.callboard.jobs.internal.transition.Transition;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RunState;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** The page of the transitions of jobs and runs, printed from the tables that decide. */
final class JobStatesPage {
  private JobStatesPage() {}

  static String text() {
    StringBuilder page =
        new StringBuilder(
            """
            # States of a job and of its runs

            ## States of a job

            The scheduler decides by this table. Of the rows of a trigger, the first one that fits the state and whose
            condition holds is taken. A change of state, its messages and its timers are one transaction. A row without a
            condition holds always; "stays" means that the state does not change. The end is told to the actor that the
            submission of the job named, if it named one.

            A job has a run that may be alive in ADMITTED, RUNNING, STALLED, SUSPECT and CANCELLING. It leaves them only
            when the end of the run was reported: by its host or, if the host is dead, by the gate.

            BLOCKED is reserved for jobs that wait for others, which a job cannot say yet: no row leads there. What
            depends on other work is a [workflow](../guides/workflows.md).

            """);
    table(page, JobState.class, JobTransition.values());
    page.append(
        """

        ## States of a run

        A run has a table of its own, which is asked first and read in the same way. What it keeps as an event it refuses:
        for the table of the job that is about another run. So is a message about a run that is not the last one.

        A run begins when its job becomes ADMITTED. It ends with a report of its host or, if the host is dead, of the
        gate, and stays as it ended. A host that has reported the start cannot report later that it could not start the
        run: that is refused, and the slot stays taken.

        """);
    table(page, RunState.class, RunTransition.values());
    return page.toString().replaceAll(" +\\|", " |");
  }

  private static <S extends Enum<S>> void table(
      StringBuilder page, Class<S> states, Transition<S>[] rules) {
    page.append("| trigger | state | condition | next state | effects |\n|---|---|---|---|---|\n");
    for (JobTrigger trigger : JobTrigger.values()) {
      String words = trigger.words();
      for (Transition<S> rule : rules) {
        if (rule.trigger() == trigger) {
          page.append(
              "| %s | %s | %s | %s | %s |\n"
                  .formatted(
                      words,
                      states(rule.from(), EnumSet.allOf(states)),
                      rule.condition(),
                      rule.to() == null ? "stays" : "**" + rule.to() + "**",
                      rule.effects().stream()
                          .map(JobEffect::words)
                          .collect(Collectors.joining(", "))));
          words = "";
        }
      }
    }
  }

  private static <S extends Enum<S>> String states(Set<S> states, Set<S> all) {
    if (states.isEmpty()) {
      return "none yet";
    }
    if (states.equals(all)) {
      return "any";
    }
    return EnumSet.copyOf(states).stream().map(Enum::name).collect(Collectors.joining(" "));
  }
}

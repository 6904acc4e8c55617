package io.callboard.bootstrap;

import io.callboard.jobs.model.JobState;
import io.callboard.jobs.table.JobEffect;
import io.callboard.jobs.table.JobTransition;
import io.callboard.jobs.table.JobTrigger;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** The page of a job's transitions, printed from the table by which the scheduler decides. */
final class JobStatesPage {
  private JobStatesPage() {}

  static String text() {
    StringBuilder page =
        new StringBuilder(
            """
            # States of a job

            The scheduler decides by this table. Of the rows of a trigger, the first one that fits the state and whose
            condition holds is taken. A change of state, its messages and its timers are one transaction.

            A job has a run that may be alive in ADMITTED, RUNNING, STALLED, SUSPECT and CANCELLING. It leaves them only
            when the end of the run was reported: by its host or, if the host is dead, by the gate.

            BLOCKED is reserved for jobs that wait for others, which a job cannot say yet: no row leads there. What
            depends on other work is a [workflow](../guides/workflows.md).

            | trigger | state | condition | next state | effects |
            |---|---|---|---|---|
            """);
    for (JobTrigger trigger : JobTrigger.values()) {
      String words = trigger.words();
      for (JobTransition rule : JobTransition.values()) {
        if (rule.trigger() == trigger) {
          page.append(
              "| %s | %s | %s | %s | %s |\n"
                  .formatted(
                      words,
                      states(rule.from()),
                      rule.condition(),
                      rule.to() == null ? "stays" : "**" + rule.to() + "**",
                      rule.effects().stream()
                          .map(JobEffect::words)
                          .collect(Collectors.joining(", "))));
          words = "";
        }
      }
    }
    return page.toString().replaceAll(" +\\|", " |");
  }

  private static String states(Set<JobState> states) {
    if (states.isEmpty()) {
      return "none yet";
    }
    if (states.size() == JobState.values().length) {
      return "any";
    }
    return EnumSet.copyOf(states).stream().map(JobState::name).collect(Collectors.joining(" "));
  }
}

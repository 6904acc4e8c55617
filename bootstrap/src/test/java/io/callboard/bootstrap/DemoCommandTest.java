package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Test of the commands that print without a node: the list of examples, and shell completion. */
class DemoCommandTest {
  @Test
  void withoutANameAllExamplesAreListed() {
    CommandRun run = CommandRun.of("demo");
    assertThat(run.code()).isZero();
    assertThat(run.out().lines())
        .hasSize(7)
        .anyMatch(line -> line.matches("account +\\S.*\\."))
        .anyMatch(line -> line.matches("articles +\\S.*\\."))
        .anyMatch(line -> line.matches("failover +\\S.*\\."))
        .anyMatch(line -> line.matches("scatter-gather +\\S.*\\."))
        .anyMatch(line -> line.matches("workflow +\\S.*\\."))
        .last()
        .asString()
        .contains("callboard demo NAME");
  }

  @Test
  void completionKnowsTheCommandsAndTheirOptions() {
    CommandRun run = CommandRun.of("completion");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("function _complete_callboard()", "undrain", "scatter-gather", "--follow")
        .doesNotContain("--candidate");
  }
}

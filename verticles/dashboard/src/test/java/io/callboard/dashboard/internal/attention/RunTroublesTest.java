package io.callboard.dashboard.internal.attention;

import static io.callboard.dashboard.internal.attention.RunTroubleCases.killed;
import static io.callboard.dashboard.internal.attention.RunTroubleCases.stalled;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.TroubledRuns;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said of runs that make no progress, or are not gone after a kill. */
class RunTroublesTest {
  private final World world = new World();

  @Test
  void stalledRunsAreCountedTheFirstThreeNamedAndTheOldestOpened() {
    world.runs =
        stalled(
            Map.of("etl", 1_234L, "ocr", 1L),
            stalled("a", "etl", 400),
            stalled("z", "ocr", 350),
            stalled("b", "etl", 300),
            stalled("c", "etl", 200),
            stalled("d", "etl", 100));
    List<Trouble> found = world.troubles();
    assertThat(found)
        .extracting(trouble -> trouble.rule() + " " + trouble.subject().name())
        .containsExactly("JOBS_STALLED etl", "JOBS_STALLED ocr");
    Trouble etl = found.get(0);
    assertThat(etl.cause())
        .startsWith("1234 jobs run and make no progress within the progress timeout: job a since ")
        .contains("; job b since ", "; job c since ")
        .endsWith("Z; and 1,231 more");
    assertThat(etl.since()).isEqualTo(World.ago(400));
    assertThat(etl.action().command()).isEqualTo("callboard why a");
    assertThat(etl.action().open()).isEqualTo(Subject.of(Subject.Kind.JOB, "a"));
  }

  @Test
  void failedKillsAreReportedByHost() {
    world.runs =
        killed(
            Map.of("node-a", 1L, "node-b", 2L),
            killed("a", "node-b", 400, 1L),
            killed("b", "node-a", 300, 2L),
            killed("c", "node-b", 200, 3L));
    assertThat(world.troubles())
        .extracting(trouble -> trouble.subject().name() + " " + trouble.since())
        .containsExactly("node-b " + World.ago(400), "node-a " + World.ago(300));
    assertThat(world.troubles().get(0).cause())
        .startsWith(
            "2 runs are not gone after they were killed, and keep their slots: run 2 of job a since")
        .contains("Z, process 1; run 2 of job c")
        .endsWith(", process 3");
  }

  @Test
  void keptSlotsAreReportedOnlyOfKnownRuns() {
    world.runs = killed(Map.of("node-a", 1L, "node-b", 2L), killed("a", "node-b", 400, 1L));
    assertThat(world.troubles())
        .extracting(Trouble::cause) // the others may be of earlier boots, which have no slot
        .anyMatch("1 run is not gone after it was killed"::equals)
        .anyMatch(
            cause -> cause.startsWith("2 runs are not gone after they were killed: run 2 of job a"))
        .hasSize(2);
  }

  @Test
  void stalledRunsOfWhichNoneIsNamedAreListed() {
    world.runs = stalled(Map.of("etl", 3L));
    Trouble trouble = world.troubles().get(0);
    assertThat(trouble.cause())
        .endsWith("3 jobs run and make no progress within the progress timeout");
    assertThat(trouble.since()).isNull();
    assertThat(trouble.action().command()).isEqualTo("callboard jobs --state STALLED --type etl");
  }

  @Test
  void nodesThatReportNoKillsAreNamed() {
    world.runs = new TroubledRuns(Map.of(), Map.of(), List.of(), List.of("node-b"));
    assertThat(AttentionRules.check(world.facts(), World.NOW).read())
        .contains("; runs without progress and kills that failed, but not the kills of node-b;");
    assertThat(world.troubles()).isEmpty();
  }
}

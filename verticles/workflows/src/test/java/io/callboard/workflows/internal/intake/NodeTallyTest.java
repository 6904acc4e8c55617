package io.callboard.workflows.internal.intake;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.workflows.graph.InstanceOutcome;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.instance.InstanceFold;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceSpec;
import io.callboard.workflows.internal.starts.DurationCounts;
import io.callboard.workflows.model.DefinitionStats;
import io.callboard.workflows.model.StepStats;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a node counts, and histograms of durations. */
class NodeTallyTest {
  private static DurationCounts of(long... millis) {
    long[] counts = new long[DurationCounts.bucket(Duration.ofDays(10_000)) + 1];
    for (long each : millis) {
      counts[DurationCounts.bucket(Duration.ofMillis(each))]++;
    }
    return DurationCounts.of(counts);
  }

  @Test
  void aBucketIsAtMostAnEighthWide() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      long millis = random.nextLong(1L << (1 + random.nextInt(33)));
      Duration median = of(millis).summary().p50();
      assertThat((double) median.toMillis()).isBetween(millis * 0.87 - 1, millis * 1.13 + 1);
    }
  }

  private static InstanceEvent created(Instant begin) {
    return new InstanceEvent.Created(
        new InstanceSpec(
            "i",
            "d",
            "v",
            JsonNodeFactory.instance.objectNode(),
            5,
            Map.of(),
            null,
            null,
            begin,
            null));
  }

  /** Lets an instance begin and succeed. */
  private static void runs(NodeTally tally, Instant begin, Duration time) {
    InstanceEvent created = created(begin);
    InstanceEvent ended =
        new InstanceEvent.Ended(InstanceOutcome.SUCCEEDED, null, begin.plus(time));
    tally.committed(
        List.of(created, ended),
        InstanceFold.apply(InstanceFold.apply(InstanceData.NONE, created), ended));
  }

  @Test
  void throughputIsOfTheLastMinutesAndDurationsAreOfEachInstance() {
    Instant begin = Instant.parse("2026-11-26T08:00:00Z");
    NodeTally tally = new NodeTally(begin);
    for (int i = 0; i < 10; i++) {
      runs(tally, begin, Duration.ofSeconds(30));
    }
    DefinitionStats stats = tally.counts("d", begin.plusSeconds(60)).stats("d", false);
    assertThat(stats.endedPerMinute()).isEqualTo(2);
    assertThat(stats.durations().p50().toMillis()).isBetween(28_000L, 32_000L);
    Instant later = begin.plus(Duration.ofHours(1));
    runs(tally, later, Duration.ofSeconds(10));
    stats = tally.counts("d", later.plusSeconds(60)).stats("d", false);
    assertThat(stats.endedPerMinute()).isEqualTo(0.2);
    assertThat(stats.succeeded()).isEqualTo(11);
    assertThat(tally.counts("d", later.plusSeconds(600)).stats("d", false).endedPerMinute())
        .isZero();
  }

  private static InstanceEvent ended(String step, int run, StepState state, Instant at) {
    String error = state == StepState.SUCCEEDED ? null : "no";
    return new InstanceEvent.StepEnded(
        step, run, state, null, 0, error, null, null, at, null, null);
  }

  private static InstanceEvent started(String step, int run, Instant at) {
    return new InstanceEvent.StepStarted(step, run, 1, null, null, at);
  }

  private static InstanceData turn(NodeTally tally, InstanceData before, InstanceEvent... events) {
    InstanceData after = before;
    for (InstanceEvent event : events) {
      after = InstanceFold.apply(after, event);
    }
    tally.committed(List.of(events), after);
    return after;
  }

  @Test
  void theLastCompensationIsNotCountedAsARunOfItsStep() {
    Instant at = Instant.parse("2026-11-26T08:00:00Z");
    for (StepState undone : List.of(StepState.SUCCEEDED, StepState.FAILED, StepState.CANCELLED)) {
      NodeTally tally = new NodeTally(at);
      InstanceData data = turn(tally, InstanceData.NONE, created(at), started("a", 1, at));
      data =
          turn(
              tally,
              data,
              ended("a", 1, StepState.SUCCEEDED, at),
              new InstanceEvent.UndoBegan(InstanceOutcome.FAILED, "no", at),
              started("a", 2, at));
      data =
          turn(
              tally,
              data,
              ended("a", 2, undone, at.plusSeconds(600)),
              new InstanceEvent.Ended(InstanceOutcome.FAILED, "no", at.plusSeconds(600)));
      assertThat(data.undoing()).isNull();
      StepStats a = tally.counts("d", at).stats("d", false).steps().get("a");
      assertThat(a.succeeded()).as("after an undo that is %s", undone).isEqualTo(1);
      assertThat(a.failed()).isZero();
      assertThat(a.durations().count()).isEqualTo(1);
    }
  }

  @Test
  void histogramsOfNodesAddUp() {
    DurationCounts sum = of(10, 10, 10).plus(of(1_000)).plus(DurationCounts.NONE);
    assertThat(sum.summary().count()).isEqualTo(4);
    assertThat(sum.summary().p50().toMillis()).isBetween(9L, 11L);
    assertThat(sum.summary().p99().toMillis()).isBetween(900L, 1_100L);
    assertThat(DurationCounts.NONE.summary().p50()).isNull();
  }
}

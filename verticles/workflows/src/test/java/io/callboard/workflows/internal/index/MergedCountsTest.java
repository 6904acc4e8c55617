package io.callboard.workflows.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceCounts;
import io.callboard.workflows.model.InstanceState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MergedCountsTest {
  private static final ReadPartitions FIRST = new ReadPartitions(Map.of(0, 1L), false);
  private static final ReadPartitions SECOND = new ReadPartitions(Map.of(1, 4L), false);

  private static InstanceCount running(long count) {
    return new InstanceCount("etl", "v0", InstanceState.RUNNING, count);
  }

  private static InstancesAnswer.Counts counts(long count, @Nullable ReadPartitions owned) {
    return new InstancesAnswer.Counts(List.of(running(count)), owned);
  }

  private static InstanceCounts merged(Set<String> missing, InstancesAnswer.Counts... answers) {
    return MergedCounts.of(List.of(answers), missing, Set.of(), 2);
  }

  @Test
  void countsOfNodesAreAddedUp() {
    InstanceCounts all = merged(Set.of(), counts(3, FIRST), counts(4, SECOND));
    assertThat(all.items()).containsExactly(running(7));
    assertThat(all.partial()).isFalse();
  }

  @Test
  void aSilentNodeIsNamedWhileAPartitionHasNoAnswer() {
    InstanceCounts some = merged(Set.of("z", "b"), counts(3, FIRST));
    assertThat(some.items()).containsExactly(running(3));
    assertThat(some.partial()).isTrue();
    assertThat(some.missing()).containsExactly("b", "z");
  }

  @Test
  void nodesWithoutInstancesAreNotMissed() {
    InstanceCounts all = merged(Set.of("plain"), counts(3, FIRST), counts(4, SECOND));
    assertThat(all.partial()).isFalse();
    assertThat(all.missing()).isEmpty();
  }

  @Test
  void countsOfPartitionsThatANodeStillReadsArePartial() {
    ReadPartitions reads = new ReadPartitions(Map.of(), true);
    InstanceCounts some = merged(Set.of(), counts(3, FIRST), counts(1, reads));
    assertThat(some.partial()).isTrue();
    assertThat(some.missing()).isEmpty();
  }

  @Test
  void anOlderNodeIsAssumedToHaveThePartitionsNobodyElseReports() {
    assertThat(merged(Set.of(), counts(3, FIRST), counts(4, null)).partial()).isFalse();
    assertThat(merged(Set.of("c"), counts(3, FIRST), counts(4, null)).missing())
        .containsExactly("c");
  }

  @Test
  void besideAnOlderNodePartitionsStillBeingReadAreMissingToo() {
    ReadPartitions reads = new ReadPartitions(Map.of(), true);
    assertThat(merged(Set.of(), counts(1, reads), counts(4, null)).partial()).isTrue();
  }

  @Test
  void nodesWithoutAnIndexAreMissedOnlyIfNobodyIsReading() {
    ReadPartitions reads = new ReadPartitions(Map.of(), true);
    Set<String> missing = Set.of("late", "plain");
    Set<String> without = Set.of("plain");
    InstanceCounts some =
        MergedCounts.of(List.of(counts(3, FIRST), counts(1, reads)), missing, without, 2);
    assertThat(some.partial()).isTrue();
    assertThat(some.missing()).containsExactly("late");
    assertThat(MergedCounts.of(List.of(counts(3, FIRST)), missing, without, 2).missing())
        .as("one of them must have them")
        .containsExactly("late", "plain");
  }

  @Test
  void withoutAnyAnswerNothingIsKnown() {
    assertThat(merged(Set.of("a")).partial()).isTrue();
  }
}

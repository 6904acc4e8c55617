package io.callboard.workflows.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class InstanceIndexTest {
  private static final int PARTITIONS = 4;
  private static final List<InstanceState> STATES =
      List.of(InstanceState.RUNNING, InstanceState.SUCCEEDED, InstanceState.FAILED);

  private static InstanceIndex all() {
    InstanceIndex index = new InstanceIndex(SampleRows.PREFIX, PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      assertThat(index.gained(partition, 7)).isTrue();
      index.allRead(partition, 7);
    }
    return index;
  }

  private static List<String> ids(List<InstanceRow> rows) {
    return rows.stream().map(InstanceRow::id).toList();
  }

  private static List<String> ids(int... numbers) {
    List<String> ids = new ArrayList<>();
    for (int number : numbers) {
      ids.add(SampleRows.id(number));
    }
    return ids;
  }

  @Test
  void pagesFollowEachOther() {
    InstanceIndex index = all();
    for (int number = 0; number < 10; number++) {
      index.is(SampleRows.row(number, 1, InstanceState.RUNNING));
    }
    WorkflowQuery query = WorkflowQuery.newest(3);
    assertThat(ids(index.page(query, 3))).isEqualTo(ids(9, 8, 7));
    WorkflowQuery next =
        new WorkflowQuery(null, null, null, null, null, null, false, 3, SampleRows.id(7));
    assertThat(ids(index.page(next, 3))).isEqualTo(ids(6, 5, 4));
    WorkflowQuery up =
        new WorkflowQuery(null, null, null, null, null, null, true, 3, SampleRows.id(7));
    assertThat(ids(index.page(up, 3))).isEqualTo(ids(8, 9));
  }

  private static List<String> found(InstanceIndex index, WorkflowQuery query) {
    return ids(index.page(query, 100));
  }

  @Test
  void filtersSelectByEachField() {
    InstanceIndex index = all();
    for (int number = 0; number < 8; number++) {
      index.is(SampleRows.row(number, 1, STATES.get(number % 3)));
    }
    assertThat(found(index, new WorkflowQuery("even", null, null, null, null, null, true, 9, null)))
        .isEqualTo(ids(0, 2, 4, 6));
    assertThat(found(index, new WorkflowQuery("even", "v1", null, null, null, null, true, 9, null)))
        .isEqualTo(ids(4));
    assertThat(
            found(
                index,
                new WorkflowQuery(
                    null, null, InstanceState.FAILED, null, null, null, true, 9, null)))
        .isEqualTo(ids(2, 5));
    assertThat(
            found(index, new WorkflowQuery(null, null, null, "third=0", null, null, true, 9, null)))
        .isEqualTo(ids(0, 3, 6));
    assertThat(
            found(index, new WorkflowQuery(null, null, null, "third", null, null, true, 9, null)))
        .hasSize(8);
    assertThat(found(index, new WorkflowQuery(null, null, null, "no", null, null, true, 9, null)))
        .isEmpty();
    assertThat(
            found(
                index,
                new WorkflowQuery(
                    null, null, null, null, SampleRows.NOW.plusSeconds(5), null, true, 9, null)))
        .isEqualTo(ids(6, 7));
    assertThat(found(index, new WorkflowQuery(null, null, null, null, null, "oD", true, 9, null)))
        .isEqualTo(ids(1, 3, 5, 7));
    assertThat(
            found(index, new WorkflowQuery(null, null, null, null, null, "7005-be", true, 9, null)))
        .isEqualTo(ids(5));
  }

  @Test
  void newestChangeWinsAndGoneStaysGoneWhileRecordsAreRead() {
    InstanceIndex index = new InstanceIndex(SampleRows.PREFIX, 1);
    assertThat(index.gained(0, 3)).isTrue();
    assertThat(index.gained(0, 3)).isFalse();
    index.is(SampleRows.row(1, 5, InstanceState.SUCCEEDED));
    index.read(0, 3, SampleRows.row(1, 4, InstanceState.RUNNING));
    index.gone(SampleRows.id(2), 6);
    index.read(0, 3, SampleRows.row(2, 6, InstanceState.RUNNING));
    index.read(0, 2, SampleRows.row(3, 6, InstanceState.RUNNING)); // of an epoch that is over
    assertThat(index.coverage()).isEqualTo(new ReadPartitions(Map.of(), true));
    index.allRead(0, 3);
    assertThat(index.coverage()).isEqualTo(new ReadPartitions(Map.of(0, 3L), false));
    assertThat(index.counted().owned()).isEqualTo(index.coverage());
    assertThat(index.counts())
        .containsExactly(new InstanceCount("Odd", "v1", InstanceState.SUCCEEDED, 1));
    index.gone(SampleRows.id(1), 5);
    assertThat(index.counts()).isEmpty();
    index.is(SampleRows.row(4, 1, InstanceState.RUNNING));
    index.lost(0);
    assertThat(index.counts()).isEmpty();
    assertThat(index.page(WorkflowQuery.newest(9), 9)).isEmpty();
  }

  /** Random changes in random order beside a plain model. */
  @Test
  void theIndexAnswersAsAPlainModel() {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      InstanceIndex index = all();
      Map<String, InstanceRow> model = new TreeMap<>(Comparator.reverseOrder());
      Map<String, Long> last = new HashMap<>();
      for (int i = 0; i < 100; i++) {
        int number = random.nextInt(20);
        InstanceRow row = SampleRows.row(number, random.nextInt(30), STATES.get(random.nextInt(3)));
        if (random.nextInt(10) == 0) {
          long change = last.getOrDefault(row.id(), 0L);
          index.gone(row.id(), change);
          model.remove(row.id());
          last.remove(row.id());
        } else {
          index.is(row);
          if (row.change() > last.getOrDefault(row.id(), -1L)) {
            model.put(row.id(), row);
            last.put(row.id(), row.change());
          }
        }
      }
      assertThat(index.page(WorkflowQuery.newest(50), 50))
          .containsExactlyElementsOf(model.values());
      assertThat(index.counts().stream().mapToLong(InstanceCount::count).sum())
          .isEqualTo(model.size());
    }
  }

  @Test
  void theHigherEpochOfTwoOwnersCounts() {
    InstanceIndex placed = new InstanceIndex(SampleRows.PREFIX, PARTITIONS);
    InstanceRow old = SampleRows.row(1, 9, InstanceState.RUNNING);
    InstanceRow young = SampleRows.row(1, 8, InstanceState.SUCCEEDED);
    int partition = placed.partition(old.id());
    MergedRows merged =
        MergedRows.of(
            List.of(
                new InstancesAnswer.Rows(
                    List.of(old), new ReadPartitions(Map.of(partition, 3L), false)),
                new InstancesAnswer.Rows(
                    List.of(young), new ReadPartitions(Map.of(partition, 4L), true))),
            Set.of("silent"),
            PARTITIONS,
            placed::partition,
            WorkflowQuery.newest(9),
            9);
    assertThat(merged).isEqualTo(new MergedRows(List.of(young), false, List.of("silent"), true));
  }
}

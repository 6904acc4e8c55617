package io.callboard.workflows.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EndedInstancesTest {
  private static final int PARTITIONS = 4;
  private static final InstanceState[] STATES = InstanceState.values();

  private static InstanceIndex index() {
    InstanceIndex index = new InstanceIndex(SampleRows.PREFIX, PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      assertThat(index.gained(partition, 7)).isTrue();
      index.allRead(partition, 7);
    }
    return index;
  }

  private static InstanceRow row(int number, long change, InstanceState state) {
    InstanceRow row = SampleRows.row(number, change, InstanceState.RUNNING);
    return new InstanceRow(
        row.id(),
        change,
        row.definition(),
        row.version(),
        state,
        5,
        row.labels(),
        null,
        row.createdAt(),
        state.isEnded() ? SampleRows.NOW.plusSeconds(number + change) : null,
        row.steps());
  }

  /** Random changes beside a plain model. */
  @Test
  void theFirstEndedInstancesAreThoseOfAPlainModel() {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      InstanceIndex index = index();
      Map<String, InstanceRow> model = new TreeMap<>();
      Set<EndedInstance> held = new HashSet<>();
      for (int i = 0; i < 150; i++) {
        InstanceRow row = row(random.nextInt(20), i, STATES[random.nextInt(STATES.length)]);
        if (random.nextInt(10) == 0) {
          index.gone(row.id(), i);
          model.remove(row.id());
        } else {
          index.is(row);
          model.put(row.id(), row);
        }
        if (random.nextInt(8) == 0 && EndedInstance.isEnded(row)) {
          index.hold(EndedInstance.of(row));
          held.add(EndedInstance.of(row));
        }
      }
      EndedOrder order = new EndedOrder(SampleRows.NOW.plusSeconds(random.nextInt(170)));
      List<EndedInstance> ended =
          model.values().stream().filter(EndedInstance::isEnded).map(EndedInstance::of).toList();
      int most = random.nextInt(25);
      InstancesAnswer.Ended answer = index.ended(most, order);
      assertThat(answer.first())
          .as("seed %d", seed)
          .isEqualTo(
              ended.stream()
                  .filter(each -> !held.contains(each))
                  .sorted(order)
                  .limit(most)
                  .toList());
      assertThat(answer.counts().values().stream().mapToInt(each -> each).sum())
          .isEqualTo(ended.size());
      index.release();
      assertThat(index.ended(99, order).first()).isEqualTo(ended.stream().sorted(order).toList());
    }
  }

  @Test
  void endedInstancesThatTwoOwnersHaveAreCountedOnce() {
    InstanceIndex index = index();
    EndedInstance one = EndedInstance.of(row(1, 1, InstanceState.SUCCEEDED));
    EndedInstance two = EndedInstance.of(row(2, 1, InstanceState.FAILED));
    int partition = index.partition(one.id());
    Map<Integer, Integer> counts = Map.of(partition, 3);
    EndedOrder order = new EndedOrder(SampleRows.NOW);
    InstancesAnswer.Ended old =
        new InstancesAnswer.Ended(
            counts, List.of(one), new ReadPartitions(Map.of(partition, 3L), false));
    InstancesAnswer.Ended young =
        new InstancesAnswer.Ended(
            Map.of(partition, 2), List.of(two), new ReadPartitions(Map.of(partition, 4L), true));
    assertThat(MergedEnded.of(List.of(old, young), PARTITIONS, id -> partition, order, 9))
        .isEqualTo(new MergedEnded(2, List.of(two), false));
  }
}

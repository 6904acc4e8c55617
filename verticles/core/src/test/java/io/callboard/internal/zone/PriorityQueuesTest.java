package io.callboard.internal.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.zone.ZonePriority;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PriorityQueuesTest {
  /** One task of a lane. */
  record Item(ZonePriority priority, int number) {}

  @Test
  void aHigherOneGoesFirst() {
    PriorityQueues<String> priorityQueues = new PriorityQueues<>();
    priorityQueues.add(ZonePriority.LOW, "low");
    priorityQueues.add(ZonePriority.NORMAL, "normal");
    priorityQueues.add(ZonePriority.HIGH, "high");
    assertThat(priorityQueues.size()).isEqualTo(3);
    assertThat(priorityQueues.next()).isEqualTo("high");
    assertThat(priorityQueues.next()).isEqualTo("normal");
    assertThat(priorityQueues.next()).isEqualTo("low");
    assertThat(priorityQueues.next()).isNull();
    assertThat(priorityQueues.size()).isZero();
  }

  @Test
  void aTaskInEightIsOfALowerPriority() {
    PriorityQueues<ZonePriority> priorityQueues = new PriorityQueues<>();
    for (int i = 0; i < 800; i++) {
      for (ZonePriority priority : ZonePriority.values()) {
        priorityQueues.add(priority, priority);
      }
    }
    Map<ZonePriority, Long> shares =
        IntStream.range(0, 800)
            .mapToObj(i -> String.valueOf(priorityQueues.next()))
            .collect(Collectors.groupingBy(ZonePriority::valueOf, Collectors.counting()));
    assertThat(shares)
        .containsEntry(ZonePriority.LOW, 100L)
        .containsEntry(ZonePriority.NORMAL, 99L)
        .containsEntry(ZonePriority.HIGH, 601L);
  }

  @Test
  void aPriorityThatDidNotWaitHasNothingToClaim() {
    PriorityQueues<String> priorityQueues = new PriorityQueues<>();
    for (int i = 0; i < 100; i++) {
      priorityQueues.add(ZonePriority.HIGH, "high");
      assertThat(priorityQueues.next()).isEqualTo("high");
    }
    priorityQueues.add(ZonePriority.LOW, "low");
    priorityQueues.add(ZonePriority.HIGH, "high");
    assertThat(priorityQueues.next()).isEqualTo("high");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void everyLaneIsInOrderAndNoneWaitsLong(long seed) {
    Random random = new Random(seed);
    PriorityQueues<Item> priorityQueues = new PriorityQueues<>();
    Map<ZonePriority, Queue<Item>> model = new EnumMap<>(ZonePriority.class);
    Map<ZonePriority, Integer> passed = new EnumMap<>(ZonePriority.class);
    for (ZonePriority each : ZonePriority.values()) {
      model.put(each, new ArrayDeque<>());
      passed.put(each, 0);
    }
    for (int step = 0; step < 20_000; step++) {
      if (random.nextInt(100) < 52) {
        ZonePriority priority = ZonePriority.values()[random.nextInt(3)];
        Item item = new Item(priority, step);
        priorityQueues.add(priority, item);
        model.get(priority).add(item);
        continue;
      }
      Item next = priorityQueues.next();
      if (next == null) {
        assertThat(model.values()).allMatch(Queue::isEmpty);
        continue;
      }
      assertThat(next).isEqualTo(model.get(next.priority()).remove());
      model.forEach(
          (priority, queue) ->
              passed.merge(
                  priority,
                  1,
                  (old, one) -> queue.isEmpty() || priority == next.priority() ? 0 : old + one));
      assertThat(passed.values()).allMatch(n -> n <= ZonePriority.SHARE);
    }
  }
}

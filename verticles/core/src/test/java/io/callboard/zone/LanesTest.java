package io.callboard.zone;

import static org.assertj.core.api.Assertions.assertThat;

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

class LanesTest {
  /** One task of a lane. */
  record Item(ZonePriority priority, int number) {}

  @Test
  void aHigherOneGoesFirst() {
    Lanes<String> lanes = new Lanes<>();
    lanes.add(ZonePriority.LOW, "low");
    lanes.add(ZonePriority.NORMAL, "normal");
    lanes.add(ZonePriority.HIGH, "high");
    assertThat(lanes.size()).isEqualTo(3);
    assertThat(lanes.next()).isEqualTo("high");
    assertThat(lanes.next()).isEqualTo("normal");
    assertThat(lanes.next()).isEqualTo("low");
    assertThat(lanes.next()).isNull();
    assertThat(lanes.size()).isZero();
  }

  @Test
  void oneOfEightIsALowerOnes() {
    Lanes<ZonePriority> lanes = new Lanes<>();
    for (int i = 0; i < 800; i++) {
      for (ZonePriority priority : ZonePriority.values()) {
        lanes.add(priority, priority);
      }
    }
    Map<ZonePriority, Long> shares =
        IntStream.range(0, 800)
            .mapToObj(i -> String.valueOf(lanes.next()))
            .collect(Collectors.groupingBy(ZonePriority::valueOf, Collectors.counting()));
    assertThat(shares)
        .containsEntry(ZonePriority.LOW, 100L)
        .containsEntry(ZonePriority.NORMAL, 99L)
        .containsEntry(ZonePriority.HIGH, 601L);
  }

  @Test
  void whoeverDidNotWaitHasNothingToClaim() {
    Lanes<String> lanes = new Lanes<>();
    for (int i = 0; i < 100; i++) {
      lanes.add(ZonePriority.HIGH, "high");
      assertThat(lanes.next()).isEqualTo("high");
    }
    lanes.add(ZonePriority.LOW, "low");
    lanes.add(ZonePriority.HIGH, "high");
    assertThat(lanes.next()).isEqualTo("high");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void everyLaneIsInOrderAndNoneWaitsLong(long seed) {
    Random random = new Random(seed);
    Lanes<Item> lanes = new Lanes<>();
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
        lanes.add(priority, item);
        model.get(priority).add(item);
        continue;
      }
      Item next = lanes.next();
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

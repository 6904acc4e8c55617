package io.callboard.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Test of a node's time and of its randomness, which a seed repeats, as used by code that is no
 * actor.
 */
class TimeAndRandomTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private List<Long> numbers(Consumer<CallboardOptions> options) {
    Callboard callboard = nodes.open("test", options);
    RandomGenerator one = callboard.random();
    RandomGenerator other = callboard.random();
    List<Long> numbers = List.of(one.nextLong(), other.nextLong(), one.nextLong());
    nodes.close(callboard);
    return numbers;
  }

  @Test
  void theTimeIsTheOneThatWasGiven() {
    ManualTime time = new ManualTime();
    Callboard callboard = nodes.open("test", options -> options.time(time));
    assertThat(callboard.time()).isSameAs(time);
    assertThat(callboard.time().clock().instant()).isEqualTo(ManualTime.BEGIN);
  }

  @Test
  void theSameSeedGivesTheSameNumbersToEachCallerInItsTurn() {
    List<Long> numbers = numbers(options -> options.seed(7));
    assertThat(numbers).doesNotHaveDuplicates();
    assertThat(numbers(options -> options.seed(7))).isEqualTo(numbers);
    assertThat(numbers(options -> options.seed(8))).doesNotContainAnyElementsOf(numbers);
    assertThat(numbers(options -> {})).doesNotContainAnyElementsOf(numbers);
  }

  @Test
  void threadsThatAskAtOnceGetDifferentNumbers() {
    Callboard callboard = nodes.open("test", options -> options.seed(7));
    Set<Long> firsts =
        IntStream.range(0, 10_000)
            .parallel()
            .mapToObj(i -> callboard.random().nextLong())
            .collect(Collectors.toSet());
    assertThat(firsts).hasSize(10_000);
  }
}

package io.callboard.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a program beside actors has of a node: its time, and randomness that a seed repeats. */
class TimeAndRandomTest {
  private static List<Long> numbers(CallboardOptions options) {
    Vertx vertx = Vertx.vertx();
    try {
      Callboard callboard = Callboard.create(vertx, options).await();
      RandomGenerator one = callboard.random();
      RandomGenerator other = callboard.random();
      return Stream.of(one.nextLong(), other.nextLong(), one.nextLong()).toList();
    } finally {
      vertx.close().await();
    }
  }

  @Test
  void theTimeIsTheOneThatWasGiven() {
    Vertx vertx = Vertx.vertx();
    try {
      ManualTime time = new ManualTime();
      Callboard callboard = Callboard.create(vertx, new CallboardOptions().time(time)).await();
      assertThat(callboard.time()).isSameAs(time);
      assertThat(callboard.time().clock().instant()).isEqualTo(ManualTime.BEGIN);
    } finally {
      vertx.close().await();
    }
  }

  @Test
  void theSameSeedGivesTheSameNumbersToEachCallerInItsTurn() {
    List<Long> numbers = numbers(new CallboardOptions().seed(7));
    assertThat(numbers).doesNotHaveDuplicates();
    assertThat(numbers(new CallboardOptions().seed(7))).isEqualTo(numbers);
    assertThat(numbers(new CallboardOptions().seed(8))).doesNotContainAnyElementsOf(numbers);
    assertThat(numbers(new CallboardOptions())).doesNotContainAnyElementsOf(numbers);
  }

  @Test
  void threadsThatAskAtOnceGetDifferentNumbers() {
    Vertx vertx = Vertx.vertx();
    try {
      Callboard callboard = Callboard.create(vertx, new CallboardOptions().seed(7)).await();
      Set<Long> firsts =
          IntStream.range(0, 10_000)
              .parallel()
              .mapToObj(i -> callboard.random().nextLong())
              .collect(Collectors.toSet());
      assertThat(firsts).hasSize(10_000);
    } finally {
      vertx.close().await();
    }
  }
}

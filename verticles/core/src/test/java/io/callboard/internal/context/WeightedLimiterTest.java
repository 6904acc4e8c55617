package io.callboard.internal.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WeightedLimiterTest {
  private final List<Integer> begun = new ArrayList<>();
  private final List<Promise<Integer>> tasks = new ArrayList<>();

  private Future<Integer> add(WeightedLimiter weightedLimiter, int weight) {
    int number = tasks.size();
    Promise<Integer> task = Promise.promise();
    tasks.add(task);
    return weightedLimiter.run(
        weight,
        () -> {
          begun.add(number);
          return task.future();
        });
  }

  @Test
  void tasksThatAreTooMuchWaitInOrder() {
    WeightedLimiter weightedLimiter = new WeightedLimiter(10);
    Future<Integer> first = add(weightedLimiter, 6);
    Future<Integer> second = add(weightedLimiter, 6);
    Future<Integer> third = add(weightedLimiter, 1);
    assertThat(begun).as("the small one does not overtake").containsExactly(0);
    assertThat(weightedLimiter.weight()).isEqualTo(13);
    tasks.get(0).complete(7);
    assertThat(first.result()).isEqualTo(7);
    assertThat(begun).containsExactly(0, 1, 2);
    tasks.get(1).fail("no");
    tasks.get(2).complete(1);
    assertThat(second.failed()).isTrue();
    assertThat(third.succeeded()).isTrue();
    assertThat(weightedLimiter.weight()).isZero();
  }

  private void addBehind(WeightedLimiter weightedLimiter) {
    int number = tasks.size();
    Promise<Integer> task = Promise.promise();
    tasks.add(task);
    var unused =
        weightedLimiter.runBehind(
            1,
            () -> {
              begun.add(number);
              return task.future();
            });
  }

  @Test
  void tasksThatNobodyWaitsForAndTheOthersBeginByTurns() {
    WeightedLimiter weightedLimiter = new WeightedLimiter(1);
    for (int i = 0; i < 5; i++) {
      addBehind(weightedLimiter); // 0 to 4
    }
    assertThat(begun).containsExactly(0);
    for (int i = 0; i < 3; i++) {
      var unused = add(weightedLimiter, 1); // 5 to 7
    }
    for (int i = 0; i < 8; i++) {
      tasks.get(begun.get(i)).complete(0);
    }
    assertThat(begun).containsExactly(0, 5, 1, 6, 2, 7, 3, 4);
    assertThat(weightedLimiter.weight()).isZero();
  }

  @Test
  void aTaskHeavierThanTheLimitGoesAlone() {
    WeightedLimiter weightedLimiter = new WeightedLimiter(10);
    Future<Integer> small = add(weightedLimiter, 1);
    Future<Integer> heavy = add(weightedLimiter, 50);
    Future<Integer> after = add(weightedLimiter, 1);
    assertThat(begun).containsExactly(0);
    tasks.get(0).complete(0);
    assertThat(begun).containsExactly(0, 1);
    tasks.get(1).complete(0);
    assertThat(begun).containsExactly(0, 1, 2);
    tasks.get(2).complete(0);
    assertThat(List.of(small, heavy, after)).allMatch(Future::succeeded);
  }

  @Test
  void aTaskThatThrowsHoldsUpNothingElse() {
    WeightedLimiter weightedLimiter = new WeightedLimiter(1);
    Future<Integer> failed =
        weightedLimiter.run(
            1,
            () -> {
              throw new StackOverflowError("in the task");
            });
    assertThat(failed.cause()).isInstanceOf(StackOverflowError.class);
    Future<Integer> first = add(weightedLimiter, 1);
    Future<Integer> second = add(weightedLimiter, 1);
    first.onComplete(
        done -> {
          throw new StackOverflowError("of who waits");
        });
    assertThatThrownBy(() -> tasks.get(0).complete(0)).isInstanceOf(StackOverflowError.class);
    assertThat(begun).containsExactly(0, 1);
    tasks.get(1).complete(1);
    assertThat(second.succeeded()).isTrue();
    assertThat(weightedLimiter.weight()).isZero();
  }

  @Test
  void manyThatEndAtOnceDoNotNest() {
    WeightedLimiter weightedLimiter = new WeightedLimiter(1);
    Future<Integer> first = add(weightedLimiter, 1);
    List<Future<Integer>> atOnce = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      int number = i;
      atOnce.add(weightedLimiter.run(1, () -> Future.succeededFuture(number)));
    }
    Future<Integer> last = add(weightedLimiter, 1);
    tasks.get(0).complete(0);
    assertThat(first.succeeded()).isTrue();
    assertThat(atOnce).allMatch(Future::succeeded);
    assertThat(last.isComplete()).as("it is under way").isFalse();
    assertThat(begun).containsExactly(0, 1);
  }

  @Test
  void aHandlerThatThrowsWhenATaskEndsAtOnceHoldsUpNothingElse() {
    WeightedLimiter weightedLimiter = new WeightedLimiter(1);
    var unused = add(weightedLimiter, 1);
    weightedLimiter
        .run(1, () -> Future.succeededFuture(1))
        .onComplete(
            done -> {
              throw new StackOverflowError("of who waits");
            });
    Future<Integer> last = add(weightedLimiter, 1);
    assertThatThrownBy(() -> tasks.get(0).complete(0)).isInstanceOf(StackOverflowError.class);
    assertThat(begun).containsExactly(0, 1);
    tasks.get(1).complete(1);
    assertThat(last.succeeded()).isTrue();
    assertThat(weightedLimiter.weight()).isZero();
  }

  @Test
  void theBoundHoldsWhateverEndsFirst() {
    SplittableRandom random = new SplittableRandom(3);
    WeightedLimiter weightedLimiter = new WeightedLimiter(100);
    List<Integer> weights = new ArrayList<>();
    List<Future<Integer>> ends = new ArrayList<>();
    while (ends.size() < 1_000 || !ends.stream().allMatch(Future::isComplete)) {
      if (ends.size() < 1_000 && random.nextInt(2) == 0) {
        weights.add(1 + random.nextInt(100));
        ends.add(add(weightedLimiter, weights.get(weights.size() - 1)));
      } else {
        List<Integer> open =
            begun.stream().filter(number -> !tasks.get(number).future().isComplete()).toList();
        int weight = open.stream().mapToInt(weights::get).sum();
        assertThat(weight).isLessThanOrEqualTo(100);
        if (!open.isEmpty()) {
          tasks.get(open.get(random.nextInt(open.size()))).complete(0);
        }
      }
    }
    assertThat(begun).isSorted().hasSize(1_000);
  }
}

package io.callboard.internal.context;

import static io.callboard.internal.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tests of steps that follow each other without growing the stack. */
class SequenceTest {
  private static final int MANY = 100_000;

  private final AtomicInteger begun = new AtomicInteger();

  private Future<Void> many(Supplier<Future<Void>> step) {
    return Sequence.of(() -> begun.getAndIncrement() == MANY ? null : step.get());
  }

  @Test
  void manyStepsThatCompleteAtOnceNeedNoStack() {
    assertThat(many(Future::succeededFuture).succeeded()).isTrue();
    assertThat(begun).hasValue(MANY + 1);
  }

  @Test
  void manyStepsThatCompleteLaterNeedNoStack() {
    Queue<Promise<Void>> open = new ArrayDeque<>();
    Future<Void> done =
        many(
            () -> {
              Promise<Void> step = Promise.promise();
              open.add(step);
              return step.future();
            });
    for (Promise<Void> step = open.poll(); step != null; step = open.poll()) {
      assertThat(done.isComplete()).isFalse();
      assertThat(open).as("one at a time").isEmpty();
      step.complete();
    }
    assertThat(done.succeeded()).isTrue();
    assertThat(begun).hasValue(MANY + 1);
  }

  @Test
  void stepsThatOtherThreadsCompleteFollowEachOther() {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    AtomicInteger atATime = new AtomicInteger();
    try {
      Future<Void> done =
          many(
              () -> {
                assertThat(atATime.incrementAndGet()).isOne();
                Promise<Void> step = Promise.promise();
                threads.execute(
                    () -> {
                      atATime.decrementAndGet();
                      step.complete();
                    });
                return step.future();
              });
      await(done);
    } finally {
      threads.shutdownNow();
    }
    assertThat(begun).hasValue(MANY + 1);
  }

  @Test
  void noStepFollowsOneThatFails() {
    Future<Void> failed =
        Sequence.of(
            () ->
                begun.incrementAndGet() < 3
                    ? Future.succeededFuture()
                    : Future.failedFuture("the third"));
    assertThatThrownBy(() -> await(failed)).hasMessage("the third");
    assertThat(begun).hasValue(3);
    Future<Void> threw =
        Sequence.of(
            () -> {
              throw new IllegalStateException("no step");
            });
    assertThatThrownBy(() -> await(threw)).hasMessage("no step");
  }
}

package io.callboard.dashboard.internal.attention;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.ManualTime;
import io.callboard.testkit.Waits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is kept of readings: the last one, its time, and why there is no later one. */
class CachedReadingTest {
  private final ManualTime time = new ManualTime();
  private final Deque<Future<String>> answers = new ArrayDeque<>();
  private final CachedReading<String> kept =
      new CachedReading<>(Duration.ofSeconds(5), time.clock(), answers::removeFirst);

  private Instant now() {
    return time.clock().instant();
  }

  @Test
  void aReadingIsMadeNoMoreOftenThanAtItsInterval() {
    answers.add(Future.succeededFuture("one"));
    assertThat(await(kept.read())).isEqualTo(Reading.of("one", now()));
    Instant then = now();
    time.advance(Duration.ofSeconds(4));
    assertThat(await(kept.read())).isEqualTo(Reading.of("one", then));
    time.advance(Duration.ofSeconds(1));
    answers.add(Future.succeededFuture("two"));
    assertThat(await(kept.read())).isEqualTo(Reading.of("two", now()));
  }

  @Test
  void aSecondCallerWaitsForTheReadingOfTheFirst() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    CachedReading<String> slow =
        new CachedReading<>(
            Duration.ofSeconds(5),
            time.clock(),
            () -> {
              begun.countDown();
              Waits.opened(goesOn);
              return Future.succeededFuture("one");
            });
    CompletableFuture<Reading<String>> first =
        CompletableFuture.supplyAsync(() -> await(slow.read()));
    Waits.opened(begun);
    Future<Reading<String>> beside = slow.read();
    assertThat(beside.isComplete()).isFalse();
    goesOn.countDown();
    assertThat(await(beside)).isEqualTo(Reading.of("one", now()));
    assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(Reading.of("one", now()));
  }

  /** A future is complete before its handlers have run: a caller may come between the two. */
  @Test
  void aCallerThatComesAsTheAnswerComesHasIt() throws Exception {
    for (int i = 0; i < 2_000; i++) {
      Promise<String> answer = Promise.promise();
      CachedReading<String> each =
          new CachedReading<>(Duration.ofSeconds(5), time.clock(), answer::future);
      Future<Reading<String>> first = each.read();
      CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> answer.complete("one"));
      Future<Reading<String>> beside;
      do {
        beside = each.read();
      } while (!beside.isComplete());
      assertThat(beside.result().value()).isEqualTo("one");
      answered.get(30, TimeUnit.SECONDS);
      assertThat(await(first).value()).isEqualTo("one");
    }
  }

  @Test
  void aCallerThatNeedsItLessOftenTakesAnOlderReading() {
    answers.add(Future.succeededFuture("one"));
    assertThat(await(kept.read()).value()).isEqualTo("one");
    time.advance(Duration.ofSeconds(8));
    assertThat(await(kept.read(Duration.ofSeconds(9))).value()).isEqualTo("one");
    answers.add(Future.succeededFuture("two"));
    assertThat(await(kept.read()).value()).isEqualTo("two");
  }

  @Test
  void afterAFailureTheLastReadingIsKeptWithTheReasonSinceTheFirstOne() {
    answers.add(Future.succeededFuture("one"));
    assertThat(await(kept.read()).isFresh()).isTrue();
    Instant read = now();
    time.advance(Duration.ofSeconds(5));
    Instant failed = now();
    answers.add(Future.failedFuture("connection loss"));
    assertThat(await(kept.read())).isEqualTo(new Reading<>("one", read, "connection loss", failed));
    time.advance(Duration.ofSeconds(5));
    answers.add(Future.failedFuture("still"));
    assertThat(await(kept.read())).isEqualTo(new Reading<>("one", read, "still", failed));
    time.advance(Duration.ofSeconds(5));
    answers.add(Future.succeededFuture("two"));
    assertThat(await(kept.read())).isEqualTo(Reading.of("two", now()));
  }

  @Test
  void afterAFailureNobodyWaitsAndTheNextAttemptIsLater() {
    CachedReading<String> patient =
        new CachedReading<>(
            Duration.ofSeconds(1), Duration.ofSeconds(5), time.clock(), answers::removeFirst);
    answers.add(Future.failedFuture("no answer"));
    assertThat(await(patient.read()).error()).isEqualTo("no answer");
    time.advance(Duration.ofSeconds(4));
    assertThat(await(patient.read()).error()).isEqualTo("no answer");
    time.advance(Duration.ofSeconds(1));
    Promise<String> late = Promise.promise();
    answers.add(late.future());
    assertThat(patient.read().isComplete()).isTrue();
    late.complete("late");
    assertThat(await(patient.read())).isEqualTo(Reading.of("late", now()));
  }

  @Test
  void aFailureOfLongAgoIsNoAnswer() {
    CachedReading<String> patient =
        new CachedReading<>(
            Duration.ofSeconds(1), Duration.ofSeconds(5), time.clock(), answers::removeFirst);
    answers.add(Future.failedFuture("no answer"));
    assertThat(await(patient.read()).error()).isEqualTo("no answer");
    time.advance(Duration.ofSeconds(10));
    Promise<String> present = Promise.promise();
    answers.add(present.future());
    Future<Reading<String>> read = patient.read();
    assertThat(read.isComplete()).isFalse();
    present.complete("well");
    assertThat(await(read)).isEqualTo(Reading.of("well", now()));
    time.advance(Duration.ofSeconds(1));
    answers.add(Future.failedFuture("no answer"));
    assertThat(await(patient.read()).failedSince()).isEqualTo(now());
    time.advance(Duration.ofHours(1));
    answers.add(Future.failedFuture("no answer again"));
    assertThat(await(patient.read()).failedSince()).as("nobody asked since").isEqualTo(now());
  }

  @Test
  void aCallerDoesNotWaitForALateAnswerAndHasItWhenItComes() {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try {
      Promise<String> late = ((io.vertx.core.internal.VertxInternal) vertx).promise();
      answers.add(late.future());
      Reading<String> without = await(kept.read());
      assertThat(without.value()).isNull();
      assertThat(without.error()).isEqualTo("no answer within 2 s");
      late.complete("late");
      assertThat(await(kept.read())).isEqualTo(Reading.of("late", now()));
    } finally {
      await(vertx.close());
    }
  }
}

package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Callboard;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.Repetition;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.event.Level;

class BackgroundTasksTest {
  private static final Duration EVERY = Duration.ofHours(1);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final List<Promise<Boolean>> passes = new CopyOnWriteArrayList<>();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private Callboard node;
  private BackgroundTasks tasks;

  @BeforeEach
  void open() {
    node = nodes.open("n1", options -> options.time(time));
    tasks = node.tasks("the test");
  }

  private void repeat(Repetition when) {
    tasks.repeat(when, this::pass, e -> failures.add(e == null ? "none" : e.getMessage()));
  }

  private Future<Boolean> pass() {
    Promise<Boolean> pass = Promise.promise();
    passes.add(pass);
    if (passes.size() == 1) {
      throw new IllegalStateException("it throws");
    }
    return pass.future();
  }

  /** Advances in steps, between which the node comes to rest, until it is so. */
  private void isReached(String what, Duration step, BooleanSupplier reached) {
    Stillness node = Stillness.of(this.node);
    for (int left = 1_000; left > 0 && !reached.getAsBoolean(); left--) {
      time.advance(step);
      node.await();
    }
    assertThat(reached.getAsBoolean()).as(what).isTrue();
  }

  private void isReached(String what, BooleanSupplier reached) {
    isReached(what, EVERY.dividedBy(4), reached);
  }

  @Test
  void aPassThatFailsIsReportedAndTheNextBeginsAfterItsEnd() {
    repeat(Repetition.every(EVERY));
    assertThat(passes).as("not at once").isEmpty();
    isReached("the second", () -> passes.size() == 2);
    assertThat(failures).containsExactly("it throws");
    time.advance(EVERY.multipliedBy(10));
    assertThat(passes).as("one at a time").hasSize(2);
    passes.get(1).fail("it fails");
    isReached("the third", () -> passes.size() == 3);
    assertThat(failures).containsExactly("it throws", "it fails");
    passes.get(2).complete(false);
    isReached("the fourth", () -> passes.size() == 4);
    assertThat(failures).containsExactly("it throws", "it fails", "none");
  }

  @Test
  void aPassThatHasMoreToDoIsFollowedSoon() {
    repeat(Repetition.every(EVERY).soon(Duration.ofSeconds(1)));
    isReached("the second", () -> passes.size() == 2);
    Instant before = time.clock().instant();
    passes.get(1).complete(true);
    isReached("the third", Duration.ofSeconds(1), () -> passes.size() == 3);
    assertThat(time.clock().instant()).isBefore(before.plus(EVERY.dividedBy(2)));
  }

  @Test
  void nothingBeginsAfterTheEnd() {
    List<String> ran = new CopyOnWriteArrayList<>();
    Alarm unused = tasks.after(EVERY, () -> ran.add("later"));
    repeat(Repetition.every(EVERY));
    tasks.close();
    tasks.run(() -> ran.add("now"));
    unused = tasks.after(Duration.ZERO, () -> ran.add("after"));
    BackgroundTasks others = node.tasks("others");
    Alarm last = others.after(EVERY.multipliedBy(9), () -> ran.add("others"));
    isReached("the other tasks", () -> ran.contains("others"));
    assertThat(ran).containsExactly("others");
    assertThat(passes).isEmpty();
    last.cancel();
    assertThat(tasks.isClosed()).isTrue();
    assertThat(others.isClosed()).isFalse();
  }

  @Test
  void theyEndWithTheNodeAndWhatIsAwaitedFails() {
    assertThat(await(tasks.call(() -> Future.succeededFuture("called")))).isEqualTo("called");
    Future<Void> pause = tasks.pause(EVERY);
    nodes.close(node);
    assertThatThrownBy(() -> await(pause)).hasMessageContaining("have ended");
    assertThatThrownBy(() -> await(tasks.call(() -> Future.succeededFuture("never"))))
        .hasMessageContaining("have ended");
    assertThatThrownBy(() -> await(tasks.pause(EVERY))).hasMessageContaining("have ended");
    assertThat(tasks.isClosed()).isTrue();
  }

  @Test
  void anExceptionOfATaskIsLoggedWithTheNameOfTheTasks() throws Exception {
    try (LogCapture log = LogCapture.of(BackgroundTasks.class)) {
      Alarm unused =
          node.tasks("the sweep of expired keys")
              .after(
                  EVERY,
                  () -> {
                    throw new IllegalStateException("thrown by the test");
                  });
      time.advance(EVERY);
      log.expect(Level.ERROR, "a background task of the sweep of expired keys failed");
    }
  }

  @Test
  void allIsOnOneContextWhichNoTaskEnds() {
    List<Context> contexts = new CopyOnWriteArrayList<>();
    tasks.run(
        () -> {
          contexts.add(Vertx.currentContext());
          throw new IllegalStateException("thrown by the test");
        });
    Promise<Boolean> onWorker = Promise.promise();
    tasks.run(
        () ->
            tasks
                .blocking(() -> Future.succeededFuture(Context.isOnWorkerThread()))
                .onComplete(done -> contexts.add(Vertx.currentContext()))
                .onComplete(onWorker));
    assertThat(await(onWorker.future())).isTrue();
    Future<Void> passed =
        tasks.pause(EVERY).onComplete(done -> contexts.add(Vertx.currentContext()));
    time.advance(EVERY);
    await(passed);
    assertThat(contexts).hasSize(3).containsOnly(contexts.get(0));
  }

  @Test
  void aPassWithoutAResultOrAFutureIsFollowedByTheNext() {
    List<String> begun = new CopyOnWriteArrayList<>();
    tasks.repeat(
        Repetition.every(EVERY),
        () -> {
          begun.add("pass");
          return begun.size() == 1 ? Future.succeededFuture(null) : null;
        },
        e -> failures.add(e == null ? "none" : e.getMessage()));
    isReached("the third", () -> begun.size() == 3);
    assertThat(failures).startsWith("none", "a pass returned no future");
  }

  @Test
  void whatIsCancelledDoesNotRun() {
    List<String> ran = new CopyOnWriteArrayList<>();
    tasks.after(EVERY, () -> ran.add("cancelled")).cancel();
    Alarm kept = tasks.after(EVERY, () -> ran.add("kept"));
    isReached("the other", () -> !ran.isEmpty());
    kept.cancel();
    assertThat(ran).containsExactly("kept");
  }

  @Test
  void pausesDoubleWithEachFailureInARowAndAreNeverOverTheLongest() {
    Repetition when = Repetition.every(EVERY).backoff(EVERY.multipliedBy(5));
    repeat(when);
    List<Duration> pauses = new ArrayList<>();
    for (int number = 1; number <= 6; number++) {
      int now = number;
      Instant before = time.clock().instant();
      isReached("pass " + number, Duration.ofMinutes(3), () -> passes.size() == now);
      pauses.add(Duration.between(before, time.clock().instant()));
      passes.get(number - 1).tryFail("it fails");
    }
    assertThat(pauses.get(0)).isBetween(Duration.ofMinutes(47), Duration.ofMinutes(74));
    assertThat(pauses.get(3)).isGreaterThan(Duration.ofMinutes(119));
    assertThat(pauses)
        .allSatisfy(pause -> assertThat(pause).isLessThan(EVERY.multipliedBy(5).plusMinutes(5)));
  }

  @Test
  void impossibleRepetitionsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Repetition.every(Duration.ZERO))
        .withMessageContaining("0 < every");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Repetition.every(EVERY).backoff(Duration.ofMinutes(1)))
        .withMessageContaining("longest PT1M");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Repetition.every(EVERY).spread(1.5))
        .withMessageContaining("1.5");
  }
}

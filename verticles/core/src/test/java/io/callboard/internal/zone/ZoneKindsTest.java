package io.callboard.internal.zone;

import static io.callboard.internal.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.callboard.internal.Waits;
import io.callboard.zone.ZoneOptions;
import io.callboard.zone.ZonePriority;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the guarantees that an actor has in a zone of any kind. */
class ZoneKindsTest {
  private static final int CONTEXTS = 6;
  private static final int SENDERS = 3;
  private static final int EACH = 2_000;

  /** Kinds that every Java has. */
  enum Shape {
    EVENT_LOOP,
    FIXED,
    ELASTIC,
    FORK_JOIN
  }

  private static ZoneOptions options(Shape shape) {
    return switch (shape) {
      case EVENT_LOOP -> ZoneOptions.eventLoop();
      case FIXED -> ZoneOptions.fixed(3);
      case ELASTIC -> ZoneOptions.elastic(1, 4);
      case FORK_JOIN -> ZoneOptions.forkJoin(3);
    };
  }

  /** Notes what runs in one context: whether in order, and never two at once. */
  private static final class Witness {
    private final AtomicInteger inside = new AtomicInteger();
    private final int[] last = new int[SENDERS];
    private final CountDownLatch left;
    private final Map<String, Boolean> threads;
    private final List<String> wrong = new ArrayList<>();

    Witness(CountDownLatch left, Map<String, Boolean> threads) {
      this.left = left;
      this.threads = threads;
    }

    void sees(int sender, int number) {
      if (inside.incrementAndGet() != 1) {
        wrong.add("two at once");
      }
      if (last[sender] + 1 != number) {
        wrong.add("after %d of %d came %d".formatted(last[sender], sender, number));
      }
      last[sender] = number;
      threads.put(Thread.currentThread().getName(), true);
      inside.decrementAndGet();
      left.countDown();
    }
  }

  /** Names of the threads that ran something. */
  private static List<String> orderHolds(ZoneStage stage) throws Exception {
    CountDownLatch left = new CountDownLatch(CONTEXTS * SENDERS * EACH);
    Map<String, Boolean> threads = new ConcurrentHashMap<>();
    List<Witness> witnesses = new ArrayList<>();
    List<Context> contexts = new ArrayList<>();
    for (int i = 0; i < CONTEXTS; i++) {
      contexts.add(stage.place());
      witnesses.add(new Witness(left, threads));
    }
    ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
    for (int s = 0; s < SENDERS; s++) {
      int sender = s;
      senders.execute(
          () -> {
            for (int n = 1; n <= EACH; n++) {
              for (int c = 0; c < CONTEXTS; c++) {
                Witness witness = witnesses.get(c);
                int number = n;
                stage.zone.schedule(contexts.get(c), "/c" + c, () -> witness.sees(sender, number));
              }
            }
          });
    }
    senders.shutdown();
    Waits.opened(left);
    assertThat(witnesses).allSatisfy(witness -> assertThat(witness.wrong).isEmpty());
    Waits.until("all are idle", () -> stage.status().busy() == 0 && stage.status().queued() == 0);
    assertThat(stage.status().slices()).isPositive();
    assertThat(stage.status().queueWait().count()).isPositive();
    assertThat(stage.status().busyTime()).isPositive();
    return List.copyOf(threads.keySet());
  }

  @ParameterizedTest
  @EnumSource
  void anActorKeepsItsOrderAndNeverDoesTwoThingsAtOnce(Shape shape) throws Exception {
    try (ZoneStage stage = new ZoneStage(options(shape))) {
      List<String> threads = orderHolds(stage);
      if (shape == Shape.EVENT_LOOP) {
        assertThat(threads).allMatch(name -> name.startsWith("vert.x-eventloop-thread-"));
      } else {
        assertThat(threads).allMatch(name -> name.startsWith("callboard-test-z-"));
        assertThat(threads.size()).isBetween(1, 4);
      }
    }
  }

  @Test
  @Tag("long")
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads are NOT tested")
  void soItIsOnVirtualThreadsWhereJavaHasThem() throws Exception {
    try (ZoneStage stage = new ZoneStage(ZoneOptions.virtual())) {
      assertThat(orderHolds(stage)).allMatch(name -> name.startsWith("callboard-test-z-"));
      assertThat(stage.status().utilisation()).isNull();
    }
  }

  private static ThreadPoolExecutor given(
      int threads, BlockingQueue<Runnable> queue, RejectedExecutionHandler whenFull) {
    return new ThreadPoolExecutor(
        threads, threads, 1, TimeUnit.SECONDS, queue, r -> new Thread(r, "given"), whenFull);
  }

  @Test
  void soItIsOnAGivenExecutorWhichIsNotClosed() throws Exception {
    ThreadPoolExecutor given =
        given(2, new LinkedBlockingQueue<>(), new ThreadPoolExecutor.AbortPolicy());
    try (ZoneStage stage = new ZoneStage(ZoneOptions.of(given))) {
      assertThat(orderHolds(stage)).containsExactly("given");
      assertThat(stage.status().rejected()).isZero();
    }
    assertThat(given.isShutdown()).isFalse();
    given.shutdown();
  }

  @Test
  void aSliceThatAnExecutorRefusesIsNotLost() throws Exception {
    ThreadPoolExecutor given =
        given(1, new SynchronousQueue<>(), new ThreadPoolExecutor.AbortPolicy());
    try (ZoneStage stage = new ZoneStage(ZoneOptions.of(given))) {
      assertThat(orderHolds(stage)).containsExactly("given");
      assertThat(stage.status().rejected()).isPositive();
    }
    given.shutdown();
  }

  @Test
  void aSliceThatAnExecutorRunsOnItsCallerIsRefused() throws Exception {
    ThreadPoolExecutor given =
        given(1, new ArrayBlockingQueue<>(1), new ThreadPoolExecutor.CallerRunsPolicy());
    try (ZoneStage stage = new ZoneStage(ZoneOptions.of(given))) {
      assertThat(orderHolds(stage)).containsExactly("given");
      assertThat(stage.status().rejected()).isPositive();
    }
    given.shutdown();
  }

  @Test
  void anExecutorThatFailsIsAskedAgainAndNothingIsDoneTwice() throws Exception {
    ExecutorService given = Executors.newFixedThreadPool(2);
    AtomicInteger calls = new AtomicInteger();
    Executor failing =
        task -> {
          int call = calls.incrementAndGet();
          if (call % 2 == 1) {
            given.execute(task);
          }
          if (call <= 6) {
            throw new OutOfMemoryError("unable to create native thread, says the test");
          }
          if (call % 2 == 0) {
            given.execute(task);
          }
        };
    try (ZoneStage stage = new ZoneStage(ZoneOptions.of(failing))) {
      assertThat(orderHolds(stage)).isNotEmpty();
      assertThat(stage.status().rejected()).isPositive();
    }
    given.shutdown();
  }

  private static void turns(
      ZoneStage stage, Context context, String whose, int left, Runnable last) {
    if (left == 0) {
      last.run();
    } else {
      stage.zone.yield(context, whose, () -> turns(stage, context, whose, left - 1, last));
    }
  }

  @Test
  void yieldsAreFastWhereAnExecutorHandsOverDirectly() throws Exception {
    ThreadPoolExecutor given =
        given(1, new SynchronousQueue<>(), new ThreadPoolExecutor.AbortPolicy());
    try (ZoneStage stage = new ZoneStage(ZoneOptions.of(given))) {
      CountDownLatch done = new CountDownLatch(3);
      List<Context> contexts = List.of(stage.place(), stage.place(), stage.place());
      for (Context context : contexts) {
        stage.zone.schedule(
            context, "/turns", () -> turns(stage, context, "/turns", 5_000, done::countDown));
      }
      Waits.opened(done); // it was a fifth of a second for one of 15,000
    }
    given.shutdown();
  }

  /** The next slice on a thread of which the one before was interrupted. */
  private static boolean isNextInterrupted(ZoneOptions options) throws Exception {
    try (ZoneStage stage = new ZoneStage(options)) {
      Context first = stage.place();
      Context second = stage.place();
      CountDownLatch open = stage.hold(first, "/first");
      AtomicBoolean interrupted = new AtomicBoolean();
      CountDownLatch done = new CountDownLatch(1);
      stage.zone.schedule(first, "/first", () -> Thread.currentThread().interrupt());
      stage.zone.schedule(
          second,
          "/second",
          () -> {
            interrupted.set(Thread.currentThread().isInterrupted());
            done.countDown();
          });
      open.countDown();
      Waits.opened(done);
      return interrupted.get();
    }
  }

  @Test
  void theInterruptionOfASliceEndsWithIt() throws Exception {
    assertThat(isNextInterrupted(ZoneOptions.fixed(1))).isFalse();
    assertThat(isNextInterrupted(ZoneOptions.forkJoin(1))).isFalse();
    LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    Thread plain =
        new Thread(
            () -> {
              for (Runnable task = taken(queue); task != END; task = taken(queue)) {
                task.run();
              }
            });
    plain.start();
    assertThat(isNextInterrupted(ZoneOptions.of((Executor) queue::add))).isFalse();
    queue.add(END);
    plain.join();
  }

  private static final Runnable END = () -> {};

  /** Leaves an interruption as it is. */
  private static Runnable taken(LinkedBlockingQueue<Runnable> queue) {
    Runnable task = queue.poll();
    while (task == null) {
      Thread.onSpinWait();
      task = queue.poll();
    }
    return task;
  }

  @Test
  void anElasticZoneGrowsWhileItsThreadsAreBusyAndShrinksWhenTheyAreIdle() throws Exception {
    try (ZoneStage stage =
        new ZoneStage(ZoneOptions.elastic(1, 3).keepAlive(Duration.ofMillis(50)))) {
      assertThat(stage.status().size()).isEqualTo(1);
      assertThat(stage.status().maxSize()).isEqualTo(3);
      List<CountDownLatch> held = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        held.add(stage.hold(stage.place(), "/" + i));
      }
      assertThat(stage.status().size()).isEqualTo(3);
      assertThat(stage.status().busy()).isEqualTo(3);
      held.forEach(CountDownLatch::countDown);
      Waits.until("the others ended", () -> stage.status().size() == 1);
      CountDownLatch again = stage.hold(stage.place(), "/again");
      Waits.until("one is busy, and who placed it is not", () -> stage.status().busy() == 1);
      again.countDown();
    }
  }

  @Test
  void itsThreadsEndWithTheZones() throws Exception {
    for (Shape shape : List.of(Shape.FIXED, Shape.ELASTIC, Shape.FORK_JOIN)) {
      List<String> names;
      try (ZoneStage stage = new ZoneStage(options(shape))) {
        names = orderHolds(stage);
      }
      Waits.until(
          "they ended",
          () ->
              Thread.getAllStackTraces().keySet().stream()
                  .map(Thread::getName)
                  .noneMatch(
                      name -> names.contains(name) || name.equals("callboard-test-watchdog")));
    }
  }

  @Test
  void aZoneOutlivesTheRegistryUntilItsLastVerticleIsGone() throws Exception {
    ZoneStage stage = new ZoneStage(ZoneOptions.fixed(1));
    Context context = stage.place();
    stage.zones.close();
    CountDownLatch ran = new CountDownLatch(1);
    stage.zone.schedule(context, "/late", ran::countDown);
    Waits.opened(ran);
    await(stage.vertx.undeploy(context.deploymentID()));
    Waits.until("its thread ended", () -> stage.status().size() == 0);
    stage.close();
  }

  @Test
  void aThreadOfAPoolRefusesToAwaitAFuture() throws Exception {
    for (ZoneOptions options : List.of(ZoneOptions.fixed(1), ZoneOptions.elastic(1, 2))) {
      try (ZoneStage stage = new ZoneStage(options)) {
        Context context = stage.place();
        Promise<Throwable> refused = Promise.promise();
        stage.zone.schedule(
            context,
            "/waits",
            () -> {
              try {
                var unused = stage.vertx.timer(20).await();
                refused.fail("it was not refused");
              } catch (IllegalStateException e) {
                refused.complete(e);
              }
            });
        assertThat(await(refused.future()))
            .hasMessage("Cannot be called on a Vert.x worker thread");
        stage.hold(context, "/goes on").countDown();
      }
    }
  }

  @Test
  void aTaskMayAwaitAFutureWhereThreadsAreNotOfAPool() throws Exception {
    aTaskMayAwait(ZoneOptions.forkJoin(1));
    ExecutorService given = Executors.newFixedThreadPool(1);
    aTaskMayAwait(ZoneOptions.of(given));
    given.shutdown();
  }

  @Test
  @Tag("long")
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads are NOT tested")
  void aTaskMayAwaitAFutureOnAVirtualThreadWhereJavaHasThem() throws Exception {
    aTaskMayAwait(ZoneOptions.virtual());
  }

  private static void aTaskMayAwait(ZoneOptions options) throws Exception {
    try (ZoneStage stage = new ZoneStage(options)) {
      Context context = stage.place();
      CountDownLatch done = new CountDownLatch(1);
      AtomicInteger inside = new AtomicInteger();
      stage.zone.schedule(
          context,
          "/waits",
          () -> {
            var unused = stage.vertx.timer(20).await();
            unused = stage.vertx.timer(200).await(); // all others are done
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            assertThat(Vertx.currentContext()).isSameAs(context);
            inside.decrementAndGet();
            done.countDown();
          });
      for (int i = 0; i < 1000; i++) {
        stage.zone.schedule(
            context,
            "/other",
            () -> {
              assertThat(inside.incrementAndGet()).isEqualTo(1);
              inside.decrementAndGet();
            });
      }
      Waits.opened(done);
    }
  }

  @Test
  void anUnknownZoneIsRefusedWithTheNearest() throws Exception {
    try (ZoneStage stage = new ZoneStage(ZoneOptions.fixed(1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stage.zones.zone("blokcing"))
          .withMessage("there is no scheduling zone \"blokcing\"; did you mean \"blocking\"?");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stage.zones.check("supervision", ZonePriority.NORMAL))
          .withMessageContaining("zone supervision is reserved for supervisors");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stage.zones.check("default", ZonePriority.HIGH))
          .withMessageContaining("zone default is of kind fork-join, which has no priorities");
    }
  }
}

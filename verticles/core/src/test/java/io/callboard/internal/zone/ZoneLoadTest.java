package io.callboard.internal.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.admin.ZoneStatus;
import io.callboard.internal.Waits;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZoneOptions;
import io.callboard.zone.ZoneOptions.WhenFull;
import io.callboard.zone.ZonePriority;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Zones with more to do than they can: fair, measured, and nothing silent. */
class ZoneLoadTest {
  /** One slice after the other, each of which yields; until told to stop. */
  private static final class Busybody {
    private final ZoneStage stage;
    private final Context context;
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger slices = new AtomicInteger();

    Busybody(ZoneStage stage) throws Exception {
      this.stage = stage;
      this.context = stage.place();
    }

    void slice() {
      slices.incrementAndGet();
      if (!stop.get()) {
        stage.zone.yield(context, "/busybody", this::slice);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"FIXED,2", "FORK_JOIN,10"})
  void anActorThatYieldsLetsTheOthersGoFirst(ZoneOptions.Kind kind, int most) throws Exception {
    ZoneOptions options =
        kind == ZoneOptions.Kind.FIXED ? ZoneOptions.fixed(1) : ZoneOptions.forkJoin(1);
    try (ZoneStage stage = new ZoneStage(options)) {
      Busybody busybody = new Busybody(stage);
      stage.zone.schedule(busybody.context, "/busybody", busybody::slice);
      Context other = stage.place();
      List<Integer> passed = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        int target = busybody.slices.get() + 3;
        Waits.until("it goes on", () -> busybody.slices.get() > target);
        CountDownLatch ran = new CountDownLatch(1);
        AtomicInteger at = new AtomicInteger();
        AtomicInteger asked = new AtomicInteger();
        Runnable slice =
            () -> {
              at.set(busybody.slices.get());
              ran.countDown();
            };
        stage.zone.schedule(
            busybody.context,
            "/asks",
            () -> {
              asked.set(busybody.slices.get());
              stage.zone.schedule(other, "/other", slice);
            });
        Waits.opened(ran);
        passed.add(at.get() - asked.get());
      }
      busybody.stop.set(true);
      assertThat(passed).allMatch(n -> n <= most);
      assertThat(busybody.slices.get()).isGreaterThan(200);
    }
  }

  @Test
  void slicesFromElsewhereAreNotStarvedInAForkJoinZone() throws Exception {
    try (ZoneStage stage = new ZoneStage(ZoneOptions.forkJoin(1))) {
      Busybody busybody = new Busybody(stage);
      stage.zone.schedule(busybody.context, "/busybody", busybody::slice);
      Context other = stage.place();
      for (int i = 0; i < 100; i++) {
        CountDownLatch ran = new CountDownLatch(1);
        stage.zone.schedule(other, "/other", ran::countDown);
        Waits.opened(ran);
      }
      busybody.stop.set(true);
    }
  }

  @Test
  void aHigherPriorityGoesFirst() throws Exception {
    try (ZoneStage stage = new ZoneStage(ZoneOptions.fixed(1))) {
      Context holder = stage.place();
      Context low = stage.place(ZonePriority.LOW);
      Context normal = stage.place();
      Context high = stage.place(ZonePriority.HIGH);
      CountDownLatch held = stage.hold(holder, "/holder");
      List<String> order = new CopyOnWriteArrayList<>();
      CountDownLatch done = new CountDownLatch(3);
      List<Context> contexts = List.of(low, normal, high);
      List<String> names = List.of("low", "normal", "high");
      for (int i = 0; i < 3; i++) {
        String name = names.get(i);
        stage.zone.schedule(
            contexts.get(i),
            "/" + name,
            () -> {
              order.add(name);
              done.countDown();
            });
      }
      held.countDown();
      Waits.opened(done);
      assertThat(order).containsExactly("high", "normal", "low");
    }
  }

  @ParameterizedTest
  @CsvSource({"WAIT", "REJECT"})
  void slicesOverTheBoundWaitAndAreTold(WhenFull whenFull) throws Exception {
    try (ZoneStage stage = new ZoneStage(ZoneOptions.fixed(1).queue(2).whenFull(whenFull))) {
      List<Context> contexts = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        contexts.add(stage.place());
      }
      CountDownLatch held = stage.hold(contexts.get(0), "/holder");
      CountDownLatch done = new CountDownLatch(5);
      for (int i = 1; i < 3; i++) {
        stage.zone.schedule(contexts.get(i), "/" + i, done::countDown);
      }
      assertThat(stage.status().full()).isFalse();
      assertThat(stage.zone.isFull()).isFalse();
      for (int i = 3; i < 6; i++) {
        stage.zone.schedule(contexts.get(i), "/" + i, done::countDown);
      }
      ZoneStatus status = stage.status();
      assertThat(status.full()).isTrue();
      assertThat(stage.zone.isFull()).isTrue();
      assertThat(status.queued()).isEqualTo(5);
      assertThat(status.overflowed()).isEqualTo(3);
      assertThat(stage.zone.isShut()).isEqualTo(whenFull == WhenFull.REJECT);
      held.countDown();
      Waits.opened(done);
      Waits.until("there is room", () -> !stage.status().full());
      assertThat(stage.zone.isShut()).isFalse();
      assertThat(stage.status().overflowed()).isEqualTo(3);
    }
  }

  @Test
  void aBlockedThreadIsToldWithItsActorAndItsStack() throws Exception {
    try (ZoneStage stage =
        new ZoneStage(ZoneOptions.fixed(2).blockedAfter(Duration.ofSeconds(1)))) {
      CountDownLatch held = stage.hold(stage.place(), "/shop/slow");
      Waits.until("it is seen", () -> !stage.status().blocked().isEmpty());
      ZoneStatus.Blocked blocked = stage.status().blocked().get(0);
      assertThat(blocked.thread()).startsWith("callboard-test-z-");
      assertThat(blocked.actor()).isEqualTo("/shop/slow");
      assertThat(blocked.blockedFor()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
      assertThat(blocked.stack()).anyMatch(frame -> frame.contains("Waits.opened"));
      assertThat(stage.status().utilisation()).isGreaterThan(0);
      held.countDown();
      Waits.until("its end is seen", () -> stage.status().blocked().isEmpty());
      assertThat(stage.status().blockages()).isEqualTo(1);
    }
  }

  @Test
  void aBlockedEventLoopIsToldWithItsActor() throws Exception {
    try (ZoneStage stage =
        new ZoneStage(ZoneOptions.eventLoop().blockedAfter(Duration.ofSeconds(1)))) {
      CountDownLatch held = stage.hold(stage.place(), "/shop/slow");
      Waits.until("it is seen", () -> !stage.status().blocked().isEmpty());
      ZoneStatus.Blocked blocked = stage.status().blocked().get(0);
      assertThat(blocked.actor()).isEqualTo("/shop/slow");
      assertThat(blocked.thread()).startsWith("vert.x-eventloop-thread-");
      assertThat(stage.status().busy()).isEqualTo(1);
      held.countDown();
      Waits.until("its end is seen", () -> stage.status().blocked().isEmpty());
      assertThat(stage.status().blockages()).isEqualTo(1);
    }
  }

  @Test
  void anEventLoopThatIsBlockedByWhatIsNoActorIsToldByTheZoneOfEventLoops() throws Exception {
    try (ZoneStage stage = new ZoneStage(ZoneOptions.fixed(1))) {
      CountDownLatch open = new CountDownLatch(1);
      stage.vertx.runOnContext(v -> Waits.opened(open));
      Waits.until("it is seen", () -> !loopZone(stage).blocked().isEmpty());
      ZoneStatus.Blocked blocked = loopZone(stage).blocked().get(0);
      assertThat(blocked.actor()).isNull();
      assertThat(blocked.blockedFor()).isGreaterThanOrEqualTo(ZoneOptions.LOOP_BLOCKED);
      assertThat(blocked.stack()).anyMatch(frame -> frame.contains("Waits.opened"));
      open.countDown();
      Waits.until("its end is seen", () -> loopZone(stage).blocked().isEmpty());
      assertThat(loopZone(stage).blockages()).isEqualTo(1);
    }
  }

  private static ZoneStatus loopZone(ZoneStage stage) {
    return stage.zones.status().stream()
        .filter(zone -> zone.name().equals(ZoneDefaults.EVENT_LOOP))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void waitsAreMeasured() throws Exception {
    try (ZoneStage stage = new ZoneStage(ZoneOptions.fixed(1))) {
      Context waiting = stage.place();
      CountDownLatch held = stage.hold(stage.place(), "/holder");
      long asked = System.nanoTime();
      CountDownLatch ran = new CountDownLatch(1);
      stage.zone.schedule(waiting, "/waits", ran::countDown);
      Waits.until("100 ms", () -> System.nanoTime() - asked > 100_000_000);
      held.countDown();
      Waits.opened(ran);
      Waits.until("it is counted", () -> stage.status().busy() == 0);
      assertThat(stage.status().queueWaitP99()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
      assertThat(stage.status().busyTime()).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }
  }
}

package io.callboard.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Everything ends once: in time by itself, or by the wheel, when it is due. */
class TimeoutWheelTest {
  private final Queue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(Timer::at));
  private long nowMillis = 1_000_000;
  private int turns;
  private final TimeoutWheel wheel =
      new TimeoutWheel(this::later, () -> Duration.ofMillis(nowMillis).toNanos());

  /** Fired by the test. */
  private void later(long millis, Runnable task) {
    assertThat(millis).isPositive();
    timers.add(new Timer(nowMillis + millis, task));
    turns++;
  }

  private record Timer(long at, Runnable task) {}

  private final class Wait extends TimeoutWheel.Entry {
    private final long due;
    private long expiredAt = -1;
    private boolean removed;

    Wait(long millis) {
      due = nowMillis + millis;
      wheel.add(this, Duration.ofMillis(millis).toNanos());
    }

    @Override
    public void expired() {
      assertThat(expiredAt).as("expires once").isEqualTo(-1);
      expiredAt = nowMillis;
    }
  }

  private void tick(long millis) {
    nowMillis += millis;
    while (!timers.isEmpty() && timers.element().at() <= nowMillis) {
      timers.remove().task().run();
    }
  }

  @RepeatedTest(50)
  void eachEndsOnceAndInTime(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    List<Wait> all = new ArrayList<>();
    for (int step = 0; step < 2_000; step++) {
      if (random.nextInt(3) > 0) {
        all.add(new Wait(random.nextInt(10) == 0 ? random.nextInt(20_000) : random.nextInt(200)));
      }
      if (!all.isEmpty() && random.nextInt(4) == 0) {
        Wait one = all.get(random.nextInt(all.size()));
        boolean waits = one.isWaiting();
        assertThat(wheel.remove(one)).isEqualTo(waits);
        one.removed |= waits;
      }
      tick(random.nextInt(100) == 0 ? random.nextInt(8_000) : 10 + random.nextInt(3));
    }
    while (!timers.isEmpty()) {
      tick(10);
    }
    assertThat(wheel.size()).isZero();
    for (Wait each : all) {
      assertThat(each.removed).isNotEqualTo(each.expiredAt >= 0);
      if (!each.removed) {
        assertThat(each.expiredAt).isGreaterThanOrEqualTo(each.due);
      }
    }
  }

  @Test
  void expiresNoLaterThanTwoTicks() {
    for (long millis : new long[] {0, 1, 9, 10, 11, 5_119, 5_120, 5_121, 60_000}) {
      Wait wait = new Wait(millis);
      while (wait.isWaiting()) {
        tick(10);
      }
      assertThat(wait.expiredAt - wait.due).isBetween(0L, 2 * TimeoutWheel.TICK_MILLIS);
    }
    assertThat(timers).as("it rests").isEmpty();
  }

  @Test
  void turnsOnlyForWhatIsDueAndOnceARevolution() {
    Wait hour = new Wait(3_600_000);
    Wait minute = new Wait(60_000);
    tick(59_000);
    assertThat(turns).as("a revolution takes 5.12 s").isLessThan(20);
    tick(1_000);
    assertThat(minute.expiredAt).isEqualTo(minute.due);
    assertThat(wheel.remove(hour)).isTrue();
    for (int i = 0; i < 1_000; i++) {
      Wait quick = new Wait(30_000);
      assertThat(wheel.remove(quick)).isTrue();
    }
    assertThat(turns).as("what ends in time costs no turn").isLessThan(25);
  }

  private static TimeoutWheel.Entry failing(Runnable fails) {
    return new TimeoutWheel.Entry() {
      @Override
      public void expired() {
        fails.run();
      }
    };
  }

  @Test
  void goesOnThoughWhatIsToldFails() {
    TimeoutWheel.Entry failing =
        failing(
            () -> {
              throw new IllegalStateException("as told");
            });
    TimeoutWheel.Entry broken =
        failing(
            () -> {
              throw new NoClassDefFoundError("as told");
            });
    Wait wait = new Wait(0);
    wheel.add(failing, 0);
    wheel.add(broken, 0);
    tick(30);
    assertThat(wait.expiredAt).isEqualTo(nowMillis);
    assertThat(failing.isWaiting()).isFalse();
    assertThat(broken.isWaiting()).isFalse();
  }

  @Test
  void aWaitOfYearsLeavesNoTaskForYears() {
    Wait years = new Wait(Duration.ofDays(10_000).toMillis());
    assertThat(wheel.remove(years)).isTrue();
    assertThat(timers).allMatch(timer -> timer.at() <= nowMillis + 5_120);
    tick(5_120);
    assertThat(timers).as("it rests").isEmpty();
  }

  @Test
  void drainsWhatWaits() {
    List<Wait> all = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      all.add(new Wait(i * 37L));
    }
    List<TimeoutWheel.Entry> drained = new ArrayList<>();
    wheel.drain(drained::add);
    assertThat(drained).containsExactlyInAnyOrderElementsOf(all);
    assertThat(wheel.size()).isZero();
  }
}

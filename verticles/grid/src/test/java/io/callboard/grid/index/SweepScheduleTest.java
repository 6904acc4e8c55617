package io.callboard.grid.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SweepScheduleTest {
  private static final Duration EVERY = Duration.ofHours(1);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final List<Promise<Void>> sweeps = new CopyOnWriteArrayList<>();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private Callboard node;
  private SweepSchedule schedule;

  @BeforeEach
  void open() {
    node = nodes.open("n1", options -> options.time(time));
    schedule = new SweepSchedule(node, EVERY, this::sweep, e -> failures.add(e.getMessage()));
    schedule.start();
  }

  private Future<Void> sweep() {
    Promise<Void> sweep = Promise.promise();
    sweeps.add(sweep);
    if (sweeps.size() == 1) {
      throw new IllegalStateException("it throws");
    }
    return sweep.future();
  }

  /** Advances until it is so: the next alarm may be set after an advance. */
  private void isReached(String what, BooleanSupplier reached) {
    Eventually.isTrue(
        what,
        () -> {
          if (!reached.getAsBoolean()) {
            time.advance(EVERY.dividedBy(4));
          }
          return reached.getAsBoolean();
        });
  }

  @Test
  void aSweepThatFailsIsReportedAndTheNextIsMadeAfterItsEnd() {
    assertThat(sweeps).as("not at once").isEmpty();
    isReached("the second", () -> sweeps.size() == 2);
    assertThat(failures).containsExactly("it throws");
    time.advance(EVERY.multipliedBy(10));
    assertThat(sweeps).as("one at a time").hasSize(2);
    sweeps.get(1).fail("it fails");
    isReached("the third", () -> sweeps.size() == 3);
    assertThat(failures).containsExactly("it throws", "it fails");
    sweeps.get(2).complete();
    isReached("the fourth", () -> sweeps.size() == 4);
    assertThat(failures).hasSize(2);
  }

  @Test
  void noSweepBeginsAfterItsEnd() {
    isReached("the second", () -> sweeps.size() == 2);
    schedule.close();
    assertThat(schedule.isClosed()).isTrue();
    sweeps.get(1).complete();
    time.advance(EVERY.multipliedBy(10));
    SweepSchedule other = new SweepSchedule(node, EVERY, this::sweep, e -> {});
    other.start();
    isReached("that of another", () -> sweeps.size() == 3);
    time.advance(EVERY.multipliedBy(10));
    assertThat(sweeps).hasSize(3);
    other.close();
  }
}

package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.CallboardOptions;
import io.callboard.jobs.internal.actor.JobKey;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.Submission;
import io.callboard.time.Time;
import io.vertx.core.Context;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Idempotency keys of jobs that last for long. */
class KeptKeysTest extends JobsOfOneNode {
  private final SetAhead time = new SetAhead();

  /** Time of the system, with a clock that is set ahead. */
  private static final class SetAhead implements Time {
    private volatile Duration by = Duration.ZERO;
    private final Clock clock = now().withZone(ZoneOffset.UTC);

    private InstantSource now() {
      return () -> SYSTEM.clock().instant().plus(by);
    }

    @Override
    public Clock clock() {
      return clock;
    }

    @Override
    public long nanoTime() {
      return SYSTEM.nanoTime();
    }

    @Override
    public Alarm after(Context context, Duration delay, Runnable task) {
      return SYSTEM.after(context, delay, task);
    }
  }

  @Override
  void configure(CallboardOptions node) {
    node.time(time);
  }

  @BeforeEach
  void pause() {
    await(jobs.pause("process")); // what is submitted waits, until it is cancelled
  }

  private Submission keyed(@Nullable String unique) {
    JobSpec spec = JobSpec.process("process", List.of("true"));
    return await(jobs.submit(spec.withUniqueKey(unique), "key"));
  }

  private void later(Duration duration) {
    time.by = time.by.plus(duration);
  }

  @Test
  void aJobThatLastsForLongIsNotRunTwiceUnderItsKey() {
    Job first = keyed(null).job();
    later(JobKey.KEPT.plusHours(1));
    Submission again = keyed(null);
    assertThat(again.existing()).isTrue();
    assertThat(again.job().id()).isEqualTo(first.id());
  }

  /** As of a step whose instance reads that its job has ended after it has submitted it again. */
  @Test
  void anIdempotencyKeyIsFoundForADayAfterTheEndOfItsJob() {
    Job first = keyed("unique").job();
    later(JobKey.KEPT.plusHours(1));
    await(jobs.cancel(first.id()));
    later(JobKey.KEPT.minusMinutes(1));
    Submission again = keyed("unique");
    assertThat(again.job().id()).isEqualTo(first.id());
    assertThat(again.job().state().terminal()).isTrue();
    later(Duration.ofMinutes(1));
    assertThat(keyed("unique").existing()).isFalse();
  }
}

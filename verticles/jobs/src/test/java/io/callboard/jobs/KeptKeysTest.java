package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.actor.JobKey;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.Submission;
import io.callboard.part.StartedParts;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.NodesExtension;
import io.callboard.time.Time;
import io.vertx.core.Context;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Idempotency keys of jobs that last for long. */
class KeptKeysTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final SetAhead time = new SetAhead();
  private Jobs jobs;

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

  @BeforeEach
  void start() throws Exception {
    Path data =
        Files.createDirectories(Path.of("target", "kept-keys-test", "" + UUID.randomUUID()));
    jobs =
        await(
            StartedParts.of(
                    nodes.open(
                        "h1",
                        options -> options.time(time).store(() -> new MemoryStore(nodes.cell()))),
                    data,
                    "home")
                .start(Jobs.part(JobsOptions.DEFAULT.slots(4).queueLimit(50))));
    await(jobs.pause("process")); // what is submitted waits, until it is cancelled
  }

  @AfterEach
  void close() {
    await(jobs.close());
  }

  private Submission submit(@Nullable String unique) {
    JobSpec spec = JobSpec.process("process", List.of("true"));
    return await(jobs.submit(spec.withUniqueKey(unique), "key"));
  }

  private void later(Duration duration) {
    time.by = time.by.plus(duration);
  }

  @Test
  void aJobThatLastsForLongIsNotRunTwiceUnderItsKey() {
    Job first = submit(null).job();
    later(JobKey.KEPT.plusHours(1));
    Submission again = submit(null);
    assertThat(again.existing()).isTrue();
    assertThat(again.job().id()).isEqualTo(first.id());
  }

  /** As of a step whose instance reads that its job has ended after it has submitted it again. */
  @Test
  void anIdempotencyKeyIsFoundForADayAfterTheEndOfItsJob() {
    Job first = submit("unique").job();
    later(JobKey.KEPT.plusHours(1));
    await(jobs.cancel(first.id()));
    later(JobKey.KEPT.minusMinutes(1));
    Submission again = submit("unique");
    assertThat(again.job().id()).isEqualTo(first.id());
    assertThat(again.job().state().terminal()).isTrue();
    later(Duration.ofMinutes(1));
    assertThat(submit("unique").existing()).isFalse();
  }
}

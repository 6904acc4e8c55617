package io.callboard.jobs.internal.process;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A start that hangs, as on a dead disk, while all runs of the node are killed. */
@Tag("real")
@Timeout(300)
class HangingLaunchTest {
  @TempDir Path data;
  private final AtomicBoolean hangs = new AtomicBoolean();
  private final CountDownLatch disk = new CountDownLatch(1);

  /** The time at which a run starts is read by the thread that starts it. */
  private final class HangingClock extends Clock {
    @Override
    public Instant instant() {
      if (hangs.getAndSet(false)) {
        try {
          disk.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return Instant.now();
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void killAllEndsRunsThoughAStartHangs() {
    try (RunFixture node =
        new RunFixture(
            data,
            LogLimits.DEFAULT,
            new ProcessTable(),
            ProcessRunner.KILL_AGAIN,
            new HangingClock())) {
      Run first = node.start(node.request(1, "sleep", "1000"));
      hangs.set(true);
      Future<Run> second = node.runner.start(node.request(2, "sleep", "1000"), node.runner.term());
      Eventually.isTrue("the second start hangs", () -> !hangs.get());

      Future<List<KillReport>> all = node.runner.killAll("fenced");
      assertThat(await(first.result()).error()).contains("fenced");
      assertThat(node.runner.live()).doesNotContain(first.key());
      assertThat(all.isComplete()).as("the second start").isFalse();

      disk.countDown();
      assertThat(await(all)).extracting(KillReport::key).contains(first.key());
      Eventually.assertThat(() -> assertThat(second.isComplete()).isTrue());
      assertThat(node.runner.live()).isEmpty();
    } finally {
      disk.countDown();
    }
  }
}

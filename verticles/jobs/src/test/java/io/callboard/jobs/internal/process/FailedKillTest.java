package io.callboard.jobs.internal.process;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.KillReport.Outcome;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.testkit.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kill of a real run of which a process, as one that waits for a dead disk, stays for a while. */
@Timeout(300)
class FailedKillTest {
  /** Above every pid that Linux gives. */
  private static final long STUCK = 1_000_000_001;

  private static final Duration AGAIN = Duration.ofMillis(100);

  @TempDir Path data;
  private volatile long stuckGroup;

  private final class Table extends ProcessTable {
    @Override
    List<Entry> entries() {
      List<Entry> all = new ArrayList<>(super.entries());
      if (stuckGroup != 0) {
        all.add(new Entry(STUCK, stuckGroup));
      }
      return all;
    }
  }

  @Test
  void aRunOfWhichAProcessIsLeftEndsOnlyWhenItIsGone() {
    Queue<KillReport> failed = new ConcurrentLinkedQueue<>();
    try (RunFixture node = new RunFixture(data, LogLimits.DEFAULT, new Table(), AGAIN)) {
      node.runner.onFailedKill(failed::add);
      Run run = node.start(node.shell(1, "trap '' TERM; echo up >up; while :; do sleep 1; done"));
      assertThat(node.awaitFile(run.key(), "up")).isEqualTo("up");
      stuckGroup = run.pid();

      KillReport first = await(node.runner.kill(run.key(), Duration.ofMillis(300), "cancelled"));
      KillReport again = await(node.runner.kill(run.key(), Duration.ofMillis(300), "cancelled"));

      assertThat(first)
          .isEqualTo(new KillReport(run.key(), Outcome.KILL_FAILED, List.of(STUCK)))
          .isEqualTo(again);
      Eventually.assertThat(() -> assertThat(failed).contains(first));
      assertThat(run.result().isComplete()).isFalse();
      assertThat(node.runner.live()).containsExactly(run.key());
      Eventually.isTrue("it is killed again", () -> failed.size() > 1);

      stuckGroup = 0;
      assertThat(await(run.result()).error()).contains("cancelled");
      assertThat(node.runner.live()).isEmpty();
    }
  }

  @Test
  void aHostThatGivesUpItsRunsLosesOnlyThoseThatAreGone() {
    try (RunFixture node = new RunFixture(data, LogLimits.DEFAULT, new Table(), AGAIN)) {
      Run stuck = node.start(node.shell(1, "echo up >up; exec sleep 1000"));
      Run other = node.start(node.shell(2, "echo up >up; exec sleep 1000"));
      assertThat(node.awaitFile(stuck.key(), "up") + node.awaitFile(other.key(), "up"))
          .isEqualTo("upup");
      stuckGroup = stuck.pid();

      List<KillReport> reports = await(node.runner.killAll("no contact"));

      assertThat(reports)
          .containsExactlyInAnyOrder(
              new KillReport(stuck.key(), Outcome.KILL_FAILED, List.of(STUCK)),
              new KillReport(other.key(), Outcome.KILLED, List.of()));
      assertThat(await(other.result()).lost()).isTrue();
      assertThat(stuck.result().isComplete()).isFalse();

      stuckGroup = 0;
      assertThat(await(stuck.result()).lost()).isTrue();
    }
  }
}

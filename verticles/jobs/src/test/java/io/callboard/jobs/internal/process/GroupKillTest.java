package io.callboard.jobs.internal.process;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.RunLog;
import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.vertx.core.Future;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class GroupKillTest {
  /** Above every pid that Linux gives. */
  private static final long NOBODY = 1_000_000_000;

  @TempDir Path data;

  @Test
  void aKillNamesTheSurvivingProcesses() throws Exception {
    ProcessTable stuck =
        new ProcessTable() {
          @Override
          List<Entry> entries() {
            return List.of(new Entry(NOBODY + 1, NOBODY), new Entry(NOBODY + 2, NOBODY + 2));
          }
        };
    LiveRun run =
        new LiveRun(
            new RunRequest(new RunKey("ab", 1), List.of("true"), Map.of(), 1, ""),
            new RunLog(data.resolve("log"), LogLimits.DEFAULT));
    ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    try {
      List<KillReport> reports =
          await(
              Future.fromCompletionStage(
                  new GroupKill(RunFixture.home(data, "boot"), stuck, executor)
                      .kill(Map.of(run, new Unkillable()), KillReport.Outcome.KILLED)));

      assertThat(reports)
          .containsExactly(
              new KillReport(run.key(), KillReport.Outcome.KILL_FAILED, List.of(NOBODY + 1)));
    } finally {
      executor.shutdownNow();
    }
  }

  private static final class Unkillable extends Process {
    @Override
    public long pid() {
      return NOBODY;
    }

    @Override
    public boolean isAlive() {
      return true;
    }

    @Override
    public OutputStream getOutputStream() {
      return OutputStream.nullOutputStream();
    }

    @Override
    public InputStream getInputStream() {
      return InputStream.nullInputStream();
    }

    @Override
    public InputStream getErrorStream() {
      return InputStream.nullInputStream();
    }

    @Override
    public int waitFor() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int exitValue() {
      throw new IllegalThreadStateException();
    }

    @Override
    public void destroy() {}
  }
}

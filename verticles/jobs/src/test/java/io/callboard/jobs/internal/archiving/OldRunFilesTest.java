package io.callboard.jobs.internal.archiving;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Callboard;
import io.callboard.jobs.DamagedStore;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.files.JobDirectories;
import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.RunDirectories;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.process.ProcessRunner;
import io.callboard.jobs.internal.runner.StartPermits;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

/** Jobs whose records or files cannot be read, and the files of the others. */
@Tag("real")
class OldRunFilesTest {
  private static final Clock LATER = Clock.offset(Clock.systemUTC(), Duration.ofHours(3));
  private static final int OTHERS = 20;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();
  @TempDir Path data;

  private final DamagedStore store = new DamagedStore();
  private OldRunFiles sweep;

  @BeforeEach
  void open() throws Exception {
    Callboard node = nodes.open("h1", options -> options.store(() -> store.of(nodes.cell())));
    RunHome home = new RunHome(data, "home", node.bootId(), "h1");
    ProcessRunner processes =
        await(ProcessRunner.open(node.vertx(), home, LogLimits.DEFAULT, LATER, new StartPermits()));
    sweep =
        new OldRunFiles(
            node,
            processes,
            new RunDirectories(home, LogLimits.DEFAULT),
            new JobDirectories(home),
            ids -> Future.succeededFuture(Set.of()),
            OldRunFiles.KEPT,
            Duration.ofMinutes(5),
            new TypeRetentions(() -> Future.succeededFuture(List.of()), node.time()),
            LATER);
    for (int i = 0; i < OTHERS; i++) {
      Files.writeString(Files.createDirectories(run(i)).resolve("log"), "out");
    }
  }

  private static String id(int number) {
    return "01a20b82-10b0-70ed-becb-%012d".formatted(number);
  }

  private Path job(int number) {
    return data.resolve("control").resolve(id(number));
  }

  private Path run(int number) {
    return job(number).resolve("1");
  }

  private void isAllThatIsLeft(Path expected) throws IOException {
    try (var left = Files.list(data.resolve("control"))) {
      assertThat(left.filter(each -> !each.endsWith("open"))).containsExactly(expected);
    }
  }

  @Test
  void anUnreadableRecordKeepsOnlyTheFilesOfItsJob() throws Exception {
    store.record(JobActor.path(id(7)));
    assertThatThrownBy(() -> await(sweep.sweep()))
        .hasMessageContaining(JobActor.path(id(7)) + " is no JSON");
    isAllThatIsLeft(job(7));
  }

  @Test
  void unreadableFilesOfAJobDoNotKeepThoseOfOthers() throws Exception {
    Files.writeString(job(100), "a file where the directory of a job should be");
    try (LogCapture log = LogCapture.of(JobDirectories.class)) {
      await(sweep.sweep());
      log.expect(Level.WARN, "the files of runs of job " + id(100) + " are left");
    }
    isAllThatIsLeft(job(100));
  }

  @Test
  void aLogThatCannotBeDeletedDoesNotKeepOtherLogs() throws Exception {
    Files.writeString(Files.createDirectories(run(100).resolve("log")).resolve("file"), "x");
    try (LogCapture log = LogCapture.of(JobDirectories.class)) {
      await(sweep.sweep());
      log.expect(Level.WARN, "logs of runs of job " + id(100) + " are left");
    }
    assertThat(run(100)).as("all of it goes like that of the others").doesNotExist();
  }
}

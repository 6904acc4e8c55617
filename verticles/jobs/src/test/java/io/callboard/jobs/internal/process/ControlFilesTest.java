package io.callboard.jobs.internal.process;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.jobs.internal.files.ExitRecord;
import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.RunDirectories;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.files.RunLog;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Test that the contents of a job's working directory decide nothing about it or others. */
@Timeout(300)
@Tag("real")
class ControlFilesTest {
  @TempDir Path data;

  @Test
  void aForgedOutcomeIsIgnored() {
    try (RunFixture node = new RunFixture(data)) {
      RunResult forged = node.run(node.shell(1, "echo 0 >exit; kill -KILL $PPID; sleep 1000"));

      assertThat(forged.succeeded()).as(forged.toString()).isFalse();
      assertThat(forged.lost()).isTrue();
    }
  }

  @Test
  void aJobCanOnlyRemoveOrReplaceItsOwnFiles() {
    try (RunFixture node = new RunFixture(data)) {
      assertThat(node.run(node.shell(1, "rm -rf \"$PWD\"; exit 3")).exitCode()).isEqualTo(3);
      assertThat(node.run(node.shell(2, "mkdir exit log; echo said; exit 4")).exitCode())
          .isEqualTo(4);
      assertThat(node.log(2)).isEqualTo("said\n");
      var linked = node.run(node.shell(3, "ln -s /etc/hostname log; echo said; ls -A"));
      assertThat(linked.succeeded()).isTrue();
      assertThat(node.log(3)).isEqualTo("said\nlog\n");
    }
  }

  @Test
  void aJobIsGivenNoPathToControlFiles() {
    try (RunFixture node = new RunFixture(data)) {
      Run other = node.start(node.shell(1, "echo up >up; while ! [ -f go ]; do sleep 0.01; done"));
      String up = node.awaitFile(other.key(), "up");

      var vandal = node.run(node.shell(2, "env; ls -A; rm -rf ../../open ../open open"));

      assertThat(vandal.succeeded()).isTrue();
      assertThat(node.log(2)).doesNotContain(node.home.control().toString());
      assertThat(up).isEqualTo("up");
      assertThat(node.home.openRun(other.key())).exists();
      await(node.runner.kill(other.key(), RunFixture.PATIENCE, "the test is over"));
    }
  }

  @Test
  void onlyRegularFilesAreOpened() throws Exception {
    Path secret = Files.writeString(data.resolve("secret"), "0\n");
    Files.createSymbolicLink(data.resolve("exit"), secret);
    assertThat(ExitRecord.read(data)).isEmpty();
    Files.delete(data.resolve("exit"));
    assertThat(new ProcessBuilder("mkfifo", data + "/exit", data + "/log").start().waitFor())
        .isZero();
    assertThat(ExitRecord.read(data)).isEmpty();
    RunLog pipe = new RunLog(data.resolve("log"), LogLimits.DEFAULT);
    assertThatThrownBy(() -> pipe.last(10)).hasMessageContaining("is not a regular file");
    Files.delete(data.resolve("log"));
    Files.createSymbolicLink(data.resolve("log"), secret);
    assertThatThrownBy(() -> pipe.last(10)).hasMessageContaining("is not a regular file");
    assertThatThrownBy(() -> pipe.append("x")).isInstanceOf(java.io.IOException.class);
    assertThat(secret).hasContent("0\n");
  }

  /** A disk may fail between the making of a directory and its use. */
  @Test
  void aWorkingDirectoryThatIsGoneIsNoOutcomeOfTheCommand() throws Exception {
    RunHome home = RunFixture.home(data, "boot-1");
    RunKey key = new RunKey("ab", 1);
    SessionScript shim = SessionScript.install(home, Launcher.SHIM);
    Files.createDirectories(home.control(key));
    ProcessBuilder builder =
        new ProcessBuilder(shim.command(List.of(home.directory(key).toString(), "true")))
            .directory(home.control(key).toFile());
    builder.environment().putAll(Map.of("CALLBOARD_JOB_ID", "ab", "CALLBOARD_RUN_ID", "1"));
    Process run = builder.start();
    try {
      assertThat(run.waitFor()).isEqualTo(125);
      assertThat(ExitRecord.read(home.control(key))).isEmpty();
    } finally {
      run.getOutputStream().close(); // the watcher's end
      run.destroyForcibly();
    }
  }

  @Test
  void aFileInPlaceOfADirectoryIsNoEarlierRun() throws Exception {
    try (RunFixture node = new RunFixture(data)) {
      Files.delete(node.home.openRuns());
      Files.createFile(node.home.openRuns());
      assertThatThrownBy(() -> node.start(node.shell(1, "true")))
          .hasMessageContaining("cannot create")
          .isInstanceOfSatisfying(
              RunException.class, e -> assertThat(e.isOfHost()).as(e.toString()).isTrue());
    }
  }

  @Test
  void filesOfAnEarlierVersionAreRead() throws Exception {
    RunHome home = RunFixture.home(data, "boot-2");
    RunKey key = new RunKey("ab", 1);
    Files.createDirectories(home.directory(key));
    Files.createDirectories(home.runs().resolve("open"));
    Files.writeString(home.directory(key).resolve("exit"), "7\n");
    Files.writeString(home.directory(key).resolve("log"), "said\n");
    Path open = home.runs().resolve("open").resolve("ab_1");
    Files.writeString(open, "5 boot-1 1000\n4711\n");
    RunDirectories directories = new RunDirectories(home, LogLimits.DEFAULT);

    assertThat(directories.unacknowledged())
        .singleElement()
        .satisfies(left -> assertThat(left.exit().orElseThrow().exitCode()).isEqualTo(7))
        .satisfies(left -> assertThat(left.startedAt()).isEqualTo(Instant.ofEpochSecond(1)));
    assertThat(directories.log(key, 100).text()).isEqualTo("said\n");

    directories.acknowledge(key);
    assertThat(open).doesNotExist();
    assertThat(directories.unacknowledged()).isEmpty();
  }

  @Test
  void aLogThatIsALinkKeepsNoRunOpen() throws Exception {
    RunHome home = RunFixture.home(data, "boot-2");
    RunKey key = new RunKey("ab", 1);
    Path large = Files.write(data.resolve("large"), new byte[1 << 20]);
    Files.createDirectories(home.directory(key));
    Files.createSymbolicLink(home.directory(key).resolve("log"), large);
    Path open = Files.createDirectories(home.runs().resolve("open")).resolve("ab_1");
    Files.writeString(open, "5 boot-1 1000\n4711\n");
    RunDirectories directories = new RunDirectories(home, LogLimits.DEFAULT);

    directories.acknowledge(key);

    assertThat(directories.unacknowledged()).isEmpty();
    assertThat(large).hasSize(1 << 20);
  }

  @Test
  void filesOfAJobAreDeletedButNotThoseBehindItsLinks() throws Exception {
    Path outside = Files.createDirectories(data.resolve("outside"));
    Files.writeString(outside.resolve("file"), "kept");
    try (RunFixture node = new RunFixture(data)) {
      String leave =
          "mkdir -p cache/a/b closed && touch cache/a/b/file closed/file"
              + " && ln -s %1$s link && ln -s %1$s/file closed/link".formatted(outside)
              + " && chmod -R a-w cache && chmod 0 closed";
      RunRequest request = node.shell(1, leave);
      RunKey key = request.key();
      assertThat(node.run(request).succeeded()).isTrue();
      assertThat(node.home.directory(key)).exists();
      new RunDirectories(node.home, LogLimits.DEFAULT).remove(key.jobId());
      assertThat(node.home.directory(key).getParent()).doesNotExist();
      assertThat(node.home.control(key).getParent()).doesNotExist();
    }
    assertThat(outside.resolve("file")).hasContent("kept");
  }
}

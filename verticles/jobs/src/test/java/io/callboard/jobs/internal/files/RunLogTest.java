package io.callboard.jobs.internal.files;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.process.RunFixture;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
@Tag("real")
class RunLogTest {
  @TempDir Path data;

  @Test
  void keepsHeadAndTailAndTellsWhatIsMissing() throws Exception {
    Path file = Files.writeString(data.resolve("log"), "HEAD" + "-".repeat(100) + "TAIL");
    RunLog log = new RunLog(file, new LogLimits(4, 4, 8));

    log.boundEnded();
    assertThat(file).hasContent("HEAD\n[callboard: 100 bytes left out]\nTAIL");

    log.append("-".repeat(100) + "END");
    log.boundLive();
    assertThat(Files.readString(file)).isEqualTo("HEAD\n[callboard: 204 bytes left out]\nEND\n");

    log.boundEnded();
    assertThat(Files.readString(file)).contains("204 bytes");
  }

  @Test
  void bytesCutBeforeTheNodeDiedCount() throws Exception {
    Path file = Files.writeString(data.resolve("log"), "HEAD" + "-".repeat(100) + "TAIL");
    LogLimits limits = new LogLimits(4, 4, 8);
    new RunLog(file, limits).boundLive();
    RunLog later = new RunLog(file, limits);
    later.append("-".repeat(100) + "END");

    later.boundEnded();

    assertThat(Files.readString(file)).isEqualTo("HEAD\n[callboard: 204 bytes left out]\nEND\n");
    assertThat(later.from(0, 10).written()).isEqualTo(212);
  }

  @Test
  void aRunawayLogIsBoundedDuringItsRunAndAfterwards() throws Exception {
    LogLimits limits = new LogLimits(1000, 1000, 100_000);
    try (RunFixture node = new RunFixture(data, limits)) {
      Run run =
          node.start(
              node.shell(
                  1,
                  "echo first; cat /dev/zero | head -c 50000000; echo up >up;"
                      + "while ! [ -f go ]; do sleep 0.01; done; echo last"));
      String up = node.awaitFile(run.key(), "up");
      Path log = node.home.log(run.key());
      Eventually.isTrue(
          "the log is within the limit of a live run",
          () -> log.toFile().length() <= limits.live());
      Files.createFile(node.home.directory(run.key()).resolve("go"));

      assertThat(await(run.result()).exitCode()).isZero();
      assertThat(up).isEqualTo("up");
      assertThat(node.log(1)).startsWith("first\n").contains("bytes left out").endsWith("last\n");
      assertThat(Files.size(log)).isLessThan(2100);
    }
  }

  @Test
  void theLastLinesAreRead() throws Exception {
    RunLog log =
        new RunLog(Files.writeString(data.resolve("log"), "a\nbb\n\nccc\n"), LogLimits.DEFAULT);

    assertThat(log.tail(1, 100).text()).isEqualTo("ccc\n");
    assertThat(log.tail(2, 100).text()).isEqualTo("\nccc\n");
    assertThat(log.tail(0, 100).text()).isEmpty();
    assertThat(log.tail(9, 100)).isEqualTo(new LogText("a\nbb\n\nccc\n", 10, true));
    assertThat(log.tail(9, 6)).isEqualTo(new LogText("\n\nccc\n", 10, false));
    assertThat(log.last(4)).isEqualTo(new LogText("ccc\n", 10, false));
    assertThat(new RunLog(data.resolve("none"), LogLimits.DEFAULT).last(4).text()).isEmpty();
  }
}

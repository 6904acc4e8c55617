package io.callboard.jobs.internal.process;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.files.FileLook;
import io.callboard.jobs.internal.files.RunFiles;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunResult;
import io.callboard.jobs.model.FileContent;
import io.callboard.jobs.model.RunOutput;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that real processes write for their job. */
@Timeout(300)
@Tag("real")
class RunFilesTest {
  @TempDir Path data;
  @AutoClose private RunFixture node;

  @BeforeEach
  void open() {
    node = new RunFixture(data);
  }

  private RunResult run(int runId, @Nullable FileContent checkpoint, int nice, String script) {
    return node.run(
        new RunRequest(
            new RunKey(node.jobId, runId),
            List.of("sh", "-c", script),
            Map.of(),
            7,
            checkpoint,
            null,
            nice,
            "etl",
            null));
  }

  private static FileContent content(String text) {
    return FileContent.of(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theFileThatARunWritesIsItsOutput() {
    RunOutput output =
        run(
                1,
                null,
                0,
                "printf '\\033[31mred\\033[0m'; printf '1 of\\n 2' >$CALLBOARD_PROGRESS_FILE;"
                    + "echo row 7 >c && mv c $CALLBOARD_CHECKPOINT_FILE;"
                    + "echo '{}' >$CALLBOARD_RESULT_FILE")
            .output();

    assertThat(output)
        .isEqualTo(
            new RunOutput(
                "1 of  2",
                content("row 7\n"),
                content("{}\n"),
                content("\u001b[31mred\u001b[0m"),
                List.of()));
  }

  @Test
  void aRunThatWritesNothingLeavesNothing() {
    assertThat(run(1, null, 0, "exit 0").output().leavesNothing()).isTrue();
  }

  @Test
  void onlyARunThatSucceedsHasAResult() {
    assertThat(run(1, null, 0, "echo 1 >result; exit 3").output().result()).isNull();
  }

  @Test
  void theCheckpointIsAFileAndAVariableOfTheNextRun() {
    RunResult next =
        run(2, content("row 7\n"), 0, "echo \"$CALLBOARD_CHECKPOINT|\"; cat checkpoint");

    assertThat(node.log(2)).isEqualTo("row 7\n|\nrow 7\n");
    assertThat(next.output().checkpoint()).as("one that was given is known").isNull();
  }

  @Test
  void aCheckpointThatIsNoTextIsOnlyAFile() {
    FileContent binary = FileContent.of(new byte[] {(byte) 0xff, 0, 7});
    RunResult unused =
        run(
            2,
            binary,
            0,
            "echo \"[$CALLBOARD_CHECKPOINT]\"; od -An -tx1 $CALLBOARD_CHECKPOINT_FILE");

    assertThat(node.log(2)).isEqualTo("[]\n ff 00 07\n");
  }

  @Test
  void anOutputThatIsTooLargeOrNoFileIsRefused() {
    RunResult result =
        run(
            1,
            null,
            0,
            "head -c 65537 /dev/zero >checkpoint; mkfifo progress; ln -s /etc/hostname result");

    assertThat(result.succeeded()).isTrue();
    assertThat(result.output().refused())
        .containsExactly(
            "its file progress is a link or a special file, which is not read",
            "its file checkpoint is not kept: it has more than 65536 bytes",
            "its file result is a link or a special file, which is not read");
    assertThat(result.output().checkpoint()).isNull();
    assertThat(run(2, null, 0, "head -c 65536 /dev/zero >checkpoint").output().checkpoint())
        .isEqualTo(FileContent.of(new byte[RunFiles.MOST_BYTES]));
  }

  @Test
  void aDirectoryOfThatNameIsTheJobsOwn() {
    assertThat(run(1, null, 0, "mkdir result progress checkpoint").output().leavesNothing())
        .isTrue();
  }

  @Test
  void theEndOfALogIsCutAtACharacter() {
    RunResult result =
        run(1, null, 0, "i=0; while [ $i -lt 500 ]; do printf 'a€€€'; i=$((i+1)); done");

    FileContent end = result.output().logEnd();
    assertThat(end).isNotNull();
    assertThat(end.bytes().length).isBetween(4094, 4096);
    assertThat(end.text()).doesNotContain("\ufffd").endsWith("a€€€");
  }

  @Test
  void aFileIsReadAgainOnlyIfItIsAnother() {
    Run run = node.start(node.shell(1, "echo 1 >progress; while [ ! -e go ]; do sleep 0.01; done"));
    String one = node.awaitFile(run.key(), "progress");
    FileLook first = node.directories.look(run.key(), RunFiles.PROGRESS, null);
    FileLook second = node.directories.look(run.key(), RunFiles.PROGRESS, first.stamp());

    assertThat(one).isEqualTo("1");
    assertThat(first.content()).isEqualTo(content("1\n"));
    assertThat(second).isEqualTo(new FileLook(first.stamp(), null, null));
    await(node.runner.kill(run.key(), RunFixture.PATIENCE, "the test is over"));
  }

  @Test
  void aNiceRunGivesWay() {
    RunResult plain = run(1, null, 0, "nice");
    RunResult nice = run(2, null, 7, "nice");

    assertThat(plain.succeeded() && nice.succeeded()).isTrue();
    int own = Integer.parseInt(node.log(1).strip());
    assertThat(Integer.parseInt(node.log(2).strip())).isEqualTo(Math.min(19, own + 7));
  }
}

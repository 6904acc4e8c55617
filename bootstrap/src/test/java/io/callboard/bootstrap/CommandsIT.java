package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The operator's commands as a user runs them: processes of the built jar against a node. */
@Tag("real")
class CommandsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static Path data;
  private static LaunchedNode node;

  /** What a command printed, and its exit code. */
  private record Outcome(int code, String out, String err) {
    String line() {
      assertThat(err).isEmpty();
      assertThat(code).as(out).isZero();
      return out.strip();
    }

    void failed(String message) {
      assertThat(code).isEqualTo(1);
      assertThat(out).isEmpty();
      assertThat(err.lines()).hasSize(1);
      assertThat(err).contains(message);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    data = LaunchedNode.directory("commands");
    node = LaunchedNode.start(data, "--name", "n1");
    assertThat(run("jobs").line()).startsWith("No jobs at " + node.url() + "; submit one: ");
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Outcome run(String... arguments) throws Exception {
    try (LaunchedNode command =
        LaunchedNode.launch(Map.of("CALLBOARD_URL", node.url()), arguments)) {
      return new Outcome(command.exitCode(LIMIT), command.output(), command.errors());
    }
  }

  @Test
  void aJobIsHeldReleasedFollowedAndRunAgain() throws Exception {
    assertThat(run("pause", "process").line()).startsWith("process is paused by a client at ");
    Path go = data.resolve("go");
    String script = "echo one; until [ -e %s ]; do sleep 0.05; done; echo two".formatted(go);
    String id = run("submit", "--", "sh", "-c", script).line();
    String start = id.substring(0, 13);
    assertThat(run("hold", start).line()).isEqualTo(id + " is HELD");
    assertThat(run("job", start).line())
        .contains("state        HELD since ", "not running  it is held");
    assertThat(run("release", start).line()).isEqualTo(id + " is QUEUED");
    assertThat(run("job", start).line()).contains("not running  ", "paused");
    assertThat(run("resume", "process").line()).isEqualTo("process is active");

    try (LaunchedNode follower =
        LaunchedNode.launch(Map.of("CALLBOARD_URL", node.url()), "logs", "-f", start)) {
      Eventually.assertThat(() -> assertThat(output(follower)).isEqualTo("one\n"));
      run("hold", start).failed("RUNNING");
      Files.createFile(go);
      assertThat(follower.exitCode(LIMIT)).isZero();
      assertThat(follower.output()).isEqualTo("one\ntwo\n");
    }
    assertThat(JobView.state(node, id)).isEqualTo("SUCCEEDED");
    assertThat(run("rerun", start).line()).startsWith(id + " is ");
    JobView.await(node, id, "SUCCEEDED");
    assertThat(run("job", start).line())
        .containsPattern("RUN +STATE +HOST +STARTED +TOOK +EXIT +ERROR")
        .containsPattern("1 +SUCCEEDED +n1 +.* 0 +-")
        .containsPattern("2 +SUCCEEDED +n1 +.* 0 +-");
    assertThat(run("logs", start, "--run", "2", "--tail", "1").line()).isEqualTo("two");
    assertThat(run("jobs").line()).contains(start).doesNotContain(id);
    run("job", "ffff").failed("has an id that is or begins with \"ffff\"");
  }

  private static String output(LaunchedNode process) {
    try {
      return process.output();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aJobIsWaitedForAndALimitIsSet() throws Exception {
    Outcome job = run("submit", "--wait", "--", "sh", "-c", "echo one; echo two; exit 7");
    assertThat(job.code()).isEqualTo(7);
    assertThat(job.out()).isEqualTo("one\ntwo\n");
    assertThat(job.err()).contains(" is DEAD: run 1 failed with exit code 7");
    assertThat(run("limit", "process", "5").line()).contains("5");
    Outcome limit = run("limit", "process", "--", "-4");
    limit.failed("callboard: limit: must be ");
    assertThat(limit.err()).containsOnlyOnce("limit");
    assertThat(run("types").line()).contains("NAME", "process", "5");
    assertThat(run("jobs", "--json").line()).contains("\"state\":\"DEAD\"", "\"exitCode\":7");
  }

  @Test
  void aNodeIsDrainedAndUndrained() throws Exception {
    assertThat(run("drain", "n1").line()).isEqualTo("n1 is draining");
    Eventually.assertThat(() -> assertThat(draining()).containsPattern("n1 +true +true"));
    assertThat(run("undrain", "n1").line()).isEqualTo("n1 takes its share again");
    Eventually.assertThat(() -> assertThat(draining()).containsPattern("n1 +true +false"));
    run("drain", "nobody").failed("there is no node nobody");
  }

  private String draining() {
    try {
      return run("hosts").line();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void completionIsAScriptThatBashRuns() throws Exception {
    Path script = Files.writeString(data.resolve("completion"), run("completion").line());
    String line =
        ". %s; COMP_WORDS=(callboard und); COMP_CWORD=1; _complete_callboard; echo ${COMPREPLY[*]}"
            .formatted(script);
    Process bash = new ProcessBuilder("bash", "-c", line).redirectError(Redirect.DISCARD).start();
    assertThat(new String(bash.getInputStream().readAllBytes()).strip()).isEqualTo("undrain");
    assertThat(bash.waitFor()).isZero();
  }

  /** They would make a short command twice as long. */
  @Test
  void aCommandLoadsNothingOfANode() throws Exception {
    Path classes = data.resolve("classes");
    List<String> java = new ArrayList<>(List.of("-Xshare:off", "-Xlog:class+load:file=" + classes));
    java.addAll(List.of("-jar", LaunchedNode.jar().toString(), "jobs"));
    java.add(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
    try (LaunchedNode command = LaunchedNode.launch(Map.of("CALLBOARD_URL", node.url()), java)) {
      assertThat(command.exitCode(LIMIT)).isZero();
    }
    assertThat(Files.readAllLines(classes))
        .hasSizeGreaterThan(500)
        .anyMatch(line -> line.contains(" io.callboard.bootstrap.client.JobsCommand "))
        .noneMatch(line -> line.contains(" io.vertx.") || line.contains(" io.netty."))
        .noneMatch(line -> line.contains(" org.apache.") || line.contains(" ch.qos.logback."));
  }
}

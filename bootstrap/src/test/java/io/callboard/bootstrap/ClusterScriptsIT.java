package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.config.EnvironmentVariables;
import io.callboard.testkit.Waits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scripts of {@code conf/cluster}, with stubs of Java and curl: what they start, keep and put
 * back.
 */
@Tag("long")
class ClusterScriptsIT {
  private static final Path SCRIPTS = Path.of("..", "conf", "cluster").toAbsolutePath().normalize();
  private static final List<String> NODES = List.of("a", "b", "c");

  @TempDir Path directory;
  private Path stubs = Path.of("");
  private Path run = Path.of("");
  private Path jar = Path.of("");

  /** Exit code and output of a script, both streams. */
  private record Outcome(int code, String said) {}

  @BeforeEach
  void prepare() throws IOException {
    stubs = Files.createDirectory(directory.resolve("stubs"));
    for (String stub : List.of("java", "curl", "sleep", "date")) {
      try (InputStream text = getClass().getResourceAsStream("/cluster-stubs/" + stub)) {
        Files.copy(Objects.requireNonNull(text, stub), stubs.resolve(stub));
      }
      assertThat(stubs.resolve(stub).toFile().setExecutable(true)).isTrue();
    }
    run = directory.resolve("run – ü"); // ps writes it otherwise in some locales
    jar = directory.resolve("callboard.jar");
    Files.writeString(jar, "old");
  }

  @AfterEach
  void endAll() throws IOException {
    if (!Files.isDirectory(run)) {
      return;
    }
    try (Stream<Path> files = Files.list(run)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".pid")).toList()) {
        process(file)
            .ifPresent(
                process -> {
                  process.descendants().forEach(ProcessHandle::destroyForcibly);
                  process.destroyForcibly();
                });
      }
    }
  }

  private static Optional<ProcessHandle> process(Path file) throws IOException {
    return ProcessHandle.of(Long.parseLong(Files.readString(file).strip()));
  }

  private Outcome script(String name, String... arguments) throws Exception {
    return script(Map.of(), name, arguments);
  }

  private Outcome script(Map<String, String> variables, String name, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(SCRIPTS.resolve(name).toString()));
    command.addAll(List.of(arguments));
    Path said = Files.createTempFile(directory, name, ".said");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
    builder.environment().remove("JAVA_HOME");
    builder.environment().keySet().removeIf(key -> key.startsWith(EnvironmentVariables.PREFIX));
    builder.environment().merge("PATH", stubs.toString(), (path, own) -> own + ":" + path);
    builder.environment().put("CALLBOARD_CLUSTER", run.toString());
    builder.environment().put("CALLBOARD_JAR", jar.toString());
    builder.environment().putAll(variables);
    Process process = builder.start();
    assertThat(process.waitFor(300, TimeUnit.SECONDS)).as(name).isTrue();
    return new Outcome(process.exitValue(), Files.readString(said));
  }

  private void succeeds(Outcome outcome) {
    assertThat(outcome.code()).as(outcome.said()).isZero();
  }

  /** Returns what a node reported to run when it started last. */
  private String runs(String node) throws IOException {
    return Files.readAllLines(run.resolve(node + ".log")).stream()
        .filter(line -> line.startsWith(node + " runs"))
        .reduce("", (a, b) -> b)
        .replaceFirst("^.* runs (.*), variables: .*$", "$1");
  }

  private void allRun(String what) throws Exception {
    Outcome status = script("status");
    succeeds(status);
    for (String node : NODES) {
      assertThat(status.said()).containsPattern(node + ": process \\d+, ready");
      assertThat(runs(node)).as(node).isEqualTo(what);
    }
  }

  @Test
  void aBasePortIsRememberedUntilAllIsStopped() throws Exception {
    succeeds(script("start", "--base-port", "9000"));
    assertThat(run.resolve("conf/node-b.yaml"))
        .content()
        .contains("name: b\n", "http-port: 9002\n")
        .contains("zookeeper: 127.0.0.1:9011,127.0.0.1:9012,127.0.0.1:9013\n")
        .doesNotContain("@");
    assertThat(run.resolve("conf/zoo3.cfg"))
        .content()
        .contains("clientPort=9013\n", "dataDir=zoo3\n", "server.2=127.0.0.1:9022:9032\n")
        .doesNotContain("@");

    Outcome status = script("status");
    succeeds(status);
    assertThat(status.said()).contains("zoo1: process", "follower", "c: process", "ready");
    Outcome other = script("start", "--base-port", "9100");
    assertThat(other.said()).contains("zoo1 runs, with the base port 9000: stop everything first");
    assertThat(other.code()).isEqualTo(1);

    succeeds(script("rolling-restart", "b"));
    Outcome stop = script("stop");
    succeeds(stop);
    assertThat(stop.said().lines()).hasSize(6).allMatch(line -> line.startsWith("stopped "));
    assertThat(script("status").code()).isEqualTo(1);

    succeeds(script("start", "--base-port=9100", "zoo1", "zoo2", "a"));
    assertThat(script("status").said()).contains("a: process", "zoo3: does not run");
    succeeds(script("stop"));
    succeeds(script("start", "--base-port=default", "zoo2"));
    assertThat(run.resolve("conf/zoo2.cfg")).content().contains("clientPort=2282\n");
  }

  @Test
  void aBasePortThatIsNoneStartsNothing() throws Exception {
    for (String none : List.of("", "80", "09000", "65501", "100000", "9000x", "-1")) {
      Outcome outcome = script("start", "--base-port", none);
      assertThat(outcome.code()).as(none).isEqualTo(1);
      assertThat(outcome.said()).contains("a base port is 1024 to 65500");
    }
    assertThat(run.resolve("zoo1.pid")).doesNotExist();
  }

  @Test
  void variablesThatAreInheritedDoNotMoveThePorts() throws Exception {
    Map<String, String> inherited =
        Map.of(
            "CALLBOARD_CLUSTER_PORT", "7000",
            "CALLBOARD_HTTP_PORT", "8080",
            "CALLBOARD_ZOOKEEPER", "elsewhere:2181",
            "CALLBOARD_NAME", "x",
            "CALLBOARD_ARCHIVE", "jdbc:postgresql://db/cell",
            "base", "9500",
            "http", "1");
    succeeds(script(inherited, "start", "zoo1", "zoo2", "a"));
    assertThat(run.resolve("conf/node-a.yaml")).content().contains("http-port: 8091\n");
    assertThat(run.resolve("a.log"))
        .content()
        .contains("variables: CALLBOARD_ARCHIVE=jdbc:postgresql://db/cell \n");
  }

  @Test
  void aNewJarIsOnAllNodesAfterARollingRestart() throws Exception {
    succeeds(script("start"));
    Files.writeString(jar, "new");
    succeeds(script("rolling-restart"));
    allRun("new");
  }

  @Test
  void aJarThatDoesNotStartIsTakenBack() throws Exception {
    succeeds(script("start"));
    Files.writeString(jar, "broken"); // in place, as a build may do
    Outcome outcome = script("rolling-restart");
    assertThat(outcome.code()).as(outcome.said()).isEqualTo(1);
    assertThat(lastLine(outcome))
        .contains("node a did not come back with " + jar)
        .contains(run.resolve("a.log").toString(), "the cluster runs the old jar again");
    allRun("old");
  }

  @Test
  void aNodeThatNeverBecomesReadyIsTakenBack() throws Exception {
    succeeds(script("start"));
    Files.writeString(jar, "silent");
    Outcome outcome = script("rolling-restart", "b");
    assertThat(outcome.code()).as(outcome.said()).isEqualTo(1);
    assertThat(lastLine(outcome)).contains("node b did not come back", "runs the old jar again");
    allRun("old");
  }

  @Test
  void theNodesBeforeTheOneThatDoesNotComeBackGoBackToo() throws Exception {
    succeeds(script("start"));
    Files.writeString(jar, "broken-on-c");
    Outcome outcome = script("rolling-restart");
    assertThat(outcome.code()).as(outcome.said()).isEqualTo(1);
    assertThat(lastLine(outcome)).contains("node c did not come back", "runs the old jar again");
    allRun("old");
  }

  @Test
  void aNodeThatNeitherJarStartsIsTold() throws Exception {
    succeeds(script("start"));
    Files.writeString(jar, "broken-on-b");
    Files.writeString(run.resolve("b.jar"), "broken"); // what it ran is spoilt since
    Outcome outcome = script("rolling-restart");
    assertThat(outcome.code()).as(outcome.said()).isEqualTo(1);
    assertThat(lastLine(outcome)).contains("and b not with what it ran before");
    assertThat(script("status").said()).contains("b: does not run");
    assertThat(runs("c")).isEqualTo("old");
  }

  /** By the clock of the stubs the wait takes a minute. */
  @Test
  void aNodeThatWaitsForItsRunsIsWaitedFor() throws Exception {
    Files.writeString(jar, "slow");
    succeeds(script("start"));
    Outcome stop = script("stop", "a");
    succeeds(stop);
    assertThat(stop.said())
        .contains("node a waits for its job runs, 120 seconds at most", "stopped a");
  }

  @Test
  void aWrongNameStopsNothing() throws Exception {
    succeeds(script("start"));
    Files.writeString(jar, "new");
    Outcome outcome = script("rolling-restart", "a", "d");
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.said()).contains("there is no node \"d\"", "nothing was stopped");
    allRun("old");
  }

  /** Versions before the templates gave nodes the files of the checkout. */
  @Test
  void aProcessOfBeforeIsOursAndOneOfAnotherPathIsNot() throws Exception {
    Files.createDirectories(run);
    Process ours = foreign("a", SCRIPTS.resolve("node-a.yaml"));
    Process other = foreign("b", directory.resolve("elsewhere/conf/node-b.yaml"));
    try {
      Outcome stop = script("stop", "a", "b");
      succeeds(stop);
      assertThat(stop.said()).isEqualTo("stopped a\n");
      Waits.ended(ours);
      assertThat(other.isAlive()).isTrue();
    } finally {
      ours.destroy();
      other.destroy();
    }
  }

  private Process foreign(String node, Path conf) throws IOException {
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "/bin/sleep 600 & trap 'kill $!' TERM; wait",
                "sh",
                "--conf",
                conf.toString())
            .start();
    Files.writeString(run.resolve(node + ".pid"), process.pid() + "\n");
    return process;
  }

  private static String lastLine(Outcome outcome) {
    return outcome.said().lines().reduce("", (a, b) -> b);
  }
}

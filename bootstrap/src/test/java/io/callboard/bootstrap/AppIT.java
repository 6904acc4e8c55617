package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A project of {@code callboard new --app} in nodes of the built jar. */
@Tag("real")
class AppIT {
  private static final String NOBODY =
      """
      name: nobody
      steps:
        a: {run: "handler:nobody"}
      """;

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static Path project(Path directory) throws Exception {
    CommandRun written =
        CommandRun.of("new", directory.toString(), "--app", "--package", "org.acme.visits");
    assertThat(written.code()).as(written.err()).isZero();
    return AppJar.of(
        directory.resolve("src/main/java"),
        directory.resolve("src/main/resources"),
        directory.resolve("visits.jar"),
        LaunchedNode.jar().toString());
  }

  /** Runs the workflow of the project to its end, and returns what its step in Java has counted. */
  private static String visits(LaunchedNode node, Path project) {
    CommandRun run =
        CommandRun.of(
            "workflow",
            "run",
            project.resolve("visit.yaml").toString(),
            "--wait",
            "--url",
            node.url());
    assertThat(run.code()).as(run.out() + run.err()).isZero();
    String id = run.out().lines().findFirst().orElseThrow();
    return CommandRun.of("workflow", "output", id, "ann", "--url", node.url()).out().strip();
  }

  @Test
  void anAppRunsInANodeAndItsActorsOutliveAKill() throws Exception {
    Path project = LaunchedNode.directory("app");
    Path jar = project(project);
    Path data = LaunchedNode.directory("app-node");
    try (LaunchedNode node = LaunchedNode.start(data, "--app", jar.toString())) {
      assertThat(visits(node, project)).isEqualTo("1");
      node.kill();
    }
    try (LaunchedNode again = LaunchedNode.start(data, "--app", jar.toString());
        LaunchedNode plain =
            LaunchedNode.start(
                LaunchedNode.directory("app-plain"),
                "--zookeeper",
                again.zookeeper(),
                "--name",
                "plain")) {
      assertThat(visits(plain, project)).as("another node of the cell has it").isEqualTo("2");
      assertThat(again.get("/api/v1/settings").body()).contains("visits.jar");

      Path nobody = Files.writeString(project.resolve("nobody.yaml"), NOBODY);
      CommandRun waits = CommandRun.of("workflow", "run", nobody.toString(), "--url", plain.url());
      assertThat(waits.code()).as(waits.err()).isZero();
      Eventually.assertThat(
          LIMIT,
          () ->
              assertThat(
                      CommandRun.of("workflow", "why", waits.out().strip(), "--url", plain.url())
                          .out())
                  .contains("no worker offers nobody"));
      plain.terminate();
      assertThat(plain.exitCode(LIMIT)).isZero();
      again.terminate();
      assertThat(again.exitCode(LIMIT)).isZero();
    }
  }

  @Test
  void aFailingAppFailsTheStartWithItsNameAndCause() throws Exception {
    Path project = LaunchedNode.directory("app-broken");
    Path jar = project(project);
    LaunchedNode node =
        LaunchedNode.launch(
            Map.of(), "--data", project.resolve("data").toString(), "--app", jar + ":" + jar + "x");
    assertThat(node.exitCode(LIMIT)).isEqualTo(2);
    MistakesIT.oneLine(node, "there is no jar \"%sx\"".formatted(jar));

    Path part = project.resolve("src/main/java/org/acme/visits/VisitorsPart.java");
    String text = Files.readString(part);
    Files.writeString(
        part,
        text.replace(
            "    return node.callboard().host(",
            "    if (true) throw new IllegalStateException(\"no guest book\");\n    return node.callboard().host("));
    Path failing =
        AppJar.of(
            project.resolve("src/main/java"),
            project.resolve("src/main/resources"),
            project.resolve("failing.jar"),
            LaunchedNode.jar().toString());
    LaunchedNode failed =
        LaunchedNode.launch(
            Map.of(),
            "--data",
            project.resolve("data").toString(),
            "--zookeeper-port",
            "0",
            "--app",
            failing.toString());
    assertThat(failed.exitCode(LIMIT)).isEqualTo(1);
    assertThat(failed.errorLines())
        .singleElement()
        .asString()
        .startsWith("callboard: node ")
        .endsWith(" could not be started: visitors: no guest book");
  }
}

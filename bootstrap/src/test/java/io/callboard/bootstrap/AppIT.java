package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A project of {@code callboard new --app} in nodes of the built jar. */
@Tag("real")
class AppIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static Path project(Path directory) throws Exception {
    CommandRun written =
        CommandRun.of("new", directory.toString(), "--app", "--package", "org.acme.visits");
    assertThat(written.code()).as(written.err()).isZero();
    return AppJar.of(
        directory.resolve("src/main/java"),
        directory.resolve("src/main/resources"),
        directory.resolve("visits.jar"),
        RunningNode.jar().toString());
  }

  private static CommandRun run(RunningNode node, Path project) {
    return CommandRun.of(
        "workflow", "run", project.resolve("visit.yaml").toString(), "--wait", "--url", node.url());
  }

  private static String visits(RunningNode node) throws Exception {
    return node.get("/api/v1/actors/visitors/ann/state").body();
  }

  @Test
  void anAppRunsInANodeAndItsActorsOutliveAKill() throws Exception {
    Path project = RunningNode.directory("app");
    Path jar = project(project);
    Path data = RunningNode.directory("app-node");
    try (RunningNode node = RunningNode.start(data, "--app", jar.toString())) {
      assertThat(run(node, project).code()).isZero();
      node.kill();
    }
    try (RunningNode again = RunningNode.start(data, "--app", jar.toString());
        RunningNode plain =
            RunningNode.start(
                RunningNode.directory("app-plain"),
                "--zookeeper",
                again.zookeeper(),
                "--name",
                "plain")) {
      assertThat(run(plain, project).code()).as("a node of the cell has its handler").isZero();
      assertThat(again.get("/api/v1/settings").body()).contains("visits.jar");
      again.terminate();
      assertThat(again.exitCode(LIMIT)).isEqualTo(143);
    }
  }

  @Test
  void aFailingAppFailsTheStartWithItsNameAndCause() throws Exception {
    Path project = RunningNode.directory("app-broken");
    Path jar = project(project);
    RunningNode node =
        RunningNode.launch(
            Map.of(), "--data", project.resolve("data").toString(), "--app", jar + ":" + jar + "x");
    assertThat(node.exitCode(LIMIT)).isEqualTo(2);
    assertThat(node.errors()).contains("there is no jar \"%sx\"".formatted(jar));
  }
}

package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node that is stopped while jobs run on it. */
@Tag("real")
class StopIT {
  /** Time limit of a stop that waits for nothing, on a busy machine. */
  private static final Duration AT_ONCE = Duration.ofSeconds(30);

  /** Time limit of a stop that waits for runs of some seconds. */
  private static final Duration FINISHED = Duration.ofSeconds(30);

  private static String job(String script) {
    return "{\"command\":[\"sh\",\"-c\",\"%s\"]}".formatted(script);
  }

  private static String running(LaunchedNode node, String script) throws Exception {
    String id = JobView.submit(node, job(script));
    JobView.await(node, id, "RUNNING");
    return id;
  }

  private static void awaitOutput(LaunchedNode node, String text) {
    Eventually.assertThat(
        AT_ONCE,
        () -> {
          try {
            assertThat(node.output()).contains(text);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void aRunThatIsUnderWayEndsBeforeTheNodeUnlessASecondSignalComes() throws Exception {
    Path data = LaunchedNode.directory("finished");
    Path over = data.resolve("over");
    String id;
    String waiting;
    try (LaunchedNode node = LaunchedNode.start(data, "--stop-timeout", "PT2M")) {
      id = running(node, "while ! [ -e %s ]; do sleep 0.1; done; echo done".formatted(over));
      node.terminate();
      awaitOutput(node, "waits for 1 job run");
      waiting = JobView.submit(node, job("true"));
      String queued = waiting;
      Eventually.assertThat(
          AT_ONCE,
          () -> {
            try {
              assertThat(node.get("/api/v1/jobs/" + queued + "/why").body()).contains("draining");
            } catch (IOException | InterruptedException e) {
              throw new AssertionError(e);
            }
          });
      assertThat(JobView.state(node, waiting)).isEqualTo("QUEUED");
      Files.createFile(over); // not after some seconds, in which a slow machine gets nowhere
      assertThat(node.exitCode(FINISHED)).isZero();
    }
    try (LaunchedNode again = LaunchedNode.start(data, "--stop-timeout", "PT10M")) {
      assertThat(JobView.state(again, id)).isEqualTo("SUCCEEDED");
      assertThat(JobView.runs(again, id)).isEqualTo(1);
      JobView.await(again, waiting, "SUCCEEDED");
      String unused = running(again, "sleep 1000");
      again.terminate();
      awaitOutput(again, "waits for 1 job run");
      again.terminate();
      assertThat(again.exitCode(AT_ONCE)).isZero();
    }
  }

  @Test
  @Tag("long")
  void aRunThatTakesLongerThanTheLimitIsLost() throws Exception {
    Path data = LaunchedNode.directory("limited");
    String id;
    try (LaunchedNode node = LaunchedNode.start(data, "--stop-timeout", "PT1S")) {
      id = running(node, "[ $CALLBOARD_RUN_ID = 2 ] || sleep 1000");
      node.terminate();
      assertThat(node.exitCode(AT_ONCE)).isZero();
      assertThat(node.output()).contains("waits for 1 job run");
    }
    try (LaunchedNode again = LaunchedNode.start(data)) {
      JobView.await(again, id, "SUCCEEDED");
      assertThat(JobView.runs(again, id)).isEqualTo(2);
    }
  }

  @Test
  @Tag("long")
  void noRunIsLostWhenOneOfTwoNodesStopsUnderLoad() throws Exception {
    Path data = LaunchedNode.directory("loaded");
    try (LaunchedNode a = LaunchedNode.start(data.resolve("a"), "--name", "a", "--slots", "3");
        LaunchedNode b =
            LaunchedNode.start(
                data.resolve("b"), "--name", "b", "--zookeeper", a.zookeeper(), "--slots", "3")) {
      List<String> jobs = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        jobs.add(JobView.submit(a, job("sleep 1")));
      }
      b.terminate();
      assertThat(b.exitCode(FINISHED)).isZero();
      for (String id : jobs) {
        JobView.await(a, id, "SUCCEEDED");
        assertThat(JobView.runs(a, id)).as(id).isEqualTo(1);
      }
    }
  }
}

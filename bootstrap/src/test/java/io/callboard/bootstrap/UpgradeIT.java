package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.cell.NodeVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Cells that earlier versions wrote. Each file of {@code cells} is a {@code callboard backup} of a
 * node {@code n1} whose data directory had run {@code demo account}, killed in the middle of its
 * transfers with mail under way, and one job.
 */
@Tag("real")
class UpgradeIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final String JOB = "01a210dc-d51d-73f8-b8e2-a7261bb755ea";

  @Test
  void aCellOfTheSnapshotIsReadAndGoesOn() throws Exception {
    Path data = LaunchedNode.directory("upgrade");
    Path backup = Path.of("src", "test", "resources", "cells", "0.1.0-SNAPSHOT.zip");
    CommandRun restored =
        CommandRun.of("restore", backup.toAbsolutePath().toString(), "--data", data.toString());
    assertThat(restored.code()).as(restored.err()).isZero();

    try (LaunchedNode node = LaunchedNode.start(data, "--name", "n1", "--archive", "none")) {
      assertThat(node.get("/api/v1/jobs/" + JOB).body())
          .contains("\"state\":\"SUCCEEDED\"", "written by a snapshot");
      assertThat(node.get("/api/v1/actors?prefix=/accounts").body())
          .contains("/accounts/a0", "/accounts/a9", "\"stateType\":\"balance\"");
      assertThat(node.get("/api/v1/hosts").body())
          .contains("\"version\":\"%s\"".formatted(NodeVersion.version()))
          .doesNotContain("0.1.0-SNAPSHOT");
      node.terminate();
      assertThat(node.exitCode(LIMIT)).isZero();
    }
    try (LaunchedNode demo =
        LaunchedNode.launch(Map.of(), "demo", "account", "--data", data.toString())) {
      int code = demo.exitCode(LIMIT);
      assertThat(demo.output() + demo.errors())
          .as("balances with the mail of the snapshot, and after new transfers")
          .containsSubsequence("found ", "sum 1000000", "audited ", "sum 1000000");
      assertThat(code).isZero();
    }
  }
}

package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.cell.NodeVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Cells that earlier versions wrote. Each file of {@code cells} is a {@code callboard backup} of a
 * node {@code n1} whose data directory had run {@code demo account}, killed in the middle of its
 * transfers with mail under way, and one job.
 */
@Tag("real")
class UpgradeIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);

  private static final Pattern FOUND = Pattern.compile("found .* sum (\\d+)");
  private static final long ALL = 1_000_000;

  /**
   * Each cell with the version that wrote it, the id of its job, the end of what that prints, and
   * the sum of its accounts once they have handled the mail in their mailboxes; the rest of the
   * money is on its way to these.
   */
  @ParameterizedTest
  @CsvSource({
    "0.1.0-SNAPSHOT, 01a210dc-d51d-73f8-b8e2-a7261bb755ea, a snapshot, 1000000",
    "0.1.0, 01a2293d-7c4a-70d6-8f4e-e2390d206ce0, 0.1.0, 831641"
  })
  void aCellOfAnEarlierVersionIsReadAndGoesOn(String version, String job, String by, long arrived)
      throws Exception {
    Path data = LaunchedNode.directory("upgrade");
    Path backup = Path.of("src", "test", "resources", "cells", version + ".zip");
    CommandRun restored =
        CommandRun.of("restore", backup.toAbsolutePath().toString(), "--data", data.toString());
    assertThat(restored.code()).as(restored.err()).isZero();

    try (LaunchedNode node = LaunchedNode.start(data, "--name", "n1", "--archive", "none")) {
      assertThat(node.get("/api/v1/jobs/" + job).body())
          .contains("\"state\":\"SUCCEEDED\"", "written by " + by);
      assertThat(node.get("/api/v1/actors?prefix=/accounts").body())
          .contains("/accounts/a0", "/accounts/a9", "\"stateType\":\"balance\"");
      assertThat(node.get("/api/v1/hosts").body())
          .contains("\"version\":\"%s\"".formatted(NodeVersion.version()))
          .doesNotContain("\"version\":\"%s\"".formatted(version));
      node.terminate();
      assertThat(node.exitCode(LIMIT)).isZero();
    }
    try (LaunchedNode demo =
        LaunchedNode.launch(Map.of(), "demo", "account", "--data", data.toString())) {
      int code = demo.exitCode(LIMIT);
      String said = demo.output() + demo.errors();
      Matcher found = FOUND.matcher(said);
      assertThat(found.find()).as(said).isTrue();
      assertThat(Long.parseLong(found.group(1)))
          .as("balances with the mail of that version")
          .isBetween(arrived, ALL);
      assertThat(said).as("after new transfers").containsSubsequence("audited ", "sum " + ALL);
      assertThat(code).isZero();
    }
  }
}

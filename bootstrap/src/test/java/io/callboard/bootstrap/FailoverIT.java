package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code callboard demo failover}: processes that end, and a role that goes on. */
@Tag("long")
@Tag("real")
class FailoverIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final Pattern SUM =
      Pattern.compile(
          "(\\d+) laps were answered, of (\\d+) the answer was lost; the role counted (\\d+)");

  @Test
  void aRoleGoesOnHoweverItsHolderEnds() throws Exception {
    String data = LaunchedNode.directory("failover").toString();
    List<String> arguments = List.of("demo", "failover", "--rounds", "1", "--data", data);
    Map<String, String> variables = QuickStart.forChildren();
    try (LaunchedNode show = LaunchedNode.launch(variables, arguments.toArray(String[]::new))) {
      assertThat(show.exitCode(LIMIT)).as(show.output() + show.errors()).isZero();
      assertThat(show.output()).contains("Dashboard: http://127.0.0.1:");
      List<String> lines =
          show.output().lines().filter(line -> !line.startsWith("Dashboard: ")).toList();
      assertThat(lines.get(0)).matches("node-\\d holds the role, node-\\d stands by, node-1 .*");
      assertThat(lines)
          .anyMatch(line -> line.matches("node-\\d is killed \\(SIGKILL\\)…"))
          .anyMatch(line -> line.matches("node-\\d is asked to hand over…"))
          .anyMatch(line -> line.matches("node-\\d is stopped in order \\(SIGTERM\\)…"));
      assertThat(lines.stream().filter(line -> line.contains("holds it, in epoch"))).hasSize(3);
      Matcher sum = SUM.matcher(lines.get(lines.size() - 1));
      assertThat(sum.matches()).as(lines.get(lines.size() - 1)).isTrue();
      long answered = Long.parseLong(sum.group(1));
      long lost = Long.parseLong(sum.group(2));
      assertThat(answered).isPositive();
      assertThat(Long.parseLong(sum.group(3))).isBetween(answered, answered + lost);
    }
    assertThat(
            ProcessHandle.allProcesses()
                .filter(each -> each.info().commandLine().orElse("").contains(data))
                .map(each -> each.info().commandLine().orElse("")))
        .as("processes that the show has left")
        .isEmpty();
  }
}

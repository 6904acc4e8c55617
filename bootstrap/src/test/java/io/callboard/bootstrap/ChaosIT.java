package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The short form of {@code bin/chaos}: see {@code docs/guides/measure.md} for the long one. */
class ChaosIT {
  private static final int FEW_SECONDS = 5;
  private static final int SECONDS = Integer.getInteger("chaos.seconds", 20);
  private static final int JOBS_SECONDS = Integer.getInteger("chaos.seconds", 15);
  private static final int LIMIT_S = 600;
  private static final String NETWORK = "--network";

  private static String chaos(int exit, String... arguments) throws Exception {
    String jar = LaunchedNode.jar().toAbsolutePath().toString();
    Path home = Path.of(System.getProperty("callboard.home")).toAbsolutePath();
    List<String> command = new ArrayList<>();
    if (List.of(arguments).contains(NETWORK)) {
      command.addAll(List.of("sh", home.resolve("bin/alone.sh").toString())); // as bin/chaos does
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("-Dchaos.flags=" + QuickStart.nodeClasses() + " -XX:TieredStopAtLevel=1");
    command.add("-Dvertx.disableDnsResolver=true");
    command.addAll(List.of("-Dcallboard.jar=" + jar, "-Dcallboard.home=" + home));
    command.add("-Dchaos.classes=" + home.resolve("target/test-classes"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("io.callboard.chaos.Chaos");
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile(home.resolve("target"), "chaos-", ".out");
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(out.toFile())
            .start();
    try {
      if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
        throw new IOException("chaos did not end within %d s".formatted(LIMIT_S));
      }
      String said = Files.readString(out);
      assertThat(process.exitValue()).as(said).isEqualTo(exit);
      return said.strip();
    } finally {
      process.destroy(); // it ends its own processes
    }
  }

  private static void allIsWell(String... arguments) throws Exception {
    assertThat(chaos(0, arguments))
        .matches(
            "verdict: lost=0 duplicated=0 reordered=0 double-owner=0 fenced-writes=0 over-limit=0"
                + " orphans=0 late=0 stuck=0 faults=[1-9]\\d* accepted=[1-9]\\d*");
  }

  @Test
  void nothingIsLostInAFewSecondsOfFaults() throws Exception {
    allIsWell("--seconds", String.valueOf(FEW_SECONDS), "--ensemble", "1");
  }

  @Test
  @Tag("long")
  void nothingIsLostThroughFaults() throws Exception {
    allIsWell("--seconds", String.valueOf(SECONDS), "--ensemble", "1");
  }

  /** Needs root on Linux, as it makes hosts. */
  @Test
  @Tag("long")
  void nothingIsLostBetweenHostsWithAddressesAndClocksOfTheirOwn() throws Exception {
    allIsWell(
        NETWORK, "--scenario", "network", "--seconds", String.valueOf(SECONDS), "--ensemble", "3");
  }

  /** Jobs of several types and limits on three nodes; {@code bin/chaos} takes five. */
  @Test
  @Tag("long")
  void noLimitIsExceededAndNoJobIsLostThroughFaults() throws Exception {
    allIsWell("--scenario", "jobs", "--seconds", String.valueOf(JOBS_SECONDS), "--nodes", "3");
  }

  /** Articles of a directory, and of Redis if it is installed. */
  @Test
  @Tag("nightly")
  void everyArticleIsInTheIndexOnceThroughFaults() throws Exception {
    allIsWell("--scenario", "sources", "--seconds", String.valueOf(SECONDS));
  }

  /** Nodes with a seeded bug must not pass. */
  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({
    "skipped-epoch, nodes, fenced-writes",
    "double-relay, nodes, duplicated",
    "lost-hints, nodes, stuck",
    "failed-start, hosts, lost",
    "deaf-to-drain, hosts, stuck",
    "stopped-actor, hosts, stuck",
    "late-calls, operators, late",
    "lost-delivery, sources, lost",
    "new-ids, sources, duplicated",
  })
  void aMistakeOfTheNodesIsSeen(String bug, String scenario, String seen) throws Exception {
    String verdict =
        chaos(1, "--seconds", "60", "--ensemble", "1", "--scenario", scenario, "--bug", bug);
    assertThat(verdict).containsPattern(seen + "=[1-9]");
  }

  @Test
  void scenariosAreListed() throws Exception {
    assertThat(chaos(0, "--list")).contains("network ").contains("servers ");
    assertThat(chaos(2, "--scenario", "netwrk")).isEmpty();
  }
}

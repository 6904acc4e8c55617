package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A project of {@code callboard new}, as its owner builds and runs it. */
@Tag("long")
@Tag("real")
class NewProjectIT {
  private static final Duration BUILD = Duration.ofMinutes(5);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern ZOOKEEPER =
      Pattern.compile("embedded ZooKeeper (\\d[\\d.]+:\\d+), which");

  /** A node of the project: lines are typed into it, and read from it. */
  private static final class Terminal implements AutoCloseable {
    private final Process process;
    private final Path output;
    private final Writer input;

    Terminal(Path project, String... arguments) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
      command.addAll(List.of("-jar", "target/visits.jar"));
      command.addAll(List.of(arguments));
      output = project.resolve("output-" + arguments[0]);
      process =
          new ProcessBuilder(command)
              .directory(project.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      input = process.outputWriter(StandardCharsets.UTF_8);
      try {
        await("is ready; type names");
      } catch (AssertionError e) {
        close();
        throw e;
      }
    }

    String output() {
      try {
        return Files.readString(output);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void await(String line) {
      Eventually.assertThat(LIMIT, () -> assertThat(output()).contains(line));
    }

    void type(String name) throws IOException {
      input.write(name + "\n");
      input.flush();
    }

    String zookeeper() {
      Matcher address = ZOOKEEPER.matcher(output());
      assertThat(address.find()).as(output()).isTrue();
      return address.group(1);
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  @Test
  void aNewProjectBuildsRunsAndTakesOverFromAKilledNode() throws Exception {
    Path project = LaunchedNode.directory("visits");
    CommandRun written =
        CommandRun.of("new", project.toString(), "--package", "org.acme", "--artifact", "visits");
    assertThat(written.code()).as(written.err()).isZero();
    build(project);

    try (Terminal a = new Terminal(project, "a");
        Terminal b = new Terminal(project, "b", a.zookeeper())) {
      String ofB = firstOf(b, a);
      b.process.destroyForcibly().waitFor();

      a.type(ofB);
      a.await(ofB + ": visit 2");
      a.await(handled(ofB, 2));

      a.process.destroy();
      assertThat(a.process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(a.output()).contains("closed: actors", "closed: data directory");
    }
  }

  @Test
  void aNewAppBuildsAndRunsItsStepInANode() throws Exception {
    Path project = LaunchedNode.directory("visits-app");
    CommandRun written =
        CommandRun.of(
            "new", project.toString(), "--app", "--package", "org.acme", "--artifact", "visits");
    assertThat(written.code()).as(written.err()).isZero();
    build(project);

    try (LaunchedNode node =
        LaunchedNode.start(
            LaunchedNode.directory("visits-node"),
            "--app",
            project.resolve("target/visits.jar").toString())) {
      CommandRun visit =
          CommandRun.of(
              "workflow",
              "run",
              project.resolve("visit.yaml").toString(),
              "--wait",
              "--url",
              node.url());
      assertThat(visit.code()).as(visit.out() + visit.err()).isZero();
      assertThat(node.get("/api/v1/actors/visitors/ann").body()).contains("\"handled\":1");
    }
  }

  /** The line of the node that runs the visitor. */
  private static String handled(String name, int visit) {
    return "/visitors/%s handled here: visit %d\n".formatted(name, visit);
  }

  /**
   * Types names into the one terminal until one of them runs in the other, to which the first node
   * hands half of the partitions a moment after it is ready.
   */
  private static String firstOf(Terminal other, Terminal typing) throws IOException {
    long endNs = System.nanoTime() + LIMIT.toNanos();
    for (int number = 1; System.nanoTime() < endNs; number++) {
      String name = "ann" + letters(number);
      typing.type(name);
      typing.await(name + ": visit 1");
      // logged a moment after the answer
      Eventually.isTrue(
          name + " was handled",
          () -> (typing.output() + other.output()).contains(handled(name, 1)));
      if (other.output().contains(handled(name, 1))) {
        return name;
      }
    }
    throw new AssertionError("all visitors run in one node: " + typing.output());
  }

  /** Returns the number with a letter for each digit, since names are letters. */
  private static String letters(int number) {
    return Integer.toString(number)
        .chars()
        .mapToObj(digit -> String.valueOf((char) (digit - '0' + 'a')))
        .collect(Collectors.joining());
  }

  private static void build(Path project) throws Exception {
    Path log = project.resolve("mvn.log");
    List<String> command =
        List.of(
            Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
            "-B",
            "-o",
            "--no-transfer-progress",
            "-Dmaven.repo.local=" + ReactorRepository.make(),
            "verify");
    Process maven =
        new ProcessBuilder(command)
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      boolean ended = maven.waitFor(BUILD.toSeconds(), TimeUnit.SECONDS);
      assertThat(ended && maven.exitValue() == 0).as(Files.readString(log)).isTrue();
      assertThat(Files.readString(log)).contains("Tests run: 1, Failures: 0");
    } finally {
      maven.destroyForcibly();
    }
  }
}

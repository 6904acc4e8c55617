package io.callboard.jobs.internal.process;

import static io.callboard.testkit.Futures.await;

import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.RunDirectories;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunResult;
import io.callboard.jobs.internal.runner.StartPermits;
import io.callboard.jobs.model.FileContent;
import io.callboard.testkit.Eventually;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A node's process runner on a directory of its own; closing it ends every process. */
public final class RunFixture implements AutoCloseable {
  /** Time within which a group must end by itself. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  final Vertx vertx = Vertx.vertx();
  public final RunHome home;
  final RunDirectories directories;
  final ProcessRunner runner;
  final String jobId = UUID.randomUUID().toString();

  public RunFixture(Path data, LogLimits limits) {
    this(data, limits, new ProcessTable(), ProcessRunner.KILL_AGAIN);
  }

  RunFixture(Path data, LogLimits limits, ProcessTable table, Duration killAgain) {
    this(data, limits, table, killAgain, Clock.systemUTC());
  }

  RunFixture(Path data, LogLimits limits, ProcessTable table, Duration killAgain, Clock clock) {
    home = home(data, UUID.randomUUID().toString());
    directories = new RunDirectories(home, limits);
    runner =
        await(ProcessRunner.open(vertx, home, limits, clock, table, killAgain, new StartPermits()));
  }

  RunFixture(Path data) {
    this(data, LogLimits.DEFAULT);
  }

  /** Returns the home of a node on this directory, in one of its boots. */
  static RunHome home(Path data, String bootId) {
    return new RunHome(
        data, "home" + data.hashCode() + "-" + data.getFileName(), bootId, "testhost");
  }

  RunRequest request(int runId, String... command) {
    return request(new RunKey(jobId, runId), Map.of(), 7, "", command);
  }

  /** Returns a request for a process without a time limit; an empty checkpoint is none. */
  static RunRequest request(
      RunKey key, Map<String, String> env, long epoch, String checkpoint, String... command) {
    FileContent left =
        checkpoint.isEmpty() ? null : FileContent.of(checkpoint.getBytes(StandardCharsets.UTF_8));
    return new RunRequest(key, List.of(command), env, epoch, left, null, 0, null, null);
  }

  public RunRequest shell(int runId, String script) {
    return request(runId, "sh", "-c", script);
  }

  public Run start(RunRequest request) {
    return await(runner.start(request, runner.term()));
  }

  RunResult run(RunRequest request) {
    return await(start(request).result());
  }

  public String log(int runId) {
    return directories.log(new RunKey(jobId, runId), 1 << 20).text();
  }

  /** Waits until a script has written a file into its directory, and returns the content. */
  public String awaitFile(RunKey key, String name) {
    Path file = home.directory(key).resolve(name);
    Eventually.isTrue(file + " is written", () -> read(file).endsWith("\n"));
    return read(file).strip();
  }

  static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the living processes that carry the mark of this home. */
  static List<Long> processesOf(String homeId) {
    return new ProcessTable().tagged(homeId).stream().map(tagged -> tagged.handle().pid()).toList();
  }

  static boolean isAlive(String pid) {
    return ProcessHandle.of(Long.parseLong(pid)).isPresent()
        && new ProcessTable()
            .entries().stream().anyMatch(entry -> entry.pid() == Long.parseLong(pid));
  }

  @Override
  public void close() {
    var reports = await(runner.close("the test is over"));
    await(vertx.close());
    killAll(home.homeId());
    if (reports.stream().anyMatch(r -> r.outcome() == KillReport.Outcome.KILL_FAILED)) {
      throw new AssertionError("left by the test: " + reports);
    }
  }

  /** Kills all processes of a home, those that escaped their runs included. */
  static void killAll(String homeId) {
    Eventually.isTrue(
        "nothing bears " + homeId,
        () -> {
          new ProcessTable().tagged(homeId).forEach(tagged -> tagged.handle().destroyForcibly());
          return processesOf(homeId).isEmpty();
        });
  }
}

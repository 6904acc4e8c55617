package io.callboard.jobs.internal.process;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.callboard.jobs.internal.files.ExitRecord;
import io.callboard.jobs.internal.files.RunDirectories;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.files.RunLog;
import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Start of the process of a run: directory, environment, shim. */
final class Launcher {
  /** Name of the script that runs a command. */
  static final String SHIM = "shim.sh";

  private static final List<String> INHERITED = List.of("PATH", "HOME", "LANG", "TMPDIR", "USER");
  private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";
  private static final Pattern ERRNO = Pattern.compile("error[=:] ?(\\d+)");
  private static final int E2BIG = 7;

  /** Time limit of a process that does nothing. */
  private static final Duration PROBE = Duration.ofSeconds(30);

  private static final List<Integer> EXHAUSTED = List.of(11, 12, 23, 24, 28); // EAGAIN … ENOSPC

  private final RunHome home;
  private final SessionScript shim;
  private final RunDirectories directories;
  private final Optional<ProcessIdentity> node = new ProcessTable().self();

  Launcher(RunHome home, RunDirectories directories) {
    this.home = home;
    this.shim = SessionScript.install(home, SHIM);
    this.directories = directories;
  }

  /**
   * Starts a run. If that fails because of the command, the directory holds that outcome; if the
   * host is to blame, it holds none.
   *
   * @param startBy time, by {@link Uptime}, from which on the shim kills itself instead of starting
   *     the command, as this JVM may stall at any point in here; empty for none
   * @throws RunException if nothing was started
   */
  Process launch(RunRequest request, RunLog log, Instant startedAt, OptionalLong startBy) {
    directories.open(request, startedAt);
    try {
      request.validate();
      return spawn(request, startBy);
    } catch (RunException e) {
      record(request, log, e);
      throw e;
    }
  }

  private Process spawn(RunRequest request, OptionalLong startBy) {
    Path directory = home.directory(request.key());
    Map<String, String> env = environment(request);
    String name = request.command().get(0);
    String program =
        CommandPath.resolve(name, env.getOrDefault("PATH", USUAL_PATH), directory, home.host());
    List<String> command = new ArrayList<>(request.command());
    command.set(0, program);
    if (request.nice() > 0) {
      String nice = SessionScript.program("nice", home);
      command.addAll(0, List.of(nice, "-n", Integer.toString(request.nice())));
    }
    command.add(0, startBy.isPresent() ? Long.toString(startBy.getAsLong()) : "");
    command.add(0, directory.toString());
    ProcessBuilder builder =
        new ProcessBuilder(shim.command(command))
            .directory(home.control(request.key()).toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(home.log(request.key()).toFile()));
    builder.environment().clear();
    builder.environment().putAll(env);
    try {
      return builder.start();
    } catch (IOException e) {
      throw failure(name, e);
    } catch (OutOfMemoryError e) {
      // no thread to wait for it: the process may exist; the caller kills what carries its mark
      throw RunException.noResources(name, home.host(), e);
    }
  }

  /** Starts a process that does nothing, as there may be space for files but none for processes. */
  void probe() {
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", "-c", ":")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    try {
      Process process = builder.start();
      if (!process.waitFor(PROBE.toMillis(), MILLISECONDS)) {
        process.destroyForcibly();
        throw new IOException("it has not ended within " + PROBE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RunException.noResources("sh", home.host(), e);
    } catch (IOException | OutOfMemoryError e) {
      throw RunException.noResources("sh", home.host(), e);
    }
  }

  private RunException failure(String name, IOException cause) {
    Matcher matcher = ERRNO.matcher(String.valueOf(cause.getMessage()));
    int errno = matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    if (errno == E2BIG) {
      return RunException.invalid(
          "command \""
              + name
              + "\": arguments and environment together are too long for the kernel");
    }
    return EXHAUSTED.contains(errno) || errno == 0
        ? RunException.noResources(name, home.host(), cause)
        : RunException.directory("start \"" + name + "\" in", home.data(), cause);
  }

  private void record(RunRequest request, RunLog log, RunException failure) {
    if (failure.isOfHost()) {
      return;
    }
    try {
      log.append("callboard: " + failure.getMessage());
      ExitRecord.write(
          home.control(request.key()), failure.exitCode(), String.valueOf(failure.getMessage()));
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private Map<String, String> environment(RunRequest request) {
    Map<String, String> env = new TreeMap<>();
    for (String name : INHERITED) {
      String value = System.getenv(name);
      if (value != null) {
        env.put(name, value);
      }
    }
    env.putIfAbsent("PATH", USUAL_PATH);
    env.putAll(request.env());
    env.putAll(ProcessMark.of(home, request, node));
    return env;
  }
}

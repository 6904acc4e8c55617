package io.callboard.jobs.internal.process;

import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.runner.RunException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Process beside the node that kills the node's runs if the node does not renew it in time, as a
 * frozen JVM cannot do so itself. Renewed on one thread; blocks.
 */
final class RunWatchdog {
  private static final String NAME = "guard.sh";
  private static final Duration PROBE = Duration.ofSeconds(10);
  private static final Logger LOG = LoggerFactory.getLogger(RunWatchdog.class);

  private final RunHome home;
  private final SessionScript script;
  private final String timeout;
  private final LongSupplier nanoTime;
  private @Nullable Process process;
  private boolean failed;
  private boolean armed;
  private long killsAtNs;

  private RunWatchdog(RunHome home, SessionScript script, String timeout, LongSupplier nanoTime) {
    this.home = home;
    this.script = script;
    this.timeout = timeout;
    this.nanoTime = nanoTime;
  }

  static RunWatchdog install(RunHome home, LongSupplier nanoTime) {
    String timeout = timeout(home);
    if (timeout.isEmpty()) {
      LOG.warn(
          "host {} has no timeout program (coreutils, busybox): if this JVM freezes, its runs continue beside those that replace them",
          home.host());
    }
    return new RunWatchdog(home, SessionScript.install(home, NAME), timeout, nanoTime);
  }

  /** Returns the program, if it takes its arguments as the script gives them; else empty. */
  private static String timeout(RunHome home) {
    try {
      String program = SessionScript.program("timeout", home);
      Process probe =
          new ProcessBuilder(program, "5", "/bin/sh", "-c", "exit 3")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      boolean ended = probe.waitFor(PROBE.toMillis(), TimeUnit.MILLISECONDS);
      probe.destroyForcibly();
      return ended && probe.exitValue() == 3 ? program : "";
    } catch (RunException | IOException e) {
      LOG.debug("no timeout", e);
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RunException.unusable("interrupted while the guard process of the runs was prepared");
    }
  }

  /** Makes the process kill the runs after {@code left}, unless this is called again before. */
  void renew(Duration left) {
    if (timeout.isEmpty()) {
      return;
    }
    // whole seconds, which every version of timeout takes; rounded up
    long seconds = Math.max(1, left.plus(Duration.ofNanos(999_999_999)).toSeconds());
    try {
      write(seconds);
      failed = false;
    } catch (IOException ended) {
      close();
      replace(seconds);
    }
  }

  private void replace(long seconds) {
    try {
      write(seconds);
      LOG.warn("the guard process of this host's runs had ended: another was started");
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        LOG.warn(
            "the guard process of this host's runs cannot be started; it is retried until it starts",
            e);
      }
      failed = true;
      close();
    }
  }

  private void write(long seconds) throws IOException {
    Process guard = alive();
    arm(true, nanoTime.getAsLong() + TimeUnit.SECONDS.toNanos(seconds));
    OutputStream pipe = guard.getOutputStream();
    pipe.write((seconds + "\n").getBytes(StandardCharsets.US_ASCII));
    pipe.flush();
  }

  private Process alive() throws IOException {
    if (process != null && !process.isAlive()) {
      LOG.warn(
          process.exitValue() == 9
              ? "the guard process of this host's runs was not renewed in time and has killed them: another is started"
              : "the guard process of this host's runs has ended: another is started");
      process = null;
    }
    if (process == null) {
      ProcessBuilder builder =
          new ProcessBuilder(script.command(List.of(ProcessMark.markOf(home), timeout)))
              .directory(home.control().toFile())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      builder.environment().keySet().retainAll(List.of("PATH"));
      process = builder.start();
    }
    return process;
  }

  private synchronized void arm(boolean now, long killsAt) {
    armed = now;
    killsAtNs = killsAt;
  }

  /**
   * Returns whether the watchdog's time has passed, so that it may have killed runs that have ended
   * since. Any thread.
   */
  synchronized boolean mayHaveKilled() {
    return armed && nanoTime.getAsLong() - killsAtNs >= 0;
  }

  /** Ends the process without a kill. */
  void close() {
    arm(false, 0);
    if (process != null) {
      LiveRun.closePipe(process);
      process = null;
    }
  }
}

package io.callboard.jobs.internal.files;

import io.callboard.jobs.internal.runner.RunKey;
import java.nio.file.Path;

/**
 * Place where a node keeps its runs, and the two identities with which it marks their processes.
 *
 * @param data data directory; made absolute
 * @param homeId id of the data directory. Processes marked with it and with another boot are killed
 *     by {@code OrphanSweep} if their node has ended, so the node must hold the directory's
 *     exclusive lock
 * @param bootId id of this start of the node
 * @param host name of the host in error texts
 */
public record RunHome(Path data, String homeId, String bootId, String host) {

  /**
   * Checks the ids.
   *
   * @throws IllegalArgumentException unless they are 1 to 200 letters, digits or any of {@code
   *     ._:@-}
   */
  public RunHome {
    data = data.toAbsolutePath().normalize();
    check("homeId", homeId);
    check("bootId", bootId);
  }

  private static void check(String name, String id) {
    if (!id.matches("[A-Za-z0-9._:@-]{1,200}")) {
      throw new IllegalArgumentException(
          name + " must be 1 to 200 letters, digits or any of ._:@-, not \"" + id + '"');
    }
  }

  /** Returns the parent of the working directories, which belong to the jobs. */
  public Path runs() {
    return data.resolve("runs");
  }

  /** Returns the working directory of a run. */
  public Path directory(RunKey key) {
    return below(runs(), key);
  }

  /**
   * Returns the directory in which node, shims and watchdog keep their records of runs, apart from
   * the working directories.
   */
  public Path control() {
    return data.resolve("control");
  }

  /** Returns the control directory of a run. */
  public Path control(RunKey key) {
    return below(control(), key);
  }

  /** Returns the log file of a run. */
  public Path log(RunKey key) {
    return control(key).resolve("log");
  }

  /** Returns the file with the name of the type of a run's job. */
  public Path type(RunKey key) {
    return control(key).resolve("type");
  }

  /**
   * Returns the directory of the files that record runs as unacknowledged; "open" is not a possible
   * job id.
   */
  public Path openRuns() {
    return control().resolve("open");
  }

  /** Returns the file that records a run as unacknowledged. */
  public Path openRun(RunKey key) {
    return openRuns().resolve(openName(key));
  }

  /** Returns the name of the file that records a run as unacknowledged. */
  public static String openName(RunKey key) {
    return key.jobId() + '_' + key.runId();
  }

  private static Path below(Path parent, RunKey key) {
    return parent.resolve(key.jobId()).resolve(Integer.toString(key.runId()));
  }
}

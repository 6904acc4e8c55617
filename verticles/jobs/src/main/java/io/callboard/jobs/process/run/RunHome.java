package io.callboard.jobs.process.run;

import io.callboard.jobs.process.OrphanSweep;
import java.nio.file.Path;

/**
 * Place where a node keeps its runs, and the two identities that it marks their processes with.
 *
 * @param data the data directory; made absolute
 * @param homeId of the data directory. Processes marked with it and with another boot are killed by
 *     {@link OrphanSweep} if their node has ended, so the node must hold the directory's exclusive
 *     lock
 * @param bootId of this start of the node
 * @param host named in error texts
 */
public record RunHome(Path data, String homeId, String bootId, String host) {

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

  /** The working directories, which are the jobs' own. */
  public Path runs() {
    return data.resolve("runs");
  }

  public Path directory(RunKey key) {
    return below(runs(), key);
  }

  /** What node, shims and guard keep of the runs, away from the working directories. */
  public Path control() {
    return data.resolve("control");
  }

  public Path control(RunKey key) {
    return below(control(), key);
  }

  public Path log(RunKey key) {
    return control(key).resolve("log");
  }

  // "open" is not a possible job id
  public Path openRuns() {
    return control().resolve("open");
  }

  public Path openRun(RunKey key) {
    return openRuns().resolve(openName(key));
  }

  public static String openName(RunKey key) {
    return key.jobId() + '_' + key.runId();
  }

  private static Path below(Path parent, RunKey key) {
    return parent.resolve(key.jobId()).resolve(Integer.toString(key.runId()));
  }
}

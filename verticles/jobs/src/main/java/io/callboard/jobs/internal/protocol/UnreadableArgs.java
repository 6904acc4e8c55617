package io.callboard.jobs.internal.protocol;

import io.callboard.jobs.model.JobRun;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hosts that gave a run of a job back, since their handlers cannot read its arguments: those of
 * another version may. The gate chooses others; a boot that is asked nevertheless, by an older
 * gate, makes a failed attempt.
 */
@Machine
public final class UnreadableArgs {
  /** Maximum number of hosts that are asked; what the next one gives back is a failed attempt. */
  public static final int MOST = 50;

  private static final int MOST_NAMED = 10;

  private UnreadableArgs() {}

  /** Returns whether the run of a job may be given back: its host was not asked before. */
  public static boolean mayAskAnother(JobData job) {
    JobRun run = job.lastRun();
    List<String> asked = known(job);
    return run != null && asked.size() < MOST && !asked.contains(boot(run));
  }

  /** Returns the boots that were asked, with that of the last run if there are not too many. */
  static List<String> asked(JobData job) {
    List<String> asked = new ArrayList<>(known(job));
    JobRun run = job.lastRun();
    if (run != null && asked.size() < MOST && !asked.contains(boot(run))) {
      asked.add(boot(run));
    }
    return List.copyOf(asked);
  }

  /** Returns why no host runs a job, for people. */
  public static String words(JobData job) {
    List<String> hosts = known(job).stream().map(UnreadableArgs::host).distinct().toList();
    int more = hosts.size() - MOST_NAMED;
    String why = reason(job);
    return "no host of type %s can read its arguments (asked: %s%s)%s"
        .formatted(
            job.spec().type(),
            String.join(", ", hosts.subList(0, Math.min(MOST_NAMED, hosts.size()))),
            more > 0 ? " and %d more".formatted(more) : "",
            why == null ? "" : ": " + why);
  }

  /** Returns why the host that gave a run back last cannot read the arguments; null if unknown. */
  public static @Nullable String reason(JobData job) {
    List<String> asked = known(job);
    String why = null;
    for (JobRun run : job.runs()) {
      if (asked.contains(boot(run))) {
        why = run.error();
      }
    }
    return why;
  }

  private static List<String> known(JobData job) {
    @Nullable List<String> known = job.unreadableAt();
    return known == null ? List.of() : known;
  }

  private static String boot(JobRun run) {
    return run.host() + "/" + run.boot();
  }

  private static String host(String boot) {
    return boot.substring(0, boot.lastIndexOf('/'));
  }
}

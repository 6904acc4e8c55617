package io.callboard.bench;

import io.callboard.bench.Case.Better;
import java.util.List;
import java.util.Map;

/**
 * Row of the jobs that one node takes and runs in a second: no-op jobs, whose handlers return at
 * once. No peer: {@link JobsPeer} has them, with the same jobs.
 */
final class JobThroughput implements Row {
  private static final int JOBS = 10_000;
  private static final int QUICK_JOBS = 3_000;
  private static final String RUN = "submitted and run";
  private static final String QUEUED = "queued, then run";

  @Override
  public String name() {
    return "job-throughput";
  }

  @Override
  public String about() {
    return "no-op jobs/s of one node in handlers, submissions/s with p50 and p99";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    int count = stage.quick() ? QUICK_JOBS : JOBS;
    try (Servers server = Servers.here(stage);
        OurJobs ours = new OurJobs(stage, server.connectString())) {
      Rounds rounds =
          new Rounds(stage)
              .with(RUN, warmup -> figures(ours.run(count)))
              .with(QUEUED, warmup -> figures(ours.queueThenRun(count)))
              .play();
      return List.of(
          one("no-op jobs from submission to success", "jobs/s", Better.HIGHER, rounds, RUN, 0),
          one("no-op jobs that wait, to success", "jobs/s", Better.HIGHER, rounds, QUEUED, 0),
          one("submissions alone", "jobs/s", Better.HIGHER, rounds, QUEUED, 1),
          one("submission alone, 512 under way, p50", "ms", Better.LOWER, rounds, QUEUED, 2),
          one("submission alone, 512 under way, p99", "ms", Better.LOWER, rounds, QUEUED, 3),
          one("submission while jobs run, 512 under way, p50", "ms", Better.LOWER, rounds, RUN, 2),
          one("submission while jobs run, 512 under way, p99", "ms", Better.LOWER, rounds, RUN, 3));
    }
  }

  private static double[] figures(OurJobs.Round round) {
    return new double[] {round.ended(), round.submitted(), round.p50Ms(), round.p99Ms()};
  }

  private static Case one(
      String name, String unit, Better better, Rounds rounds, String contender, int figure) {
    return new Case(name, unit, better, rounds.of(contender, figure), Map.of());
  }
}

package io.callboard.bench;

import io.callboard.testkit.PostgresServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Row of the time from the acceptance of a no-op job until it begins, at some paces, beside
 * db-scheduler and JobRunr on PostgreSQL, each with its defaults and tuned; a quick one has the
 * tuned ones only, as the defaults poll every 10 and 15 s.
 */
final class JobLatency implements Row {
  private static final String OURS = "callboard";
  private static final int[] PACES = {1, 10, 100};
  private static final int SECONDS = 30;
  private static final int QUICK_SECONDS = 5;
  private static final int LIMIT_S = 120;

  /** Jobs before each measurement, which are not counted. */
  private static final int WARMUP = 500;

  /** Submission of one job with a number, which returns when it is durable. */
  private interface Submit {
    void job(long number) throws Exception;
  }

  /** Scheduler that calls a listener when a job begins. */
  private interface Opening {
    Opened open(LongConsumer begun) throws Exception;
  }

  private record Opened(Submit submit, AutoCloseable scheduler) {}

  @Override
  public String name() {
    return "job-latency";
  }

  @Override
  public String about() {
    return "ms from acceptance to begin at 1, 10 and 100 jobs/s; peers: db-scheduler, JobRunr";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    Map<String, Map<String, Measurement>> figures = new LinkedHashMap<>();
    try (Servers server = Servers.here(stage);
        PostgresServer database =
            PostgresServer.isInstalled() ? PostgresServer.start(true) : null) {
      measure(
          stage,
          OURS,
          figures,
          begun -> {
            OurJobs ours = new OurJobs(stage, server.connectString(), begun);
            return new Opened(ours::submit, ours);
          });
      if (database == null) {
        System.err.println("job-latency: PostgreSQL is not installed here, so there is no peer");
      } else {
        String dbScheduler = database.schema("dbscheduler");
        String jobRunr = database.schema("jobrunr");
        for (boolean tuned : stage.quick() ? List.of(true) : List.of(false, true)) {
          String how = tuned ? "tuned" : "defaults";
          measure(
              stage,
              "db-scheduler, " + how,
              figures,
              begun -> opened(new DbSchedulerJobs(dbScheduler, tuned, begun)));
          measure(
              stage,
              "JobRunr, " + how,
              figures,
              begun -> opened(new JobRunrJobs(jobRunr, tuned, begun)));
        }
      }
    }
    List<Case> cases = new ArrayList<>();
    figures.forEach(
        (name, all) -> {
          Map<String, Measurement> peers = new LinkedHashMap<>(all);
          Measurement ours = peers.remove(OURS);
          cases.add(new Case(name, "ms", Case.Better.LOWER, ours, peers));
        });
    return cases;
  }

  private static Opened opened(JobPeer peer) {
    return new Opened(peer::submit, peer);
  }

  private static void measure(
      Stage stage, String contender, Map<String, Map<String, Measurement>> figures, Opening opening)
      throws Exception {
    Map<Long, Long> begun = new ConcurrentHashMap<>();
    Opened opened = opening.open(number -> begun.put(number, System.nanoTime()));
    try (AutoCloseable scheduler = opened.scheduler()) {
      long number = flood(opened.submit(), begun);
      for (int pace : PACES) {
        int count = pace * (stage.quick() ? QUICK_SECONDS : SECONDS);
        Map<Long, Long> accepted = new LinkedHashMap<>();
        long first = System.nanoTime();
        for (int i = 0; i < count; i++) {
          long wait = first + i * TimeUnit.SECONDS.toNanos(1) / pace - System.nanoTime();
          if (wait > 0) {
            TimeUnit.NANOSECONDS.sleep(wait);
          }
          opened.submit().job(++number);
          accepted.put(number, System.nanoTime());
        }
        await(begun, number);
        Latencies latencies = new Latencies();
        accepted.forEach((job, at) -> latencies.add(Math.max(0, begun.get(job) - at)));
        double[] micros = latencies.micros(0.5, 0.99);
        Progress.say(contender, 0, new double[] {pace, micros[0] / 1e3, micros[1] / 1e3});
        note(figures, "at %d a second, p50".formatted(pace), contender, micros[0]);
        note(figures, "at %d a second, p99".formatted(pace), contender, micros[1]);
      }
    }
  }

  private static void note(
      Map<String, Map<String, Measurement>> figures, String name, String contender, double micros) {
    figures
        .computeIfAbsent(name, key -> new LinkedHashMap<>())
        .put(contender, Measurement.of(List.of(micros / 1e3)));
  }

  /** Submits jobs at once, and waits until all have begun; returns the number of the last. */
  private static long flood(Submit submit, Map<Long, Long> begun) throws Exception {
    for (long number = 1; number <= WARMUP; number++) {
      submit.job(number);
    }
    await(begun, WARMUP);
    return WARMUP;
  }

  private static void await(Map<Long, Long> begun, long all) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    CountDownLatch never = new CountDownLatch(1);
    while (begun.size() < all) {
      if (System.nanoTime() - deadline > 0 || never.await(5, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException(
            "%d jobs have not begun within %d s".formatted(all - begun.size(), LIMIT_S));
      }
    }
  }
}

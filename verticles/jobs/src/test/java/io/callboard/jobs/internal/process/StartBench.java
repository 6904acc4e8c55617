package io.callboard.jobs.internal.process;

import static io.callboard.testkit.Futures.await;

import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.RunDirectories;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunResult;
import io.callboard.jobs.internal.runner.StartPermits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Benchmark of {@code true} from start to result. Arguments: directory, runs, concurrent ones. */
final class StartBench {
  private static final int ROUNDS = 4;

  private StartBench() {}

  public static void main(String[] args) throws Exception {
    Path data = Files.createDirectories(Path.of(args[0]));
    int runs = Integer.parseInt(args[1]);
    int concurrent = Integer.parseInt(args[2]);
    Vertx vertx = Vertx.vertx();
    RunHome home = RunFixture.home(data, UUID.randomUUID().toString());
    ProcessRunner runner =
        await(
            ProcessRunner.open(
                vertx, home, LogLimits.DEFAULT, Clock.systemUTC(), new StartPermits()));
    for (int round = 0; round < ROUNDS; round++) {
      String jobId = UUID.randomUUID().toString();
      long[] nanos = new long[runs];
      AtomicInteger next = new AtomicInteger();
      CountDownLatch left = new CountDownLatch(runs);
      long begin = System.nanoTime();
      for (int i = 0; i < concurrent; i++) {
        vertx.runOnContext(go -> next(runner, jobId, next, nanos, left));
      }
      left.await();
      long took = System.nanoTime() - begin;
      Arrays.sort(nanos);
      System.out.printf(
          "%d at once: %d runs/s, start to result: median %.1f ms, p99 %.1f ms%n",
          concurrent,
          runs * 1_000_000_000L / took,
          nanos[runs / 2] / 1e6,
          nanos[runs * 99 / 100] / 1e6);
      new RunDirectories(home, LogLimits.DEFAULT).remove(jobId);
    }
    await(runner.close("done"));
    await(vertx.close());
  }

  private static void next(
      ProcessRunner runner, String jobId, AtomicInteger next, long[] nanos, CountDownLatch left) {
    int index = next.getAndIncrement();
    if (index >= nanos.length) {
      return;
    }
    long begin = System.nanoTime();
    RunRequest request = RunFixture.request(new RunKey(jobId, index + 1), Map.of(), 1, "", "true");
    Future<RunResult> result = runner.start(request, runner.term()).compose(Run::result);
    result.onComplete(
        done -> {
          nanos[index] = System.nanoTime() - begin;
          left.countDown();
          next(runner, jobId, next, nanos, left);
        });
  }
}

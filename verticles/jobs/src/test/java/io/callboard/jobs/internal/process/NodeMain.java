package io.callboard.jobs.internal.process;

import static io.callboard.testkit.Futures.await;

import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.StartPermits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/**
 * A node for {@link NodeDeathTest} to kill: data directory, boot id, job id, for how many
 * milliseconds its runs may go on from each moment at which it is not frozen, once its standard
 * input has ended, and one script per run.
 */
final class NodeMain {
  private NodeMain() {}

  public static void main(String[] args) throws IOException {
    RunHome home = RunFixture.home(Path.of(args[0]), args[1]);
    Vertx vertx = Vertx.vertx();
    ProcessRunner runner =
        await(
            ProcessRunner.open(
                vertx, home, LogLimits.DEFAULT, Clock.systemUTC(), new StartPermits()));
    long mayRunNs = Long.parseLong(args[3]) * 1_000_000;
    for (int i = 4; i < args.length; i++) {
      RunKey key = new RunKey(args[2], i - 3);
      RunRequest request = RunFixture.request(key, Map.of(), 7, "", "sh", "-c", args[i]);
      runner
          .start(request, runner.term())
          .onSuccess(run -> System.out.println("started " + key))
          .compose(Run::result)
          .onSuccess(result -> System.out.println("ended " + key + " " + result));
    }
    int end = System.in.read();
    renew(runner, mayRunNs).onSuccess(ended -> System.out.println("renewed"));
    long unused = vertx.setPeriodic(100, id -> renew(runner, mayRunNs));
  }

  private static Future<Boolean> renew(ProcessRunner runner, long mayRunNs) {
    return runner.mayRunUntil(System.nanoTime() + mayRunNs);
  }
}

package io.callboard.jobs.process;

import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/**
 * A node for {@link NodeDeathTest} to kill: data directory, boot id, job id and one script per run.
 */
final class NodeMain {
  private NodeMain() {}

  public static void main(String[] args) {
    RunHome home = RunFixture.home(Path.of(args[0]), args[1]);
    ProcessRunner runner =
        Await.get(ProcessRunner.open(Vertx.vertx(), home, LogLimits.DEFAULT, Clock.systemUTC()));
    for (int i = 3; i < args.length; i++) {
      RunKey key = new RunKey(args[2], i - 2);
      RunRequest request = new RunRequest(key, List.of("sh", "-c", args[i]), Map.of(), 7, "");
      runner
          .start(request)
          .onSuccess(run -> System.out.println("started " + key))
          .compose(Run::result)
          .onSuccess(result -> System.out.println("ended " + key + " " + result.exitCode()));
    }
  }
}

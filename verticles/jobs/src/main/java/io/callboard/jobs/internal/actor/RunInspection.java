package io.callboard.jobs.internal.actor;

import io.callboard.Callboard;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.RunLook;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.Runner;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers of a host to the gate how runs are that make no progress. */
final class RunInspection {
  private static final Logger log = LoggerFactory.getLogger(RunInspection.class);

  private final Callboard callboard;
  private final String host;
  private final Runner runner;
  private final RunWatch watch;
  private final Predicate<RunKey> hasEnded;
  private final Function<List<String>, List<String>> disown;

  /**
   * Creates the answers of a host.
   *
   * @param hasEnded whether a run has ended, and its job does not know it yet
   * @param disown refuses the runs that are not here, and returns them
   */
  RunInspection(
      Callboard callboard,
      String host,
      Runner runner,
      RunWatch watch,
      Predicate<RunKey> hasEnded,
      Function<List<String>, List<String>> disown) {
    this.callboard = callboard;
    this.host = host;
    this.runner = runner;
    this.watch = watch;
    this.hasEnded = hasEnded;
    this.disown = disown;
  }

  /**
   * Answers after a new look at the files of the runs, so not while these cannot be read. On the
   * context of the watch.
   */
  void begin(List<String> runs) {
    watch.look().onSuccess(seen -> look(runs));
  }

  private void look(List<String> runs) {
    List<String> gone = disown.apply(runs);
    List<RunKey> there =
        runs.stream().filter(run -> !gone.contains(run)).map(RunKey::parse).toList();
    callboard
        .vertx()
        .executeBlocking(() -> runner.count(there), false)
        .compose(
            counts ->
                callboard
                    .durableRef(Gate.PATH, GateCommand.class)
                    .tell(
                        new GateCommand.Inspected(
                            host, callboard.bootId(), looks(there, counts), gone)))
        .onFailure(
            cause ->
                log.warn(
                    "the gate could not be informed how runs {} are, it asks again: {}",
                    runs,
                    cause.toString()));
  }

  private Map<String, RunLook> looks(List<RunKey> runs, Map<RunKey, Integer> counts) {
    Map<String, RunLook> looks = new TreeMap<>();
    for (RunKey run : runs) {
      int count = counts.getOrDefault(run, 0);
      looks.put(run.toString(), new RunLook(count, watch.lastProgress(run), hasEnded.test(run)));
    }
    return looks;
  }
}

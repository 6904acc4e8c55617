package io.callboard.bench;

import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.KillReport.Outcome;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunResult;
import io.callboard.jobs.internal.runner.Runner;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Simulated processes of a host: a run starts and ends at once, or after a time that its job names,
 * and everything around it is real. What it leaves out of a real run is the process: {@code fork},
 * {@code exec}, and its directory.
 */
final class SimulatedProcesses implements Runner {
  /** Variable with the time that a run takes, in milliseconds. */
  static final String MILLIS = "MILLIS";

  /** Variable with the index of the type of a job, for the record. */
  static final String TYPE = "TYPE";

  /** Variable that is there if the job has the label that has a limit. */
  static final String LABELLED = "LABELLED";

  private static final long PID = ProcessHandle.current().pid();

  private final Context context;
  private final int host;
  private final @Nullable RunRecord record;
  private final Map<RunKey, SimulatedRun> live = new ConcurrentHashMap<>();
  private final Set<RunKey> refused = ConcurrentHashMap.newKeySet();

  /** Run that is alive. */
  private final class SimulatedRun {
    final Promise<RunResult> end = ((VertxInternal) context.owner()).getOrCreateContext().promise();
    final Instant begun = Instant.now();
    private int number;
    private int type;
    private boolean labelled;
    private int millis;

    void begins(int itsType, boolean hasLabel, int lasts) {
      type = itsType;
      labelled = hasLabel;
      millis = lasts;
      number = record == null ? 0 : record.begins(type, labelled, host, millis);
    }

    void ends() {
      if (record != null) {
        record.ends(number, type, labelled, host, millis);
      }
    }
  }

  /**
   * @param context context on which the runs end
   * @param host number of the host in the record
   * @param record where begins and ends of runs go; null for nowhere
   */
  SimulatedProcesses(Context context, int host, @Nullable RunRecord record) {
    this.context = context;
    this.host = host;
    this.record = record;
  }

  @Override
  public void onFailedKill(Consumer<KillReport> listener) {
    // no kill fails
  }

  @Override
  public Future<Boolean> mayRunUntil(long untilNanos) {
    return Future.succeededFuture(false); // nothing here outlives its JVM, and no row freezes it
  }

  @Override
  public boolean takesRuns() {
    return true;
  }

  @Override
  public boolean isClosed() {
    return false;
  }

  @Override
  public int term() {
    return 0;
  }

  @Override
  public boolean refuse(RunKey key) {
    refused.add(key);
    return !live.containsKey(key);
  }

  @Override
  public Future<Run> start(RunRequest request, int term) {
    RunKey key = request.key();
    SimulatedRun run = new SimulatedRun();
    if (refused.contains(key)) {
      return Future.failedFuture(RunException.refused(key));
    } else if (live.putIfAbsent(key, run) != null) {
      return Future.failedFuture(RunException.alreadyStarted(key));
    }
    long millis = Long.parseLong(request.env().getOrDefault(MILLIS, "0"));
    run.begins(
        Integer.parseInt(request.env().getOrDefault(TYPE, "0")),
        request.env().containsKey(LABELLED),
        (int) millis);
    if (millis == 0) {
      context.runOnContext(v -> end(key, 0));
    } else {
      long unused = context.owner().setTimer(millis, timer -> end(key, 0));
    }
    return Future.succeededFuture(new Run(key, PID, run.begun, run.end.future()));
  }

  private void end(RunKey key, int code) {
    SimulatedRun run = live.remove(key);
    if (run != null) {
      run.ends();
      run.end.complete(new RunResult(code, Optional.empty(), false, run.begun, Instant.now()));
    }
  }

  @Override
  public void probe() {
    // it can start whatever comes
  }

  @Override
  public Set<RunKey> live() {
    return Set.copyOf(live.keySet());
  }

  @Override
  public Map<RunKey, Integer> count(Collection<RunKey> keys) {
    Map<RunKey, Integer> counts = new HashMap<>();
    keys.stream().filter(live::containsKey).forEach(key -> counts.put(key, 1));
    return counts;
  }

  @Override
  public Future<KillReport> kill(RunKey key, Duration grace, String reason) {
    boolean wasHere = live.containsKey(key);
    boolean unused = refused.add(key);
    end(key, RunResult.KILLED);
    return Future.succeededFuture(
        new KillReport(key, wasHere ? Outcome.KILLED : Outcome.NOT_RUNNING, List.of()));
  }

  @Override
  public Future<List<KillReport>> killAll(String reason) {
    List<KillReport> reports = new ArrayList<>();
    for (RunKey key : live()) {
      end(key, RunResult.KILLED);
      reports.add(new KillReport(key, Outcome.KILLED, List.of()));
    }
    return Future.succeededFuture(reports);
  }

  @Override
  public Future<List<KillReport>> close(String reason) {
    return killAll(reason);
  }
}

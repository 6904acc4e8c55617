package io.callboard.jobs.internal.process;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.callboard.jobs.internal.files.BlockingIo;
import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.RunDirectories;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.files.RunLog;
import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.KillReport.Outcome;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunResult;
import io.callboard.jobs.internal.runner.Runner;
import io.callboard.jobs.internal.runner.StartPermits;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runner of commands as processes of this host. May be used from any thread; futures complete on
 * the context of the caller. It limits nothing: how many run at once is the caller's decision.
 */
public final class ProcessRunner implements Runner {
  /** Interval of the checks of the size of the logs of live runs. */
  public static final Duration LOG_CHECK = Duration.ofMillis(200);

  /** Names of the environment variables that every process is given. */
  public static final Set<String> VARIABLES = ProcessMark.VARIABLES;

  /** Pause before the processes that a kill left are killed again. */
  static final Duration KILL_AGAIN = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(ProcessRunner.class);

  private final Vertx vertx;
  private final RunHome home;
  private final LogLimits limits;
  private final Clock clock;
  private final Duration killAgain;
  private final RunDirectories directories;
  private final Launcher launcher;
  private final RunEnding ending;
  private final GroupKill groupKill;
  private final Fence fence;
  private final ExecutorService starters;
  private final ScheduledExecutorService enders;
  private final Map<RunKey, LiveRun> live = new ConcurrentHashMap<>();
  private final StartPermits startPermits;
  private volatile Consumer<String> onFence = reason -> {};
  private volatile boolean closed;
  private volatile Consumer<KillReport> onFailedKill =
      report -> LOG.error("processes of run {} are left: {}", report.key(), report.survivors());

  private ProcessRunner(
      Vertx vertx,
      RunHome home,
      LogLimits limits,
      Clock clock,
      ProcessTable table,
      Duration killAgain,
      StartPermits startPermits) {
    this.vertx = vertx;
    this.startPermits = startPermits;
    this.home = home;
    this.limits = limits;
    this.clock = clock;
    this.killAgain = killAgain;
    this.directories = new RunDirectories(home, limits);
    this.launcher = new Launcher(home, directories);
    this.ending = new RunEnding(home, clock);
    int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
    this.starters = Executors.newFixedThreadPool(threads, daemons("callboard-run-start"));
    this.enders = Executors.newScheduledThreadPool(2, daemons("callboard-run-end"));
    this.groupKill = new GroupKill(home, table, enders);
    this.fence =
        new Fence(
            RunWatchdog.install(home, System::nanoTime),
            Executors.newSingleThreadScheduledExecutor(daemons("callboard-run-fence")),
            this::fence,
            System::nanoTime);
    var unused =
        enders.scheduleWithFixedDelay(
            this::boundLogs, LOG_CHECK.toMillis(), LOG_CHECK.toMillis(), MILLISECONDS);
  }

  private static ThreadFactory daemons(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Prepares the data directory and returns the runner. Fails with a {@link RunException} if the
   * directory cannot be written or this system cannot start a session.
   *
   * @param permits permits to start of its host
   */
  public static Future<ProcessRunner> open(
      Vertx vertx, RunHome home, LogLimits limits, Clock clock, StartPermits permits) {
    return open(vertx, home, limits, clock, new ProcessTable(), KILL_AGAIN, permits);
  }

  static Future<ProcessRunner> open(
      Vertx vertx,
      RunHome home,
      LogLimits limits,
      Clock clock,
      ProcessTable table,
      Duration killAgain,
      StartPermits permits) {
    return vertx.executeBlocking(
        () -> new ProcessRunner(vertx, home, limits, clock, table, killAgain, permits), false);
  }

  @Override
  public void onFailedKill(Consumer<KillReport> listener) {
    onFailedKill = listener;
  }

  /** Sets the listener of the reason why the runs of this host have to end; on any thread. */
  public void onFence(Consumer<String> listener) {
    onFence = listener;
  }

  @Override
  public Future<Boolean> mayRunUntil(long untilNanos) {
    return Future.fromCompletionStage(fence.renew(untilNanos), vertx.getOrCreateContext());
  }

  @Override
  public boolean takesRuns() {
    return !closed && !fence.isOver();
  }

  private void fence() {
    startPermits.endTerm();
    onFence.accept(Fence.REASON);
    if (!live.isEmpty()) {
      LOG.warn(
          "no contact with ZooKeeper for a session timeout: all job runs of this host are killed");
      killAll(Fence.REASON)
          .onFailure(
              cause ->
                  LOG.error(
                      "job runs of this host could not be killed and may still be alive", cause));
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public int term() {
    return startPermits.term();
  }

  @Override
  public boolean refuse(RunKey key) {
    startPermits.refuse(key);
    return !live.containsKey(key); // in this order, as a start checks the other way round
  }

  @Override
  public Future<Run> start(RunRequest request, int term) {
    Context context = vertx.getOrCreateContext();
    RunKey key = request.key();
    LiveRun run = new LiveRun(request, new RunLog(home.log(key), limits));
    if (closed) {
      return Future.failedFuture(RunException.closed());
    }
    if (live.putIfAbsent(key, run) != null) {
      return Future.failedFuture(RunException.alreadyStarted(key));
    }
    if (!startPermits.admits(key, term)) {
      live.remove(key, run);
      RunException refused = RunException.refused(key);
      run.process.completeExceptionally(refused); // a kill may be waiting for it
      run.ended.completeExceptionally(refused);
      return Future.failedFuture(refused);
    }
    Future<RunResult> result = Future.fromCompletionStage(run.ended, context);
    try {
      starters.execute(() -> launch(run));
    } catch (RejectedExecutionException e) {
      live.remove(key, run);
      return Future.failedFuture(RunException.closed());
    }
    return Future.fromCompletionStage(run.process, context)
        .map(process -> new Run(key, process.pid(), run.startedAt(), result));
  }

  @Override
  public void probe() {
    directories.probe();
    launcher.probe();
  }

  @Override
  public Set<RunKey> live() {
    return Set.copyOf(live.keySet());
  }

  @Override
  public Map<RunKey, Integer> count(Collection<RunKey> keys) {
    BlockingIo.check();
    Map<RunKey, Process> started = new HashMap<>();
    for (RunKey key : keys) {
      LiveRun run = live.get(key);
      if (run != null && run.process.isDone() && !run.process.isCompletedExceptionally()) {
        started.put(key, run.process.join());
      }
    }
    return groupKill.count(started);
  }

  @Override
  public Future<KillReport> kill(RunKey key, Duration grace, String reason) {
    Context context = vertx.getOrCreateContext();
    startPermits.refuse(key);
    LiveRun run = live.get(key);
    if (run == null) {
      return Future.succeededFuture(KillReport.notRunning(key));
    }
    KillReport failed = run.failedKill();
    if (failed != null) {
      return Future.succeededFuture(failed); // it is being killed again
    }
    run.killFor(reason);
    CompletableFuture<KillReport> gone = new CompletableFuture<>();
    run.isKilledBy(gone);
    CompletableFuture<KillReport> report =
        run.process
            .handleAsync(
                (process, neverStarted) ->
                    neverStarted == null
                        ? terminate(run, process, grace, gone)
                        : CompletableFuture.completedFuture(KillReport.notRunning(key)),
                enders)
            .thenCompose(each -> each);
    return Future.fromCompletionStage(report, context);
  }

  private CompletableFuture<KillReport> terminate(
      LiveRun run, Process process, Duration grace, CompletableFuture<KillReport> gone) {
    CompletableFuture<KillReport> tried = groupKill.terminate(run, process, grace);
    untilGone(run, process, tried, gone);
    return tried.thenCompose(report -> run.endedAfter(report));
  }

  @Override
  public Future<List<KillReport>> killAll(String reason) {
    startPermits.endTerm(); // first: a start that is not seen below sees this
    Context context = vertx.getOrCreateContext();
    List<LiveRun> runs = List.copyOf(live.values());
    Map<LiveRun, CompletableFuture<KillReport>> gone = new HashMap<>();
    for (LiveRun run : runs) {
      run.abandonFor(reason);
      if (run.failedKill() == null) {
        gone.put(run, new CompletableFuture<>());
        run.isKilledBy(gone.get(run));
      }
    }
    for (LiveRun run : runs) {
      // at once, whatever the other threads are doing
      var unused = run.process.thenAccept(LiveRun::closePipe);
    }
    // those that run in one look; a start that hangs holds up none of them
    List<LiveRun> started = runs.stream().filter(run -> run.process.isDone()).toList();
    List<LiveRun> starting = new ArrayList<>(runs);
    starting.removeAll(started);
    List<CompletableFuture<List<KillReport>>> kills = new ArrayList<>();
    kills.add(killAfter(CompletableFuture.completedFuture(null), started, gone));
    starting.forEach(run -> kills.add(killAfter(run.process, List.of(run), gone)));
    CompletableFuture<List<KillReport>> reports =
        CompletableFuture.allOf(kills.toArray(CompletableFuture<?>[]::new))
            .thenApply(all -> kills.stream().flatMap(kill -> kill.join().stream()).toList());
    return Future.fromCompletionStage(reports, context);
  }

  private CompletableFuture<List<KillReport>> killAfter(
      CompletableFuture<?> start,
      List<LiveRun> runs,
      Map<LiveRun, CompletableFuture<KillReport>> gone) {
    return start
        .handle((started, failed) -> runs)
        .thenComposeAsync(all -> killStarted(all, gone), enders);
  }

  @Override
  public Future<List<KillReport>> close(String reason) {
    closed = true;
    return killAll(reason)
        .onComplete(
            done -> {
              starters.shutdown();
              enders.shutdown();
              fence.close();
            });
  }

  /**
   * Kills runs, and completes each of {@code gone} when no process of that run is left: its result
   * waits for it. Runs without one are being killed again already.
   */
  private CompletableFuture<List<KillReport>> killStarted(
      List<LiveRun> runs, Map<LiveRun, CompletableFuture<KillReport>> gone) {
    Map<LiveRun, Process> started = new LinkedHashMap<>();
    for (LiveRun run : runs) {
      if (!run.process.isCompletedExceptionally()) {
        started.put(run, run.process.join());
      }
    }
    List<LiveRun> order = List.copyOf(started.keySet());
    CompletableFuture<List<KillReport>> tried = groupKill.kill(started, Outcome.KILLED);
    for (int i = 0; i < order.size(); i++) {
      LiveRun run = order.get(i);
      int own = i;
      CompletableFuture<KillReport> itsGone = gone.get(run);
      if (itsGone != null) {
        Process process = run.process.join();
        untilGone(run, process, tried.thenApply(reports -> reports.get(own)), itsGone);
      }
    }
    return tried.thenCompose(
        reports -> {
          List<CompletableFuture<KillReport>> ended = new ArrayList<>();
          for (int i = 0; i < order.size(); i++) {
            ended.add(order.get(i).endedAfter(reports.get(i)));
          }
          return CompletableFuture.allOf(ended.toArray(CompletableFuture<?>[]::new))
              .thenApply(all -> reports);
        });
  }

  /**
   * Completes {@code gone} once a kill has left nothing; one that left processes is reported, and
   * repeated after a pause.
   */
  private void untilGone(
      LiveRun run,
      Process process,
      CompletableFuture<KillReport> tried,
      CompletableFuture<KillReport> gone) {
    var unused =
        tried.whenComplete(
            (report, failed) -> {
              if (failed != null) {
                gone.completeExceptionally(failed);
              } else if (report.outcome() != Outcome.KILL_FAILED) {
                run.failedKill(null);
                gone.complete(report);
              } else {
                run.failedKill(report);
                onFailedKill.accept(report);
                killAgain(run, process, gone);
              }
            });
  }

  private void killAgain(LiveRun run, Process process, CompletableFuture<KillReport> gone) {
    try {
      var unused =
          enders.schedule(
              () ->
                  untilGone(
                      run,
                      process,
                      groupKill.kill(Map.of(run, process), Outcome.KILLED).thenApply(r -> r.get(0)),
                      gone),
              killAgain.toMillis(),
              MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("the runner is closed: processes of run {} are left", run.key(), e);
    }
  }

  private void launch(LiveRun run) {
    try {
      if (closed) {
        throw RunException.closed();
      }
      if (fence.isOver()) {
        run.abandonFor(Fence.REASON);
      }
      if (!run.killReason().isEmpty()) {
        throw RunException.killed(run.key(), run.isAbandoned(), run.killReason());
      }
      run.startedAt(clock.instant());
      Process process =
          launcher.launch(run.request, run.log, run.startedAt(), fence.endsAtUptime());
      var unused = process.onExit().thenAcceptAsync(ended -> end(run, ended), enders);
      run.process.complete(process);
      limitTime(run);
    } catch (Throwable e) {
      if (e.getCause() instanceof OutOfMemoryError) {
        groupKill.killTagged(run.key());
      }
      live.remove(run.key(), run);
      run.process.completeExceptionally(e);
      run.ended.completeExceptionally(e);
    }
  }

  /**
   * Starts the time limit of a run, here, as the actor that asked for the run may be restarted
   * meanwhile.
   */
  private void limitTime(LiveRun run) {
    Duration timeout = run.request.timeout();
    if (timeout == null) {
      return;
    }
    try {
      var unused =
          enders.schedule(
              () -> {
                if (live.get(run.key()) == run) {
                  kill(
                          run.key(),
                          KILL_GRACE,
                          "its run timeout of %s has elapsed".formatted(timeout))
                      .onFailure(cause -> LOG.error("run {} cannot be killed", run.key(), cause));
                }
              },
              Math.max(1, Time.atMostLongest(timeout).toMillis()),
              MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("the runner is closed: run {} has been killed", run.key(), e);
    }
  }

  /** Ends a run whose shim has ended; after a kill, when no process of it is left. */
  private void end(LiveRun run, Process process) {
    boolean ownEnd = process.exitValue() == RunResult.KILLED && ending.hasRecord(run);
    boolean unexpected = !ownEnd && run.killReason().isEmpty();
    if (!ownEnd && fence.isOver()) {
      run.abandonFor(Fence.REASON); // the watchdog killed it
    }
    CompletableFuture<?> kill = run.kill();
    if (kill == null && (unexpected || run.isAbandoned())) {
      // the shim was killed from outside, so its group may still be there
      CompletableFuture<KillReport> gone = new CompletableFuture<>();
      CompletableFuture<List<KillReport>> tried =
          groupKill.kill(Map.of(run, process), Outcome.KILLED);
      untilGone(run, process, tried.thenApply(reports -> reports.get(0)), gone);
      kill = gone;
    }
    if (kill == null) {
      finish(run, process);
    } else {
      var unused = kill.whenCompleteAsync((reports, failed) -> finish(run, process), enders);
    }
  }

  private void finish(LiveRun run, Process process) {
    RunResult result = ending.result(run, process);
    live.remove(run.key(), run);
    run.ended.complete(result);
  }

  private void boundLogs() {
    for (LiveRun run : live.values()) {
      try {
        run.log.boundLive();
      } catch (IOException | RuntimeException e) {
        LOG.warn("the log of run {} cannot be cut to its limit; it is tried again", run.key(), e);
      }
    }
  }
}

package io.callboard.jobs;

import io.callboard.jobs.internal.call.HandlerRunner;
import io.callboard.jobs.internal.process.ProcessRunner;
import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.Runner;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runners of a host as one: each run goes to the runner of its kind, and calls that end all runs go
 * to both runners. They share the permits to start, and so the term of the host.
 */
final class HostRunners implements Runner {
  private static final Logger log = LoggerFactory.getLogger(HostRunners.class);

  private final ProcessRunner processes;
  private final HandlerRunner handlers;

  HostRunners(ProcessRunner processes, HandlerRunner handlers) {
    this.processes = processes;
    this.handlers = handlers;
    processes.onFence(
        reason ->
            handlers
                .endAll(reason)
                .onFailure(cause -> log.error("handlers could not be ended", cause)));
  }

  private Runner of(RunKey key) {
    return handlers.has(key) ? handlers : processes;
  }

  @Override
  public void onFailedKill(Consumer<KillReport> listener) {
    processes.onFailedKill(listener);
    handlers.onFailedKill(listener);
  }

  @Override
  public Future<Boolean> mayRunUntil(long untilNanos) {
    return processes.mayRunUntil(untilNanos);
  }

  @Override
  public boolean takesRuns() {
    return processes.takesRuns() && handlers.takesRuns();
  }

  @Override
  public boolean isClosed() {
    return processes.isClosed();
  }

  @Override
  public int term() {
    return processes.term();
  }

  @Override
  public boolean refuse(RunKey key) {
    return handlers.refuse(key) && processes.refuse(key);
  }

  @Override
  public Future<Run> start(RunRequest request, int term) {
    if (request.call() == null) {
      return processes.start(request, term);
    } else if (!processes.isClosed() && !takesRuns()) {
      return Future.failedFuture(
          RunException.killed(request.key(), true, "its host has no contact with ZooKeeper"));
    }
    return handlers.start(request, term);
  }

  @Override
  public void probe() {
    processes.probe();
  }

  @Override
  public Set<RunKey> live() {
    Set<RunKey> all = new HashSet<>(processes.live());
    all.addAll(handlers.live());
    return all;
  }

  @Override
  public Map<RunKey, Integer> count(Collection<RunKey> keys) {
    Map<RunKey, Integer> counts = new HashMap<>(processes.count(keys));
    counts.putAll(handlers.count(keys));
    return counts;
  }

  @Override
  public Future<KillReport> kill(RunKey key, Duration grace, String reason) {
    return of(key).kill(key, grace, reason);
  }

  @Override
  public Future<List<KillReport>> killAll(String reason) {
    return both(processes.killAll(reason), handlers.killAll(reason));
  }

  @Override
  public Future<List<KillReport>> close(String reason) {
    return both(processes.close(reason), handlers.close(reason));
  }

  private static Future<List<KillReport>> both(
      Future<List<KillReport>> first, Future<List<KillReport>> second) {
    return Future.join(first, second)
        .map(
            done -> {
              List<KillReport> all = new ArrayList<>(first.result());
              all.addAll(second.result());
              return all;
            });
  }
}

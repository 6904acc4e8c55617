package io.callboard.workflows;

import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepReports;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Reports of a test, as its instances would get them: the first of a run counts. */
public final class RecordedReports implements StepReports {
  public final Map<StepRunKey, StepOutcome> done = new ConcurrentHashMap<>();
  final Map<StepRunKey, String> lost = new ConcurrentHashMap<>();
  final Map<StepRunKey, WorkerId> given = new ConcurrentHashMap<>();
  final Map<StepRunKey, String> accepted = new ConcurrentHashMap<>();
  final Map<StepRunKey, String> workers = new ConcurrentHashMap<>();

  /** Runs that were settled more than once, with different words. */
  final List<String> contradictions = new CopyOnWriteArrayList<>();

  /** Number of reports that fail from now on. */
  final AtomicInteger failing = new AtomicInteger();

  @Override
  public void given(StepRunKey run, WorkerId worker) {
    given.put(run, worker);
  }

  @Override
  public void accepted(StepRunKey run, String node, String worker) {
    accepted.put(run, worker);
  }

  @Override
  public Future<Boolean> isOpen(StepRunKey run) {
    return Future.succeededFuture(!done.containsKey(run) && !lost.containsKey(run));
  }

  @Override
  public Future<Void> done(StepRunKey run, String node, String worker, StepOutcome outcome) {
    if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      return Future.failedFuture("the instance is away");
    }
    StepOutcome before = done.putIfAbsent(run, outcome);
    if (lost.containsKey(run) || (before != null && !before.equals(outcome))) {
      contradictions.add(run + ": " + before + " and " + outcome);
    }
    if (worker != null) {
      workers.put(run, worker);
    }
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> lost(StepRunKey run, String node, String cause) {
    lost.put(run, cause);
    return Future.succeededFuture();
  }
}

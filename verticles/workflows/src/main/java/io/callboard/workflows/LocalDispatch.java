package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.time.Time.Alarm;
import io.callboard.workflows.protocol.RequestAnswer;
import io.callboard.workflows.protocol.RunPlace;
import io.callboard.workflows.protocol.StepDispatch;
import io.callboard.workflows.protocol.StepOutcome;
import io.callboard.workflows.protocol.StepReports;
import io.callboard.workflows.protocol.StepRequest;
import io.callboard.workflows.protocol.StepRunKey;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Runs requested steps at once, with the handlers of this node, on one of its contexts. */
final class LocalDispatch implements StepDispatch {
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Callboard callboard;
  private final Workers workers;
  private final StepReports reports;
  private final Context context;
  private final Map<StepRunKey, Running> running = new ConcurrentHashMap<>();

  /**
   * Run under way.
   *
   * @param since its start
   * @param cancel to complete when it is to end
   */
  private record Running(Instant since, Promise<Void> cancel) {}

  LocalDispatch(Callboard callboard, Workers workers, StepReports reports) {
    this.callboard = callboard;
    this.workers = workers;
    this.reports = reports;
    this.context = callboard.vertx().getOrCreateContext();
  }

  @Override
  public Future<RequestAnswer> request(StepRequest request) {
    StepHandler handler = workers.find(request.type()).orElse(null);
    if (handler == null) {
      return Future.succeededFuture(
          new RequestAnswer.Refused("no worker offers " + request.type(), AGAIN));
    }
    Running run = new Running(callboard.time().clock().instant(), Promise.promise());
    if (running.putIfAbsent(request.key(), run) == null) {
      context.runOnContext(unused -> run(request, handler, run));
    }
    return Future.succeededFuture(new RequestAnswer.Queued(1, callboard.node()));
  }

  private void run(StepRequest request, StepHandler handler, Running run) {
    Future<JsonNode> result;
    try {
      result = handler.run(new LocalRun(request, run.cancel().future()));
    } catch (RuntimeException e) {
      result = Future.failedFuture(e);
    }
    if (request.timeout() != null) {
      result = result.timeout(request.timeout().toMillis(), TimeUnit.MILLISECONDS);
    }
    Future<JsonNode> bounded = result;
    Promise<Void> end = Promise.promise();
    bounded.onComplete(unused -> end.tryComplete());
    run.cancel().future().onComplete(unused -> end.tryComplete());
    end.future().onSuccess(unused -> report(request, outcome(bounded, run)));
  }

  private static StepOutcome outcome(AsyncResult<JsonNode> result, Running run) {
    if (result.succeeded()) {
      return StepOutcome.succeeded(result.result());
    } else if (run.cancel().future().isComplete()) {
      return StepOutcome.cancelled("it was cancelled");
    }
    return StepOutcome.failed(String.valueOf(result.cause()));
  }

  private void report(StepRequest request, StepOutcome outcome) {
    reports
        .done(request.key(), request.node(), callboard.node(), outcome)
        .onSuccess(durable -> running.remove(request.key()))
        .onFailure(
            cause -> {
              Alarm unused = callboard.time().after(context, AGAIN, () -> report(request, outcome));
            });
  }

  @Override
  public Future<Void> cancel(StepRunKey run) {
    Running its = running.get(run);
    if (its != null) {
      its.cancel().tryComplete();
      return Future.succeededFuture();
    }
    return reports.done(run, null, null, StepOutcome.cancelled("it had not begun"));
  }

  @Override
  public Future<List<RunPlace>> places(String instance) {
    List<RunPlace> places = new ArrayList<>();
    running.forEach(
        (key, run) -> {
          if (key.instance().equals(instance)) {
            places.add(
                new RunPlace(
                    key,
                    RunPlace.State.RUNNING,
                    callboard.node(),
                    callboard.node(),
                    run.since(),
                    null,
                    null,
                    null));
          }
        });
    return Future.succeededFuture(places);
  }

  @Override
  public Runnable onNewDesk(Runnable listener) {
    return () -> {};
  }
}

package io.callboard.dashboard.internal.rest;

import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Caller;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.contract.Problems;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobLog;
import io.callboard.time.Time;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Followed logs, each read again at every tick while it has a watcher. A failure that may pass is
 * reported and waited out, also at the first reading: a browser gives up for good an event source
 * whose first response is an error.
 */
public final class LogFollow {
  /** Maximum number of simultaneous watchers. */
  static final int MOST = 100;

  private static final int QUIET_TICKS = 15;

  private final Vertx vertx;
  private final Time time;
  private final Jobs jobs;
  private final Duration tick;
  private final Set<HttpServerResponse> open = ConcurrentHashMap.newKeySet();

  public LogFollow(Vertx vertx, Time time, Jobs jobs, Duration tick) {
    this.vertx = vertx;
    this.time = time;
    this.jobs = jobs;
    this.tick = tick;
  }

  /** Answers with the log so far, and goes on until the run is over or the client leaves. */
  Future<ApiResponse> start(
      RoutingContext context, String id, @Nullable Integer run, @Nullable Integer tail) {
    if (open.size() >= MOST) {
      return Future.failedFuture(
          ProblemException.overloaded(
              "%d logs are being followed already, which is the limit of this node"
                  .formatted(MOST)));
    }
    return jobs.logs()
        .text(id, run, tail)
        .transform(
            first -> {
              if (first.failed() && !mayPass(first.cause())) {
                return Future.failedFuture(first.cause());
              }
              HttpServerResponse response = context.response();
              if (!response.closed()) {
                begin(response);
                new Watch(response, Caller.of(context), id, run).next(first);
              }
              return Future.succeededFuture(ApiResponse.taken());
            });
  }

  private void begin(HttpServerResponse response) {
    open.add(response);
    response.closeHandler(v -> open.remove(response));
    response.exceptionHandler(cause -> open.remove(response));
    response
        .putHeader("Content-Type", "text/event-stream; charset=utf-8")
        .putHeader("Content-Encoding", "identity")
        .setChunked(true);
  }

  private static boolean mayPass(Throwable cause) {
    return Problems.of(cause).kind().retryAfterSeconds() > 0;
  }

  /** Ends all watching; clients that want more connect again. */
  public void close() {
    open.removeIf(
        response -> {
          response.end();
          return true;
        });
  }

  /** Watcher of one log. */
  private final class Watch {
    private final HttpServerResponse response;
    private final Caller caller;
    private final String id;
    private final @Nullable Integer run;
    private final LogTail tail = new LogTail();
    private int quiet;

    Watch(HttpServerResponse response, Caller caller, String id, @Nullable Integer run) {
      this.response = response;
      this.caller = caller;
      this.id = id;
      this.run = run;
    }

    void next(AsyncResult<JobLog> reading) {
      if (!open.contains(response)) {
        return;
      }
      if (reading.succeeded()) {
        send(reading.result());
      } else {
        failed(reading.cause());
      }
    }

    private void send(JobLog log) {
      boolean nothing = true;
      for (String event : tail.next(log)) {
        response.write(event);
        nothing = false;
      }
      if (tail.isOver()) {
        end();
        return;
      }
      quiet = nothing ? quiet + 1 : 0;
      if (quiet >= QUIET_TICKS) {
        response.write(": nothing new\n\n");
        quiet = 0;
      }
      again();
    }

    private void again() {
      Time.Alarm unused = time.after(vertx.getOrCreateContext(), tick, this::poll);
    }

    private void poll() {
      if (!open.contains(response)) {
        return;
      }
      if (!caller.still().getAsBoolean()) {
        end(); // the session has ended
        return;
      }
      if (response.writeQueueFull()) {
        again();
        return;
      }
      jobs.logs().text(id, run, null).onComplete(this::next);
    }

    private void failed(Throwable cause) {
      boolean waits = mayPass(cause);
      String event = waits ? "waiting" : "problem";
      response.write("event: " + event + "\ndata: " + Problems.of(cause).json("") + "\n\n");
      if (waits) {
        again();
      } else {
        end();
      }
    }

    private void end() {
      if (open.remove(response)) {
        response.end();
      }
    }
  }
}

package io.callboard.jobs.internal.call;

import io.callboard.jobs.handler.JobContext;
import io.vertx.core.Future;
import java.util.Optional;

/** Context of a job's handler, backed by its call. */
final class CallContext<A> implements JobContext<A> {
  private final LiveCall call;
  private final int attempt;
  private final A args;

  /**
   * Creates the context of a call.
   *
   * @param attempt number of the attempt
   */
  CallContext(LiveCall call, int attempt, A args) {
    this.call = call;
    this.attempt = attempt;
    this.args = args;
  }

  @Override
  public String job() {
    return call.key().jobId();
  }

  @Override
  public int run() {
    return call.key().runId();
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public long epoch() {
    return call.request().epoch();
  }

  @Override
  public A args() {
    return args;
  }

  @Override
  public <C> Optional<C> checkpoint(Class<C> type) {
    return Checkpoints.read(job(), call.request().checkpoint(), type);
  }

  @Override
  public void checkpoint(Object state) {
    call.checkpoint(state);
  }

  @Override
  public void progress(String text) {
    call.progress(text);
  }

  @Override
  public void log(String line) {
    call.log().line(line);
  }

  @Override
  public Future<Void> cancelled() {
    return call.cancelled().future();
  }
}

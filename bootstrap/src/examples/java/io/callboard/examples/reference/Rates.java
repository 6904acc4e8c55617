package io.callboard.examples.reference;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Actor that answers with data of an external service: either the turn waits for the service, or
 * its answer is piped back as a message while others are handled.
 */
public final class Rates extends Actor<Rates.Request> {
  /** The protocol. */
  public sealed interface Request {
    /** Asks for the current rate. */
    record Read(String currency) implements Request {}

    /** Asks for the rate that was last read. */
    record Recall(String currency) implements Request {}

    /** Reads all rates again. */
    record Refresh() implements Request {}

    /** The rates of all currencies; empty if the service failed. */
    record Refreshed(Map<String, Rate> rates) implements Request {}
  }

  /** The answer. */
  public record Rate(double price) {}

  /** A client that completes what it gives on threads of its own. */
  public interface Service {
    CompletionStage<Rate> rate(String currency);

    CompletionStage<Map<String, Rate>> all();
  }

  private final Service service;
  private Map<String, Rate> rates = Map.of();

  public Rates(Service service) {
    this.service = service;
  }

  @Override
  protected void protocol(Protocol<Request> on) {
    on.async(Request.Read.class, this::read)
        .message(Request.Refresh.class, refresh -> refresh())
        .message(Request.Refreshed.class, done -> rates = done.rates())
        .message(
            Request.Recall.class,
            recall -> reply(rates.getOrDefault(recall.currency(), new Rate(Double.NaN))));
  }

  private Future<?> read(Request.Read read) {
    return inTurn(service.rate(read.currency())).onSuccess(this::reply);
  }

  private void refresh() {
    pipeToSelf(
        Future.fromCompletionStage(service.all()),
        done -> new Request.Refreshed(done.succeeded() ? done.result() : Map.of()));
  }
}

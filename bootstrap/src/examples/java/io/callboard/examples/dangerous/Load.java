package io.callboard.examples.dangerous;

import io.callboard.ActorRef;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Load of requests for prices and of orders, with the counts of their outcomes. */
final class Load {
  /** Time without an answer after which a request counts as lost. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final ActorRef<Request> prices;
  private final ActorRef<Request> orders;
  private final AtomicLong byService = new AtomicLong();
  private final AtomicLong byFallback = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile long pairs;

  Load(ActorRef<Request> prices, ActorRef<Request> orders) {
    this.prices = prices;
    this.orders = orders;
  }

  /** Sends one request of each kind; on one context. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  void send() {
    long number = ++pairs;
    counted(
        prices
            .ask(new Request.GetPrice(number), Request.Price.class, PATIENCE)
            .map(price -> price.old() ? byFallback : byService));
    counted(
        orders.ask(new Request.PutOrder(number), Request.Accepted.class, PATIENCE).map(byService));
  }

  private void counted(Future<AtomicLong> answer) {
    answer.onSuccess(AtomicLong::incrementAndGet).onFailure(cause -> failed.incrementAndGet());
  }

  long sent() {
    return 2 * pairs;
  }

  /** Orders among them. */
  long orders() {
    return pairs;
  }

  long byService() {
    return byService.get();
  }

  long byFallback() {
    return byFallback.get();
  }

  long failed() {
    return failed.get();
  }

  boolean isOver() {
    return byService() + byFallback() + failed() == sent();
  }
}

package io.callboard.chaos;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.chaos.LateClerk.Errand;
import io.callboard.chaos.LateClerk.Receipt;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests to clerks for numbered receipts: a receipt with another number was meant for another
 * request.
 */
final class Receipts {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int PAUSE_MS = 100;

  private final Vertx vertx;
  private final History history;
  private final Callboard callboard;
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicInteger wrong = new AtomicInteger();
  private volatile boolean ended;

  Receipts(Vertx vertx, History history, Callboard callboard) {
    this.vertx = vertx;
    this.history = history;
    this.callboard = callboard;
  }

  void start() {
    vertx.getOrCreateContext().runOnContext(v -> next());
  }

  void end() {
    ended = true;
  }

  long asked() {
    return asked.get();
  }

  long answered() {
    return answered.get();
  }

  int wrong() {
    return wrong.get();
  }

  private void next() {
    if (ended) {
      return;
    }
    long n = asked.incrementAndGet();
    ActorRef<Errand> clerk = callboard.durableRef(LateClerk.path(n), Errand.class);
    clerk
        .ask(new Errand(LateClerk.ASKED, n), Receipt.class, LIMIT)
        .onSuccess(receipt -> answered(n, receipt))
        .onFailure(cause -> history.note("no receipt", "n", n, "why", String.valueOf(cause)))
        .onComplete(done -> vertx.setTimer(PAUSE_MS, id -> next()));
  }

  private void answered(long n, Receipt receipt) {
    answered.incrementAndGet();
    if (receipt.n() != n) {
      wrong.incrementAndGet();
      history.note("wrong receipt", "asked for", n, "got", receipt.n());
    }
  }
}

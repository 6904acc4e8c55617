package io.callboard.chaos;

import io.callboard.ActorRef;
import io.callboard.chaos.Workload.Answer;
import io.callboard.chaos.Workload.Question;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Questions to the role, one after the other. Each answer holds the number of questions before it,
 * so an answer that does not continue the count shows two holders that did not know of each other.
 */
final class Questions {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int PAUSE_MS = 30;

  private final Vertx vertx;
  private final History history;
  private final ActorRef<Question> role;
  private final AtomicLong last = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong asked = new AtomicLong();
  private final AtomicInteger contradictions = new AtomicInteger();
  private final AtomicInteger holders = new AtomicInteger();
  private volatile String holder = "";
  private volatile boolean ended;

  Questions(Vertx vertx, History history, ActorRef<Question> role) {
    this.vertx = vertx;
    this.history = history;
    this.role = role;
  }

  void start() {
    vertx.getOrCreateContext().runOnContext(v -> next());
  }

  void end() {
    ended = true;
  }

  long answered() {
    return answered.get();
  }

  /** Returns the number of questions asked, answered or not. */
  long asked() {
    return asked.get();
  }

  int contradictions() {
    return contradictions.get();
  }

  /** Returns how often the holder was another than before. */
  int holders() {
    return holders.get();
  }

  private void next() {
    if (ended) {
      return;
    }
    asked.incrementAndGet();
    role.ask(new Question(), Answer.class, LIMIT)
        .onSuccess(this::answered)
        .onFailure(cause -> history.note("unanswered", "why", String.valueOf(cause)))
        .onComplete(done -> vertx.setTimer(PAUSE_MS, id -> next()));
  }

  private void answered(Answer answer) {
    answered.incrementAndGet();
    long before = last.getAndSet(answer.count());
    if (answer.count() <= before) {
      contradictions.incrementAndGet();
      history.note("contradiction", "before", before, "now", answer.count(), "by", answer.node());
    }
    if (!answer.node().equals(holder)) {
      holder = answer.node();
      holders.incrementAndGet();
      history.note("holder", "node", holder, "count", answer.count());
    }
  }
}

package io.callboard.examples.failover;

import io.callboard.ActorRef;
import io.callboard.examples.reference.Timekeeper.Order;
import io.callboard.examples.reference.Timekeeper.Rounds;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Questions to the role, one after the other, with the time that each waited. */
final class Laps {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long PAUSE_MS = 20;

  private final Vertx vertx;
  private final ActorRef<Order> role;
  private final Promise<Void> over = Promise.promise();
  private long answered;
  private long lost;
  private long before = -1;
  private long last;
  private long longestNs;

  /** Time of the first question since which none was answered; -1 if the last one was. */
  private long waitingSinceNs = -1;

  private boolean ended;

  /**
   * @param answered laps that were answered
   * @param lost laps of which it is not known whether they were counted: the answer did not come
   * @param counted by the role, from its first answer to its last
   */
  record Result(long answered, long lost, long counted) {
    /** Returns whether each was counted once. */
    boolean isSound() {
      return counted >= answered && counted <= answered + lost;
    }
  }

  Laps(Vertx vertx, ActorRef<Order> role) {
    this.vertx = vertx;
    this.role = role;
  }

  void start() {
    vertx.runOnContext(v -> next());
  }

  private void next() {
    if (isEnded()) {
      over.complete();
      return;
    }
    long askedNs = System.nanoTime();
    role.ask(new Order.Lap("runner"), Rounds.class, PATIENCE)
        .onComplete(
            done -> {
              note(askedNs, done.succeeded() ? done.result() : null);
              vertx.setTimer(PAUSE_MS, id -> next());
            });
  }

  private synchronized void note(long askedNs, @Nullable Rounds rounds) {
    waitingSinceNs = waitingSinceNs == -1 ? askedNs : waitingSinceNs;
    if (rounds == null) {
      lost++;
    } else {
      before = answered == 0 ? rounds.count() - 1 : before;
      longestNs = Math.max(longestNs, System.nanoTime() - waitingSinceNs);
      waitingSinceNs = -1;
      answered++;
      last = rounds.count();
    }
  }

  private synchronized boolean isEnded() {
    return ended;
  }

  /** Returns how many were answered so far. */
  synchronized long answered() {
    return answered;
  }

  /** Returns the longest time without an answer to a question since the last call. */
  synchronized Duration longest() {
    Duration longest = Duration.ofNanos(longestNs);
    longestNs = 0;
    return longest;
  }

  /** Asks no more. */
  Future<Result> end() {
    synchronized (this) {
      ended = true;
    }
    return over.future().map(v -> result());
  }

  private synchronized Result result() {
    return new Result(answered, lost, last - before);
  }
}

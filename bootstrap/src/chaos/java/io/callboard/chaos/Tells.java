package io.callboard.chaos;

import io.callboard.ActorRef;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/** Numbered messages told to actors, a few under way at a time, with their outcomes. */
final class Tells<M> {
  private static final int UNDER_WAY = 4;

  private final Vertx vertx;
  private final History history;
  private final String name;
  private final LongFunction<ActorRef<M>> to;
  private final LongFunction<M> message;
  private final int pauseMs;
  private final AtomicLong told = new AtomicLong();
  private final AtomicLong accepted = new AtomicLong();
  private final Set<Long> unknown = ConcurrentHashMap.newKeySet();
  private volatile boolean ended;

  Tells(
      Vertx vertx,
      History history,
      String name,
      LongFunction<ActorRef<M>> to,
      LongFunction<M> message,
      int pauseMs) {
    this.vertx = vertx;
    this.history = history;
    this.name = name;
    this.to = to;
    this.message = message;
    this.pauseMs = pauseMs;
  }

  String name() {
    return name;
  }

  void start() {
    Context context = vertx.getOrCreateContext();
    for (int i = 0; i < UNDER_WAY; i++) {
      context.runOnContext(v -> next(context));
    }
  }

  /** Ends the tells; those under way may still complete. */
  void end() {
    ended = true;
  }

  /** Returns the number of tells whose outcome is not known yet. */
  long underWay() {
    return told.get() - accepted.get() - unknown.size();
  }

  long accepted() {
    return accepted.get();
  }

  /** Returns the number of tells that failed but may have been accepted. */
  long unknown() {
    return unknown.size();
  }

  /** Returns whether that one was told without an error. */
  boolean isAccepted(long n) {
    return n <= told.get() && !unknown.contains(n);
  }

  /** Returns how many tells of that kind were accepted; exact once none is under way. */
  long accepted(LongPredicate kind) {
    return count(kind) - unknown(kind);
  }

  long unknown(LongPredicate kind) {
    return unknown.stream().filter(kind::test).count();
  }

  private long count(LongPredicate kind) {
    return LongStream.rangeClosed(1, told.get()).filter(kind).count();
  }

  /** Tells the next message; one context keeps the order. */
  private void next(Context context) {
    if (ended) {
      return;
    }
    long n = told.incrementAndGet();
    to.apply(n)
        .tell(message.apply(n))
        .onComplete(
            done -> {
              if (done.succeeded()) {
                accepted.incrementAndGet();
              } else {
                unknown.add(n);
                history.note("unknown", "to", name, "n", n, "why", String.valueOf(done.cause()));
              }
              context.runOnContext(v -> vertx.setTimer(pauseMs, id -> next(context)));
            });
  }
}

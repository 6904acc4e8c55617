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

/** Tells actors numbered messages, a few under way, and counts what became of them. */
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

  /** No more; those told may still be under way. */
  void end() {
    ended = true;
  }

  /** Told, and it is not yet known what became of it. */
  long underWay() {
    return told.get() - accepted.get() - unknown.size();
  }

  long accepted() {
    return accepted.get();
  }

  /** Those that may have been accepted, although an error came back. */
  long unknown() {
    return unknown.size();
  }

  /** Whether that one was told, and no error came back. */
  boolean isAccepted(long n) {
    return n <= told.get() && !unknown.contains(n);
  }

  /** How many of the accepted are of that kind; of all told, once none is under way. */
  long accepted(LongPredicate kind) {
    return count(kind) - unknown(kind);
  }

  long unknown(LongPredicate kind) {
    return unknown.stream().filter(kind::test).count();
  }

  private long count(LongPredicate kind) {
    return LongStream.rangeClosed(1, told.get()).filter(kind).count();
  }

  /** One context keeps the order of what is told. */
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

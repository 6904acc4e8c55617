package io.callboard.internal.rehearsal;

import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The connection of a rehearsed host to the store: keeps the order of requests and of replies,
 * delays both, and when it is cut loses replies at once and requests late, or not at all: a commit
 * of a cut connection may still be applied long after.
 */
final class Wire {
  private static final int MOST_LATE = 200;

  private final Schedule schedule;
  private final SplittableRandom random;
  private final List<Request<?>> underWay = new ArrayList<>();
  private long lastArrival;
  private long lastReply;

  private static final class Request<T> {
    private final Consumer<T> reply;
    private final Consumer<Throwable> lost;
    private boolean over;

    Request(Consumer<T> reply, Consumer<Throwable> lost) {
      this.reply = reply;
      this.lost = lost;
    }
  }

  Wire(Schedule schedule, SplittableRandom random) {
    this.schedule = schedule;
    this.random = random;
  }

  /** Sends {@code request}; exactly one of the two is called, later. */
  <T> void send(Supplier<Future<T>> request, Consumer<T> reply, Consumer<Throwable> lost) {
    Request<T> sent = new Request<>(reply, lost);
    underWay.add(sent);
    lastArrival = Math.max(lastArrival + 1, schedule.now() + schedule.delay());
    schedule.at(lastArrival, () -> arrive(sent, request));
  }

  private <T> void arrive(Request<T> sent, Supplier<Future<T>> request) {
    if (sent.over) {
      if (random.nextInt(3) > 0) { // or it was lost with its connection
        schedule.at(schedule.now() + random.nextInt(MOST_LATE), () -> late(request));
      }
      return;
    }
    Future<T> done = request.get();
    lastReply = Math.max(lastReply + 1, schedule.now() + schedule.delay());
    schedule.at(lastReply, () -> reply(sent, done));
  }

  /** Sends a request that arrives when nobody waits for it any more. */
  private static <T> void late(Supplier<Future<T>> request) {
    Future<T> unheard = request.get().onFailure(cause -> {});
  }

  private <T> void reply(Request<T> sent, Future<T> done) {
    if (sent.over) {
      return;
    }
    sent.over = true;
    underWay.remove(sent);
    if (done.succeeded()) {
      sent.reply.accept(done.result());
    } else {
      sent.lost.accept(done.cause());
    }
  }

  /** Commits know their outcome, if only that it is unknown. */
  void commit(
      Commit commit, Supplier<Future<CommitOutcome>> request, Consumer<CommitOutcome> told) {
    send(request, told, cause -> told.accept(new CommitOutcome.Unknown(cause)));
  }

  /** Fails everything under way; what was sent may still arrive, or arrive late, or never. */
  void cut() {
    List<Request<?>> lost = List.copyOf(underWay);
    underWay.clear();
    for (Request<?> request : lost) {
      request.over = true;
    }
    for (Request<?> request : lost) {
      request.lost.accept(StoreException.unavailable("cut", new IllegalStateException("cut")));
    }
  }
}

package io.callboard.pollers.source;

import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Client of a {@link PlayedQueue}, for tests of what polls. It passes the contract; with faults it
 * must not.
 */
public final class PlayedSource implements Source {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** What is said of a larger body cannot be read; other tests have none of that size. */
  private static final int LARGEST = 1 << 24;

  private final Vertx vertx;
  private final PlayedQueue queue;
  private final String name;
  private final Duration lease;
  private final Set<Fault> faults;
  private final List<SourceMessage> ahead = new ArrayList<>();
  private final List<String> unsent = new ArrayList<>();
  private int ids;
  private boolean closed;
  private Optional<String> trouble = Optional.empty();

  /** Mistake that a source could make. */
  public enum Fault {
    ACKNOWLEDGES_ON_POLL,
    TAKES_AHEAD,
    FORGETS_TO_EXTEND,
    HIDES_LOSSES,
    SENDS_COMPLETIONS_LATER,
    LOSES_WHAT_FAILED,
    IGNORES_DELAYS,
    DROPS_THE_DEAD,
    DEAD_COMES_BACK,
    RELEASES_AFTER_THE_LEASE,
    NEW_ID_EACH_TIME,
    BODIES_AS_TEXT,
    TAKES_ANY_SIZE,
    ONE_UNREADABLE_FAILS_ALL,
    HIDES_TROUBLE
  }

  /**
   * Makes a client.
   *
   * @param name name of the client, no other's
   */
  public PlayedSource(
      Vertx vertx, PlayedQueue queue, String name, Duration lease, Fault... faults) {
    this.vertx = vertx;
    this.queue = queue;
    this.name = name;
    this.lease = lease;
    this.faults = EnumSet.noneOf(Fault.class);
    this.faults.addAll(List.of(faults));
  }

  private <T> Future<T> call(String method, Supplier<T> body) {
    try {
      if (closed) {
        throw new SourceException("the played source is closed");
      }
      queue.check(method);
      return Future.succeededFuture(body.get());
    } catch (SourceException e) {
      return Future.failedFuture(e);
    }
  }

  private Future<Void> each(String method, Collection<String> receipts, Act act) {
    return call(
        method,
        () -> {
          receipts.forEach(act::on);
          return null;
        });
  }

  @FunctionalInterface
  private interface Act {
    void on(String receipt);
  }

  @Override
  public Future<Void> open() {
    return each("open", List.of(), receipt -> {});
  }

  @Override
  public Future<List<SourceMessage>> poll(int most) {
    Poll poll = new Poll(vertx.getOrCreateContext(), most);
    queue.await(poll);
    poll.look();
    return poll.promise.future();
  }

  /** Poll that waits for messages. */
  private final class Poll implements Runnable {
    private final Promise<List<SourceMessage>> promise = Promise.promise();
    private final Context context;
    private final int most;
    private final long begunNanos = queue.time().nanoTime();
    private Time.@Nullable Alarm alarm;

    Poll(Context context, int most) {
      this.context = context;
      this.most = most;
    }

    @Override
    public void run() {
      context.runOnContext(v -> look());
    }

    void look() {
      if (promise.future().isComplete()) {
        return;
      }
      Future<List<SourceMessage>> taken = call("poll", () -> take(most));
      Duration left = PATIENCE.minusNanos(queue.time().nanoTime() - begunNanos);
      if (alarm != null) {
        alarm.cancel();
      }
      if (taken.failed() || !taken.result().isEmpty() || left.isNegative() || left.isZero()) {
        queue.forget(this);
        taken.onComplete(promise);
      } else {
        Duration due = queue.untilDue().orElse(left);
        Duration least = Duration.ofMillis(1);
        Duration next = due.compareTo(left) < 0 ? due : left;
        alarm = queue.time().after(context, next.compareTo(least) < 0 ? least : next, this::look);
      }
    }
  }

  private List<SourceMessage> take(int most) {
    List<SourceMessage> taken = ahead;
    if (ahead.isEmpty()) {
      taken =
          queue.take(
              faults.contains(Fault.TAKES_AHEAD) ? 100 : most,
              faults.contains(Fault.TAKES_ANY_SIZE) ? Long.MAX_VALUE : MOST_BYTES,
              name,
              lease);
      taken = readable(taken);
    }
    List<SourceMessage> given = new ArrayList<>();
    for (SourceMessage message : List.copyOf(taken)) {
      if (given.size() < most) {
        given.add(changed(message));
        ahead.remove(message);
      } else if (taken != ahead) {
        ahead.add(message);
      }
    }
    if (faults.contains(Fault.ACKNOWLEDGES_ON_POLL)) {
      given.forEach(message -> queue.complete(message.receipt()));
    }
    return given;
  }

  /** Sets aside what is too large to be delivered. */
  private List<SourceMessage> readable(List<SourceMessage> taken) {
    List<SourceMessage> readable = new ArrayList<>();
    for (SourceMessage each : taken) {
      if (each.body().length() <= LARGEST) {
        readable.add(each);
      } else if (faults.contains(Fault.ONE_UNREADABLE_FAILS_ALL)) {
        throw new SourceException("it is too large");
      } else {
        aside(each.receipt());
      }
    }
    return readable;
  }

  /** Sets aside; what cannot be comes again when its lease is over. */
  private void aside(String receipt) {
    try {
      queue.check("aside");
      queue.dead(receipt, "it is too large");
      trouble = Optional.empty();
    } catch (SourceException e) {
      trouble = Optional.ofNullable(e.getMessage());
    }
  }

  private SourceMessage changed(SourceMessage message) {
    Buffer body = message.body();
    String id = message.id();
    if (faults.contains(Fault.BODIES_AS_TEXT)) {
      body = Buffer.buffer(body.toString());
    }
    if (faults.contains(Fault.NEW_ID_EACH_TIME)) {
      id = name + ids++;
    }
    return new SourceMessage(
        id,
        message.receipt(),
        body,
        message.headers(),
        message.deliveries(),
        message.sentAt(),
        message.failures());
  }

  @Override
  public Future<Set<String>> extend(Collection<String> receipts) {
    return call(
        "extend",
        () -> {
          Set<String> lost = new HashSet<>();
          for (String receipt : receipts) {
            Duration until = faults.contains(Fault.FORGETS_TO_EXTEND) ? Duration.ZERO : lease;
            boolean kept = until.isZero() || queue.extend(receipt, until);
            if (!kept && !faults.contains(Fault.HIDES_LOSSES)) {
              lost.add(receipt);
            }
          }
          return lost;
        });
  }

  @Override
  public Future<Void> complete(Collection<String> receipts) {
    if (faults.contains(Fault.SENDS_COMPLETIONS_LATER)) {
      unsent.addAll(receipts);
      return unsent.size() < 10
          ? Future.succeededFuture()
          : each("complete", unsent, queue::complete);
    }
    return each("complete", receipts, queue::complete);
  }

  @Override
  public Future<Void> fail(String receipt, Duration delay, String cause) {
    if (faults.contains(Fault.LOSES_WHAT_FAILED)) {
      return each("fail", List.of(receipt), queue::complete);
    }
    Duration after = faults.contains(Fault.IGNORES_DELAYS) ? Duration.ZERO : delay;
    return each("fail", List.of(receipt), each -> queue.fail(each, after));
  }

  @Override
  public Future<Void> dead(String receipt, String cause) {
    if (faults.contains(Fault.DROPS_THE_DEAD)) {
      return each("dead", List.of(receipt), queue::complete);
    } else if (faults.contains(Fault.DEAD_COMES_BACK)) {
      return each("dead", List.of(), each -> {});
    }
    return each("dead", List.of(receipt), each -> queue.dead(each, cause));
  }

  @Override
  public Future<Void> release(Collection<String> receipts) {
    if (faults.contains(Fault.RELEASES_AFTER_THE_LEASE)) {
      return Future.succeededFuture();
    }
    return each("release", receipts, each -> queue.giveBack(each, Duration.ZERO));
  }

  @Override
  public Future<Void> emit(String target, EmittedMessage message) {
    return each("emit", List.of(target), each -> queue.emit(each, message));
  }

  @Override
  public Future<OptionalLong> lag() {
    return call("lag", () -> OptionalLong.of(queue.waiting().size()));
  }

  @Override
  public Optional<String> trouble() {
    return faults.contains(Fault.HIDES_TROUBLE) ? Optional.empty() : trouble.or(queue::trouble);
  }

  @Override
  public Optional<Duration> lease() {
    return Optional.of(lease);
  }

  @Override
  public Future<Void> close() {
    closed = true;
    queue.changed();
    return Future.succeededFuture();
  }
}

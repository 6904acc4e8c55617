package io.callboard.pollers.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Futures;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * Client of a queue as a test of the contract uses it: calls its source on one context, waits for
 * the results, and checks what holds for each call.
 */
final class ContractClient {
  private final SourceStage stage;
  private final Source source;
  private final Context context;
  private final Set<String> receipts = new HashSet<>();
  private boolean cut;

  ContractClient(SourceStage stage, Source source) {
    this.stage = stage;
    this.source = source;
    this.context = ((VertxInternal) stage.vertx()).createEventLoopContext();
  }

  Source source() {
    return source;
  }

  /** Notes that the source is dead. */
  void isCut() {
    cut = true;
  }

  /** Calls the source on its context, without waiting for the result. */
  <T> Future<T> call(Function<Source, Future<T>> method) {
    Promise<T> result = Promise.promise();
    context.runOnContext(
        v -> {
          try {
            method.apply(source).onComplete(result);
          } catch (Throwable thrown) {
            result.fail(
                new AssertionError("a source does not throw, but fails its future", thrown));
          }
        });
    return result.future();
  }

  private <T> T wait(Function<Source, Future<T>> method) {
    return Futures.await(stage.patience(), call(method));
  }

  void open() {
    wait(Source::open);
  }

  /** Polls once. */
  List<SourceMessage> poll(int most) {
    List<SourceMessage> taken = wait(source -> source.poll(most));
    assertThat(taken).as("S3: a poll for %d", most).hasSizeLessThanOrEqualTo(most);
    for (SourceMessage message : taken) {
      assertThat(message.id()).as("S4: id").isNotBlank().hasSizeLessThanOrEqualTo(300);
      assertThat(receipts.add(message.receipt()))
          .as("another receipt for each delivery, not %s again", message.receipt())
          .isTrue();
    }
    return taken;
  }

  /** Polls until {@code count} messages have come, which are due. */
  List<SourceMessage> take(int count) {
    return take(count, stage.limit());
  }

  private List<SourceMessage> take(int count, Duration limit) {
    List<SourceMessage> taken = new ArrayList<>();
    long deadlineNanos = System.nanoTime() + limit.toNanos();
    while (taken.size() < count) {
      taken.addAll(poll(count - taken.size()));
      assertThat(taken.size() == count || System.nanoTime() - deadlineNanos < 0)
          .as("S1: %d messages within %s, but only %s have come", count, limit, taken)
          .isTrue();
    }
    return taken;
  }

  /** Takes one message. */
  SourceMessage one() {
    return take(1).get(0);
  }

  /** Takes one message, which is due after {@code delay} at the latest. */
  SourceMessage one(Duration delay) {
    return take(1, stage.limit().plus(delay)).get(0);
  }

  /**
   * Polls until {@code quiet} has passed and a poll gave nothing; completes what comes.
   *
   * @return what has come
   */
  List<SourceMessage> drain(Duration quiet) {
    List<SourceMessage> all = new ArrayList<>();
    long deadlineNanos = System.nanoTime() + quiet.toNanos();
    while (true) {
      List<SourceMessage> taken = poll(10);
      all.addAll(taken);
      if (!taken.isEmpty()) {
        complete(taken);
      } else if (System.nanoTime() - deadlineNanos >= 0) {
        return all;
      }
    }
  }

  static List<String> receipts(Collection<SourceMessage> messages) {
    return messages.stream().map(SourceMessage::receipt).toList();
  }

  /** Extends; returns the receipts that were lost. */
  Set<String> extend(SourceMessage... messages) {
    return wait(source -> source.extend(receipts(List.of(messages))));
  }

  void complete(Collection<SourceMessage> messages) {
    wait(source -> source.complete(receipts(messages)));
  }

  void complete(SourceMessage... messages) {
    complete(List.of(messages));
  }

  void fail(SourceMessage message, Duration delay, String cause) {
    wait(source -> source.fail(message.receipt(), delay, cause));
  }

  void dead(SourceMessage message, String cause) {
    wait(source -> source.dead(message.receipt(), cause));
  }

  void release(SourceMessage... messages) {
    wait(source -> source.release(receipts(List.of(messages))));
  }

  OptionalLong lag() {
    return wait(Source::lag);
  }

  Optional<String> trouble() {
    return wait(source -> Future.succeededFuture(source.trouble()));
  }

  /** Closes the source, unless it is cut. */
  void close() {
    if (!cut) {
      wait(Source::close);
    }
  }
}

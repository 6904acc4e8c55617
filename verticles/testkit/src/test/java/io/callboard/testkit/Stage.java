package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.CallboardOptions;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryStore;
import io.callboard.supervision.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Node with a store in memory, and the events that its actors report to the test. Registered as an
 * extension, it is closed after the test.
 */
public final class Stage implements AfterEachCallback, AutoCloseable {
  /** Restarts at once. */
  public static final ActorOptions QUICK =
      new ActorOptions()
          .backoff(
              Backoff.exponential(
                  Duration.ofMillis(5), Duration.ofMillis(20), Backoff.Jitter.FULL));

  public final Vertx vertx = Vertx.vertx();
  public Callboard callboard;
  private final MemoryCell cell = new MemoryCell();
  private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

  public Stage() {
    callboard = await(create());
  }

  private Future<Callboard> create() {
    return Callboard.create(
        vertx, new CallboardOptions().name("stage").store(() -> new MemoryStore(cell)));
  }

  /** The node stops, and another begins over what it stored. */
  public void restart() {
    await(callboard.close());
    callboard = await(create());
  }

  public static void assertCode(ThrowingCallable call, Code code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CallboardException.class,
            e ->
                org.assertj.core.api.Assertions.assertThat(e.code())
                    .as(e.getMessage())
                    .isEqualTo(code));
  }

  /** Reports an event; called by actors. */
  public void sees(String what) {
    seen.add(what);
  }

  /** Expects these events next, in that order. */
  public void expect(String... what) throws Exception {
    for (String each : what) {
      org.assertj.core.api.Assertions.assertThat(
              seen.poll(WaitLimit.of(WaitLimit.LIMIT).leftNs(), NANOSECONDS))
          .isEqualTo(each);
    }
  }

  /** Returns the next event. */
  public String next() throws Exception {
    return java.util.Objects.requireNonNull(
        seen.poll(WaitLimit.of(WaitLimit.LIMIT).leftNs(), NANOSECONDS), "nothing more was seen");
  }

  /** Returns the events that were not expected yet. */
  public List<String> rest() {
    return List.copyOf(seen);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    close();
  }

  @Override
  public void close() {
    await(callboard.close());
    await(vertx.close());
  }
}

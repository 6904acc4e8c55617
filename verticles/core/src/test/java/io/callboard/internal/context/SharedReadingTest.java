package io.callboard.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SharedReadingTest {
  private final AtomicLong nanos = new AtomicLong();
  private final List<Promise<String>> begun = new ArrayList<>();
  private final SharedReading<String> reading =
      new SharedReading<>(nanos::get, this::begin, took -> took.multipliedBy(10));

  private Future<String> begin() {
    Promise<String> next = Promise.promise();
    begun.add(next);
    return next.future();
  }

  private void passes(int millis) {
    nanos.addAndGet(Duration.ofMillis(millis).toNanos());
  }

  @Test
  void allWhoAskMeanwhileShareOne() {
    Future<String> first = reading.read();
    Future<String> second = reading.read();
    begun.get(0).complete("a");
    assertThat(begun).hasSize(1);
    assertThat(first.result()).isEqualTo("a");
    assertThat(second.result()).isEqualTo("a");
  }

  @Test
  void aReadingIsKeptTheLongerTheLongerItTook() {
    Future<String> unused = reading.read();
    passes(5);
    begun.get(0).complete("a");
    passes(49);
    assertThat(reading.read().result()).isEqualTo("a");
    assertThat(begun).hasSize(1);
    passes(1);
    assertThat(reading.read().isComplete()).isFalse();
    assertThat(begun).hasSize(2);
  }

  @Test
  void aReadingIsGivenUpWhenItIsTooOldAndNoSooner() {
    Future<String> unused = reading.read();
    assertThat(reading.release()).as("under way").isFalse();
    passes(5);
    begun.get(0).complete("a");
    passes(49);
    assertThat(reading.release()).isTrue();
    assertThat(reading.read().result()).isEqualTo("a");
    passes(1);
    assertThat(reading.release()).isFalse();
    assertThat(begun).hasSize(1);
  }

  @Test
  void aFailureIsNotKept() {
    Future<String> failed = reading.read();
    begun.get(0).fail("no answer");
    assertThat(failed.cause()).hasMessage("no answer");
    Future<String> next = reading.read();
    begun.get(1).complete("b");
    assertThat(next.result()).isEqualTo("b");
  }

  @Test
  void aSourceThatThrowsFails() {
    SharedReading<String> closed =
        new SharedReading<>(
            nanos::get,
            () -> {
              throw new IllegalStateException("closed");
            },
            took -> took);
    assertThat(closed.read().cause()).hasMessage("closed");
    assertThat(closed.read().cause()).as("not stuck").hasMessage("closed");
  }
}

package io.callboard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Test of the results of {@link Futures}. */
class FuturesTest {
  @Test
  void awaitReturnsTheResult() {
    assertThat(Futures.await(Future.succeededFuture(7))).isEqualTo(7);
  }

  @Test
  void aFailureIsThrownAsItIs() {
    Exception failure = new Exception("checked");
    assertThatThrownBy(() -> Futures.await(Future.failedFuture(failure))).isSameAs(failure);
  }

  @Test
  void aTimeoutAsFailureIsNoWaitWithoutAnEnd() {
    Exception failure = new TimeoutException("of the product");
    assertThatThrownBy(() -> Futures.await(Future.failedFuture(failure))).isSameAs(failure);
  }

  @Test
  void aFutureThatDoesNotCompleteFailsTheTest() {
    Future<Void> never = Promise.<Void>promise().future();
    assertThatThrownBy(() -> Futures.await(Duration.ofMillis(1), never))
        .isInstanceOf(AssertionError.class)
        .hasMessage("not within %s: %s", WaitLimit.stretched(Duration.ofMillis(1)), never);
  }
}

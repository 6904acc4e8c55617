package io.callboard.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Test of waits that end without what they waited for. */
class BlockingWaitTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  private final Promise<String> starting = Promise.promise();
  private final List<String> closed = new ArrayList<>();

  private Future<Void> close(String late) {
    closed.add(late);
    return Future.succeededFuture();
  }

  @Test
  void aResultThatArrivesAfterTheWaitIsClosed() {
    assertThatThrownBy(() -> BlockingWait.awaitOrClose(starting.future(), SHORT, this::close))
        .isInstanceOf(TimeoutException.class);
    assertThat(closed).isEmpty();
    starting.complete("late");
    assertThat(closed).containsExactly("late");
  }

  @Test
  void aResultThatArrivesInTimeStaysOpen() throws Exception {
    starting.complete("in time");
    assertThat(BlockingWait.awaitOrClose(starting.future(), SHORT, this::close))
        .isEqualTo("in time");
    assertThat(closed).isEmpty();
  }

  @Test
  void anInterruptedWaitClosesWhatArrives() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> BlockingWait.awaitOrClose(starting.future(), SHORT, this::close))
        .isInstanceOf(InterruptedException.class);
    starting.complete("late");
    assertThat(closed).containsExactly("late");
  }
}

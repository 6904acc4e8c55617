package io.callboard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("real")
class WaitsTest {
  @Test
  void aLatchIsOpened() {
    CountDownLatch latch = new CountDownLatch(1);
    new Thread(latch::countDown).start();
    Waits.opened(latch);
    assertThat(latch.getCount()).isZero();
  }

  @Test
  void elementsBeforeTheWantedOneAreDropped() {
    BlockingQueue<Integer> queue = new LinkedBlockingQueue<>(List.of(1, 2, 3, 4));
    assertThat(Waits.next(queue)).isEqualTo(1);
    assertThat(Waits.next(queue, each -> each > 2)).isEqualTo(3);
    assertThat(queue).containsExactly(4);
  }

  @Test
  void theEndOfAProcessIsItsExitCode() throws Exception {
    assertThat(Waits.ended(new ProcessBuilder("false").start())).isEqualTo(1);
  }

  @Test
  void aWaitWithoutAnEndFailsTheTest() {
    WaitLimit limit = WaitLimit.of(Duration.ofMillis(1));
    assertThatThrownBy(() -> Waits.until(limit, ns -> null, "a bus"))
        .isInstanceOf(AssertionError.class)
        .hasMessage("not within %s: a bus", limit.limit());
  }

  @Test
  void anInterruptionFailsTheTestAndIsKept() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Waits.opened(new CountDownLatch(1)))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("interrupted while it waits for ");
    assertThat(Thread.interrupted()).isTrue();
  }
}

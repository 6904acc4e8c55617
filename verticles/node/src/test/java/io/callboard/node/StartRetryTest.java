package io.callboard.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.store.StoreException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;

/** Test of the time for which a start waits for its ensemble. */
class StartRetryTest {
  private static final StoreException AWAY =
      StoreException.unavailable("away", new KeeperException.ConnectionLossException());

  private final StartRetry patience = new StartRetry(Duration.ofSeconds(10), 0);

  private boolean triesAgain(Throwable failure, int seconds) {
    return patience.triesAgain(failure, Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void anEnsembleThatWasNeverReachedEndsTheStartInTime() {
    assertThat(triesAgain(AWAY, 9)).isTrue();
    assertThat(triesAgain(AWAY, 10)).isFalse();
  }

  @Test
  void anEnsembleThatWasReachedAndWentAwayIsWaitedForLonger() {
    patience.reached();
    assertThat(triesAgain(AWAY, 20)).isTrue();
    assertThat(triesAgain(new IllegalStateException(new TimeoutException()), 59)).isTrue();
    assertThat(triesAgain(new KeeperException.SessionExpiredException(), 59)).isTrue();
    assertThat(triesAgain(AWAY, 60)).isFalse();
  }

  @Test
  void aLongerLimitHoldsForBoth() {
    StartRetry longer = new StartRetry(Duration.ofMinutes(5), 0);
    assertThat(longer.triesAgain(AWAY, Duration.ofMinutes(4).toNanos())).isTrue();
    longer.reached();
    assertThat(longer.triesAgain(AWAY, Duration.ofMinutes(4).toNanos())).isTrue();
  }

  @Test
  void anotherFailureIsToldAtOnce() {
    patience.reached();
    assertThat(triesAgain(new IllegalStateException("port 1 is in use"), 0)).isFalse();
    assertThat(triesAgain(StoreException.denied("denied", null), 0)).isFalse();
    assertThat(triesAgain(StoreException.nameTaken("taken"), 0)).isFalse();
  }
}

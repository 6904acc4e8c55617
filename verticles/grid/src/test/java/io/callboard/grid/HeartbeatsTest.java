package io.callboard.grid;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.grid.TestGrid.GridMember;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of heartbeats between nodes of one process. */
@Tag("real")
class HeartbeatsTest {
  @Test
  void heartbeatsGoOnWhileTheTimeOfTheActorsStandsStill() throws Exception {
    try (TestGrid grid = new TestGrid("heartbeats")) {
      GridMember one = grid.open("one", options -> options.time(new ManualTime()));
      GridMember two = grid.open("two", options -> options.time(new ManualTime()));
      Eventually.isTrue("node two is heard", () -> silent(one, two).isPresent());
      AtomicLong before = new AtomicLong();
      Eventually.isTrue(
          "and heard again",
          () -> {
            long now = silent(one, two).orElseThrow();
            return before.getAndSet(now) > now;
          });
    }
  }

  private static Optional<Long> silent(GridMember of, GridMember whom) {
    return await(of.grid().heartbeats().silentNanos(whom.callboard().bootId()));
  }

  @Test
  void onlyARefusedConnectionIsARefusal() {
    assertThat(Heartbeats.isRefusal(new ConnectException("Connexion refusée: /127.0.0.1:1")))
        .as("in whatever language the system says it")
        .isTrue();
    assertThat(Heartbeats.isRefusal(new ConnectTimeoutException("connection timed out"))).isFalse();
    assertThat(Heartbeats.isRefusal(new NoRouteToHostException())).isFalse();
    assertThat(Heartbeats.isRefusal(new IOException("Connection refused"))).isFalse();
  }
}

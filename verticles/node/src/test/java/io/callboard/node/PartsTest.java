package io.callboard.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.LogCapture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class PartsTest {
  private final Parts parts = new Parts();

  @Test
  void aPartThatNeverEndsKeepsNothingElseOpen() {
    List<String> ended = new ArrayList<>();
    parts.push("first", limit -> ended.add("first"));
    parts.push("stuck", () -> Promise.promise().future());
    parts.push(
        "last",
        () -> {
          ended.add("last");
          return Future.succeededFuture();
        });
    try (LogCapture log = LogCapture.of(Parts.class)) {
      long begun = System.nanoTime();
      parts.close(Duration.ofSeconds(1), () -> false);
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
      log.expect(Level.WARN, "stuck did not close cleanly within 1000 ms");
    }
    assertThat(ended).containsExactly("last", "first");
  }

  @Test
  void partsOfALostStoreHaveASecondEach() {
    List<Duration> limits = new ArrayList<>();
    parts.push("actors", limits::add);
    parts.close(Duration.ofMinutes(1), () -> true);
    assertThat(limits).containsExactly(Duration.ofSeconds(1));
  }
}

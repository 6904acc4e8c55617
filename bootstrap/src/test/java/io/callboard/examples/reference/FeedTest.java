package io.callboard.examples.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.actor.Effect;
import io.callboard.testkit.actor.TestedActor;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FeedTest {
  private static final Duration MIN = Duration.ofMillis(200);

  private final Queue<Future<String>> answers = new ArrayDeque<>();
  private final TestedActor<Feed.Due> feed =
      TestedActor.of(() -> new Feed(answers::remove, new SplittableRandom(1))).start();

  private Duration waitsAfter(Future<String> answer) {
    answers.add(answer);
    return feed.tell(new Feed.Due()).of(Effect.TimerStarted.class).get(0).delay();
  }

  @Test
  void retreatsWhileTheServiceDoesNotAnswerAndComesBackWhenItDoes() {
    Duration last = MIN;
    for (int i = 0; i < 50; i++) {
      Duration wait = waitsAfter(Future.failedFuture("503"));
      assertThat(wait)
          .isBetween(MIN, Duration.ofSeconds(30))
          .isLessThanOrEqualTo(last.multipliedBy(3));
      last = wait;
    }
    assertThat(waitsAfter(Future.succeededFuture("snow"))).isEqualTo(Duration.ofMinutes(1));
    assertThat(waitsAfter(Future.failedFuture("503"))).isBetween(MIN, MIN.multipliedBy(3));
  }
}

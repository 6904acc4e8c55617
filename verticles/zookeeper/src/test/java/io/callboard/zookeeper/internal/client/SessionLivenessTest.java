package io.callboard.zookeeper.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A session of six seconds: a question each second, lost after four. */
class SessionLivenessTest {
  private final List<Promise<Void>> questions = new ArrayList<>();
  private final List<Boolean> told = new ArrayList<>();
  private final List<Long> lives = new ArrayList<>();
  private long nowNs = 1_000_000_000_000L;
  private boolean refuses;
  private final SessionLiveness sessionLiveness =
      new SessionLiveness(this::ask, told::add, lives::add, () -> nowNs);

  /** Time passes by hand. */
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1) {
        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(
            Runnable look, long initialDelay, long delay, TimeUnit unit) {
          return schedule(() -> {}, 1, TimeUnit.DAYS);
        }
      };

  @AfterEach
  void end() {
    sessionLiveness.stop();
    timer.shutdownNow();
  }

  private Future<Void> ask() {
    if (refuses) {
      throw new IllegalStateException("no handle");
    }
    Promise<Void> question = Promise.promise();
    questions.add(question);
    return question.future();
  }

  private void passes(Duration time) {
    long endNs = nowNs + time.toNanos();
    while (nowNs < endNs) {
      nowNs += 100_000_000L;
      sessionLiveness.look();
    }
  }

  private void begin() {
    sessionLiveness.start(timer, Duration.ofSeconds(6), nowNs);
    lives.clear();
  }

  @Test
  void itsEndIsKnownBeforeTheFirstAnswerAlsoIfThatFails() {
    long livedNs = nowNs - Duration.ofSeconds(1).toNanos();
    sessionLiveness.start(timer, Duration.ofSeconds(6), livedNs);
    assertThat(lives).containsExactly(livedNs + Duration.ofSeconds(6).toNanos());
    passes(Duration.ofMillis(100));
    questions.get(0).fail("connection loss");
    passes(Duration.ofMillis(2_800));
    assertThat(told).isEmpty();
    assertThat(questions).as("one answers late, so none is sent beside it").hasSize(2);
    passes(Duration.ofMillis(200));
    assertThat(told).as("last heard of four seconds ago").containsExactly(false);
    assertThat(lives).as("nothing more is known").hasSize(1);
    questions.get(1).complete();
    assertThat(told).containsExactly(false, true);
    assertThat(lives).hasSize(2);
  }

  @Test
  void whileTheLeaderAnswersNothingIsTold() {
    begin();
    for (int i = 0; i < 20; i++) {
      passes(Duration.ofSeconds(1));
      questions.get(questions.size() - 1).tryComplete();
    }
    assertThat(told).isEmpty();
    assertThat(questions).hasSizeBetween(15, 20);
  }

  @Test
  void afterTwoThirdsOfTheSessionItIsToldOnce() {
    begin();
    passes(Duration.ofMillis(3_900));
    assertThat(told).isEmpty();
    passes(Duration.ofMillis(200));
    assertThat(told).containsExactly(false);
    passes(Duration.ofSeconds(20));
    assertThat(told).containsExactly(false);
    assertThat(questions).as("one at a time").hasSize(1);
  }

  @Test
  void anAnswerCountsFromWhenItWasAskedFor() {
    begin();
    passes(Duration.ofMillis(100));
    questions.get(0).complete();
    passes(Duration.ofMillis(1_000));
    passes(Duration.ofMillis(3_500));
    assertThat(told).containsExactly(false);
    long askedNs = nowNs - Duration.ofMillis(3_500).toNanos();
    questions.get(1).complete();
    assertThat(lives)
        .containsExactly(
            askedNs + Duration.ofSeconds(5).toNanos(), askedNs + Duration.ofSeconds(6).toNanos());
    assertThat(told).as("that was 3.5 s ago").containsExactly(false, true);
    passes(Duration.ofMillis(500));
    assertThat(told).as("and is 4 s ago by now").containsExactly(false, true, false);
    questions.get(2).complete();
    assertThat(told).containsExactly(false, true, false, true);
  }

  @Test
  void aSessionIsCheckedAtOnceWhenItBeginsAndWhenItReconnects() {
    begin();
    passes(Duration.ofMillis(100));
    assertThat(questions).hasSize(1);
    questions.get(0).fail("no connection");
    passes(Duration.ofMillis(300));
    sessionLiveness.connected();
    passes(Duration.ofMillis(100));
    assertThat(questions).hasSize(2);
    questions.get(1).complete();
    assertThat(lives).containsExactly(nowNs + Duration.ofSeconds(6).toNanos());
  }

  @Test
  void aQuestionThatCannotBeAskedIsAskedAgain() {
    begin();
    refuses = true;
    passes(Duration.ofSeconds(5));
    assertThat(told).containsExactly(false);
    refuses = false;
    passes(Duration.ofSeconds(1));
    questions.get(0).complete();
    assertThat(told).containsExactly(false, true);
  }
}

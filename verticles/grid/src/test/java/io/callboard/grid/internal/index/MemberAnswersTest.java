package io.callboard.grid.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemberAnswersTest {
  private static final CallboardException NONE =
      new CallboardException(Code.NO_SUCH_ACTOR, "/jobs/index/b", null);
  private static final CallboardException LATE =
      new CallboardException(Code.TIMEOUT, "/jobs/index/b", null);

  private final MemberAnswers answers = new MemberAnswers();
  private long nowNs = Long.MAX_VALUE - 5; // it may pass the end of its numbers

  private void passes(Duration time) {
    nowNs += time.toNanos();
  }

  private void fails(CallboardException cause) {
    answers.failed("b", cause, nowNs);
  }

  @Test
  void aMemberThatDidNotAnswerIsNotAskedForAMoment() {
    fails(LATE);
    assertThat(answers.isWithout("b")).isFalse();
    assertThat(answers.isSilent("b", nowNs)).isTrue();
    assertThat(answers.isAway("b", nowNs)).isTrue();
    assertThat(answers.isSilent("c", nowNs)).isFalse();
    passes(MemberAnswers.SILENCE);
    assertThat(answers.isSilent("b", nowNs)).isFalse();
    assertThat(answers.isAway("b", nowNs)).isFalse();
  }

  @Test
  void aMemberThatStartsIsAskedAndExpected() {
    fails(NONE);
    assertThat(answers.isWithout("b")).isTrue();
    passes(MemberAnswers.STARTING.minusNanos(1));
    fails(NONE);
    assertThat(answers.isSilent("b", nowNs)).isFalse();
    assertThat(answers.isAway("b", nowNs)).isFalse();
    answers.answered("b");
    assertThat(answers.isWithout("b")).isFalse();
  }

  @Test
  void aMemberWithoutAnIndexIsAskedAndNotWaitedForUntilItHasOne() {
    fails(NONE);
    passes(MemberAnswers.STARTING);
    fails(NONE);
    assertThat(answers.isAway("b", nowNs)).isTrue();
    assertThat(answers.isSilent("b", nowNs)).as("it answers at once").isFalse();
    answers.answered("b");
    assertThat(answers.isAway("b", nowNs)).isFalse();
    fails(NONE);
    assertThat(answers.isAway("b", nowNs)).as("it starts again").isFalse();
    passes(MemberAnswers.STARTING);
    assertThat(answers.isAway("b", nowNs)).isTrue();
  }

  @Test
  void silenceRestartsTheTimeForAStart() {
    fails(NONE);
    passes(MemberAnswers.STARTING);
    fails(LATE);
    passes(MemberAnswers.STARTING);
    fails(NONE);
    assertThat(answers.isAway("b", nowNs)).isFalse();
  }

  @Test
  void aMemberThatLeftIsForgotten() {
    fails(NONE);
    passes(MemberAnswers.STARTING);
    answers.retain(Set.of("a"));
    assertThat(answers.isWithout("b")).isFalse();
    assertThat(answers.isAway("b", nowNs)).isFalse();
    fails(LATE);
    answers.retain(Set.of("a"));
    assertThat(answers.isSilent("b", nowNs)).isFalse();
  }
}

package io.callboard.grid.index;

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

  private boolean fails(CallboardException cause) {
    return answers.failed("b", cause, nowNs);
  }

  @Test
  void aMemberThatDidNotAnswerIsNotAskedForAMoment() {
    assertThat(fails(LATE)).isFalse();
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
    assertThat(fails(NONE)).isFalse();
    assertThat(answers.isWithout("b")).isTrue();
    passes(MemberAnswers.STARTING.minusNanos(1));
    assertThat(fails(NONE)).isFalse();
    assertThat(answers.isSilent("b", nowNs)).isFalse();
    assertThat(answers.isAway("b", nowNs)).isFalse();
    assertThat(answers.answered("b")).as("reported").isFalse();
    assertThat(answers.isWithout("b")).isFalse();
  }

  @Test
  void aMemberWithoutAnIndexIsReportedOnceUntilItHasOne() {
    assertThat(fails(NONE)).isFalse();
    passes(MemberAnswers.STARTING);
    assertThat(fails(NONE)).isTrue();
    assertThat(answers.isAway("b", nowNs)).isTrue();
    assertThat(answers.isSilent("b", nowNs)).as("it may be asked: it answers at once").isFalse();
    assertThat(fails(NONE)).isFalse();
    assertThat(answers.answered("b")).isTrue();
    assertThat(answers.isAway("b", nowNs)).isFalse();
    assertThat(answers.answered("b")).isFalse();
    assertThat(fails(NONE)).isFalse();
    passes(MemberAnswers.STARTING);
    assertThat(fails(NONE)).isTrue();
  }

  @Test
  void silenceInBetweenBeginsTheTimeAnew() {
    assertThat(fails(NONE)).isFalse();
    passes(MemberAnswers.STARTING);
    assertThat(fails(LATE)).isFalse();
    passes(MemberAnswers.STARTING);
    assertThat(fails(NONE)).isFalse();
  }

  @Test
  void aMemberThatLeftIsForgotten() {
    assertThat(fails(NONE)).isFalse();
    passes(MemberAnswers.STARTING);
    answers.retain(Set.of("a"));
    assertThat(fails(NONE)).isFalse();
    passes(MemberAnswers.STARTING);
    assertThat(fails(NONE)).isTrue();
    assertThat(fails(LATE)).isFalse();
    answers.retain(Set.of("a"));
    assertThat(answers.isSilent("b", nowNs)).isFalse();
  }
}

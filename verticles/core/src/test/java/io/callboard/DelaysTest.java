package io.callboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.ActorPath;
import io.callboard.time.Time;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DelaysTest {
  private static final ActorPath ACTOR = ActorPath.of("/a");
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  @Test
  void aPossibleDelayIsTakenAsItIs() {
    assertThat(Delays.timer(ACTOR, "k", Duration.ZERO)).isZero();
    assertThat(Delays.timer(ACTOR, "k", Time.LONGEST)).isEqualTo(Time.LONGEST);
    assertThat(Delays.period(ACTOR, "k", Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
    assertThat(Delays.idle(ACTOR, Duration.ofNanos(1))).isEqualTo(Duration.ofNanos(1));
  }

  @Test
  void aDelayOverTheLongestTimeIsCutToIt() {
    assertThat(Delays.timer(ACTOR, "k", FOREVER)).isEqualTo(Time.LONGEST);
    assertThat(Delays.period(ACTOR, "k", Time.LONGEST.plusNanos(1))).isEqualTo(Time.LONGEST);
    assertThat(Delays.idle(ACTOR, FOREVER)).isEqualTo(Time.LONGEST);
    assertThat(TellOptions.within(FOREVER).deadline()).contains(Time.LONGEST);
  }

  @Test
  void anImpossibleDelayIsRefusedWithItsActorAndWhatIsRight() {
    assertThatThrownBy(() -> Delays.timer(ACTOR, "k", Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the delay of timer \"k\" of /a must not be negative, but is PT-1S");
    assertThatThrownBy(() -> Delays.period(ACTOR, "k", Duration.ofNanos(999_999)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "periodic timer \"k\" of /a must have a period of at least 1 ms, not PT0.000999999S");
    assertThatThrownBy(() -> Delays.idle(ACTOR, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the receive timeout of /a must be positive, not PT0S: cancelReceiveTimeout() ends it");
    assertThatThrownBy(() -> Delays.idle(ACTOR, Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

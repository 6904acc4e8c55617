package io.callboard.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Protocol;
import io.callboard.time.Time;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests of the options of a guard. */
class GuardOptionsTest {
  record Do() {}

  static final class Nobody extends Actor<Do> {
    @Override
    protected void protocol(Protocol<Do> on) {}
  }

  private static void refused(String why, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(why);
  }

  @Test
  void impossibleOptionsAreRefused() {
    GuardOptions<Do> options = new GuardOptions<>();
    refused("limit must be 1 to 1000000, not 0", () -> options.limit(0));
    refused("1000001", () -> options.limit(GuardOptions.MOST + 1));
    refused("underWay must be 1 to", () -> options.underWay(0));
    refused("attempts must be 1 to 1000, not 1001", () -> options.attempts(1_001));
    refused("deadline must be positive", () -> options.deadline(Duration.ZERO));
    refused("at most 10000 days", () -> options.deadline(Time.LONGEST.plusNanos(1)));
    refused(
        "underWay must be at most 3, the limit, not 16",
        () -> Guard.of(Nobody::new, new GuardOptions<Do>().limit(3)));
    refused(
        "mailbox limit of the guarded actor",
        () ->
            Guard.of(
                Nobody::new, new GuardOptions<Do>().actor(new ActorOptions().mailboxLimit(2))));
  }

  @Test
  void aCopyIsACopy() {
    GuardOptions<Do> options = new GuardOptions<Do>().limit(7).underWay(3).attempts(2);
    GuardOptions<Do> copy = new GuardOptions<>(options);
    options.limit(8);
    assertThat(copy.settings()).isEqualTo(new Circuit.Settings(7, 3, 2, copy.deadline(), false, 1));
    assertThat(copy.actor().onBus()).isFalse();
  }
}

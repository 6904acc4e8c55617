package io.callboard.internal.turn;

import static io.callboard.internal.mailbox.TimerDeliveries.timer;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.internal.mailbox.Delivery;
import org.junit.jupiter.api.Test;

/** Tests of a durable actor's messages to itself beyond their limit. */
class SelfMessagesTest {
  @Test
  void aTimerIsNotDroppedByTheLimit() {
    SelfMessages own = new SelfMessages();
    for (int i = 0; i < SelfMessages.MOST; i++) {
      assertThat(own.offer(Delivery.of("piped"))).isTrue();
    }
    assertThat(own.offer(Delivery.of("piped"))).isFalse();
    assertThat(own.offer(timer("timer"))).isTrue();
    assertThat(own.size()).isEqualTo(SelfMessages.MOST + 1);
  }
}

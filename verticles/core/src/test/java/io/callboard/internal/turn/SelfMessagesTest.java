package io.callboard.internal.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import org.junit.jupiter.api.Test;

/** Tests of a durable actor's messages to itself beyond their limit. */
class SelfMessagesTest {
  private static final Delivery.Ticket TIMER =
      new Delivery.Ticket() {
        @Override
        public boolean redeem() {
          return true;
        }

        @Override
        public boolean isOwn() {
          return true;
        }
      };

  @Test
  void aTimerIsNotDroppedByTheLimit() {
    SelfMessages own = new SelfMessages();
    for (int i = 0; i < SelfMessages.MOST; i++) {
      assertThat(own.offer(Delivery.of("piped"))).isTrue();
    }
    assertThat(own.offer(Delivery.of("piped"))).isFalse();
    assertThat(own.offer(new Delivery("timer", Reply.NONE, Delivery.NEVER, TIMER))).isTrue();
    assertThat(own.size()).isEqualTo(SelfMessages.MOST + 1);
  }
}

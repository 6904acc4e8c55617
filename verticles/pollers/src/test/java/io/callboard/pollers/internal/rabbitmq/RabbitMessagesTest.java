package io.callboard.pollers.internal.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is counted of a message over the copies of it. */
class RabbitMessagesTest {
  private static final String QUEUE = "orders";

  private static Delivery delivery(Map<String, Object> headers) {
    return new Delivery(
        new Envelope(1, false, "", QUEUE),
        new BasicProperties.Builder().messageId("m").headers(headers).build(),
        new byte[1]);
  }

  /** Returns a copy as it is delivered, with what its server has added. */
  private static Delivery copied(BasicProperties copy, Map<String, Object> added) {
    Map<String, Object> headers = new HashMap<>(copy.getHeaders());
    headers.putAll(added);
    return delivery(headers);
  }

  private static Delivery failed(Delivery before) {
    return copied(
        RabbitMessages.retry(before, QUEUE, Duration.ofSeconds(1), "no ink"),
        Map.of("x-first-death-queue", "orders.callboard.retry.1000"));
  }

  private static int failures(Delivery delivery) {
    return RabbitMessages.message(delivery, QUEUE, "m", "r").failures();
  }

  @Test
  void aRenewedCopyHasTheFailuresOfItsMessage() {
    Delivery failed = failed(failed(delivery(Map.of("x-delivery-count", 3L))));
    assertThat(failures(failed)).isEqualTo(2);
    Delivery renewed = copied(RabbitMessages.renewed(failed, QUEUE), Map.of());
    assertThat(failures(renewed)).isEqualTo(2);
    Delivery again = copied(RabbitMessages.renewed(renewed, QUEUE), Map.of("x-delivery-count", 1L));
    assertThat(failures(again)).isEqualTo(2);
    assertThat(failures(failed(again))).isEqualTo(3);
    assertThat(RabbitMessages.message(again, "another", "m", "r").failures())
        .as("copied by others to another queue")
        .isZero();
    assertThat(failures(copied(RabbitMessages.renewed(delivery(Map.of()), QUEUE), Map.of())))
        .isZero();
  }

  @Test
  void aMessageThatOperatorsPutBackFromTheDeadBeginsAnew() {
    Delivery failed = failed(failed(delivery(Map.of())));
    Delivery worn = copied(RabbitMessages.renewed(failed, QUEUE), Map.of("x-delivery-count", 10L));
    BasicProperties dead = RabbitMessages.dead(worn, QUEUE, "no ink");
    assertThat(dead.getHeaders())
        .containsEntry(RabbitMessages.ATTEMPTS, "3")
        .doesNotContainKeys(RabbitMessages.GIVEN_BACK, RabbitMessages.FAILED_IN);
    Delivery back = copied(dead, Map.of());
    assertThat(failures(back)).isZero();
    assertThat(failures(failed(back))).isEqualTo(1);
  }
}

package io.callboard.pollers.internal.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Futures;
import io.callboard.testkit.ManualTime;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.Message;

/** Checks from when on a lease counts, with a time that is moved by hand. */
class SqsDeliveriesTest {
  private final Vertx vertx = Vertx.vertx();
  private final ManualTime time = new ManualTime();
  private final SqsDeliveries deliveries = new SqsDeliveries(vertx, Duration.ofSeconds(10), time);

  @AfterEach
  void end() {
    Futures.await(vertx.close());
  }

  private void advance(Duration by) {
    int unused = time.advance(by);
  }

  @Test
  void aLeaseCountsFromTheRequest() {
    long askedNanos = time.nanoTime();
    advance(Duration.ofSeconds(5)); // so late is the answer
    List<String> receipts =
        deliveries.add(List.of(Message.builder().messageId("m").build()), askedNanos);
    advance(Duration.ofMillis(3_900));
    assertThat(deliveries.find(receipts.get(0))).isPresent();
    long extendedNanos = time.nanoTime();
    deliveries.extended(receipts, extendedNanos);
    advance(Duration.ofMillis(8_900));
    assertThat(deliveries.find(receipts.get(0))).isPresent();
    advance(Duration.ofMillis(200));
    assertThat(deliveries.find(receipts.get(0))).as("before it ends in SQS").isEmpty();
  }

  @Test
  void aDeliveryThatIsAnsweredTooLateIsOverAtOnce() {
    long askedNanos = time.nanoTime();
    advance(Duration.ofSeconds(11));
    List<String> receipts =
        deliveries.add(List.of(Message.builder().messageId("m").build()), askedNanos);
    advance(Duration.ofMillis(1));
    assertThat(deliveries.find(receipts.get(0))).isEmpty();
  }
}

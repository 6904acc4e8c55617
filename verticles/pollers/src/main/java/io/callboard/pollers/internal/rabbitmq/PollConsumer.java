package io.callboard.pollers.internal.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.callboard.pollers.source.SourceException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Consumer of one poll: collects deliveries until it is cancelled. Thread-safe. */
final class PollConsumer implements Consumer {
  private final RabbitmqSettings settings;
  private final List<Delivery> deliveries = new ArrayList<>();
  private final CompletableFuture<Void> first = new CompletableFuture<>();
  private final CompletableFuture<List<Delivery>> all = new CompletableFuture<>();

  PollConsumer(RabbitmqSettings settings) {
    this.settings = settings;
  }

  /** Completes with the first message, or when the wait is over; fails if none can come. */
  CompletableFuture<Void> first() {
    return first;
  }

  /** Completes with all deliveries, when the consumer is cancelled and nothing more comes. */
  CompletableFuture<List<Delivery>> all() {
    return all;
  }

  /** Ends the wait. */
  void over() {
    first.complete(null);
  }

  private void fail(String why, Throwable cause) {
    SourceException failure = new SourceException("%s %s".formatted(settings, why), cause);
    first.completeExceptionally(failure);
    all.completeExceptionally(failure);
  }

  @Override
  public void handleConsumeOk(String consumerTag) {}

  @Override
  public void handleDelivery(
      String consumerTag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
    synchronized (this) {
      deliveries.add(new Delivery(envelope, properties, body));
    }
    over();
  }

  /** Ends the poll: the answer to its cancellation comes after all deliveries. */
  @Override
  public void handleCancelOk(String consumerTag) {
    List<Delivery> taken;
    synchronized (this) {
      taken = List.copyOf(deliveries);
    }
    over();
    all.complete(taken);
  }

  @Override
  public void handleCancel(String consumerTag) {
    fail("was deleted, or its server ends", new IllegalStateException("consumer cancelled"));
  }

  @Override
  public void handleShutdownSignal(String consumerTag, ShutdownSignalException signal) {
    fail("is not connected any more: " + signal.getMessage(), signal);
  }

  @Override
  public void handleRecoverOk(String consumerTag) {}
}

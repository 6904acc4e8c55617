package io.callboard.pollers.internal.sqs;

import io.callboard.time.Time;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Messages that were taken and whose lease is not over. It ends here before it ends in SQS, which
 * counts from a moment between the request and its answer, so that no call for a message can hit
 * the next delivery of it.
 */
final class SqsDeliveries {
  private static final double SHARE_OF_THE_LEASE = 0.9;

  private final Vertx vertx;
  private final Time time;
  private final long leaseNanos;
  private final Map<String, Held> held = new HashMap<>();
  private long receipts;

  SqsDeliveries(Vertx vertx, Duration lease, Time time) {
    this.vertx = vertx;
    this.time = time;
    this.leaseNanos = (long) (lease.toNanos() * SHARE_OF_THE_LEASE);
  }

  private static final class Held {
    private final Message message;
    private long terms;

    Held(Message message) {
      this.message = message;
    }
  }

  /**
   * Adds messages that were taken.
   *
   * @param askedNanos when they were asked for
   * @return their receipts
   */
  List<String> add(List<Message> messages, long askedNanos) {
    List<String> added = new ArrayList<>();
    for (Message message : messages) {
      receipts++;
      String receipt = message.messageId() + "/" + receipts;
      held.put(receipt, new Held(message));
      added.add(receipt);
    }
    extended(added, askedNanos);
    return added;
  }

  /**
   * Begins the leases of held messages anew.
   *
   * @param askedNanos when that was asked for
   */
  void extended(Collection<String> receipts, long askedNanos) {
    Map<String, Long> terms = new HashMap<>();
    for (String receipt : receipts) {
      Held found = held.get(receipt);
      if (found != null) {
        found.terms++;
        terms.put(receipt, found.terms);
      }
    }
    if (!terms.isEmpty()) {
      Duration left = Duration.ofNanos(leaseNanos - (time.nanoTime() - askedNanos));
      Time.Alarm unused =
          time.after(vertx.getOrCreateContext(), left, () -> terms.forEach(this::end));
    }
  }

  private void end(String receipt, long term) {
    Held found = held.get(receipt);
    if (found != null && found.terms == term) {
      held.remove(receipt);
    }
  }

  Optional<Message> find(String receipt) {
    @Nullable Held found = held.get(receipt);
    return found == null ? Optional.empty() : Optional.of(found.message);
  }

  void remove(Collection<String> receipts) {
    receipts.forEach(held::remove);
  }
}

package io.callboard.pollers.sqs;

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
 * Messages that were taken and whose lease is not over. It ends here a little before it ends in
 * SQS, so that no call for a message can hit the next delivery of it.
 */
final class SqsDeliveries {
  private static final double SHARE_OF_THE_LEASE = 0.9;

  private final Vertx vertx;
  private final long leaseMs;
  private final Map<String, Held> held = new HashMap<>();
  private long receipts;

  SqsDeliveries(Vertx vertx, Duration lease) {
    this.vertx = vertx;
    this.leaseMs = (long) (lease.toMillis() * SHARE_OF_THE_LEASE);
  }

  private static final class Held {
    private final Message message;
    private long terms;

    Held(Message message) {
      this.message = message;
    }
  }

  /** Notes messages; returns their receipts. */
  List<String> add(List<Message> messages) {
    List<String> added = new ArrayList<>();
    for (Message message : messages) {
      receipts++;
      String receipt = message.messageId() + "/" + receipts;
      held.put(receipt, new Held(message));
      added.add(receipt);
    }
    extended(added);
    return added;
  }

  /** Begins the leases of those that are there anew. */
  void extended(Collection<String> receipts) {
    Map<String, Long> terms = new HashMap<>();
    for (String receipt : receipts) {
      Held found = held.get(receipt);
      if (found != null) {
        found.terms++;
        terms.put(receipt, found.terms);
      }
    }
    if (!terms.isEmpty()) {
      long unused = vertx.setTimer(leaseMs, t -> terms.forEach(this::end));
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

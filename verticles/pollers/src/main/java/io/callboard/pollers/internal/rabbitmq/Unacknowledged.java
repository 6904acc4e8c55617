package io.callboard.pollers.internal.rabbitmq;

import com.rabbitmq.client.Delivery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries of one channel that are not acknowledged, by their tags. Without I/O; used by one
 * thread.
 */
final class Unacknowledged {
  private final TreeMap<Long, Delivery> open = new TreeMap<>();

  /**
   * Acknowledgement to send.
   *
   * @param multiple whether it is for all up to this tag
   */
  record Ack(long tag, boolean multiple) {}

  /** Adds a delivery; returns its receipt. */
  String add(Delivery delivery) {
    long tag = delivery.getEnvelope().getDeliveryTag();
    open.put(tag, delivery);
    return String.valueOf(tag);
  }

  /** Returns a delivery, or null if it has ended. */
  @Nullable Delivery get(String receipt) {
    return open.get(tag(receipt));
  }

  private static long tag(String receipt) {
    return Long.parseLong(receipt);
  }

  /** Removes and returns the tags of those deliveries that are open. */
  List<Long> remove(Collection<String> receipts) {
    List<Long> tags = new ArrayList<>();
    for (String receipt : receipts) {
      if (open.remove(tag(receipt)) != null) {
        tags.add(tag(receipt));
      }
    }
    return tags;
  }

  /** Forgets deliveries, and returns the fewest acknowledgements that are for them alone. */
  List<Ack> acknowledge(Collection<String> receipts) {
    Set<Long> tags = new HashSet<>(remove(receipts));
    long below = open.isEmpty() ? Long.MAX_VALUE : open.firstKey();
    long last = tags.stream().filter(tag -> tag < below).mapToLong(tag -> tag).max().orElse(0);
    List<Ack> acks = new ArrayList<>();
    if (last > 0) {
      acks.add(new Ack(last, true));
    }
    tags.stream().filter(tag -> tag > last).sorted().forEach(tag -> acks.add(new Ack(tag, false)));
    return acks;
  }
}

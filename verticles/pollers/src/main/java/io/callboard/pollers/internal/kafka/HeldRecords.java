package io.callboard.pollers.internal.kafka;

import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Records that one consumer holds: read ahead or delivered and still open, by its partitions.
 * Without I/O; used by one thread.
 */
final class HeldRecords {
  private final String retryTopic;
  private final int window;
  private final String prefix;
  private final Map<TopicPartition, AssignedPartition> lanes = new LinkedHashMap<>();
  private final Map<String, Delivery> open = new HashMap<>();
  private long receipts;

  /** Record that a poller has, and whose end it has not reported. */
  record Delivery(AssignedPartition lane, ConsumerRecord<byte[], byte[]> record, String id) {}

  /**
   * Creates a set without any partition.
   *
   * @param retryTopic topic whose records wait until they are due
   * @param window largest number of offsets of one partition that are delivered and not committed
   * @param prefix what the ids of messages begin with, but for those of the retry topic
   */
  HeldRecords(String retryTopic, int window, String prefix) {
    this.retryTopic = retryTopic;
    this.window = window;
    this.prefix = prefix;
  }

  void assigned(Collection<TopicPartition> partitions) {
    for (TopicPartition each : partitions) {
      lanes.put(each, new AssignedPartition(each, window, each.topic().equals(retryTopic)));
    }
  }

  /**
   * Records that the group has committed the initial offsets of these partitions, so that they may
   * deliver.
   */
  void begun(Collection<TopicPartition> partitions) {
    for (TopicPartition each : partitions) {
      AssignedPartition lane = lanes.get(each);
      if (lane != null) {
        lane.begin();
      }
    }
  }

  /** Returns the partitions that may deliver, or those that may not yet. */
  Set<TopicPartition> thatHaveBegun(boolean begun) {
    return lanes.values().stream()
        .filter(lane -> lane.hasBegun() == begun)
        .map(AssignedPartition::partition)
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** Forgets partitions, and the deliveries from them. */
  void revoked(Collection<TopicPartition> partitions) {
    for (TopicPartition each : partitions) {
      AssignedPartition lane = lanes.remove(each);
      open.values().removeIf(delivery -> delivery.lane() == lane);
    }
  }

  Set<TopicPartition> partitions() {
    return lanes.keySet();
  }

  /**
   * Adds records that were read.
   *
   * @return partitions that begin again at an earlier offset, because their broker has lost
   *     records; what was open of them is forgotten
   */
  Set<TopicPartition> read(Iterable<ConsumerRecord<byte[], byte[]>> records) {
    Set<TopicPartition> setBack = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> each : records) {
      TopicPartition partition = new TopicPartition(each.topic(), each.partition());
      AssignedPartition lane = lanes.get(partition);
      if (lane != null && lane.window().isPast(each.offset())) {
        setBack.add(partition);
        revoked(Set.of(partition));
        assigned(Set.of(partition));
        begun(Set.of(partition));
        lane = lanes.get(partition);
      }
      if (lane != null) {
        lane.add(each);
      }
    }
    return setBack;
  }

  /** Delivers the records that are due, in turn from each partition and in the order of each. */
  List<SourceMessage> take(int most, Instant now) {
    List<SourceMessage> taken = new ArrayList<>();
    List<AssignedPartition> due = new ArrayList<>(lanes.values());
    long bytes = 0;
    while (!due.isEmpty() && taken.size() < most && bytes < Source.MOST_BYTES) {
      due.removeIf(lane -> !isDue(lane, now));
      for (AssignedPartition lane : due.subList(0, Math.min(due.size(), most - taken.size()))) {
        SourceMessage next = deliver(lane);
        taken.add(next);
        bytes += next.bytes();
        // the next poll begins with another
        lanes.remove(lane.partition());
        lanes.put(lane.partition(), lane);
      }
    }
    return taken;
  }

  private static boolean isDue(AssignedPartition lane, Instant now) {
    Instant dueAt = lane.dueAt();
    return dueAt != null && !dueAt.isAfter(now);
  }

  private SourceMessage deliver(AssignedPartition lane) {
    ConsumerRecord<byte[], byte[]> record = lane.next();
    receipts++;
    String receipt = String.valueOf(receipts);
    SourceMessage message =
        RetryHeaders.message(
            record, lane.isRetry(), receipt, lane.isRetry() ? record.topic() : prefix);
    open.put(receipt, new Delivery(lane, record, message.id()));
    return message;
  }

  /** Returns when the next record that waits for its time is due; empty if none does. */
  Optional<Instant> dueAt() {
    return lanes.values().stream()
        .flatMap(lane -> Optional.ofNullable(lane.dueAt()).stream())
        .min(Instant::compareTo);
  }

  /** Returns the partitions from which the client is to read on. */
  Set<TopicPartition> wanted() {
    return lanes.values().stream()
        .filter(AssignedPartition::wantsMore)
        .map(AssignedPartition::partition)
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** Returns an open delivery, or null if it was lost or has ended. */
  @Nullable Delivery delivery(String receipt) {
    return open.get(receipt);
  }

  boolean isOpen(String receipt) {
    return open.containsKey(receipt);
  }

  /** Records that a delivery is done; ignores one that was lost. */
  void done(String receipt) {
    Delivery delivery = open.remove(receipt);
    if (delivery != null && !delivery.lane().window().done(delivery.record().offset())) {
      throw new IllegalStateException("an open delivery is not in its window: " + receipt);
    }
  }

  /** Puts an open delivery back to where it was; ignores one that was lost. */
  void release(String receipt) {
    Delivery delivery = open.remove(receipt);
    if (delivery != null) {
      delivery.lane().add(delivery.record());
    }
  }

  /** Returns the offsets of these partitions that may be committed and are not. */
  Map<TopicPartition, OffsetAndMetadata> committable(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (TopicPartition each : partitions) {
      AssignedPartition lane = lanes.get(each);
      OptionalLong offset = lane == null ? OptionalLong.empty() : lane.window().committable();
      offset.ifPresent(at -> offsets.put(each, new OffsetAndMetadata(at)));
    }
    return offsets;
  }

  void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
    offsets.forEach(
        (partition, at) -> {
          AssignedPartition lane = lanes.get(partition);
          if (lane != null) {
            lane.window().committed(at.offset());
          }
        });
  }

  /** Returns how many records were read and wait. */
  int waiting() {
    return lanes.values().stream().mapToInt(AssignedPartition::waiting).sum();
  }
}

package io.callboard.pollers.internal.kafka;

import java.time.Instant;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** One assigned partition: records that were read and wait, and the window of those delivered. */
final class AssignedPartition {
  private final TopicPartition partition;
  private final OffsetWindow window;
  private final boolean isRetry;
  private boolean hasBegun;
  private final TreeMap<Long, ConsumerRecord<byte[], byte[]>> waiting = new TreeMap<>();

  AssignedPartition(TopicPartition partition, int window, boolean isRetry) {
    this.partition = partition;
    this.window = new OffsetWindow(window);
    this.isRetry = isRetry;
  }

  TopicPartition partition() {
    return partition;
  }

  OffsetWindow window() {
    return window;
  }

  boolean isRetry() {
    return isRetry;
  }

  /**
   * Returns whether the group has committed an initial offset of the partition; before that nothing
   * is delivered from it.
   */
  boolean hasBegun() {
    return hasBegun;
  }

  void begin() {
    hasBegun = true;
  }

  /** Adds a record that was read, or is given back. */
  void add(ConsumerRecord<byte[], byte[]> read) {
    waiting.put(read.offset(), read);
  }

  int waiting() {
    return waiting.size();
  }

  /** Returns whether the client is to read on. */
  boolean wantsMore() {
    return hasBegun && waiting.isEmpty() && !window.isFull();
  }

  /**
   * Returns when the next record of the partition may be delivered; null if there is none, or no
   * room for it.
   */
  @Nullable Instant dueAt() {
    if (!hasBegun || waiting.isEmpty() || !window.admits(waiting.firstKey())) {
      return null;
    }
    return isRetry
        ? RetryHeaders.dueAt(Objects.requireNonNull(waiting.firstEntry()).getValue())
        : Instant.EPOCH;
  }

  /** Delivers the next record of the partition. */
  ConsumerRecord<byte[], byte[]> next() {
    ConsumerRecord<byte[], byte[]> record =
        Objects.requireNonNull(waiting.pollFirstEntry()).getValue();
    window.deliver(record.offset());
    return record;
  }
}

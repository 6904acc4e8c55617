package io.callboard.pollers.internal.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Initial offsets of partitions without a committed offset: the earliest record, or the latest if
 * the group has committed no offset of any partition of the topic. (If it has committed some, the
 * partition was added later, and its first records must not be skipped.) They are committed before
 * a record is delivered: otherwise the next member would determine them again, and with the latest
 * it would skip the records that this one held. Blocks; used by the thread of the consumer.
 */
final class InitialOffsets {
  private final KafkaSettings settings;
  private final Consumer<byte[], byte[]> consumer;
  private final Duration answer;

  InitialOffsets(KafkaSettings settings, Consumer<byte[], byte[]> consumer, Duration answer) {
    this.settings = settings;
    this.consumer = consumer;
    this.answer = answer;
  }

  /** Commits the initial offsets of those partitions that have no committed offset. */
  void commit(Set<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> known = consumer.committed(partitions, answer);
    Set<TopicPartition> fresh = new HashSet<>(partitions);
    fresh.removeIf(each -> known.get(each) != null);
    if (fresh.isEmpty()) {
      return;
    }
    boolean isLatest = settings.from().equals("latest") && isNew();
    Map<TopicPartition, OffsetAndMetadata> beginnings = new HashMap<>();
    for (TopicPartition each : fresh) {
      // the retry topic has nothing but what this source has put there
      if (isLatest && each.topic().equals(settings.topic())) {
        consumer.seekToEnd(List.of(each));
      } else {
        consumer.seekToBeginning(List.of(each));
      }
      beginnings.put(each, new OffsetAndMetadata(consumer.position(each, answer)));
    }
    consumer.commitSync(beginnings, answer);
  }

  /** Returns whether nothing is committed of the topic. */
  private boolean isNew() {
    Set<TopicPartition> all =
        consumer.partitionsFor(settings.topic(), answer).stream()
            .map(each -> new TopicPartition(each.topic(), each.partition()))
            .collect(Collectors.toSet());
    return consumer.committed(all, answer).values().stream().allMatch(Objects::isNull);
  }
}

package io.callboard.pollers.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a group begins in partitions of which it has committed nothing. That is committed before
 * anything of them is delivered: else the next member would begin there anew, and with the latest
 * it would skip what this one had. Blocks; used by the thread of the consumer.
 */
final class Beginnings {
  private final KafkaSettings settings;
  private final Consumer<byte[], byte[]> consumer;
  private final Duration answer;

  Beginnings(KafkaSettings settings, Consumer<byte[], byte[]> consumer, Duration answer) {
    this.settings = settings;
    this.consumer = consumer;
    this.answer = answer;
  }

  /** Commits where these partitions begin, as far as nothing is committed of them. */
  void commit(Set<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> known = consumer.committed(partitions, answer);
    Set<TopicPartition> fresh = new HashSet<>(partitions);
    fresh.removeIf(each -> known.get(each) != null);
    if (fresh.isEmpty()) {
      return;
    }
    Map<TopicPartition, OffsetAndMetadata> beginnings = new HashMap<>();
    for (TopicPartition each : fresh) {
      if (beginsWithLatest(each)) {
        consumer.seekToEnd(List.of(each));
      } else {
        consumer.seekToBeginning(List.of(each));
      }
      beginnings.put(each, new OffsetAndMetadata(consumer.position(each, answer)));
    }
    consumer.commitSync(beginnings, answer);
  }

  /** The retry topic has nothing but what this source has put there. */
  private boolean beginsWithLatest(TopicPartition partition) {
    return settings.from().equals("latest") && !partition.topic().equals(settings.retryTopic());
  }
}

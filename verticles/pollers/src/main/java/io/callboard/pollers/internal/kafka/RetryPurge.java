package io.callboard.pollers.internal.kafka;

import io.callboard.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the records of the retry topic that are done. The topic has no limit of time, so it would
 * grow for ever, and all of it would come again to a group whose offsets have expired. Does not
 * block; used by the thread of the consumer.
 */
final class RetryPurge {
  private static final Logger LOG = LoggerFactory.getLogger(RetryPurge.class);
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private final Admin admin;
  private final KafkaSettings settings;
  private final Time time;
  private final Map<TopicPartition, RecordsToDelete> done = new HashMap<>();
  private final AtomicBoolean isUnderWay = new AtomicBoolean();
  private final AtomicBoolean hasFailed = new AtomicBoolean();
  private long nextNanos;

  RetryPurge(Admin admin, KafkaSettings settings, Time time) {
    this.admin = admin;
    this.settings = settings;
    this.time = time;
    this.nextNanos = time.nanoTime();
  }

  /** Records what was committed. */
  void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
    offsets.forEach(
        (partition, at) -> {
          if (partition.topic().equals(settings.retryTopic())) {
            done.put(partition, RecordsToDelete.beforeOffset(at.offset()));
          }
        });
  }

  /** Begins to delete if it is time. */
  void run() {
    if (done.isEmpty() || time.nanoTime() - nextNanos < 0 || isUnderWay.get()) {
      return;
    }
    isUnderWay.set(true);
    nextNanos = time.nanoTime() + PERIOD.toNanos();
    Map<TopicPartition, RecordsToDelete> part = Map.copyOf(done);
    done.clear();
    var unused = admin.deleteRecords(part).all().whenComplete((v, failure) -> ended(failure));
  }

  private void ended(@Nullable Throwable failure) {
    isUnderWay.set(false);
    if (failure != null && !hasFailed.getAndSet(true)) {
      LOG.warn(
          "{}: what is done cannot be deleted from \"{}\", which grows therefore; the client needs"
              + " the right to delete records: {}",
          settings,
          settings.retryTopic(),
          failure.toString());
    }
  }
}

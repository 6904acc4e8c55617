package io.callboard.pollers.internal.kafka;

import io.callboard.pollers.source.SourceException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the topics that a source needs besides its own. Blocks. */
final class KafkaTopics {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaTopics.class);

  /** Room for the headers that a copy has besides those of the record. */
  private static final int ROOM = 64 * 1024;

  /** Looks for a topic that was just made, with pauses: for 5 s together. */
  private static final int MOST_LOOKS = 100;

  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Admin admin;
  private final KafkaSettings settings;

  KafkaTopics(Admin admin, KafkaSettings settings) {
    this.admin = admin;
    this.settings = settings;
  }

  /**
   * Topics of a source.
   *
   * @param identity that of its own topic
   */
  record Prepared(RetryTopic retry, TopicIdentity identity) {}

  /** Checks that the topic is there, and makes the others if they are missing. */
  Prepared prepare() throws ExecutionException, InterruptedException {
    Optional<TopicDescription> own = described(settings.topic());
    if (own.isEmpty()) {
      throw new SourceException("there is no %s; make the topic".formatted(settings));
    }
    make(settings.deadTopic(), 1);
    make(settings.retryTopic(), RetryTopic.PARTITIONS);
    return new Prepared(
        new RetryTopic(settings.retryTopic(), known(settings.retryTopic())),
        new TopicIdentity(settings.topic(), own.get().topicId()));
  }

  /**
   * Returns the partitions of a topic, which may be just made, once its broker knows it: a consumer
   * would be assigned none of them before, and a static member that replaces it, neither.
   */
  private int known(String topic) throws ExecutionException, InterruptedException {
    for (int look = 0; look < MOST_LOOKS; look++) {
      Optional<Integer> found = partitions(topic);
      if (found.isPresent()) {
        return found.get();
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    throw new SourceException(
        "topic \"%s\" was made, and the brokers at %s do not know it yet"
            .formatted(topic, settings.servers()));
  }

  private Optional<Integer> partitions(String topic)
      throws ExecutionException, InterruptedException {
    return described(topic).map(each -> each.partitions().size());
  }

  private Optional<TopicDescription> described(String topic)
      throws ExecutionException, InterruptedException {
    KafkaFuture<TopicDescription> described =
        Objects.requireNonNull(admin.describeTopics(List.of(topic)).topicNameValues().get(topic));
    try {
      return Optional.of(described.get());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private void make(String topic, int partitions) throws ExecutionException, InterruptedException {
    if (partitions(topic).isPresent()) {
      return;
    }
    Map<String, String> configs = new HashMap<>();
    configs.put(TopicConfig.RETENTION_MS_CONFIG, "-1");
    configs.put(TopicConfig.RETENTION_BYTES_CONFIG, "-1");
    configs.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
    largest()
        .ifPresent(
            bytes -> configs.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(bytes)));
    NewTopic made = new NewTopic(topic, Optional.of(partitions), Optional.empty()).configs(configs);
    try {
      var unused = admin.createTopics(List.of(made)).all().get();
      LOG.info("Topic \"{}\" was made, with {} partitions", topic, partitions);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw new SourceException(
            "topic \"%s\" cannot be made at %s; make it yourself, with retention.ms=-1: %s"
                .formatted(topic, settings.servers(), e.getCause()),
            e.getCause());
      }
    }
  }

  /** Largest record of the topic, with room for more headers; empty if it may not be read. */
  private Optional<Long> largest() throws ExecutionException, InterruptedException {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, settings.topic());
    try {
      String bytes =
          Objects.requireNonNull(admin.describeConfigs(List.of(topic)).all().get().get(topic))
              .get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG)
              .value();
      return Optional.of(Math.min(Long.parseLong(bytes) + ROOM, Integer.MAX_VALUE));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicAuthorizationException) {
        LOG.warn(
            "The configuration of {} may not be read, so the largest records may not fit the"
                + " topics for what fails",
            settings);
        return Optional.empty();
      }
      throw e;
    }
  }
}

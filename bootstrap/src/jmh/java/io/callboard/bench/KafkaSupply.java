package io.callboard.bench;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Topic of three partitions in Kafka. */
final class KafkaSupply implements Supply {
  private static final int PARTITIONS = 3;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final String servers;
  private final String topic;
  private final Admin admin;
  private final KafkaProducer<byte[], byte[]> producer;
  private @Nullable KafkaConsumer<byte[], byte[]> consumer;
  private int number;

  KafkaSupply(String servers, String topic) throws Exception {
    this.servers = servers;
    this.topic = topic;
    this.admin = Admin.create(Map.of("bootstrap.servers", servers));
    NewTopic made = new NewTopic(topic, Optional.of(PARTITIONS), Optional.empty());
    var unused = admin.createTopics(List.of(made)).all().get();
    Load.await("topic " + topic, LIMIT, this::isThere);
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  private boolean isThere() {
    try {
      return admin.listTopics().names().get().contains(topic);
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The group has the name of the topic. */
  @Override
  public JsonObject settings() {
    return new JsonObject().put("servers", servers).put("topic", topic).put("group", topic);
  }

  @Override
  public String plain() {
    return "poll of up to 500, then one commit";
  }

  @Override
  public void put(int count) throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] body = Supply.body(++number).getBytes(StandardCharsets.UTF_8);
      sent.add(producer.send(new ProducerRecord<>(topic, number % PARTITIONS, null, body)));
    }
    for (Future<RecordMetadata> each : sent) {
      var unused = each.get();
    }
  }

  @Override
  public void take(int count) {
    KafkaConsumer<byte[], byte[]> its = consumer == null ? subscribed() : consumer;
    consumer = its;
    for (int taken = 0; taken < count; ) {
      ConsumerRecords<byte[], byte[]> records = its.poll(Duration.ofMillis(100));
      for (ConsumerRecord<byte[], byte[]> each : records) {
        Supply.check(each.value().length);
      }
      if (!records.isEmpty()) {
        its.commitSync();
        taken += records.count();
      }
    }
  }

  private KafkaConsumer<byte[], byte[]> subscribed() {
    KafkaConsumer<byte[], byte[]> made =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                servers,
                "group.id",
                topic,
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                false),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    made.subscribe(List.of(topic));
    return made;
  }

  @Override
  public long left() throws Exception {
    Map<TopicPartition, OffsetAndMetadata> done =
        admin.listConsumerGroupOffsets(topic).partitionsToOffsetAndMetadata().get();
    Set<TopicPartition> all =
        IntStream.range(0, PARTITIONS)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .collect(Collectors.toSet());
    long left = 0;
    try (KafkaConsumer<byte[], byte[]> looking = subscribed()) {
      for (Map.Entry<TopicPartition, Long> end : looking.endOffsets(all).entrySet()) {
        OffsetAndMetadata committed = done.get(end.getKey());
        left += end.getValue() - (committed == null ? 0 : committed.offset());
      }
    }
    return left;
  }

  @Override
  public void end() {
    producer.close();
    admin.close();
    if (consumer != null) {
      consumer.close();
    }
  }
}

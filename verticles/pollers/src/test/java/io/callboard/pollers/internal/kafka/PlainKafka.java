package io.callboard.pollers.internal.kafka;

import io.callboard.testkit.Eventually;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka's plain clients, as tests use them beside a source. Thread-safe. */
final class PlainKafka implements AutoCloseable {
  private final String address;
  private final Admin admin;
  private final KafkaProducer<byte[], byte[]> producer;

  PlainKafka(String address) {
    this.address = address;
    this.admin = Admin.create(Map.of("bootstrap.servers", address));
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", address, "max.request.size", 8 * 1024 * 1024),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** Lets the broker make what it makes for its first group, which takes seconds. */
  void beginGroups() throws Exception {
    makeTopic("first", 1, Map.of());
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", address, "group.id", "first"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.subscribe(List.of("first"));
      Eventually.isTrue(
          "the first group",
          () -> {
            consumer.poll(Duration.ofMillis(100));
            return !consumer.assignment().isEmpty();
          });
    }
  }

  /** Makes a topic; returns when the broker knows it, which may be later than its answer. */
  void makeTopic(String name, int partitions, Map<String, String> configs) throws Exception {
    NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty());
    var unused = admin.createTopics(List.of(topic.configs(configs))).all().get();
    Eventually.isTrue("topic " + name, () -> isThere(name));
  }

  /** Removes a topic; returns when the broker does not know it any more. */
  void removeTopic(String name) throws Exception {
    var unused = admin.deleteTopics(List.of(name)).all().get();
    Eventually.isTrue("no topic " + name, () -> !isThere(name));
  }

  /** Adds partitions to a topic, so that it has that many. */
  void addPartitions(String topic, int count) throws Exception {
    var unused = admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(count))).all().get();
  }

  /** Sets a configuration of a topic, and waits until the broker goes by it. */
  void configure(String topic, String key, String value) throws Exception {
    ConfigResource its = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp set = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    var unused = admin.incrementalAlterConfigs(Map.of(its, List.of(set))).all().get();
    Eventually.isTrue(
        "%s of %s is %s".formatted(key, topic, value), () -> value.equals(config(its, key)));
  }

  private String config(ConfigResource of, String key) {
    try {
      return admin.describeConfigs(List.of(of)).all().get().get(of).get(key).value();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean isThere(String topic) {
    try {
      return admin.listTopics().names().get().contains(topic);
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sends bodies to the partitions in turn; durable on return. */
  void send(String topic, int partitions, List<Buffer> bodies) throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (Buffer each : bodies) {
      sent.add(
          producer.send(
              new ProducerRecord<>(topic, sent.size() % partitions, null, each.getBytes())));
    }
    for (Future<RecordMetadata> each : sent) {
      var unused = each.get();
    }
  }

  /** Reads all that is in a topic. */
  List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", address, "auto.offset.reset", "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          consumer.partitionsFor(topic).stream()
              .map(each -> new TopicPartition(topic, each.partition()))
              .toList();
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      consumer.assign(all);
      consumer.seekToBeginning(all);
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      while (all.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
      return records;
    }
  }

  static String header(ConsumerRecord<?, ?> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
  }
}

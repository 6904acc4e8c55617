package io.callboard.pollers.internal.kafka;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;

/** Makes clients of Kafka from their properties; tests make such that they can cut off. */
interface KafkaClients {
  /** Kafka's own clients. */
  KafkaClients PLAIN =
      new KafkaClients() {
        @Override
        public Consumer<byte[], byte[]> consumer(Map<String, Object> properties) {
          return new KafkaConsumer<>(properties);
        }

        @Override
        public Producer<byte[], byte[]> producer(Map<String, Object> properties) {
          return new KafkaProducer<>(properties);
        }

        @Override
        public Admin admin(Map<String, Object> properties) {
          return Admin.create(properties);
        }
      };

  Consumer<byte[], byte[]> consumer(Map<String, Object> properties);

  Producer<byte[], byte[]> producer(Map<String, Object> properties);

  Admin admin(Map<String, Object> properties);
}

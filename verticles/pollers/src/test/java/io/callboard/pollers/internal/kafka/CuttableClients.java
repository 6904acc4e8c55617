package io.callboard.pollers.internal.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Real clients that a test cuts off, as the death of their process would: from then on they send
 * nothing, commit nothing, and do not leave their group. (A proxy cannot: a broker tells its
 * clients its own address.)
 */
final class CuttableClients implements KafkaClients {
  private volatile boolean cut;

  void cut() {
    cut = true;
  }

  private void check() {
    if (cut) {
      throw new KafkaException("the test has cut this client off");
    }
  }

  @Override
  public Consumer<byte[], byte[]> consumer(Map<String, Object> properties) {
    return new KafkaConsumer<>(properties) {
      @Override
      public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        check();
        ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
        check();
        return records;
      }

      @Override
      public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        check();
        super.commitSync(offsets, timeout);
      }

      @Override
      public void close(CloseOptions options) {
        super.close(
            cut
                ? CloseOptions.groupMembershipOperation(
                        CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP)
                    .withTimeout(Duration.ZERO)
                : options);
      }
    };
  }

  @Override
  public Producer<byte[], byte[]> producer(Map<String, Object> properties) {
    return new KafkaProducer<>(properties) {
      @Override
      public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
        check();
        return super.send(record, callback);
      }

      @Override
      public void close(Duration timeout) {
        super.close(cut ? Duration.ZERO : timeout);
      }
    };
  }

  @Override
  public Admin admin(Map<String, Object> properties) {
    return PLAIN.admin(properties);
  }
}

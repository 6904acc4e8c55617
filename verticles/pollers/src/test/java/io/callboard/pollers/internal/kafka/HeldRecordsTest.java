package io.callboard.pollers.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.pollers.source.SourceMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeldRecordsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final RetryTopic RETRY = new RetryTopic("t.callboard.retry", 7);
  private static final TopicPartition P0 = new TopicPartition("t", 0);
  private static final TopicPartition P1 = new TopicPartition("t", 1);
  private static final TopicPartition R0 = new TopicPartition(RETRY.name(), 0);

  private final HeldRecords taken = new HeldRecords(RETRY.name(), 100, "t");

  private void assigned(List<TopicPartition> partitions) {
    taken.assigned(partitions);
    taken.begun(partitions);
  }

  private static ConsumerRecord<byte[], byte[]> at(TopicPartition partition, long offset) {
    return new ConsumerRecord<>(
        partition.topic(), partition.partition(), offset, null, new byte[] {1});
  }

  /** The record as a consumer reads it back. */
  private static ConsumerRecord<byte[], byte[]> sent(
      ProducerRecord<byte[], byte[]> record, TopicPartition to, long offset) {
    ConsumerRecord<byte[], byte[]> read =
        new ConsumerRecord<>(to.topic(), to.partition(), offset, record.key(), record.value());
    record.headers().forEach(read.headers()::add);
    return read;
  }

  private static List<String> ids(List<SourceMessage> messages) {
    return messages.stream().map(SourceMessage::id).toList();
  }

  @Test
  void partitionsGiveInTurnAndInOrder() {
    assigned(List.of(P0, P1));
    assertThat(taken.read(List.of(at(P0, 0), at(P0, 1), at(P0, 2), at(P1, 9)))).isEmpty();
    assertThat(taken.wanted()).as("what waits is enough").isEmpty();
    assertThat(ids(taken.take(3, NOW))).containsExactly("t/0/0", "t/1/9", "t/0/1");
    assertThat(taken.wanted()).containsExactly(P1);
    assertThat(ids(taken.take(3, NOW))).containsExactly("t/0/2");
    assertThat(taken.take(3, NOW)).isEmpty();
  }

  @Test
  void aRetryWaitsForItsTimeAndKeepsItsId() {
    assigned(List.of(P0, R0));
    ConsumerRecord<byte[], byte[]> failed = at(P0, 4);
    failed.headers().add("kind", "a".getBytes(StandardCharsets.UTF_8));
    failed.headers().add(RetryHeaders.ID, "forged".getBytes(StandardCharsets.UTF_8));
    Instant due = NOW.plusSeconds(5);
    ConsumerRecord<byte[], byte[]> retry =
        sent(RetryHeaders.retry(failed, "t/0/4", RETRY, due, 0, "why"), R0, 77);
    assertThat(taken.read(List.of(retry, at(P0, 5)))).isEmpty();
    assertThat(ids(taken.take(9, NOW))).containsExactly("t/0/5");
    assertThat(taken.dueAt()).contains(due);
    assertThat(taken.take(9, due.minusMillis(1))).isEmpty();
    SourceMessage again = taken.take(9, due).get(0);
    assertThat(again.id()).isEqualTo("t/0/4");
    assertThat(again.deliveries()).isEqualTo(2);
    assertThat(again.headers()).isEqualTo(Map.of("kind", "a"));
    ConsumerRecord<byte[], byte[]> third =
        sent(RetryHeaders.retry(retry, again.id(), RETRY, due, 0, "why"), R0, 78);
    assertThat(taken.read(List.of(third))).isEmpty();
    SourceMessage last = taken.take(9, due).get(0);
    assertThat(last.id()).isEqualTo("t/0/4");
    assertThat(last.deliveries()).isEqualTo(3);
  }

  @Test
  void aRecordThatOthersPutIntoTheRetryTopicIsDueAtOnce() {
    assigned(List.of(R0));
    ConsumerRecord<byte[], byte[]> strange = at(R0, 1);
    strange.headers().add(RetryHeaders.NOT_BEFORE, "soon".getBytes(StandardCharsets.UTF_8));
    strange.headers().add(RetryHeaders.ATTEMPTS, "-4".getBytes(StandardCharsets.UTF_8));
    strange.headers().add(RetryHeaders.ID, null);
    assertThat(taken.read(List.of(strange))).isEmpty();
    assertThat(ids(taken.take(1, NOW))).containsExactly(RETRY.name() + "/0/1");
  }

  @Test
  void aRecordThatIsGivenBackComesFirst() {
    assigned(List.of(P0));
    assertThat(taken.read(List.of(at(P0, 0), at(P0, 1), at(P0, 2)))).isEmpty();
    List<SourceMessage> first = taken.take(2, NOW);
    taken.release(first.get(0).receipt());
    assertThat(taken.isOpen(first.get(0).receipt())).isFalse();
    List<SourceMessage> again = taken.take(2, NOW);
    assertThat(ids(again)).containsExactly("t/0/0", "t/0/2");
    assertThat(again.get(0).receipt()).isNotEqualTo(first.get(0).receipt());
    taken.done(first.get(0).receipt());
    assertThat(taken.committable(Set.of(P0))).as("a late call does nothing").isEmpty();
  }

  @Test
  void aRevokedPartitionIsForgotten() {
    assigned(List.of(P0, P1));
    assertThat(taken.read(List.of(at(P0, 0), at(P0, 1), at(P1, 0)))).isEmpty();
    List<SourceMessage> open = taken.take(2, NOW);
    taken.revoked(List.of(P0));
    assertThat(open.stream().filter(each -> taken.isOpen(each.receipt())).map(SourceMessage::id))
        .containsExactly("t/1/0");
    assigned(List.of(P0));
    open.forEach(each -> taken.done(each.receipt()));
    assertThat(taken.committable(taken.partitions())).containsOnlyKeys(P1);
    assertThat(taken.take(9, NOW)).as("it is read again").isEmpty();
  }

  @Test
  void aPartitionThatIsSetBackBeginsAnew() {
    assigned(List.of(P0));
    assertThat(taken.read(List.of(at(P0, 8), at(P0, 9)))).isEmpty();
    List<SourceMessage> before = taken.take(2, NOW);
    before.forEach(each -> taken.done(each.receipt()));
    assertThat(taken.read(List.of(at(P0, 8)))).containsExactly(P0);
    assertThat(ids(taken.take(2, NOW))).containsExactly("t/0/8");
  }

  @Test
  void delaysOfOneSizeShareAPartition() {
    assertThat(RETRY.partition(Duration.ZERO)).isZero();
    assertThat(RETRY.partition(Duration.ofMillis(1))).isEqualTo(1);
    assertThat(RETRY.partition(Duration.ofSeconds(10))).isEqualTo(2);
    assertThat(RETRY.partition(Duration.ofDays(9))).isEqualTo(6);
    assertThat(new RetryTopic("one", 1).partition(Duration.ofDays(9))).isZero();
  }

  /** Consumers that die and rebalance at random, in front of a log with a committed offset. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void noRecordIsLost(long seed) {
    Random random = new Random(seed);
    int end = 200;
    Set<Long> done = new java.util.TreeSet<>();
    long committed = 0;
    while (committed < end) {
      HeldRecords consumer = new HeldRecords(RETRY.name(), 1 + random.nextInt(20), "t");
      consumer.assigned(List.of(P0));
      consumer.begun(List.of(P0));
      long position = committed;
      Map<String, Long> open = new HashMap<>();
      int turns = random.nextInt(100);
      for (int i = 0; i < turns; i++) {
        if (consumer.wanted().contains(P0)) {
          List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
          for (int n = random.nextInt(10); n > 0 && position < end; n--) {
            read.add(at(P0, position++));
          }
          assertThat(consumer.read(read)).isEmpty();
        }
        for (SourceMessage each : consumer.take(1 + random.nextInt(5), NOW)) {
          open.put(each.receipt(), Long.parseLong(each.id().substring("t/0/".length())));
        }
        for (String receipt : List.copyOf(open.keySet())) {
          int what = random.nextInt(4);
          if (what == 0) {
            consumer.release(receipt);
            open.remove(receipt);
          } else if (what == 1) {
            consumer.done(receipt);
            done.add(open.remove(receipt));
          }
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = consumer.committable(Set.of(P0));
        if (!offsets.isEmpty() && random.nextBoolean()) {
          consumer.committed(offsets);
          committed = offsets.get(P0).offset();
          long below = committed;
          assertThat(done.stream().filter(offset -> offset < below).collect(Collectors.toSet()))
              .as("committed up to %d", below)
              .hasSize((int) below);
        }
      }
    }
    assertThat(done).hasSize(end);
  }
}

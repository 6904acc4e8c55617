package io.callboard.pollers.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import io.callboard.testkit.Futures;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What is particular to Kafka: groups, windows, retries, large records, what is missing. */
@Execution(ExecutionMode.CONCURRENT)
class KafkaGroupTest extends KafkaStage {
  @Test
  void whatADeadMemberHadComesWhenItsSessionIsOver() throws Exception {
    topic(1, "m0", "m1");
    Source dead = unopened(settings(), cuttable);
    Futures.await(PATIENCE, dead.open());
    List<SourceMessage> taken = take(dead, 2);
    complete(dead, taken.subList(0, 1));
    cuttable.cut();
    Futures.await(dead.close());
    List<SourceMessage> again = take(open(settings()), 1);
    assertThat(again.get(0).id()).isEqualTo(taken.get(1).id());
  }

  @Test
  void aSecondMemberTakesPartitionsOverAndTheFirstSaysWhatItHasLost() throws Exception {
    plain.makeTopic(topic + ".callboard.retry", 1, Map.of()); // so that one of the topic moves
    topic(4, texts(20));
    Source first = open(settings());
    List<SourceMessage> taken = take(first, 20);
    List<SourceMessage> done =
        taken.stream()
            .filter(each -> each.id().endsWith("/0") || each.id().endsWith("/1"))
            .toList();
    assertThat(done).hasSize(8);
    complete(first, done);
    Source second = open(settings());
    List<SourceMessage> moved = new ArrayList<>();
    Eventually.assertThat(
        () -> {
          moved.addAll(poll(second, 10));
          Set<String> lost = Futures.await(first.extend(receipts(taken)));
          lost.removeAll(receipts(done));
          assertThat(lost).as("what is open of the partitions that have moved").isNotEmpty();
          assertThat(moved.stream().map(SourceMessage::id))
              .containsExactlyInAnyOrderElementsOf(
                  taken.stream()
                      .filter(each -> lost.contains(each.receipt()))
                      .map(SourceMessage::id)
                      .toList());
        });
    assertThat(moved.size()).isLessThan(12);
    complete(second, moved);
    complete(first, taken);
    Futures.await(PATIENCE, first.close());
    Futures.await(PATIENCE, second.close());
    assertAllIsDone(open(settings()));
  }

  @Test
  void aMemberThatIsNotPolledKeepsItsGroupAndWhatItHas() throws Exception {
    topic(2, texts(1_000));
    JsonObject settings = settings();
    settings.getJsonObject("client").put("max.poll.interval.ms", 2_000);
    Source source = open(settings);
    List<SourceMessage> taken = take(source, 3);
    Futures.await(vertx.timer(5_000));
    assertThat(Futures.await(source.extend(receipts(taken)))).isEmpty();
    complete(source, taken);
    List<SourceMessage> rest = take(source, 997);
    complete(source, rest);
    assertThat(bodies(rest)).hasSize(997).doesNotContainAnyElementsOf(bodies(taken));
    assertThat(Futures.await(source.lag())).hasValue(0);
  }

  @Test
  void aFullWindowHoldsItsPartitionUntilTheOldestIsDone() throws Exception {
    topic(1, texts(6));
    Source source = open(settings().put("window", 3));
    List<SourceMessage> taken = take(source, 3);
    complete(source, taken.subList(1, 3));
    assertThat(poll(source, 6)).as("the oldest is open").isEmpty();
    assertThat(Futures.await(source.lag())).hasValue(3);
    complete(source, taken.subList(0, 1));
    assertThat(bodies(take(source, 3))).containsExactlyInAnyOrder("m3", "m4", "m5");
  }

  @Test
  void aLongDelayDoesNotHoldAShortOne() throws Exception {
    topic(1, "long", "short", "dead");
    Source source = open(settings());
    for (SourceMessage each : take(source, 3)) {
      String receipt = each.receipt();
      switch (each.body().toString()) {
        case "long" -> Futures.await(source.fail(receipt, Duration.ofHours(2), "later"));
        case "short" -> Futures.await(source.fail(receipt, Duration.ofMillis(200), "soon"));
        default -> Futures.await(source.dead(receipt, "never"));
      }
    }
    SourceMessage again = take(source, 1).get(0);
    assertThat(again.body().toString()).isEqualTo("short");
    assertThat(again.deliveries()).isEqualTo(2);
    assertThat(again.id()).isEqualTo(topic + "/0/1");
    assertThat(poll(source, 1)).isEmpty();
    assertThat(Futures.await(source.lag())).as("one waits for its time").hasValue(1);
    ConsumerRecord<byte[], byte[]> dead = plain.read(topic + ".callboard.dead").get(0);
    assertThat(PlainKafka.header(dead, Marks.ID)).isEqualTo(topic + "/0/2");
    assertThat(PlainKafka.header(dead, Marks.ATTEMPTS)).isEqualTo("1");
    assertThat(PlainKafka.header(dead, Marks.CAUSE)).isEqualTo("never");
  }

  @Test
  void theLargestRecordOfATopicCanFailAndBeSetAside() throws Exception {
    int size = 3 * 1024 * 1024;
    plain.makeTopic(topic, 1, Map.of("max.message.bytes", String.valueOf(size + 200)));
    Buffer large = Buffer.buffer(new byte[size]);
    plain.send(topic, 1, List.of(large));
    Source source = open(settings());
    SourceMessage first = take(source, 1).get(0);
    Futures.await(PATIENCE, source.fail(first.receipt(), Duration.ZERO, "x".repeat(100_000)));
    SourceMessage again = take(source, 1).get(0);
    assertThat(again.id()).isEqualTo(first.id());
    Futures.await(PATIENCE, source.dead(again.receipt(), "x".repeat(100_000)));
    assertThat(plain.read(topic + ".callboard.dead").get(0).value()).hasSize(size);
  }

  @Test
  void saysWhatIsMissing() throws Exception {
    Source source = unopened(settings(), KafkaClients.PLAIN);
    assertThatThrownBy(() -> Futures.await(PATIENCE, source.open()))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("there is no topic \"saysWhatIsMissing\"");
    String nobody = "127.0.0.1:" + FreePorts.one();
    Source away = unopened(settings().put("servers", nobody), KafkaClients.PLAIN);
    assertThatThrownBy(() -> Futures.await(PATIENCE, away.open()))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining(nobody);
    topic(1, "m");
    Source open = open(settings());
    EmittedMessage message = new EmittedMessage("1", Buffer.buffer("x"), Map.of());
    assertThatThrownBy(() -> Futures.await(PATIENCE, open.emit("nowhere", message)))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("nowhere");
  }
}

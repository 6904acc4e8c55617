package io.callboard.pollers.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import io.callboard.testkit.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What is particular to Kafka: groups, windows, retries, large records, what is missing. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
@Tag("real")
class KafkaGroupTest extends KafkaStage {
  @Test
  void recordsOfADeadMemberComeWhenItsSessionIsOver() throws Exception {
    topic(1, "m0", "m1");
    JsonObject settings = settings();
    settings.getJsonObject("client").put("session.timeout.ms", 3_000);
    Source dead = unopened(settings, cuttable);
    Futures.await(PATIENCE, dead.open());
    List<SourceMessage> taken = take(dead, 2);
    complete(dead, taken.subList(0, 1));
    cuttable.cut();
    Futures.await(dead.close());
    List<SourceMessage> again = take(open(settings()), 1);
    assertThat(again.get(0).id()).isEqualTo(taken.get(1).id());
  }

  /** Opens a source of a new group that begins with what comes now. */
  private Source openLatest(KafkaClients clients) {
    Source source = unopened(settings().put("from", "latest").put("member", "one"), clients);
    Futures.await(PATIENCE, source.open());
    Eventually.isTrue(
        "it has its partitions", () -> Futures.await(PATIENCE, source.lag()).isPresent());
    return source;
  }

  @Test
  void recordsThatANewGroupTookBeforeItsFirstCommitComeAgainThoughItBeganWithTheLatest()
      throws Exception {
    topic(1, "before");
    Source dead = openLatest(cuttable);
    plain.send(topic, 1, List.of(Buffer.buffer("m0"), Buffer.buffer("m1")));
    assertThat(bodies(take(dead, 2))).containsExactlyInAnyOrder("m0", "m1");
    cuttable.cut();
    Futures.await(dead.close());
    assertThat(bodies(take(openLatest(KafkaClients.PLAIN), 2)))
        .containsExactlyInAnyOrder("m0", "m1");
  }

  @Test
  void recordsOfAnAddedPartitionAreNotSkippedThoughTheGroupBeganWithTheLatest() throws Exception {
    topic(1, "before");
    JsonObject latest = settings().put("from", "latest");
    Source first = open(latest);
    Eventually.isTrue(
        "it has its partitions", () -> Futures.await(PATIENCE, first.lag()).isPresent());
    Futures.await(PATIENCE, first.close());
    plain.addPartitions(topic, 2);
    plain.send(topic, 2, List.of(Buffer.buffer("m0"), Buffer.buffer("m1")));
    assertThat(bodies(take(open(latest), 2))).containsExactlyInAnyOrder("m0", "m1");
  }

  @Test
  void aTopicThatIsMadeAgainHasOtherIds() throws Exception {
    topic(1, "m0", "m1");
    Source first = open(settings().put("member", "one"));
    List<SourceMessage> before = take(first, 2);
    assertThat(before)
        .extracting(SourceMessage::id)
        .containsExactly(topic + "/0/0", topic + "/0/1");
    complete(first, before);
    Futures.await(PATIENCE, first.close());
    plain.removeTopic(topic);
    topic(1, "n0", "n1", "n2");
    Source second = open(settings().put("member", "one"));
    List<SourceMessage> after = take(second, 3);
    assertThat(bodies(after)).containsExactlyInAnyOrder("n0", "n1", "n2");
    assertThat(after).allMatch(each -> each.id().startsWith(topic + "@"));
    Futures.await(PATIENCE, second.fail(after.get(0).receipt(), Duration.ZERO, "why"));
    assertThat(take(second, 1).get(0).id()).as("of a retry").isEqualTo(after.get(0).id());
    Futures.await(PATIENCE, second.close());
    List<SourceMessage> again = take(open(settings().put("member", "one")), 2);
    assertThat(again)
        .as("in another life")
        .extracting(SourceMessage::id)
        .isSubsetOf(after.stream().map(SourceMessage::id).toList());
  }

  @Test
  void aRetryOfANewGroupIsNotSkippedThoughItBeganWithTheLatest() throws Exception {
    topic(1, "before");
    Source dead = openLatest(cuttable);
    plain.send(topic, 1, List.of(Buffer.buffer("m0")));
    String receipt = take(dead, 1).get(0).receipt();
    Futures.await(PATIENCE, dead.fail(receipt, Duration.ofSeconds(1), "why"));
    cuttable.cut();
    Futures.await(dead.close());
    SourceMessage again = take(openLatest(KafkaClients.PLAIN), 1).get(0);
    assertThat(again.body().toString()).isEqualTo("m0");
    assertThat(again.deliveries()).isEqualTo(2);
  }

  @Test
  void aSecondMemberTakesPartitionsOverAndTheFirstSaysWhatItHasLost() throws Exception {
    plain.makeTopic(retryTopic(), 1, Map.of()); // so that one of the topic moves
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
    settings.getJsonObject("client").put("max.poll.interval.ms", 8_000);
    Source source = open(settings);
    List<SourceMessage> taken = take(source, 3);
    Futures.await(vertx.timer(12_000));
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
    assertThat(again.failures()).isEqualTo(1);
    assertThat(again.id()).isEqualTo(topic + "/0/1");
    assertThat(poll(source, 1)).isEmpty();
    assertThat(Futures.await(source.lag())).as("one waits for its time").hasValue(1);
    ConsumerRecord<byte[], byte[]> dead = plain.read(topic + ".callboard.dead").get(0);
    assertThat(PlainKafka.header(dead, RetryHeaders.ID)).isEqualTo(topic + "/0/2");
    assertThat(PlainKafka.header(dead, RetryHeaders.ATTEMPTS)).isEqualTo("1");
    assertThat(PlainKafka.header(dead, RetryHeaders.CAUSE)).isEqualTo("never");
  }

  @Test
  void theLargestRecordOfATopicCanFailAndBeSetAside() throws Exception {
    int size = 3 * 1024 * 1024;
    plain.makeTopic(topic, 1, Map.of("max.message.bytes", String.valueOf(size + 200)));
    Buffer large = Buffer.buffer(new byte[size]);
    plain.send(topic, 1, List.of(large));
    Source source = open(settings().put("maxSize", size));
    SourceMessage first = take(source, 1).get(0);
    Futures.await(PATIENCE, source.fail(first.receipt(), Duration.ZERO, "x".repeat(100_000)));
    SourceMessage again = take(source, 1).get(0);
    assertThat(again.id()).isEqualTo(first.id());
    Futures.await(PATIENCE, source.dead(again.receipt(), "x".repeat(100_000)));
    assertThat(plain.read(topic + ".callboard.dead").get(0).value()).hasSize(size);
  }

  private String retryTopic() {
    return KafkaSettings.of(settings()).retryTopic();
  }

  @Test
  void aRecordThatIsDoneIsDeletedFromTheRetryTopic() throws Exception {
    topic(1, "m");
    Source source = open(settings());
    String receipt = take(source, 1).get(0).receipt();
    Futures.await(PATIENCE, source.fail(receipt, Duration.ZERO, "why"));
    List<SourceMessage> again = take(source, 1);
    assertThat(plain.read(retryTopic())).hasSize(1);
    complete(source, again);
    Eventually.assertThat(() -> assertThat(plain.read(retryTopic())).isEmpty());
  }

  @Test
  void aRecordThatFailsInOneGroupComesBackToItAlone() throws Exception {
    topic(1, "m");
    Source one = open(settings());
    Source other = open(settings().put("group", "another"));
    complete(other, take(other, 1));
    Futures.await(PATIENCE, one.fail(take(one, 1).get(0).receipt(), Duration.ZERO, "why"));
    complete(one, take(one, 1));
    assertThat(poll(other, 1)).isEmpty();
  }

  @Test
  void aRecordThatIsTooLargeIsSetAside() throws Exception {
    topic(1, "large", "fits");
    Source source = open(settings().put("maxSize", 4));
    assertThat(bodies(take(source, 1))).containsExactly("fits");
    ConsumerRecord<byte[], byte[]> dead = plain.read(topic + ".callboard.dead").get(0);
    assertThat(dead.value()).asString().isEqualTo("large");
    assertThat(PlainKafka.header(dead, RetryHeaders.CAUSE)).contains("5 bytes").contains("maxSize");
  }

  @Test
  void emissionsToATopicThatIsMissingHoldNothingElse() throws Exception {
    topic(1, "m");
    JsonObject settings = settings();
    settings.getJsonObject("client").put("max.block.ms", 60_000);
    Source source = open(settings);
    String receipt = take(source, 1).get(0).receipt();
    List<Future<Void>> emissions = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      EmittedMessage message = new EmittedMessage("e" + i, Buffer.buffer("x"), Map.of());
      emissions.add(source.emit("nowhere", message));
    }
    Futures.await(PATIENCE, vertx.executeBlocking(() -> "free"));
    Futures.await(PATIENCE, source.fail(receipt, Duration.ZERO, "why"));
    assertThat(emissions).noneMatch(Future::succeeded);
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
    EmittedMessage large =
        new EmittedMessage("1", Buffer.buffer(new byte[2 * 1024 * 1024]), Map.of());
    assertThatThrownBy(() -> Futures.await(PATIENCE, open.emit(topic, large)))
        .isInstanceOf(EmissionRefusedException.class);
  }
}

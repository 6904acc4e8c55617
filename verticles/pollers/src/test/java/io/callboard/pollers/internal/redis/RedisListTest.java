package io.callboard.pollers.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.testkit.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Checks what is particular to lists of Redis. */
@Tag("real")
class RedisListTest extends RedisStage {
  @RegisterExtension static final InstalledRedis REDIS = new InstalledRedis();

  @Override
  int port() {
    return REDIS.port();
  }

  @Override
  JsonObject settings() {
    return super.settings().put("list", key);
  }

  private void push(Object... bodies) {
    for (Object body : bodies) {
      plain.call(Command.RPUSH, key, body);
    }
  }

  private static long number(String id) {
    return Long.parseLong(id.substring(0, id.indexOf('-')));
  }

  private Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    plain.call(Command.KEYS, key + "*").forEach(each -> keys.add(each.toString()));
    return keys;
  }

  @Test
  void elementsAreTakenFromTheEndThatIsSet() {
    CalledSource left = open(settings());
    push("a", "b", "c");
    assertThat(left.one().body()).isEqualTo(Buffer.buffer("a"));
    CalledSource right = open(settings().put("end", "right"));
    assertThat(right.one().body()).isEqualTo(Buffer.buffer("c"));
    right.call(source -> source.emit(key, new EmittedMessage("1", Buffer.buffer("x"), Map.of())));
    assertThat(left.one().body().toString()).contains("\"body\":\"x\"");
  }

  @Test
  void noKeyIsLeftOfCompleteMessages() {
    CalledSource source = open(settings());
    push("a", "b", "c");
    List<SourceMessage> taken = source.take(3);
    source.call(each -> each.fail(taken.get(0).receipt(), Duration.ZERO, "why"));
    SourceMessage again = source.one();
    source.call(each -> each.dead(taken.get(1).receipt(), "why"));
    List<String> receipts = List.of(again.receipt(), taken.get(2).receipt());
    source.call(each -> each.complete(receipts));
    assertThat(keys()).containsExactly(key + ":callboard:dead", key + ":callboard:last");
  }

  @Test
  void aLostDeliveryNumberIsNotGivenAgain() {
    CalledSource source = open(settings());
    push("same");
    SourceMessage first = source.one();
    assertThat(plain.call(Command.DEL, key + ":callboard:last").toInteger()).isEqualTo(1);
    push("same");
    SourceMessage second = source.one();
    assertThat(number(second.id())).isGreaterThan(number(first.id()));
    plain.call(Command.DECR, key + ":callboard:last");
    push("other");
    SourceMessage other = source.one();
    assertThat(number(other.id())).as("after a failover").isEqualTo(number(second.id()));
    assertThat(other.id()).isNotEqualTo(second.id());
  }

  @Test
  void theIdCanBeInTheContent() {
    CalledSource source = open(settings().put("id", "order"));
    push("{\"order\":4711}", "{\"other\":1}", "no JSON", "[1]", "{\"order\":\"  \"}");
    List<SourceMessage> taken = source.take(4);
    assertThat(taken.get(0).id()).isEqualTo("4711");
    assertThat(taken.subList(1, 4)).allMatch(message -> message.id().matches("[0-9]+-[0-9a-f]+"));
    List<Map<String, Buffer>> dead = plain.entries(key + ":callboard:dead");
    assertThat(dead).isEmpty();
    assertThat(source.poll()).isEmpty();
    dead = plain.entries(key + ":callboard:dead");
    assertThat(dead).hasSize(1);
    assertThat(dead.get(0).get("callboard-cause").toString())
        .isEqualTo("its \"order\" is no id of 1 to 300 characters");
  }

  @Test
  void envelopesCarryAllOfAMessage() {
    CalledSource source = open(settings().put("format", "envelope"));
    Buffer bytes = Buffer.buffer(new byte[] {0, (byte) 0xff, 10});
    EmittedMessage sent = new EmittedMessage("job/1", bytes, Map.of("kind", "article"));
    source.call(each -> each.emit(key, sent));
    SourceMessage taken = source.one();
    assertThat(taken.id()).isEqualTo("job/1");
    assertThat(taken.body()).isEqualTo(bytes);
    assertThat(taken.headers()).isEqualTo(Map.of("kind", "article"));
    push("{\"body\":{\"a\":1}}");
    assertThat(source.one().body().toString()).isEqualTo("{\"a\":1}");
  }

  @Test
  void anElementThatIsNoEnvelopeIsSetAside() {
    CalledSource source = open(settings().put("format", "envelope"));
    push(
        "text",
        "{\"callboard\":2,\"body\":\"\"}",
        "{\"id\":\"1\"}",
        "{\"base64\":\"%\"}",
        "{\"base64\":7}",
        "{\"callboard\":null,\"body\":\"x\"}",
        "{\"headers\":7,\"body\":\"\"}");
    assertThat(source.poll()).isEmpty();
    assertThat(
            plain.entries(key + ":callboard:dead").stream()
                .map(each -> each.get("callboard-cause").toString()))
        .containsExactly(
            "it is no envelope, which is a JSON object: the element cannot be read: "
                + "Unrecognized token 'text': was expecting (JSON String, Number, Array, Object or "
                + "token 'null', 'true' or 'false')",
            "its envelope has format 2; this version knows 1",
            "its envelope has neither \"body\" nor \"base64\"",
            "the \"base64\" of its envelope is not that",
            "the \"base64\" of its envelope is not that",
            "its envelope has format null; this version knows 1",
            "the \"headers\" of its envelope are no JSON object");
  }

  @Test
  void aPlainMessageIsItsBody() {
    CalledSource source = open(settings().put("emitFormat", "plain"));
    Buffer bytes = Buffer.buffer(new byte[] {0, (byte) 0xff});
    source.call(each -> each.emit(key, new EmittedMessage("1", bytes, Map.of("a", "b"))));
    assertThat(source.one().body()).isEqualTo(bytes);
  }

  @Test
  void elementsThatAreTooLargeAreSetAside() {
    JsonObject settings = settings().put("maxBytes", 10).put("deadLimit", 2);
    CalledSource source = open(settings);
    push("12345678901", "good", "12345678901");
    assertThat(source.one().body()).isEqualTo(Buffer.buffer("good"));
    assertThat(source.poll()).isEmpty();
    List<Map<String, Buffer>> dead = plain.entries(key + ":callboard:dead");
    assertThat(dead).hasSize(2);
    assertThat(dead.get(0).get("callboard-cause").toString())
        .isEqualTo("its body has 11 bytes, more than maxBytes, 10");
    assertThat(source.trouble()).as("nothing lacks room").isEmpty();
    push("good", "12345678901", "next");
    assertThat(CalledSource.byText(source.poll())).containsOnlyKeys("good");
    assertThat(source.trouble().orElseThrow()).contains("2 entries, its deadLimit");
    assertThatThrownBy(source::poll)
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("2 entries, its deadLimit");
    assertThat(plain.call(Command.LLEN, key).toInteger()).as("nothing is lost").isEqualTo(2);
    plain.call(Command.XTRIM, key + ":callboard:dead", "MAXLEN", 0);
    assertThat(CalledSource.byText(source.take(1))).containsOnlyKeys("next");
    assertThat(source.trouble()).isEmpty();
  }

  @Test
  void aPollThatWaitsIsWokenAndLeavesTheOrder() throws Exception {
    CalledSource source = open(settings());
    List<Future<List<SourceMessage>>> polled = new ArrayList<>();
    source.call(
        each -> {
          polled.add(each.poll(1));
          return Future.succeededFuture();
        });
    push("a", "b");
    List<SourceMessage> taken = Futures.await(polled.get(0));
    if (taken.isEmpty()) {
      taken = source.take(1); // the machine was slow
    }
    assertThat(taken.get(0).body()).isEqualTo(Buffer.buffer("a"));
    assertThat(source.one().body()).isEqualTo(Buffer.buffer("b"));
  }

  @Test
  void deletedBodiesDoNotBlockTheList() {
    CalledSource source = open(settings());
    push("a");
    SourceMessage taken = source.one();
    source.call(each -> each.fail(taken.receipt(), Duration.ZERO, "why"));
    plain.call(Command.DEL, key + ":callboard:bodies");
    push("b");
    assertThat(CalledSource.byText(source.take(1))).containsOnlyKeys("b");
    assertThat(plain.call(Command.HLEN, key + ":callboard:owners").toInteger()).isEqualTo(1);
  }

  @Test
  void leasesAreTakenOverInTurn() {
    CalledSource dead = open(settings().put("lease", "PT1S"));
    push("a", "b", "c");
    List<SourceMessage> taken = dead.take(3);
    CalledSource next = open(settings());
    List<SourceMessage> again = next.take(3);
    assertThat(again.stream().map(SourceMessage::id))
        .containsExactlyInAnyOrderElementsOf(taken.stream().map(SourceMessage::id).toList());
    assertThat(again).allMatch(message -> message.deliveries() == 2);
    dead.call(each -> each.complete(taken.stream().map(SourceMessage::receipt).toList()));
    assertThat(plain.call(Command.HLEN, key + ":callboard:bodies").toInteger()).isEqualTo(3);
    assertThat(next.call(Source::lag)).hasValue(0);
  }
}

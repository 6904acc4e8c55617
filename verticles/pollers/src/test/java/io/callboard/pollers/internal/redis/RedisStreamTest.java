package io.callboard.pollers.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.pollers.source.Wire;
import io.callboard.servers.RedisServer;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Checks what is particular to streams of Redis. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("real")
class RedisStreamTest extends RedisStage {
  private static RedisServer server;

  @BeforeAll
  static void start() throws Exception {
    server = InstalledRedis.start(RedisStreamTest.class);
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Override
  int port() {
    return server.port();
  }

  @Override
  JsonObject settings() {
    return super.settings().put("stream", key);
  }

  private String add(String body, String... more) {
    List<Object> arguments = new ArrayList<>(List.of(key, "*", "body", body));
    arguments.addAll(List.of(more));
    return plain.call(Command.XADD, arguments.toArray()).toString();
  }

  private List<String> clients() {
    List<String> clients = new ArrayList<>();
    for (Response each : plain.call(Command.XINFO, "CONSUMERS", key, "callboard")) {
      clients.add(each.get(1).toString());
    }
    return clients;
  }

  @Test
  void anEntryIsAMessage() {
    CalledSource source = open(settings());
    String id = add("text", "kind", "article", "empty", "");
    SourceMessage message = source.one();
    assertThat(message.id()).isEqualTo(id);
    assertThat(message.body()).isEqualTo(Buffer.buffer("text"));
    assertThat(message.headers()).isEqualTo(Map.of("kind", "article", "empty", ""));
    assertThat(message.deliveries()).isEqualTo(1);
    assertThat(message.sentAt())
        .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
  }

  /** Returns the bytes that the server has sent to all; the other tests get few. */
  private long sent() {
    return plain
        .call(Command.INFO, "stats")
        .toString()
        .lines()
        .filter(line -> line.startsWith("total_net_output_bytes:"))
        .mapToLong(line -> Long.parseLong(line.split(":", 2)[1].strip()))
        .sum();
  }

  @Test
  void entriesThatAreTooLargeAreSetAsideBeforeTheyAreSent() {
    CalledSource source = open(settings().put("maxBytes", 100_000).put("delete", true));
    String large = "x".repeat(4_000_000);
    for (int i = 0; i < 8; i++) {
      add(large);
    }
    add("fits");
    long before = sent();
    assertThat(source.one().body()).hasToString("fits");
    assertThat(sent() - before).as("bytes that were sent").isLessThan(4_000_000);
    assertThat(plain.call(Command.XLEN, key + ":callboard:dead").toInteger()).isEqualTo(8);
    assertThat(plain.call(Command.XLEN, key).toInteger()).as("of the stream").isEqualTo(1);
  }

  @Test
  void entriesThatAreTooLargeDelayNoOtherThoughTheDeadLettersHaveNoRoom() {
    CalledSource source = open(settings().put("maxBytes", 100).put("deadLimit", 1));
    add("x".repeat(200));
    add("y".repeat(200));
    add("fits");
    assertThat(CalledSource.byText(source.poll())).containsOnlyKeys("fits");
    assertThat(source.trouble().orElseThrow()).contains("has 1 entries, its deadLimit");
    assertThat(plain.call(Command.XLEN, key + ":callboard:dead").toInteger()).isEqualTo(1);
    assertThat(plain.call(Command.XPENDING, key, "callboard").get(0).toInteger()).isEqualTo(2);
  }

  @Test
  void aFailureInOneGroupIsNoDoubleInAnother() {
    CalledSource one = open(settings().put("group", "one"));
    CalledSource other = open(settings().put("group", "other"));
    add("m");
    SourceMessage failed = one.one();
    SourceMessage done = other.one();
    one.call(source -> source.fail(failed.receipt(), Duration.ZERO, "why"));
    other.call(source -> source.complete(List.of(done.receipt())));
    SourceMessage again = one.one();
    assertThat(again.id()).isEqualTo(failed.id());
    assertThat(again.deliveries()).isEqualTo(2);
    assertThat(other.poll()).isEmpty();
    assertThat(plain.call(Command.XLEN, key).toInteger()).isEqualTo(1);
  }

  @Test
  void aDelayMayBeLongerThanTheLease() {
    CalledSource source = open(settings().put("lease", "PT1S"));
    add("m");
    SourceMessage failed = source.one();
    Duration delay = Duration.ofMillis(2_500);
    long begunNanos = System.nanoTime();
    source.call(each -> each.fail(failed.receipt(), delay, "why"));
    assertThat(source.call(Source::lag)).as("it waits").hasValue(1);
    SourceMessage again = source.one();
    assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isGreaterThan(delay);
    assertThat(again.id()).isEqualTo(failed.id());
  }

  @Test
  void aWaitingEntryComesThoughItsTimeIsLost() {
    CalledSource source = open(settings().put("lease", "PT1S"));
    add("m");
    SourceMessage failed = source.one();
    source.call(each -> each.fail(failed.receipt(), Duration.ofHours(1), "why"));
    assertThat(plain.call(Command.DEL, key + ":callboard:callboard:delayed").toInteger())
        .isEqualTo(1);
    assertThat(source.one().id()).isEqualTo(failed.id());
  }

  @Test
  void manyEntriesOfDeadClientsAreTakenOver() {
    CalledSource dead = open(settings());
    TreeSet<String> ids = new TreeSet<>();
    for (int i = 0; i < 350; i++) {
      ids.add(add("m" + i));
    }
    List<SourceMessage> taken = dead.take(350);
    SourceMessage parked = taken.get(7);
    dead.call(each -> each.fail(parked.receipt(), Duration.ofHours(1), "why"));
    ids.remove(parked.id());
    CalledSource next = open(settings().put("lease", "PT3S"));
    List<SourceMessage> again = next.take(349);
    assertThat(again.stream().map(SourceMessage::id)).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(again).allMatch(message -> message.deliveries() == 2);
  }

  @Test
  void entriesThatCannotBeReadAreSetAside() {
    CalledSource source = open(settings().put("maxBytes", 100));
    plain.call(Command.XADD, key, "*", "content", "x");
    add("x".repeat(200));
    add("good");
    assertThat(source.one().body()).isEqualTo(Buffer.buffer("good"));
    List<Map<String, Buffer>> dead = plain.entries(key + ":callboard:dead");
    assertThat(dead).hasSize(2);
    assertThat(dead.get(0).get("callboard-cause").toString())
        .isEqualTo("it has no field \"body\", but [content]");
    assertThat(dead.get(0).get("content")).isEqualTo(Buffer.buffer("x"));
    assertThat(dead.get(1).get("callboard-cause").toString()).contains("more than maxBytes, 100");
    assertThat(dead.get(1).get("body").length()).isEqualTo(200);
    assertThat(plain.call(Command.XPENDING, key, "callboard").get(0).toInteger()).isEqualTo(1);
  }

  @Test
  void anEntryWithTooManyFieldsForACallIsSetAsideByItsId() {
    CalledSource source = open(settings());
    List<Object> many = new ArrayList<>(List.of(key, "7-7"));
    for (int i = 0; i < 5_000; i++) {
      many.add("f" + i);
      many.add("v");
    }
    plain.call(Command.XADD, many.toArray());
    assertThat(source.poll()).isEmpty();
    List<Map<String, Buffer>> dead = plain.entries(key + ":callboard:dead");
    assertThat(dead).hasSize(1);
    assertThat(dead.get(0).get("callboard-id").toString()).isEqualTo("7-7");
    assertThat(plain.call(Command.XLEN, key).toInteger()).as("the content stays").isEqualTo(1);
  }

  @Test
  void allFieldsAreAnObject() {
    CalledSource source = open(settings().put("body", "*").put("id", "order"));
    plain.call(Command.XADD, key, "*", "order", "4711", "city", "Köln");
    SourceMessage message = source.one();
    assertThat(message.id()).isEqualTo("4711");
    assertThat(new JsonObject(message.body()))
        .isEqualTo(new JsonObject().put("order", "4711").put("city", "Köln"));
    plain.call(Command.XADD, key, "*", "city", Buffer.buffer(new byte[] {(byte) 0xff}));
    assertThat(source.poll()).isEmpty();
    assertThat(plain.entries(key + ":callboard:dead").get(0).get("callboard-cause").toString())
        .isEqualTo("its field \"city\" is no UTF-8");
  }

  @Test
  void aMessageThatIsSentTwiceHasOneId() {
    CalledSource source = open(settings().put("id", "id"));
    EmittedMessage message = new EmittedMessage("job-7/out", Buffer.buffer("x"), Map.of("a", "b"));
    source.call(each -> each.emit(key, message));
    source.call(each -> each.emit(key, message));
    List<SourceMessage> taken = source.take(2);
    assertThat(taken).allMatch(each -> each.id().equals("job-7/out"));
    assertThat(taken).allMatch(each -> each.headers().equals(Map.of("a", "b")));
    EmittedMessage wrong = new EmittedMessage("1", Buffer.buffer(), Map.of("body", "b"));
    assertThatThrownBy(() -> source.call(each -> each.emit(key, wrong)))
        .isInstanceOf(EmissionRefusedException.class)
        .hasMessageContaining("has a header \"body\"");
  }

  @Test
  void aSourceThatIsClosedWhileItOpensKeepsNoConnection() {
    try (Wire wire = Wire.before(vertx, port())) {
      String url = "redis://127.0.0.1:" + wire.port();
      for (int i = 0; i < 5; i++) {
        CalledSource source = unopened(settings().put("url", url));
        Future<Void> opened = source.call(each -> Future.succeededFuture(each.open()));
        source.call(Source::close);
        Futures.await(opened.otherwiseEmpty());
      }
      Eventually.assertThat(() -> assertThat(wire.connections()).isZero());
    }
  }

  @Test
  void noEntryIsSetAsideWithoutRoom() {
    CalledSource source = open(settings().put("deadLimit", 1));
    add("a");
    add("b");
    List<SourceMessage> taken = source.take(2);
    source.call(each -> each.dead(taken.get(0).receipt(), "why"));
    assertThatThrownBy(() -> source.call(each -> each.dead(taken.get(1).receipt(), "why")))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining(key + ":callboard:dead has 1 entries, its deadLimit");
    assertThat(source.extend(List.of(taken.get(1).receipt()))).isEmpty();
    plain.call(Command.XADD, key, "*", "content", "x");
    assertThat(source.poll()).isEmpty();
    assertThat(source.trouble().orElseThrow())
        .contains("1 messages cannot be set aside", "has 1 entries, its deadLimit");
    add("c");
    Eventually.assertThat(
        () ->
            assertThat(CalledSource.byText(source.poll()))
                .as("what can be read comes all the same")
                .containsKey("c"));
  }

  @Test
  void aTrimmedEntryDoesNotBlockTheStream() {
    CalledSource dead = open(settings());
    add("trimmed");
    SourceMessage failed = dead.one();
    add("trimmed, too");
    SourceMessage taken = dead.one();
    dead.call(each -> each.fail(failed.receipt(), Duration.ZERO, "why"));
    plain.call(Command.XTRIM, key, "MAXLEN", 0);
    assertThat(dead.extend(List.of(taken.receipt())))
        .as("nobody has it any more")
        .containsExactly(taken.receipt());
    add("m");
    assertThat(CalledSource.byText(dead.take(1))).containsOnlyKeys("m");
    assertThat(plain.call(Command.XPENDING, key, "callboard").get(0).toInteger()).isEqualTo(1);
  }

  @Test
  void clientsLeaveUnlessTheyHaveEntries() {
    CalledSource empty = open(settings());
    CalledSource full = open(settings());
    add("done");
    SourceMessage done = empty.one();
    empty.call(each -> each.complete(List.of(done.receipt())));
    add("m");
    SourceMessage taken = full.one();
    assertThat(clients()).hasSize(2).allMatch(name -> name.startsWith("callboard:articles:"));
    empty.call(Source::close);
    full.call(Source::close);
    assertThat(clients()).hasSize(1);
    CalledSource next = open(settings().put("lease", "PT1S"));
    assertThat(next.one().id()).isEqualTo(taken.id());
  }

  @Test
  void completeEntriesCanBeDeleted() {
    CalledSource source = open(settings().put("delete", true));
    add("a");
    add("b");
    add("c");
    List<SourceMessage> taken = source.take(2);
    source.call(each -> each.complete(List.of(taken.get(0).receipt())));
    source.call(each -> each.dead(taken.get(1).receipt(), "why"));
    assertThat(plain.call(Command.XLEN, key).toInteger()).isEqualTo(1);
    assertThat(source.call(Source::lag)).hasValue(1);
  }

  @Test
  void aGroupCanBeginWithNewEntries() {
    add("old");
    CalledSource source = open(settings().put("begin", "new"));
    add("new");
    assertThat(CalledSource.byText(source.take(1))).containsOnlyKeys("new");
    assertThat(source.poll()).isEmpty();
  }

  @Test
  void scriptsThatAreForgottenAreSentAgain() {
    CalledSource source = open(settings());
    plain.call(Command.SCRIPT, "FLUSH");
    add("m");
    SourceMessage message = source.one();
    plain.call(Command.SCRIPT, "FLUSH");
    source.call(each -> each.complete(List.of(message.receipt())));
    assertThat(plain.call(Command.XPENDING, key, "callboard").get(0).toInteger()).isZero();
  }

  @Test
  void receiptsOfOthersAreIgnored() {
    CalledSource source = open(settings());
    List<String> receipts = List.of("", "nonsense", "1-1/1", "1-1", "x/y", "1-1/-1");
    source.call(each -> each.complete(receipts));
    source.call(each -> each.release(receipts));
    source.call(each -> each.fail("nonsense", Duration.ZERO, "why"));
    source.call(each -> each.dead("nonsense", "why"));
    assertThat(source.extend(receipts)).containsExactlyInAnyOrderElementsOf(receipts);
  }

  @Test
  void aGroupThatVanishesFailsThePoll() {
    CalledSource source = open(settings());
    plain.call(Command.DEL, key);
    assertThatThrownBy(source::poll)
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("Redis at 127.0.0.1:" + port())
        .hasMessageContaining("NOGROUP");
    CalledSource next = open(settings());
    add("m");
    assertThat(CalledSource.byText(next.take(1))).containsOnlyKeys("m");
  }

  @Test
  void aKeyOfAnotherTypeIsRefused() {
    plain.call(Command.SET, key, "text");
    CalledSource source = unopened(settings());
    assertThatThrownBy(() -> source.call(Source::open))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("WRONGTYPE");
  }

  @Test
  void passwordsAreUsedAndNotShown() {
    plain.call(Command.ACL, "SETUSER", "app", "on", ">p@ss+word", "~*", "+@all");
    String server = "127.0.0.1:" + port();
    CalledSource inUrl = open(settings().put("url", "redis://app:p%40ss+word@" + server + "/1"));
    inUrl.call(each -> each.emit(key, new EmittedMessage("1", Buffer.buffer("x"), Map.of())));
    assertThat(CalledSource.byText(inUrl.take(1))).containsOnlyKeys("x");
    assertThat(plain.call(Command.EXISTS, key).toInteger()).as("another database").isZero();
    CalledSource apart = open(settings().put("user", "app").put("password", "p@ss+word"));
    assertThat(apart.poll()).isEmpty();
    CalledSource wrong = unopened(settings().put("url", "redis://app:wr0ng@" + server));
    assertThatThrownBy(() -> wrong.call(Source::open))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("WRONGPASS")
        .hasMessageNotContaining("wr0ng");
  }
}

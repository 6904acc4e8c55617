package io.callboard.testkit.tck;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Segment;
import io.callboard.store.CommitUnit;
import io.callboard.store.StoredParked;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.SampleActors.Add;
import io.callboard.testkit.SampleActors.Counter;
import io.callboard.testkit.SampleActors.Total;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Test of content that no correct node writes, in the mailbox of a durable actor: it is parked, and
 * the actor goes on.
 */
class HostileMailTest {
  private static final int RANDOM_BODIES = 200;
  private static final Add GOOD = new Add(1);

  private final MemoryCell cell = new MemoryCell();

  @RegisterExtension
  final CallboardExtension node =
      new CallboardExtension(options -> options.store(() -> new MemoryStore(cell)));

  private Callboard callboard;
  private TckNode writer;
  private ActorRef<Add> counter;
  private long written;

  @BeforeEach
  void start(Callboard given) throws Exception {
    callboard = given;
    writer = new TckNode(new MemoryStore(cell));
    assertThat(writer.open("writer", "writer-boot", "")).isNotNull();
    counter = await(callboard.spawn("/counter", Counter::new, new ActorOptions().attempts(2)));
  }

  @AfterEach
  void stop() throws Exception {
    await(writer.store().close());
  }

  private static List<byte[]> bodies() {
    List<byte[]> bodies = new ArrayList<>();
    for (String text :
        List.of(
            "",
            "{",
            "null",
            "[]",
            "{}",
            "{\"amount\":\"1\"}",
            "{\"amount\":1e999999999}",
            "{\"amount\":1e99999999999999999999}",
            "{\"amount\":NaN}",
            "{\"amount\":" + "9".repeat(30_000) + "}",
            "{\"amount\":1,\"amount\":2}",
            "{\"amount\":1,\"x\":\"\\ud800\"} ,",
            "{\"amount\":\"" + "x".repeat(32_000) + "\"}",
            "{\"" + "k".repeat(32_000) + "\":1,\"amount\":1}",
            "[".repeat(32_000),
            "{\"x\":".repeat(6_000),
            "{\"amount\":\"\\udc00\\ud800\"}")) {
      bodies.add(text.getBytes(StandardCharsets.UTF_8));
    }
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < RANDOM_BODIES; i++) {
      byte[] bytes = new byte[1 + random.nextInt(200)];
      random.nextBytes(bytes);
      bodies.add(bytes);
    }
    return bodies;
  }

  private List<MessageType> types() {
    return List.of(
        new MessageType("add", 2),
        new MessageType("add", Integer.MAX_VALUE),
        new MessageType("java.lang.Runtime", 1),
        new MessageType("x".repeat(30_000), 1));
  }

  private void write(MessageType type, byte[] body) {
    written++;
    Envelope envelope = new Envelope(new MessageId("writer", written), type, body, null);
    Map<ActorPath, List<Envelope>> mail = Map.of(counter.path(), List.of(envelope));
    writer.sends(new CommitUnit(Optional.empty(), mail));
  }

  private List<StoredParked> parked() {
    return await(callboard.admin().parked(1_000));
  }

  @Test
  void anUnreadableMessageIsParkedWithItsCauseAndTheNextIsHandled() throws Exception {
    int bad = 0;
    int good = 0;
    for (byte[] body : bodies()) {
      write(new MessageType("add", 1), body);
      bad++;
      await(counter.tell(GOOD));
      good++;
    }
    for (MessageType type : types()) {
      write(type, Json.bytes(GOOD));
      bad++;
      await(counter.tell(GOOD));
      good++;
    }
    int unreadable = bad;
    Eventually.assertThat(() -> assertThat(parked()).hasSizeGreaterThanOrEqualTo(unreadable));
    assertThat(await(counter.ask(new Add(0), Total.class))).isEqualTo(new Total(good));
    assertThat(parked()).hasSize(bad).allSatisfy(HostileMailTest::tellsItsCause);
    assertThat(parked().stream().filter(one -> Json.parse("it", one.bytes()).has("envelope")))
        .as("those whose surroundings could be read hold what was sent")
        .hasSizeGreaterThan(bad / 4);
    assertThat(await(callboard.admin().running()))
        .singleElement()
        .satisfies(status -> assertThat(status.restarts()).isZero());
  }

  private static void tellsItsCause(StoredParked parked) {
    var stored = Json.parse("it", parked.bytes());
    assertThat(stored.path("cause").asText())
        .contains("CodecException")
        .containsAnyOf("cannot be read", "newer node", "has no message")
        .hasSizeLessThan(2_000);
    if (stored.has("envelope")) {
      assertThat(Segment.decode("it", stored.get("envelope")).id().sender()).isEqualTo("writer");
    } else {
      assertThat(stored.path("cause").asText()).contains("segment ", " of the mailbox of /counter");
      assertThat(stored.path("segment").path("bytes").asInt()).isPositive();
      assertThat(stored.path("segment").has("text") ^ stored.path("segment").has("base64"))
          .as("what it held")
          .isTrue();
    }
  }
}

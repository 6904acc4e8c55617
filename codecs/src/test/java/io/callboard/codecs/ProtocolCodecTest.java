package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProtocolCodecTest {
  sealed interface Command {
    record Deposit(long cents, Duration within) implements Command {}

    @Named(value = "take", version = 2)
    record Withdraw(long cents) implements Command {
      @Upcast(from = 1)
      static ObjectNode inCents(ObjectNode old) {
        return old.put("cents", old.remove("amount").longValue() * 100);
      }
    }
  }

  interface Open {}

  private final ProtocolCodec<Command> codec = ProtocolCodec.of(Command.class);

  private static com.fasterxml.jackson.databind.JsonNode json(String text) {
    return Json.parse("test", text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void roundTripsUnderLogicalNames() {
    Command.Deposit deposit = new Command.Deposit(5, Duration.ofSeconds(3));
    Envelope envelope = Envelope.of(new MessageId("/a", 1), deposit, "reply#1");
    byte[] bytes = Segment.encode(List.of(envelope));
    assertThat(new String(bytes, StandardCharsets.UTF_8))
        .contains("\"t\":\"deposit\"", "\"within\":\"PT3S\"")
        .doesNotContain("io.callboard");
    Envelope read = Segment.decode("test", bytes).get(0);
    assertThat(Segment.encode(read).toString()).isEqualTo(Segment.encode(envelope).toString());
    assertThat(codec.decode(read)).isEqualTo(deposit);
    assertThat(codec.decode(envelope)).as("in the process: the object itself").isSameAs(deposit);
    assertThat(MessageType.of(Command.Withdraw.class)).isEqualTo(new MessageType("take", 2));
  }

  enum Urgency {
    LOW,
    HIGH
  }

  record Reminder(Instant at, Urgency urgency, double weight) {}

  @Test
  void aStoredMessageOfAnOlderNodeStaysReadableThoughItsNumbersAreRefusedNow() {
    ProtocolCodec<Reminder> reminders = ProtocolCodec.of(Reminder.class);
    String body = "{\"at\":12345,\"urgency\":1,\"weight\":1e400}";
    RawMessage told = // as a source or an operator told it to a node that read no message first
        new RawMessage(new MessageType("reminder", 1), body.getBytes(StandardCharsets.UTF_8));
    Envelope stored =
        Segment.decode(
                "it", Segment.encode(List.of(Envelope.of(new MessageId("/a", 1), told, null))))
            .get(0);
    Reminder read =
        new Reminder(Instant.ofEpochSecond(12_345), Urgency.HIGH, Double.POSITIVE_INFINITY);
    assertThat(reminders.decode(stored)).isEqualTo(read);
    assertThat(reminders.decode(stored.type(), json(body))).isEqualTo(read);
    assertThat(reminders.read("state", stored.type(), json(body)).value()).isEqualTo(read);
    for (String part : List.of("{\"at\":1", "{\"at\":\"2026-11-30T00:00:00Z\",\"urgency\":1")) {
      String given = part + ",\"weight\":1}";
      assertThatThrownBy(() -> reminders.decodeExactly(stored.type(), json(given)))
          .as(given)
          .isInstanceOf(CodecException.class);
    }
  }

  @Test
  void refusesWhatIsNotOfTheProtocolAndNamesWhatIs() {
    assertThatThrownBy(() -> codec.decode(new MessageType("java.util.ArrayList", 1), json("{}")))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("java.util.ArrayList")
        .hasMessageContaining("[deposit, take]");
  }

  @Test
  void refusesANewerVersionAndReadsAnOlderOne() {
    assertThat(codec.decode(new MessageType("take", 1), json("{\"amount\":1}")))
        .isEqualTo(new Command.Withdraw(100));
    assertThatThrownBy(() -> codec.decode(new MessageType("take", 3), json("{\"cents\":1}")))
        .hasMessageContaining("version 3, this node reads up to 2");
  }

  @Test
  void refusesWrongBodiesWithTheField() {
    for (String body :
        List.of("{\"cents\":\"5\"}", "{}", "{\"cents\":null}", "{\"cents\":1.5}", "[1]", "7")) {
      assertThatThrownBy(() -> codec.decode(new MessageType("take", 2), json(body)))
          .as(body)
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("message \"take\" of Command");
    }
  }

  @Test
  void toleratesUnknownFieldsOnRead() {
    assertThat(codec.decode(new MessageType("take", 2), json("{\"cents\":1,\"new\":true}")))
        .isEqualTo(new Command.Withdraw(1));
  }

  @Test
  void refusesOpenProtocols() {
    assertThatThrownBy(() -> ProtocolCodec.of(Open.class))
        .hasMessageContaining(
            "is open: what is sent, answered or stored is a record or a final class, or a sealed"
                + " interface of these");
  }

  @Test
  void refusesDamagedAndNewerSegments() {
    for (String text :
        List.of("", "{", "[]", "{\"f\":1}", "{\"f\":1,\"e\":[{}]}", "{\"e\":[]}", "null")) {
      assertThatThrownBy(() -> Segment.decode("z", text.getBytes(StandardCharsets.UTF_8)))
          .as(text)
          .isInstanceOf(CodecException.class);
    }
    assertThatThrownBy(
            () -> Segment.decode("z", "{\"f\":9,\"e\":[]}".getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("z has version 9, this node reads up to");
  }
}

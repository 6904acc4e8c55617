package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.CodecException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class UpcastTest {
  sealed interface Event {
    /** Version 1 was {@code taken {amount, first, last}}. */
    @Named(value = "withdrawn", version = 4, formerly = "taken")
    record Withdrawn(long cents, String currency, String by) implements Event {
      @Upcast(from = 1)
      static ObjectNode rename(ObjectNode old) {
        return old.put("cents", old.remove("amount").longValue() * 100);
      }

      @Upcast(from = 2)
      static ObjectNode merge(ObjectNode old) {
        String first = old.remove("first").asText();
        return old.put("by", first + " " + old.remove("last").asText());
      }

      @Upcast(from = 3)
      static ObjectNode giveDefault(ObjectNode old) {
        return old.put("currency", "EUR");
      }
    }

    record Closed() implements Event {}
  }

  private final ProtocolCodec<Event> codec = ProtocolCodec.of(Event.class);

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static JsonNode json(String text) {
    return Json.parse("test", utf8(text));
  }

  private Event read(String name, int version, String body) {
    Event fromTree = codec.decode(new MessageType(name, version), json(body));
    byte[] padded = utf8("xx" + body + "x");
    assertThat(codec.decode(new MessageType(name, version), padded, 2, padded.length - 3))
        .isEqualTo(fromTree);
    return fromTree;
  }

  @Test
  void everyOlderVersionIsReadUnderItsOldNameAndItsNew() {
    Event expected = new Event.Withdrawn(700, "EUR", "Ada L");
    for (String name : List.of("taken", "withdrawn")) {
      assertThat(read(name, 1, "{\"amount\":7,\"first\":\"Ada\",\"last\":\"L\"}"))
          .isEqualTo(expected);
      assertThat(read(name, 2, "{\"cents\":700,\"first\":\"Ada\",\"last\":\"L\"}"))
          .isEqualTo(expected);
      assertThat(read(name, 3, "{\"cents\":700,\"by\":\"Ada L\"}")).isEqualTo(expected);
      assertThat(read(name, 4, "{\"cents\":700,\"currency\":\"EUR\",\"by\":\"Ada L\"}"))
          .isEqualTo(expected);
    }
    assertThat(MessageType.of(Event.Withdrawn.class)).isEqualTo(new MessageType("withdrawn", 4));
    assertThat(codec.names()).containsExactly("withdrawn", "closed");
  }

  @Test
  void theGivenTreeStaysAsItIs() {
    JsonNode body = json("{\"amount\":7,\"first\":\"Ada\",\"last\":\"L\"}");
    JsonNode copy = body.deepCopy();
    assertThat(codec.decode(new MessageType("taken", 1), body)).isNotNull();
    assertThat(body).isEqualTo(copy);
  }

  @Test
  void ajournalOfAllVersionsIsRead() {
    String entry =
        "{\"f\":1,\"turn\":3,\"e\":["
            + "{\"t\":\"taken\",\"v\":1,\"b\":{\"amount\":7,\"first\":\"Ada\",\"last\":\"L\"}},"
            + "{\"t\":\"withdrawn\",\"v\":4,\"b\":{\"cents\":5,\"currency\":\"USD\",\"by\":\"B\"}},"
            + "{\"t\":\"closed\",\"v\":1,\"b\":{}}]}";
    assertThat(JournalTest.events(Journal.read("it", utf8(entry), 1), codec))
        .containsExactly(
            new Event.Withdrawn(700, "EUR", "Ada L"),
            new Event.Withdrawn(5, "USD", "B"),
            new Event.Closed());
  }

  private static void refuses(Reason reason, String why, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CodecException.class, e -> assertThat(e.reason()).as("%s", e).isEqualTo(reason))
        .hasMessageContaining(why);
  }

  @Test
  void aMessageThatCannotBeReadSaysWhy() {
    refuses(
        Reason.NEWER,
        "message \"withdrawn\" of Event has version 5, this node reads up to 4",
        () -> read("withdrawn", 5, "{}"));
    refuses(
        Reason.MALFORMED,
        "its upcast step from version 1 failed: java.lang.NullPointerException",
        () -> read("taken", 1, "{}"));
    refuses(Reason.MALFORMED, "it is not a JSON object", () -> read("taken", 1, "[1]"));
    refuses(Reason.UNKNOWN_TYPE, "it knows [withdrawn, closed]", () -> read("gone", 1, "{}"));
  }

  // Protocols that are refused.

  @Named(version = 3)
  record WithGap(int x) {
    @Upcast(from = 1)
    static ObjectNode one(ObjectNode old) {
      return old;
    }
  }

  record TooFar(int x) {
    @Upcast(from = 1)
    static ObjectNode one(ObjectNode old) {
      return old;
    }
  }

  @Named(version = 2)
  record Twice(int x) {
    @Upcast(from = 1)
    static ObjectNode one(ObjectNode old) {
      return old;
    }

    @Upcast(from = 1)
    static ObjectNode other(ObjectNode old) {
      return old;
    }
  }

  @Named(version = 2)
  record OtherShape(int x) {
    @Upcast(from = 1)
    static JsonNode one(JsonNode old) {
      return old;
    }
  }

  sealed interface Ambiguous {
    @Named(formerly = "b")
    record A() implements Ambiguous {}

    record B() implements Ambiguous {}
  }

  @Test
  void aProtocolWithoutEveryStepIsRefusedWithTheStep() {
    assertThatThrownBy(() -> ProtocolCodec.of(WithGap.class))
        .hasMessageContaining("WithGap has version 3, but no upcast step from version 2 to 3")
        .hasMessageContaining("add \"@Upcast(from = 2) static ObjectNode …(ObjectNode old)\"");
    assertThatThrownBy(() -> ProtocolCodec.check(TooFar.class))
        .hasMessageContaining(
            "TooFar.one upcasts from version 1 to 2, but @Named gives the type version 1");
    assertThatThrownBy(() -> ProtocolCodec.of(Twice.class))
        .hasMessageContaining("Twice has two methods with @Upcast(from = 1)");
    assertThatThrownBy(() -> ProtocolCodec.of(OtherShape.class))
        .hasMessageContaining("must be: static ObjectNode one(ObjectNode old)");
    assertThatThrownBy(() -> ProtocolCodec.of(Ambiguous.class))
        .hasMessageContaining("same logical name \"b\", now or formerly");
  }
}

package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import io.callboard.codecs.CodecException.Reason;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Tests of the limits of JSON: what is written can be read back, at every limit and wherever it is
 * put; beyond a limit it is not written.
 */
class JsonLimitsTest {
  private static final int DEPTH = 90;
  private static final int TOKENS = (1 << 20) - 1_000;

  record Any(JsonNode value) {}

  record Raw(@JsonRawValue String value) {}

  /** Returns a value of {@code levels} levels in all. */
  private static Any deep(int levels) {
    JsonNode value = IntNode.valueOf(1);
    for (int i = 1; i < levels; i++) {
      JsonNode inner = value;
      value =
          i % 2 == 0
              ? JsonNodeFactory.instance.arrayNode().add(inner)
              : JsonNodeFactory.instance.objectNode().set("a", inner);
    }
    return new Any(value);
  }

  /** Returns a value of {@code tokens} tokens: an object, a field, a list and its numbers. */
  private static Map<String, List<Integer>> many(int tokens) {
    return Map.of("list", Collections.nCopies(tokens - 5, 7));
  }

  private static Map<String, BigDecimal> digits(BigDecimal number) {
    return Map.of("number", number);
  }

  private static BigDecimal nines(int digits, int scale) {
    return new BigDecimal(new BigInteger("9".repeat(digits)), scale);
  }

  private static void isReadBack(Object value) {
    byte[] bytes = Json.bytes(value);
    JsonNode read = Json.parse("it", bytes);
    assertThat(Arrays.equals(Json.bytes(read), bytes)).isTrue();
    assertThat(Arrays.equals(Json.uncheckedBytes(Json.tree(value)), bytes)).isTrue();
    Map<String, Object> wrapped = Map.of("a", List.of(Map.of("b", List.of(Map.of("c", read)))));
    assertThat(Json.parse("it", Json.uncheckedBytes(wrapped)).at("/a/0/b/0/c")).isEqualTo(read);
  }

  private static void refused(String type, String why, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CodecException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNWRITABLE))
        .hasMessage("%s cannot be read back: %s", type, why);
  }

  private static void isNotWritten(Object value, String why) {
    refused(value.getClass().getName(), why, () -> Json.bytes(value));
    refused(value.getClass().getName(), why, () -> Json.tree(value));
  }

  record Text(String text) {}

  @Test
  void halfASurrogatePairTravelsAsAnEscape() {
    for (String text :
        List.of("\uD83D\uDE00 whole", "\uD83D", "a\uD83D b", "\uDE00", "\uDE00\uD83D")) {
      isReadBack(new Text(text));
      isReadBack(Map.of(text, 1));
    }
  }

  @Test
  void levels() {
    String why = "it is nested deeper than 90 levels";
    isReadBack(deep(DEPTH));
    isNotWritten(deep(DEPTH + 1), why);
    isNotWritten(deep(101), why);
    isReadBack(new Raw("[".repeat(DEPTH - 1) + "]".repeat(DEPTH - 1)));
    isNotWritten(new Raw("[".repeat(DEPTH) + "]".repeat(DEPTH)), why);
  }

  @Test
  void tokens() {
    String why = "it has more than 1,047,576 tokens";
    isReadBack(many(TOKENS));
    isNotWritten(many(TOKENS + 1), why);
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 1; i < TOKENS / 2; i++) {
      fields.put("f" + i, i % 2 == 0 ? "{[\\\":," : i);
    }
    isReadBack(fields);
    fields.put("last", true);
    isNotWritten(fields, why);
  }

  @Test
  void digits() {
    String why = "a number in it has more than 1,000 digits";
    for (int scale : List.of(0, 1, 995, 999, -1)) {
      int room = scale == -1 ? 997 : 1_000;
      isReadBack(digits(nines(room, scale)));
      isReadBack(digits(nines(room, scale).negate()));
      isNotWritten(digits(nines(room + 1, scale)), why);
    }
    isReadBack(Map.of("number", new BigInteger("9".repeat(1_000))));
    isNotWritten(Map.of("number", new BigInteger("9".repeat(1_001))), why);
  }

  @Test
  void names() {
    String why = "a field name in it is longer than 4,096 bytes";
    Map<String, Integer> lengths = Map.of("k", 4_096, "ä", 2_048, "€", 1_365, "\u0001", 4_096);
    lengths.forEach(
        (letter, most) -> {
          isReadBack(Map.of(letter.repeat(most), 1));
          isNotWritten(Map.of(letter.repeat(most + 1), 1), why);
        });
    isReadBack(Map.of("text", "\"".repeat(5_000)));
  }

  @Test
  void textsOfAState() {
    int most = 16 << 20;
    TextNode text = TextNode.valueOf("ä".repeat(most));
    assertThat(Json.parse("it", Json.uncheckedBytes(Json.tree(text)))).isEqualTo(text);
    refused(
        TextNode.class.getName(),
        "a text in it is longer than 16,777,216 characters",
        () -> Json.tree(TextNode.valueOf("ä".repeat(most + 1))));
    assertThat(Json.bytes("x".repeat(most + 1))).as("left to who limits").hasSize(most + 3);
  }

  @Test
  void aJournalEntryIsReadWithAsMuchAsItsEventsMayHave() {
    ProtocolCodec<Any> codec = ProtocolCodec.of(Any.class);
    List<Any> deepest = List.of(deep(DEPTH), deep(DEPTH));
    assertThat(JournalTest.writtenAndRead(deepest, codec)).isEqualTo(deepest);
    Any most = new Any(Json.tree(Collections.nCopies(TOKENS - 10, 1)));
    List<Any> three = List.of(most, most, most);
    assertThat(JournalTest.writtenAndRead(three, codec)).isEqualTo(three);
  }

  @Test
  void aSegmentAndATreeOfItHoldTheDeepestMessage() {
    Envelope envelope = Envelope.of(new MessageId("/a", 1), deep(DEPTH), null);
    Envelope read = Segment.decode("it", Segment.encode(List.of(envelope))).get(0);
    assertThat(ProtocolCodec.of(Any.class).decode(read)).isEqualTo(deep(DEPTH));
    JsonNode tree = Segment.encode(read);
    assertThat(tree.has("b")).isTrue();
    byte[] parked = Json.uncheckedBytes(Map.of("envelope", tree));
    assertThat(Segment.decode("it", Json.parse("it", parked).get("envelope"))).isEqualTo(read);
    refused(
        "message \"any\" (%s)".formatted(Any.class.getName()),
        "it is nested deeper than 90 levels",
        () -> Envelope.of(new MessageId("/a", 1), deep(DEPTH + 1), null));
  }

  /** Data of users is held by messages, events and states, some levels deep. */
  @Test
  void dataFitsIntoWhatHoldsIt() {
    JsonNode deepest = deep(DEPTH - 9).value();
    assertThat(Json.parseData("it", Json.data("it", deepest))).isEqualTo(deepest);
    Object held = deepest;
    for (int i = 0; i < 5; i++) {
      held = List.of(Map.of("of", held));
    }
    isReadBack(held);
    String levels = "it is nested deeper than 80 levels";
    refused("it", levels, () -> Json.data("it", deep(DEPTH - 9)));
    for (int tooDeep : List.of(DEPTH - 9, 100, 101, 5_000)) {
      byte[] json = ("[".repeat(tooDeep) + "]".repeat(tooDeep)).getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> Json.parseData("it", json))
          .isInstanceOfSatisfying(
              CodecException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNWRITABLE))
          .hasMessageContaining("nested deeper than");
    }
    String name = "a field name in it is longer than 4,096 bytes";
    refused("it", name, () -> Json.data("it", Map.of("k".repeat(4_097), 1)));
    refused(
        "it", "it has more than 1,046,576 tokens", () -> Json.data("it", many(TOKENS - 1_000 + 1)));
    assertThatThrownBy(() -> Json.parseData("it", "no".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOfSatisfying(
            CodecException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MALFORMED));
  }

  @Test
  void readersAndWritersRefuseInTheSameWords() {
    Map<String, String> refusals = new LinkedHashMap<>();
    refusals.put("[".repeat(101) + "]".repeat(101), "it is nested deeper than 100 levels");
    refusals.put("[" + "1,".repeat(1 << 20) + "1]", "it has more than 1,048,576 tokens");
    refusals.put("1".repeat(1_001), "a number in it has more than 1,000 digits");
    refusals.put(
        "{\"" + "k".repeat(4_097) + "\":1}", "a field name in it is longer than 4,096 bytes");
    refusals.put(
        "\"" + "x".repeat((16 << 20) + 1) + "\"",
        "a text in it is longer than 16,777,216 characters");
    refusals.forEach(
        (text, why) ->
            assertThatThrownBy(() -> Json.parse("it", text.getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("it cannot be read: " + why));
  }

  /** NaN and infinity would be written as texts, which are other values. */
  @Test
  void dataHasNumbersThatAreFiniteOnly() {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    for (JsonNode number :
        List.of(
            nodes.numberNode(Double.NaN),
            nodes.numberNode(Double.POSITIVE_INFINITY),
            nodes.numberNode(Float.NEGATIVE_INFINITY))) {
      String why = "a number in it is not finite: NaN, Infinity or -Infinity";
      refused("it", why, () -> Json.data("it", number));
      JsonNode within = nodes.objectNode().set("a", nodes.arrayNode().add(1).add(number));
      refused("it", why, () -> Json.data("it", within));
    }
    byte[] large = "{\"x\":1e400,\"y\":0.10}".getBytes(StandardCharsets.UTF_8);
    assertThat(Json.data("it", Json.parseData("it", large)))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("{\"x\":1E+400,\"y\":0.10}");
  }

  /** Older nodes sent what they could read. */
  @Test
  void aDeeperBodyIsKeptAsItIs() {
    byte[] body = ("[".repeat(99) + "]".repeat(99)).getBytes(StandardCharsets.UTF_8);
    Envelope envelope = new Envelope(new MessageId("/a", 1), new MessageType("any", 1), body, null);
    JsonNode tree = Segment.encode(envelope);
    assertThat(tree.has("raw")).isTrue();
    byte[] parked = Json.uncheckedBytes(Map.of("envelope", tree));
    assertThat(Segment.decode("it", Json.parse("it", parked).get("envelope"))).isEqualTo(envelope);
  }

  /** The counts by tree and by bytes agree with what is read, whatever the value. */
  @Test
  void bytesAndTreeAgreeOnAnyValue() {
    SplittableRandom random = new SplittableRandom(11);
    AtomicInteger written = new AtomicInteger();
    for (int i = 0; i < 2_000; i++) {
      Object value = any(random, random.nextInt(1, 110));
      boolean fits = fits(() -> Json.bytes(value));
      assertThat(fits(() -> Json.tree(value))).isEqualTo(fits);
      if (fits) {
        isReadBack(value);
        written.incrementAndGet();
      }
    }
    assertThat(written.get()).isBetween(500, 1_900);
  }

  private static boolean fits(Runnable way) {
    try {
      way.run();
      return true;
    } catch (CodecException e) {
      assertThat(e.reason()).isEqualTo(Reason.UNWRITABLE);
      return false;
    }
  }

  private static Object any(SplittableRandom random, int levels) {
    if (levels == 0) {
      return random.nextBoolean() ? "{\"\\[".repeat(random.nextInt(9)) : nines(9, 3);
    }
    List<Object> list = new ArrayList<>(List.of("]}", random.nextInt(), true));
    list.add(any(random, levels - 1));
    return random.nextBoolean() ? list : Map.of("\"a\\", list.get(3), "}b", 1.5);
  }
}

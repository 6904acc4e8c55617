package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever the bytes: a value or a {@link CodecException}, soon, and in bounded memory. */
@Timeout(300)
class HostileInputTest {
  private static final int MUTATIONS = 10_000;
  private static final int LONG = 50_000;

  /** Bytes allocated for each byte of input, and for an error whatever the input. */
  private static final long MOST_PER_BYTE = 150;

  private static final long MOST_PER_ERROR = 1 << 20;

  enum Colour {
    RED,
    GREEN
  }

  sealed interface Sample {
    @Named(version = 2)
    record All(
        int number,
        long large,
        double real,
        float small,
        boolean flag,
        @Nullable BigInteger integer,
        @Nullable BigDecimal decimal,
        @Nullable String text,
        @Nullable Colour colour,
        @Nullable Instant at,
        @Nullable Duration within,
        @Nullable UUID id,
        byte @Nullable [] bytes,
        @Nullable List<String> list,
        @Nullable Map<String, Integer> map,
        @Nullable JsonNode any,
        @Nullable All child)
        implements Sample {
      @Upcast(from = 1)
      static ObjectNode named(ObjectNode old) {
        old.set("text", old.remove("name"));
        return old;
      }
    }

    record Strict(String text) implements Sample {
      public Strict {
        if (text.length() > 5) {
          throw new IllegalArgumentException("long: " + text);
        }
      }
    }
  }

  private final ProtocolCodec<Sample> codec = ProtocolCodec.of(Sample.class);
  private final List<String> fields =
      Arrays.stream(Sample.All.class.getRecordComponents()).map(c -> c.getName()).toList();

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String sample() {
    return new String(
        Json.bytes(
            new Sample.All(
                1,
                2,
                3.5,
                0.25f,
                true,
                BigInteger.TEN,
                new BigDecimal("1.10"),
                "text",
                Colour.RED,
                Instant.EPOCH,
                Duration.ofSeconds(1),
                new UUID(1, 2),
                new byte[] {1, 2},
                List.of("a"),
                Map.of("k", 1),
                Json.parse("it", utf8("{\"a\":[1.50,null]}")),
                null)),
        StandardCharsets.UTF_8);
  }

  /** Every way in; returns how many of them refused. */
  private int readEveryWay(byte[] json) {
    int refused = 0;
    List<Runnable> ways =
        List.of(
            () -> codec.decode(new MessageType("all", 2), json, 0, json.length),
            () -> codec.decode(new MessageType("all", 1), json, 0, json.length),
            () -> codec.decode(new MessageType("all", 2), Json.parse("it", json)),
            () -> codec.decode(new MessageType("strict", 1), json, 0, json.length),
            () -> JournalTest.events(Journal.read("it", json, 1), codec),
            () -> Journal.turn("it", json),
            () -> Segment.decode("it", json),
            () -> Segment.encode(Segment.decode("it", Json.parse("it", json))));
    for (Runnable way : ways) {
      try {
        way.run();
      } catch (CodecException e) {
        refused++;
        assertThat(e.getMessage()).hasSizeLessThan(1_000);
      }
    }
    return refused;
  }

  private void isRefusedCheaply(String name, byte[] json) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    readEveryWay(json);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before)
        .as("bytes allocated for %s of %d bytes", name, json.length)
        .isLessThan(8 * (MOST_PER_ERROR + MOST_PER_BYTE * json.length));
  }

  private static List<String> hostileValues() {
    List<String> values =
        new ArrayList<>(
            List.of(
                "null",
                "NaN",
                "\"NaN\"",
                "Infinity",
                "-Infinity",
                "1e400",
                "-1e999999999",
                "1e1000000000",
                "1e99999999999999999999",
                "1e-1000000000",
                "0x10",
                "007",
                "1.",
                "-",
                "2147483648",
                "9223372036854775808",
                "9".repeat(999),
                "9".repeat(1_001),
                "0." + "1".repeat(LONG),
                "9".repeat(LONG),
                "\"\\ud800\"",
                "\"\\udc00\\ud800\"",
                "\"\\u0000\"",
                "\"\\u12\"",
                "\"\\q\"",
                "\"\"",
                "\"1\"",
                "\"PT1e9S\"",
                "\"PT" + "9".repeat(LONG) + "S\"",
                "\"2026-01-01T00:00:00Z\"",
                "\"+999999999999-01-01T00:00:00Z\"",
                "\"%%%\"",
                "\"00000000-0000-0000-0000-00000000000g\"",
                "\"java.lang.Runtime\"",
                "{\"@class\":\"java.lang.Runtime\"}",
                "[\"java.util.ArrayList\",[]]",
                "{}",
                "[]",
                "[[]]",
                "true",
                "\"" + "x".repeat(LONG) + "\"",
                "\"" + "\\u0041".repeat(LONG) + "\"",
                "{\"" + "k".repeat(LONG) + "\":1}",
                "[" + "0,".repeat(LONG) + "0]",
                "[" + "[],".repeat(LONG) + "[]]",
                "[".repeat(LONG),
                "{\"child\":".repeat(LONG),
                "{\"child\":".repeat(90) + "{}" + "}".repeat(90),
                "[".repeat(99) + "]".repeat(99),
                "[".repeat(101) + "]".repeat(101)));
    return values;
  }

  @Test
  void everyFieldRefusesOrTakesEveryHostileValue() {
    for (String value : hostileValues()) {
      isRefusedCheaply(value.substring(0, Math.min(40, value.length())), utf8(value));
      for (String field : fields) {
        String json = sample().replaceFirst("\\{", "{\"%s\":%s,".formatted(field, "@"));
        isRefusedCheaply(field, utf8(json.replace("@", value)));
        isRefusedCheaply(field, utf8("{\"%s\":%s}".formatted(field, value)));
      }
    }
  }

  @Test
  void everyHostileValueInAJournalEntryOrAnEnvelope() {
    for (String value : hostileValues()) {
      for (String field : List.of("f", "turn", "e")) {
        isRefusedCheaply(field, utf8("{\"f\":1,\"turn\":1,\"%s\":%s}".formatted(field, value)));
      }
      for (String field : List.of("t", "v", "b")) {
        String event = "{\"t\":\"all\",\"v\":2,\"b\":{},\"%s\":%s}".formatted(field, value);
        isRefusedCheaply(field, utf8("{\"f\":1,\"turn\":1,\"e\":[%s]}".formatted(event)));
      }
      for (String field : List.of("from", "n", "t", "v", "r", "raw")) {
        String envelope =
            "{\"from\":\"a\",\"n\":1,\"t\":\"all\",\"v\":2,\"b\":{}}"
                .replaceFirst("\"" + field + "\":[^,}]*", "\"" + field + "\":@")
                .replace("@", value);
        isRefusedCheaply(field, utf8(envelope));
        isRefusedCheaply(field, utf8("{\"f\":1,\"e\":[%s]}".formatted(envelope)));
      }
    }
  }

  @Test
  void mutatedInputIsReadOrRefused() {
    SplittableRandom random = new SplittableRandom(7);
    List<byte[]> originals =
        List.of(
            utf8(sample()),
            utf8("{\"f\":1,\"turn\":3,\"e\":[{\"t\":\"all\",\"v\":2,\"b\":" + sample() + "}]}"),
            utf8("{\"from\":\"/a\",\"n\":1,\"t\":\"all\",\"v\":1,\"b\":" + sample() + "}"));
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      refused += readEveryWay(mutate(originals.get(random.nextInt(3)), random));
    }
    assertThat(refused).isBetween(MUTATIONS, 8 * MUTATIONS - MUTATIONS / 100);
  }

  private static byte[] mutate(byte[] original, SplittableRandom random) {
    byte[] bytes = original.clone();
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(6)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        case 3 -> bytes[at] = (byte) "{}[]\":,\\0-e.".charAt(random.nextInt(12));
        case 4 -> System.arraycopy(bytes, 0, bytes, at, Math.min(16, bytes.length - at));
        default -> {
          byte[] other = new byte[1 + random.nextInt(64)];
          random.nextBytes(other);
          System.arraycopy(other, 0, bytes, at, Math.min(other.length, bytes.length - at));
        }
      }
    }
    return bytes;
  }

  @Test
  void aFieldThatIsThereTwiceIsRefused() {
    assertThat(readEveryWay(utf8(sample()))).isEqualTo(4);
    for (String field : fields) {
      for (String value : List.of("1", "\"a\"", "null")) {
        String twice = "{\"%s\":%s,\"%s\":%s,".formatted(field, value, field, value);
        byte[] json = utf8(sample().replaceFirst("\\{", twice));
        assertThat(readEveryWay(json)).as(field).isEqualTo(8);
      }
    }
  }

  @Test
  void numbersKeepEveryDigitThroughATree() {
    BigDecimal exact = new BigDecimal("12345678901234567890.12345678901234567890");
    record Money(BigDecimal amount) {}
    JsonNode tree = Json.parse("it", Json.bytes(new Money(exact)));
    assertThat(ProtocolCodec.of(Money.class).decode(new MessageType("money", 1), tree))
        .isEqualTo(new Money(exact));
    BigDecimal scaled = new BigDecimal("1.10");
    JsonNode again = Json.parse("it", Json.bytes(Json.tree(new Money(scaled))));
    assertThat(ProtocolCodec.of(Money.class).decode(new MessageType("money", 1), again))
        .isEqualTo(new Money(scaled));
  }

  @Test
  void aBodyThatIsNoJsonIsKeptAsItIs() {
    for (String body : List.of("{", "", "{} {}", "[".repeat(200))) {
      Envelope envelope =
          new Envelope(new MessageId("/a", 1), new MessageType("all", 2), utf8(body), null);
      JsonNode stored = Json.parse("it", Json.bytes(Segment.encode(envelope)));
      assertThat(Segment.decode("it", stored)).isEqualTo(envelope);
    }
  }
}

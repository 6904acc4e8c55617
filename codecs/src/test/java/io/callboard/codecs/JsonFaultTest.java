package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Year;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonFaultTest {
  private static void faulty(String json, String why) {
    assertThatThrownBy(() -> Json.parse("it", json.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(CodecException.class)
        .hasMessageStartingWith("it cannot be read: ")
        .hasMessageContaining(why)
        .satisfies(
            e ->
                assertThat(e.getMessage())
                    .doesNotContain("`", "Source", "Feature", "start marker"));
  }

  @Test
  void saysWhatIsWrongWithoutTheParsersVocabulary() {
    faulty("{\"a\":1,\"b\":2,\"a\":3}", "the key \"a\" is there twice: keep one of them");
    faulty("[".repeat(101) + "]".repeat(101), "it is nested deeper than 100 levels");
    faulty("1".repeat(1_001), "a number in it has more than 1,000 digits");
    faulty("{} {}", "something follows after its end");
    faulty("{\"a\":", "Unexpected end-of-input");
    faulty("{\"a\":tru}", "Unrecognized token 'tru'");
    faulty("{\"a\":NaN}", "Non-standard token 'NaN'");
  }

  enum Size {
    SMALL,
    LARGE
  }

  record Named(String name) {}

  record Values(
      int count,
      Instant at,
      Size size,
      String text,
      Named named,
      List<Integer> list,
      Map<Integer, String> map,
      Map<String, Integer> counts,
      Map<String, Named> byName,
      boolean on,
      UUID id,
      URI uri,
      LocalDate day,
      byte[] bytes) {}

  private static <T> T exactly(String json, Class<T> type) {
    return Json.convertExactly("it", Json.parse("it", json.getBytes(StandardCharsets.UTF_8)), type);
  }

  private static String text(Object value) {
    return new String(Json.bytes(value), StandardCharsets.UTF_8);
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Shape.Circle.class, name = "circle"),
    @JsonSubTypes.Type(value = Shape.Dated.class, name = "dated")
  })
  sealed interface Shape {
    record Circle(double radius) implements Shape {}

    record Dated(Instant at, Size size) implements Shape {}
  }

  record Scalars(
      double @Nullable [] wides,
      float @Nullable [] narrows,
      @Nullable List<Double> list,
      OptionalDouble maybe,
      OptionalInt count,
      OptionalLong large,
      @Nullable Shape shape,
      @Nullable Set<Size> sizes,
      @Nullable Map<String, Instant> times,
      @Nullable Object any) {}

  @Test
  void aNumberWithinAnotherValueIsNothingElseEither() {
    for (String[] each :
        new String[][] {
          {"{\"wides\":[1,1e400]}", "/wides/1", "out of range of double"},
          {"{\"narrows\":[1e40]}", "/narrows/0", "out of range of float"},
          {"{\"wides\":[null]}", "/wides/0", ""},
          {"{\"wides\":[\"x\"]}", "/wides/0", ""},
          {"{\"list\":[1e400]}", "/list/0", "out of range of double"},
          {"{\"maybe\":-1e400}", "/maybe", "out of range of double"},
          {"{\"count\":1.5}", "/count", ""},
          {"{\"count\":\"1\"}", "/count", ""},
          {"{\"count\":3000000000}", "/count", ""},
          {"{\"large\":1e30}", "/large", ""},
          {"{\"shape\":{\"kind\":\"circle\",\"radius\":1e400}}", "/shape/radius", "out of range"},
          {
            "{\"shape\":{\"kind\":\"dated\",\"at\":12345,\"size\":\"LARGE\"}}",
            "/shape/at",
            "a time"
          },
          {"{\"sizes\":[0]}", "/sizes/0", "one of"},
          {"{\"times\":{\"a\":1}}", "/times/*", "a time"},
        }) {
      assertThatThrownBy(() -> exactly(each[0], Scalars.class), each[0])
          .isInstanceOfSatisfying(
              CodecException.class, e -> assertThat(e.pointer()).isEqualTo(each[1]))
          .hasMessageContaining(each[2]);
    }
    Scalars all =
        new Scalars(
            new double[] {1.5, Double.MAX_VALUE},
            new float[] {Float.MIN_VALUE},
            List.of(-Double.MAX_VALUE),
            OptionalDouble.of(1.5),
            OptionalInt.of(7),
            OptionalLong.of(8),
            new Shape.Circle(2),
            Set.of(Size.LARGE),
            Map.of("a", Instant.EPOCH),
            null);
    assertThat(text(exactly(text(all), Scalars.class))).isEqualTo(text(all));
    assertThat(exactly("{\"any\":[1e400]}", Scalars.class).any())
        .as("what has no type is the exact number")
        .isEqualTo(List.of(new BigDecimal("1e400")));
  }

  record Old(Instant at, Size size) {}

  @Test
  void valuesThatWereAcceptedBeforeStayReadable() {
    Old old =
        Json.read("it", "{\"at\":12345,\"size\":1}".getBytes(StandardCharsets.UTF_8), Old.class);
    assertThat(old.at()).isEqualTo(Instant.ofEpochSecond(12_345));
    assertThat(old.size()).isEqualTo(Size.values()[1]);
  }

  record Numbers(double wide, Float narrow) {}

  @Test
  void aNumberThatIsTooLargeIsNotInfinite() {
    for (String json : List.of("{\"wide\":1e400,\"narrow\":1}", "{\"wide\":1,\"narrow\":-1e40}")) {
      assertThatThrownBy(() -> exactly(json, Numbers.class))
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("a number is out of range of ");
    }
    Numbers infinite = new Numbers(Double.POSITIVE_INFINITY, Float.NaN);
    assertThat(Json.read("it", Json.bytes(infinite), Numbers.class))
        .as("what was written by a program, as texts, is what it was")
        .isEqualTo(infinite);
    assertThatThrownBy(() -> exactly(text(infinite), Numbers.class))
        .hasMessage("it cannot be read: it must be a number that is finite");
  }

  enum Grade {
    GOOD(1),
    BAD(6);

    private final int mark;

    Grade(int mark) {
      this.mark = mark;
    }

    @JsonValue
    int mark() {
      return mark;
    }
  }

  @JsonFormat(shape = JsonFormat.Shape.NUMBER)
  enum Level {
    LOW,
    HIGH
  }

  record Formats(
      @JsonFormat(shape = JsonFormat.Shape.NUMBER) Instant at,
      @JsonFormat(shape = JsonFormat.Shape.ARRAY) LocalDate day,
      Year year,
      @JsonFormat(shape = JsonFormat.Shape.NUMBER) Size size,
      Level level,
      Grade grade) {}

  @Test
  void aTimeOrAConstantIsANumberWhereItsFormatOrItsValueIs() {
    Formats formats =
        new Formats(
            Instant.ofEpochSecond(12_345),
            LocalDate.of(2026, 11, 30),
            Year.of(2026),
            Size.LARGE,
            Level.HIGH,
            Grade.BAD);
    byte[] json = Json.bytes(formats);
    assertThat(new String(json, StandardCharsets.UTF_8))
        .contains("[2026,11,30]", "\"size\":1", "\"level\":1", "\"grade\":6");
    assertThat(Json.read("it", json, Formats.class)).isEqualTo(formats);
    assertThat(exactly(text(formats), Formats.class)).isEqualTo(formats);
  }

  private static final String SECRET = "DE89 37040044\", 'x' to it: (";

  private static void misfit(String field, Object value) {
    byte[] json = Json.bytes(Map.of("within", List.of(Map.of(field, value))));
    assertThatThrownBy(() -> Json.read("it", json, Within.class))
        .isInstanceOfSatisfying(
            CodecException.class,
            e -> {
              StringWriter logged = new StringWriter();
              e.printStackTrace(new PrintWriter(logged));
              assertThat(e.getMessage()).as(field).doesNotContain("oercion", "(but");
              assertThat(logged.toString())
                  .as(field)
                  .contains("it cannot be read: ")
                  .doesNotContain("37040044", "9999999", "1.25");
              assertThat(e.getCause())
                  .as(field)
                  .isInstanceOfSatisfying(
                      JsonMappingException.class,
                      cause ->
                          assertThat(cause.getPath())
                              .extracting(Reference::getFieldName)
                              .contains(field));
            });
  }

  record Within(List<Values> within) {}

  @Test
  void aValueThatDoesNotFitIsNotRepeated() {
    for (String field : List.of("count", "at", "size", "on", "id", "named", "list", "map")) {
      misfit(field, SECRET);
    }
    misfit("uri", "a b " + SECRET);
    misfit("list", List.of(SECRET));
    misfit("map", Map.of(SECRET, "a"));
    for (String field : List.of("size", "text", "named", "list", "id", "on")) {
      misfit(field, 37040044);
    }
    misfit("count", 99_999_999_999L);
    misfit("count", 1.25);
    misfit("text", 1.25);
    misfit("count", Map.of("a", SECRET));
  }

  @Test
  void norIsAKeyOfTheMapThatItIsIn() {
    misfit("counts", Map.of(SECRET, "a"));
    misfit("byName", Map.of(SECRET, 1));
    misfit("byName", Map.of(SECRET, Map.of())); // it has no name
    misfit("byName", Map.of(SECRET, Map.of("name", 1)));
  }

  static final class Broken {
    public String getName() {
      throw new IllegalStateException("no name");
    }
  }

  @Test
  void norIsAKeyOfAMapThatCannotBeWritten() {
    Map<String, Broken> broken = Map.of(SECRET, new Broken());
    for (ThrowingCallable writes :
        List.<ThrowingCallable>of(
            () -> Json.uncheckedTree(broken), () -> Json.uncheckedBytes(broken))) {
      assertThatThrownBy(writes)
          .isInstanceOfSatisfying(
              CodecException.class,
              e -> {
                StringWriter logged = new StringWriter();
                e.printStackTrace(new PrintWriter(logged));
                assertThat(logged.toString())
                    .contains("cannot be written as JSON: no name", "[\"*\"]", "[\"name\"]")
                    .doesNotContain("37040044");
              });
    }
  }

  private static void needs(String field, Object value, String words) {
    byte[] json = Json.bytes(Map.of(field, value));
    assertThatThrownBy(() -> Json.convertExactly("it", Json.parse("it", json), Values.class))
        .hasMessage("it cannot be read: " + words);
  }

  @Test
  void itsKindIsSaidAndWhatWouldBeRight() {
    needs("count", "three", "it must be a whole number, not a text");
    needs("count", true, "it must be a whole number, not true or false");
    needs("count", List.of(1), "it must be a whole number, not a list");
    needs("count", 1.25, "it must be a whole number, not a number with a fraction or exponent");
    needs("text", Map.of("a", 1), "it must be a text, not an object");
    needs("text", 7, "it must be a text, not a number");
    needs("at", "tomorrow", "it must be a time such as 2026-11-21T05:30:00Z");
    needs("size", "HUGE", "it must be one of LARGE, SMALL");
    needs("list", Map.of(), "it must be a list, not an object");
    needs("named", 42, "it must be an object, not a number");
    needs("on", "yes", "it must be true or false, not a text");
    needs("id", "x", "it must be a UUID such as 123e4567-e89b-12d3-a456-426614174000");
    needs("day", "monday", "it must be a date such as 2026-11-21");
    needs("day", List.of(2026, 1, 1), "it must be a date such as 2026-11-21, not a list");
    needs("at", 12_345, "it must be a time such as 2026-11-21T05:30:00Z, not a number");
    needs("size", 0, "it must be one of SMALL, LARGE");
    needs("size", "", "it must be one of SMALL, LARGE");
    needs("bytes", Map.of(), "it must be bytes as a text in base64, not an object");
  }
}

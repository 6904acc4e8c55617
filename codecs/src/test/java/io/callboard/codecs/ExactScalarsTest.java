package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TimeZone;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts, constants and keys of maps that users wrote. */
class ExactScalarsTest {
  private static final String TIME = "a time such as 2026-11-21T05:30:00Z";

  enum Color {
    RED,
    @JsonProperty("dark-green")
    GREEN
  }

  /** With a creator that Jackson calls. */
  enum Unit {
    KG,
    LB;

    @JsonCreator
    static Unit of(String name) {
      return valueOf(name);
    }
  }

  enum Level {
    HIGH("h"),
    LOW("l");

    private final String letter;

    Level(String letter) {
      this.letter = letter;
    }

    @JsonValue
    String letter() {
      return letter;
    }
  }

  record Values(
      @Nullable Instant at,
      @Nullable OffsetDateTime offset,
      @Nullable ZonedDateTime zoned,
      @Nullable Date date,
      @Nullable LocalDateTime local,
      @Nullable LocalTime time,
      @Nullable Year year,
      @Nullable ZoneId zone,
      @Nullable Period period,
      Optional<Instant> maybe,
      @Nullable Double wide,
      @Nullable Float narrow,
      OptionalDouble some,
      OptionalInt count,
      double @Nullable [] wides,
      @Nullable Integer whole,
      @Nullable Boolean on,
      @Nullable Character letter,
      @Nullable UUID id,
      @Nullable Color color,
      @Nullable Unit unit,
      @Nullable Level level,
      @Nullable List<Map<Color, Integer>> colors,
      @Nullable EnumMap<Color, Integer> byColor,
      @Nullable Map<Unit, Integer> units,
      @Nullable Map<Level, Integer> levels,
      @Nullable Map<Integer, Integer> numbers,
      @Nullable Map<Double, Integer> sizes,
      @Nullable Map<Instant, Integer> times,
      @Nullable Map<Date, Integer> dates,
      @Nullable Map<UUID, Integer> ids) {}

  private static byte[] utf8(String json) {
    return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private static <T> T exactly(String json, Class<T> type) {
    return Json.convertExactly("it", Json.parse("it", utf8(json)), type);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '^',
      delimiter = '|',
      value = {
        "{'at':'5'}             | /at       | TIME",
        "{'at':'-5.5'}          | /at       | TIME",
        "{'at':''}              | /at       | TIME, not an empty text",
        "{'maybe':'5'}          | /maybe    | TIME",
        "{'offset':'5'}         | /offset   | TIME",
        "{'zoned':'5'}          | /zoned    | a time such as 2026-11-21T05:30:00+01:00[Europe/Berlin]",
        "{'date':'5'}           | /date     | TIME",
        "{'local':'5'}          | /local    | a time without a zone such as 2026-11-21T05:30:00",
        "{'time':'5'}           | /time     | a time of the day such as 05:30:00",
        "{'year':'x'}           | /year     | a year such as 2026",
        "{'zone':'X/Y'}         | /zone     | a zone such as Europe/Berlin",
        "{'period':'5'}         | /period   | a period such as P1M",
        "{'wide':'NaN'}         | /wide     | a number that is finite",
        "{'wide':'-INF'}        | /wide     | a number that is finite",
        "{'wide':'5'}           | /wide     | a number, not a text",
        "{'wide':' '}           | /wide     | a number, not a text",
        "{'narrow':'Infinity'}  | /narrow   | a number that is finite",
        "{'some':'NaN'}         | /some     | a number that is finite",
        "{'wides':[1,'NaN']}    | /wides/1  | a number that is finite",
        "{'wides':'x'}          | /wides    | a list, not a text",
        "{'whole':' '}          | /whole    | a whole number, not a blank text",
        "{'count':' '}          | /count    | a whole number, not a blank text",
        "{'on':' '}             | /on       | true or false, not a blank text",
        "{'letter':'ab'}        | /letter   | one character",
        "{'id':''}              | /id       | a UUID such as 123e4567-e89b-12d3-a456-426614174000, not an empty text",
        "{'color':'GREEN'}      | /color    | one of RED, dark-green",
        "{'color':1}            | /color    | one of RED, dark-green",
        "{'unit':'G'}           | /unit     | one of KG, LB",
        "{'unit':''}            | /unit     | one of KG, LB",
        "{'unit':7}             | /unit     | one of KG, LB",
        "{'level':'HIGH'}       | /level    | one of h, l",
        "{'level':''}           | /level    | one of h, l",
        "{'colors':[{'x':1}]}   | /colors/0 | KEY one of RED, dark-green",
        "{'colors':[{'0':1}]}   | /colors/0 | KEY one of RED, dark-green",
        "{'byColor':{'x':1}}    | /byColor  | KEY one of RED, dark-green",
        "{'units':{'':1}}       | /units    | KEY one of KG, LB",
        "{'levels':{'HIGH':1}}  | /levels   | KEY one of h, l",
        "{'numbers':{'1.5':1}}  | /numbers  | KEY a whole number",
        "{'sizes':{'NaN':1}}    | /sizes    | KEY a number",
        "{'sizes':{'1e400':1}}  | /sizes    | KEY a number",
        "{'times':{'5':1}}      | /times    | KEY TIME",
        "{'dates':{'5':1}}      | /dates    | KEY TIME",
        "{'ids':{'x':1}}        | /ids      | KEY a UUID such as 123e4567-e89b-12d3-a456-426614174000",
      })
  void aMisfitHasItsPlaceAndWhatIsRight(String json, String pointer, String right) {
    String key = right.startsWith("KEY ") ? "each key in it" : "it";
    assertThatThrownBy(() -> exactly(json, Values.class))
        .isInstanceOfSatisfying(
            CodecException.class, e -> assertThat(e.pointer()).isEqualTo(pointer))
        .hasMessage(
            "it cannot be read: %s must be %s",
            key, right.replace("KEY ", "").replace("TIME", TIME));
  }

  record Optionals(
      @Nullable BigDecimal amount,
      @Nullable Currency currency,
      @Nullable Pattern pattern,
      @Nullable TimeZone zone) {}

  @ParameterizedTest
  @CsvSource({"amount", "currency", "pattern", "zone"})
  void aBlankTextIsNoNull(String field) {
    for (String blank : List.of("", " ")) {
      if (!(field.equals("pattern") || field.equals("zone")) || blank.isEmpty()) {
        assertThatThrownBy(() -> exactly("{'%s':'%s'}".formatted(field, blank), Optionals.class))
            .as("\"%s\"", blank)
            .isInstanceOfSatisfying(
                CodecException.class, e -> assertThat(e.pointer()).isEqualTo("/" + field));
      }
    }
  }

  record Stored(Instant at, double wide, Map<Double, Integer> sizes) {}

  @Test
  void textsThatWereStoredBeforeStayReadable() {
    Stored stored =
        Json.read("it", utf8("{'at':'5','wide':'NaN','sizes':{'NaN':1}}"), Stored.class);
    assertThat(stored)
        .isEqualTo(new Stored(Instant.ofEpochSecond(5), Double.NaN, Map.of(Double.NaN, 1)));
    assertThat(Json.read("it", Json.bytes(stored), Stored.class)).isEqualTo(stored);
  }

  record Patterns(
      @JsonFormat(pattern = "yyyyMMdd", timezone = "UTC") Date date,
      @JsonFormat(pattern = "yyyyMMdd") LocalDate day) {}

  @Test
  void aTextOfDigitsIsATimeWhereItsPatternSaysSo() {
    Patterns read = exactly("{'date':'20261130','day':'20261130'}", Patterns.class);
    assertThat(read.date()).hasSameTimeAs("2026-11-30T00:00:00Z");
    assertThat(read.day()).isEqualTo(LocalDate.of(2026, 11, 30));
  }

  @Test
  void valuesThatFitAreRead() {
    String json =
        "{'at':'2026-11-30T00:00:00Z','wide':1.5,'wides':[1,2.5],'color':'dark-green','unit':'KG',"
            + "'level':'h','colors':[{'RED':1}],'units':{'LB':2},'levels':{'l':3},'sizes':{'1.5':4}}";
    Values read = exactly(json, Values.class);
    assertThat(new String(Json.bytes(read), StandardCharsets.UTF_8))
        .isEqualTo(new String(utf8(json), StandardCharsets.UTF_8).replace("[1,", "[1.0,"));
  }
}

package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Currency;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that values are read as what was written, whether or not a tree was between. */
class ExactValuesTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final LocalDateTime TWICE = LocalDateTime.of(2026, 10, 25, 2, 30);

  record Zoned(ZonedDateTime at) {}

  record Offset(OffsetDateTime at) {}

  record ByTime(Map<ZonedDateTime, String> zoned, Map<OffsetDateTime, String> offset) {}

  record OtherTimes(
      OffsetTime time,
      ZoneId zone,
      ZoneOffset offset,
      LocalDate date,
      LocalTime clock,
      Period period,
      Duration duration,
      Year year,
      YearMonth month,
      MonthDay day,
      DayOfWeek week,
      Month name,
      Instant instant,
      Date old) {}

  record Numbers(
      double one, float other, Double boxed, OptionalDouble maybe, Number any, List<Double> all) {}

  record Nulls(
      Map<String, @Nullable String> texts,
      Map<String, List<@Nullable Integer>> lists,
      Map<String, Optional<String>> maybe) {}

  record Ordered(Set<String> set, Map<String, Integer> map, Currency currency) {}

  static Stream<Object> values() {
    Map<String, @Nullable String> nulls = new LinkedHashMap<>();
    nulls.put("a", null);
    return Stream.of(
        new Zoned(TWICE.atZone(BERLIN).withEarlierOffsetAtOverlap()),
        new Zoned(TWICE.atZone(BERLIN).withLaterOffsetAtOverlap()),
        new Zoned(TWICE.atZone(ZoneOffset.ofHoursMinutes(5, 45))),
        new Zoned(TWICE.atZone(ZoneOffset.UTC)),
        new Zoned(TWICE.atZone(ZoneId.of("UTC"))),
        new Zoned(TWICE.atZone(ZoneId.of("GMT+2"))),
        new Offset(TWICE.atOffset(ZoneOffset.ofHoursMinutes(5, 45))),
        new Offset(TWICE.atOffset(ZoneOffset.UTC)),
        new Offset(OffsetDateTime.MAX),
        new ByTime(Map.of(TWICE.atZone(BERLIN), "x"), Map.of(OffsetDateTime.MIN, "x")),
        new OtherTimes(
            OffsetTime.of(1, 2, 3, 4, ZoneOffset.ofHours(7)),
            BERLIN,
            ZoneOffset.ofHours(-3),
            LocalDate.MAX,
            LocalTime.MAX,
            Period.of(1, -2, 3),
            Duration.ofSeconds(Long.MAX_VALUE, 1),
            Year.of(-44),
            YearMonth.of(2026, 2),
            MonthDay.of(2, 29),
            DayOfWeek.MONDAY,
            Month.MAY,
            Instant.MAX,
            new Date(1)),
        new Numbers(-0.0, -0.0f, -0.0, OptionalDouble.of(-0.0), 0, List.of(-0.0, 0.0, 1e-300)),
        new Nulls(
            nulls, Map.of("b", Arrays.asList(1, null)), Map.of("c", Optional.<String>empty())),
        new Ordered(
            new LinkedHashSet<>(List.of("z", "y", "a")),
            new LinkedHashMap<>(Map.of("q", 1)),
            Currency.getInstance("EUR")));
  }

  @ParameterizedTest
  @MethodSource("values")
  void valuesAreReadAsTheyWereWritten(Object value) {
    MessageType type = MessageType.of(value.getClass());
    byte[] json = Json.bytes(value);
    ProtocolCodec<?> codec = ProtocolCodec.of(value.getClass());
    for (Object read :
        List.of(
            codec.decode(type, json, 0, json.length),
            codec.decode(type, Json.parse("it", json)),
            codec.decode(type, Json.tree(value)))) {
      assertThat(read).isEqualTo(value).hasToString(value.toString());
    }
  }

  @Test
  void aZeroBelowZeroIsKeptInJson() {
    JsonNode tree = Json.parse("it", "[-0.0,0.00,-1e-400]".getBytes(StandardCharsets.UTF_8));
    assertThat(new String(Json.bytes(tree), StandardCharsets.UTF_8))
        .isEqualTo("[-0.0,0.00,-1E-400]");
  }

  @Test
  void timesThatWereWrittenWithoutTheirZoneAreReadWithTheOffsetThatIsThere() {
    assertThat(Json.read("it", json("{\"at\":\"2026-10-25T02:30:00+01:00\"}"), Zoned.class))
        .isEqualTo(new Zoned(TWICE.atZone(ZoneOffset.ofHours(1))));
    assertThat(Json.read("it", json("{\"at\":\"2026-10-25T01:30:00Z\"}"), Zoned.class))
        .isEqualTo(new Zoned(TWICE.minusHours(1).atZone(ZoneOffset.UTC)));
    assertThat(Json.read("it", json("{\"at\":\"2026-10-25T01:30:00Z\"}"), Offset.class))
        .isEqualTo(new Offset(TWICE.minusHours(1).atOffset(ZoneOffset.UTC)));
  }

  private static byte[] json(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

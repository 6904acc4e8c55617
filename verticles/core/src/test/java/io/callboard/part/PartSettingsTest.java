package io.callboard.part;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PartSettingsTest {
  /** Times of the options. */
  public record Times(Duration pause, @Nullable Duration rest) {}

  /** Options of each kind. */
  public record Options(
      int slots,
      String url,
      Times times,
      Set<String> hosts,
      Map<String, Object> mergers,
      List<String> none,
      Optional<Times> other,
      Optional<String> absent) {}

  @Test
  void allOptionsOfARecordAreToldWithoutSecrets() {
    Options options =
        new Options(
            4,
            "https://ann:hunter2@host/x?token=hunter2",
            new Times(Duration.ofSeconds(3), null),
            Set.of("b", "a"),
            Map.of("sum", new Object()),
            List.of(),
            Optional.of(new Times(Duration.ZERO, Duration.ofDays(1))),
            Optional.empty());
    assertThat(PartSettings.of(options))
        .containsExactly(
            Map.entry("slots", "4"),
            Map.entry("url", "https://***@host/x?***"),
            Map.entry("times.pause", "PT3S"),
            Map.entry("times.rest", "none"),
            Map.entry("hosts", "a, b"),
            Map.entry("mergers", "sum"),
            Map.entry("none", "none"),
            Map.entry("other.pause", "PT0S"),
            Map.entry("other.rest", "PT24H"),
            Map.entry("absent", "none"));
  }

  @Test
  void anAddressIsToldWithoutItsLoginAndParameters() {
    assertThat(PartSettings.masked("jdbc:postgresql://me:hunter2@db/x?sslPassword=hunter2"))
        .isEqualTo("jdbc:postgresql://***@db/x?***");
    assertThat(PartSettings.masked("jdbc:h2:file:/d;CIPHER=AES;PASSWORD=a b"))
        .isEqualTo("jdbc:h2:file:/d;***");
    assertThat(PartSettings.masked("jdbc:h2:file:/d")).isEqualTo("jdbc:h2:file:/d");
    assertThat(PartSettings.masked("a;b?c")).isEqualTo("a;b?c");
  }

  @Test
  void aPasswordMayHoldAnyCharacter() {
    String secret = "a;b&c@d?e/f";
    assertThat(
            List.of(
                PartSettings.masked("jdbc:postgresql://db/x?user=c&password=" + secret),
                PartSettings.masked("jdbc:postgresql://c:" + secret + "@db/x"),
                PartSettings.masked("jdbc:h2:file:/d;USER=c;PASSWORD=" + secret)))
        .allSatisfy(shown -> assertThat(shown).startsWith("jdbc:").doesNotContain("b&c", "e/f"));
  }
}

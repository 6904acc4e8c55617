package io.callboard.dashboard.internal.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditTrailTest {
  private final AuditTrail trail = new AuditTrail();

  private void add(int second, String user, boolean known) {
    trail.add(
        new AuditEntry(
            Instant.ofEpochSecond(second), user, "admin", "a", "op", "/x", "", 202, "", ""),
        known);
  }

  @Test
  void theLastWritesAreKeptLatestFirst() {
    for (int i = 0; i < AuditTrail.MOST + 10; i++) {
      add(i, "ann", true);
    }
    assertThat(trail.last(AuditTrail.MOST + 10)).hasSize(AuditTrail.MOST);
    assertThat(trail.last(2))
        .extracting(entry -> entry.at().getEpochSecond())
        .containsExactly(AuditTrail.MOST + 9L, AuditTrail.MOST + 8L);
  }

  @Test
  void anonymousAttemptsDisplaceNoWritesOfUsers() {
    add(1, "ann", true);
    for (int i = 0; i < 2 * AuditTrail.MOST; i++) {
      add(i, "-", false);
    }
    assertThat(trail.last(2 * AuditTrail.MOST))
        .hasSize(AuditTrail.MOST_OF_NOBODY + 1)
        .anyMatch(entry -> entry.user().equals("ann"));
  }

  @Test
  void refusalsAndLoginsDisplaceNoWrites() {
    add(1, "ann", true);
    for (int i = 0; i < 2 * AuditTrail.MOST; i++) {
      trail.add(entry(i, "logout", 204), true);
      trail.add(entry(i, "op", 403), true);
    }
    assertThat(trail.last(2 * AuditTrail.MOST))
        .hasSize(AuditTrail.MOST_MINOR + 1)
        .anyMatch(entry -> entry.status() == 202);
  }

  private static AuditEntry entry(int second, String operation, int status) {
    return new AuditEntry(
        Instant.ofEpochSecond(second), "eve", "viewer", "a", operation, "/x", "", status, "", "");
  }

  @ParameterizedTest
  @CsvSource({
    "'plain words', 'plain words'",
    "'gr%C3%BCn%0Anext', 'grün next'",
    "'100% sure', '100% sure'",
    "'a+b', 'a+b'",
    "'a%C2%85b%C2%9Bc', 'a b c'",
    "'%1b[31mred%E2%80%AE', '[31mred'",
    "'  ', ''"
  })
  void aReasonIsOneLineWithoutCommandsToATerminal(String header, String reason) {
    assertThat(Reason.of(header)).isEqualTo(reason);
  }

  @Test
  void aLongReasonIsCutBetweenCharacters() {
    String cut = Reason.of("%F0%9F%92%A9".repeat(300));
    assertThat(cut.codePointCount(0, cut.length())).isEqualTo(Reason.MOST + 1);
    assertThat(cut).endsWith("…");
    assertThat(Reason.of(null)).isEmpty();
  }

  @Test
  void theFirstOfManyIdsAreNamedAndTheOthersCounted() {
    List<String> ids = IntStream.range(0, 2_000).mapToObj(i -> "job-" + i).toList();
    assertThat(AuditDetail.ids(ids)).startsWith("job-0, job-1, ").endsWith("job-9 and 1990 more");
    assertThat(AuditDetail.ids(ids.subList(0, 2))).isEqualTo("job-0, job-1");
  }
}

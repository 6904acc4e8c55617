package io.callboard.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.grid.FailureDetector.Verdict;
import io.callboard.grid.Heartbeat.Kind;
import io.callboard.placement.VacancyReason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Test of the failure detector of node "a", which watches "b" and "c". */
class FailureDetectorTest {
  private static final long INTERVAL = GridOptions.DEFAULT.heartbeatInterval().toNanos();
  private static final long SILENCE = GridOptions.DEFAULT.silence().toNanos();

  private final FailureDetector detector = new FailureDetector("a", GridOptions.DEFAULT);
  private long nowNs = 1_000_000_000_000L;

  FailureDetectorTest() {
    detector.members(Set.of("a", "b", "c"));
  }

  private void tick() {
    nowNs += INTERVAL;
    detector.tick(nowNs);
  }

  private void came(String from, Kind kind, String about) {
    detector.came(from, new Heartbeat(kind, about), nowNs);
  }

  private void tickFor(long nanos, String... answering) {
    for (long left = nanos; left > 0; left -= INTERVAL) {
      tick();
      for (String other : answering) {
        came(other, Kind.PONG, "");
      }
    }
  }

  private List<FailureDetector.Sending> sentTo(String to, Kind kind) {
    return detector.takeOut().stream()
        .filter(each -> each.to().equals(to) && each.heartbeat().kind() == kind)
        .toList();
  }

  private List<String> asked() {
    return detector.takeOut().stream()
        .filter(each -> each.heartbeat().kind() == Kind.DOUBT)
        .map(FailureDetector.Sending::to)
        .toList();
  }

  private void heardBoth() {
    tickFor(SILENCE, "b", "c");
    assertThat(detector.takeVerdicts()).isEmpty();
    assertThat(sentTo("b", Kind.PING)).isNotEmpty();
  }

  @Test
  void aPingIsAnswered() {
    came("b", Kind.PING, "");
    assertThat(sentTo("b", Kind.PONG)).hasSize(1);
    came("stranger", Kind.PING, "");
    assertThat(detector.takeOut()).as("of no member").isEmpty();
  }

  @Test
  void aRefusedConnectionIsBelievedAtOnceAndToldToAll() {
    heardBoth();
    detector.refused("b", nowNs);
    assertThat(detector.takeVerdicts())
        .containsExactly(new Verdict("b", Optional.of(VacancyReason.PROCESS_GONE)));
    assertThat(detector.suspects()).containsExactly("b");
    assertThat(sentTo("c", Kind.REFUSED)).hasSize(1);
    detector.refused("b", nowNs);
    assertThat(detector.takeVerdicts()).as("once").isEmpty();
  }

  @Test
  void aNodeThatNeverAnsweredIsNotSuspected() {
    tickFor(10 * SILENCE, "c");
    detector.refused("b", nowNs);
    came("c", Kind.SILENT, "b");
    assertThat(detector.takeVerdicts()).isEmpty();
  }

  @Test
  void aSilentNodeIsSuspectedIfAnotherDoesNotHearItEither() {
    heardBoth();
    tickFor(SILENCE + 2 * INTERVAL, "c");
    assertThat(asked()).containsExactly("c");
    assertThat(detector.takeVerdicts()).as("nobody has agreed").isEmpty();
    came("c", Kind.SILENT, "b");
    assertThat(detector.takeVerdicts())
        .containsExactly(new Verdict("b", Optional.of(VacancyReason.SILENT)));
    assertThat(sentTo("c", Kind.GONE)).hasSize(1);
  }

  @Test
  void nodesThatWereHeardLastAreAskedUnlessTheyAreSuspected() {
    detector.members(Set.of("a", "b", "c", "d", "e", "f", "g"));
    tickFor(SILENCE, "b", "c", "d", "e", "f", "g");
    tickFor(SILENCE - 2 * INTERVAL, "c", "d", "e", "f", "g");
    tickFor(INTERVAL, "d", "e", "f", "g");
    detector.refused("g", nowNs);
    assertThat(asked()).isEmpty();
    tick();
    assertThat(asked()).containsExactlyInAnyOrder("d", "e", "f");
  }

  @Test
  void aNodeThatDoesNotAnswerIsSentFewerHeartbeats() {
    tickFor(100 * INTERVAL, "c");
    assertThat(sentTo("b", Kind.PING)).as("never answered: 20, then each 5th").hasSize(36);
    heardBoth();
    tickFor(SILENCE + 2 * INTERVAL, "c");
    came("c", Kind.SILENT, "b");
    assertThat(detector.takeOut()).isNotEmpty();
    tickFor(100 * INTERVAL, "c");
    assertThat(sentTo("b", Kind.PING)).as("silent: each 5th").hasSize(20);
  }

  @Test
  void aSilentNodeThatAnotherHearsIsNotSuspected() {
    heardBoth();
    tickFor(SILENCE + 2 * INTERVAL, "c");
    came("c", Kind.ALIVE, "b");
    came("c", Kind.SILENT, "b");
    assertThat(detector.takeVerdicts()).isEmpty();
  }

  @Test
  void aNodeThatWasAwayItselfBlamesNobody() {
    heardBoth();
    nowNs += 10 * SILENCE;
    detector.tick(nowNs);
    assertThat(sentTo("c", Kind.DOUBT)).isEmpty();
    tickFor(SILENCE / 2, "b", "c");
    assertThat(detector.takeVerdicts()).isEmpty();
  }

  @Test
  void aNodeThatIsAskedPingsTheSuspectBeforeItAnswers() {
    heardBoth();
    tickFor(SILENCE, "c");
    assertThat(detector.takeOut()).isNotEmpty();
    came("c", Kind.DOUBT, "b");
    assertThat(sentTo("b", Kind.PING)).hasSize(1);
    tick();
    assertThat(sentTo("c", Kind.SILENT)).as("too early").isEmpty();
    tick();
    assertThat(sentTo("c", Kind.SILENT)).hasSize(1);
    came("c", Kind.DOUBT, "b");
    came("b", Kind.PONG, "");
    tick();
    assertThat(sentTo("c", Kind.ALIVE)).hasSize(1);
  }

  @Test
  void aNodeThatIsHeardAgainIsTrustedAgainAndGivenMoreTime() {
    heardBoth();
    tickFor(SILENCE + INTERVAL, "c");
    came("c", Kind.SILENT, "b");
    assertThat(detector.takeVerdicts()).hasSize(1);
    came("b", Kind.PING, "");
    assertThat(detector.takeVerdicts()).containsExactly(new Verdict("b", Optional.empty()));
    assertThat(sentTo("c", Kind.ALIVE)).hasSize(1);
    tickFor(SILENCE + 2 * INTERVAL, "c");
    came("c", Kind.SILENT, "b");
    assertThat(detector.takeVerdicts()).as("twice as patient").isEmpty();
    tickFor(SILENCE, "c");
    came("c", Kind.SILENT, "b");
    assertThat(detector.takeVerdicts()).hasSize(1);
  }

  @Test
  void anAnswerThatWasUnderWayDoesNotBringBackAProcessThatIsGone() {
    heardBoth();
    detector.refused("b", nowNs);
    came("b", Kind.PONG, "");
    assertThat(detector.takeVerdicts()).hasSize(1);
  }

  @Test
  void aNewNodeIsToldTheSuspects() {
    tickFor(SILENCE, "b");
    detector.refused("b", nowNs);
    assertThat(detector.takeOut()).isNotEmpty();
    came("c", Kind.PING, "");
    assertThat(sentTo("c", Kind.REFUSED)).hasSize(1);
    came("c", Kind.PING, "");
    assertThat(sentTo("c", Kind.REFUSED)).as("once").isEmpty();
  }

  @Test
  void theBeliefOfOthersIsForgottenIfTheyDoNotRepeatIt() {
    detector.members(Set.of("a", "b", "c", "d"));
    came("c", Kind.GONE, "d");
    assertThat(detector.takeVerdicts()).hasSize(1);
    tickFor(60 * INTERVAL, "b", "c");
    came("c", Kind.GONE, "d");
    tickFor(60 * INTERVAL, "b", "c");
    assertThat(detector.takeVerdicts()).as("it was repeated").isEmpty();
    tickFor(30 * INTERVAL, "b", "c");
    assertThat(detector.takeVerdicts()).containsExactly(new Verdict("d", Optional.empty()));
  }

  /** A node that only a firewall refuses is not gone. */
  @Test
  void aRefusalToAnotherIsCheckedBeforeItIsBelieved() {
    heardBoth();
    assertThat(detector.takeOut()).isEmpty();
    came("c", Kind.REFUSED, "b");
    assertThat(sentTo("b", Kind.PING)).hasSize(1);
    came("b", Kind.PONG, "");
    assertThat(detector.takeVerdicts()).isEmpty();
    came("c", Kind.REFUSED, "b");
    detector.refused("b", nowNs);
    assertThat(detector.takeVerdicts())
        .containsExactly(new Verdict("b", Optional.of(VacancyReason.PROCESS_GONE)));
  }

  @Test
  void aNewNodeBelievesARefusalThatItSeesToo() {
    came("c", Kind.REFUSED, "b");
    detector.refused("b", nowNs);
    assertThat(detector.takeVerdicts()).hasSize(1);
  }

  @Test
  void afterAFalseAlarmARefusalIsBelievedOnlyWithSilence() {
    heardBoth();
    detector.refused("b", nowNs);
    assertThat(detector.takeVerdicts()).hasSize(1);
    tickFor(SILENCE + INTERVAL, "c");
    came("b", Kind.PING, "");
    assertThat(detector.takeVerdicts()).as("trusted again").hasSize(1);
    detector.refused("b", nowNs);
    assertThat(detector.takeVerdicts()).as("it was heard just now").isEmpty();
    tickFor(2 * SILENCE + INTERVAL, "c");
    detector.refused("b", nowNs);
    assertThat(detector.takeVerdicts()).hasSize(1);
  }

  @Test
  void aPauseMakesNobodyHeardInTheFuture() {
    heardBoth();
    nowNs += 20 * SILENCE;
    came("c", Kind.PING, ""); // before the tick that comes late
    detector.tick(nowNs);
    assertThat(detector.heardNanos("c").orElseThrow()).isLessThanOrEqualTo(nowNs);
  }

  /** Else it says that it does not hear a node whose heartbeats it has yet to read. */
  @Test
  void aNodeThatWasAwayHasTimeAgainToAnswerADoubt() {
    heardBoth();
    tickFor(SILENCE, "c");
    came("c", Kind.DOUBT, "b");
    nowNs += 10 * SILENCE;
    detector.tick(nowNs);
    assertThat(sentTo("c", Kind.SILENT)).isEmpty();
    came("b", Kind.PONG, "");
    tick();
    assertThat(sentTo("c", Kind.ALIVE)).hasSize(1);
  }

  @Test
  void aNodeRepeatsItsOwnFindings() {
    heardBoth();
    detector.refused("b", nowNs);
    assertThat(sentTo("c", Kind.REFUSED)).hasSize(1);
    tickFor(60 * INTERVAL, "c");
    assertThat(sentTo("c", Kind.REFUSED)).hasSize(3);
    tickFor(100 * INTERVAL, "c");
    assertThat(detector.takeVerdicts()).as("it stays").hasSize(1);
    assertThat(sentTo("b", Kind.PING)).as("it might be back: each 20th").hasSize(5);
  }

  @Test
  void theBeliefOfAnotherIsBelievedUnlessTheNodeWasJustHeard() {
    heardBoth();
    came("c", Kind.GONE, "b");
    assertThat(detector.takeVerdicts()).isEmpty();
    assertThat(sentTo("c", Kind.ALIVE)).hasSize(1);
    tickFor(SILENCE / 2, "c");
    came("c", Kind.GONE, "b");
    assertThat(detector.takeVerdicts()).hasSize(1);
    came("c", Kind.GONE, "a");
    assertThat(detector.takeVerdicts()).as("of itself it knows better").isEmpty();
  }

  @Test
  void inALargeGridEachNodeHasAsManyWatchersAsItWatches() {
    Set<String> boots =
        IntStream.range(0, 40).mapToObj(i -> "boot-" + i).collect(Collectors.toSet());
    for (String boot : boots) {
      FailureDetector one = new FailureDetector(boot, GridOptions.DEFAULT);
      one.members(boots);
      assertThat(one.watched()).hasSize(FailureDetector.MOST_WATCHED).doesNotContain(boot);
      long watchers =
          boots.stream()
              .filter(
                  other -> {
                    FailureDetector another = new FailureDetector(other, GridOptions.DEFAULT);
                    another.members(boots);
                    return another.watched().contains(boot);
                  })
              .count();
      assertThat(watchers).isEqualTo(FailureDetector.MOST_WATCHED);
    }
  }

  @Test
  void theLastSignOfAGoneNodeIsRemembered() {
    heardBoth();
    long heardNs = nowNs;
    tick();
    detector.members(Set.of("a", "c"));
    assertThat(detector.heardNanos("b")).contains(heardNs);
    assertThat(detector.heardNanos("stranger")).isEmpty();
  }

  /** Else it would be suspected still when it comes back, with a new session of the same boot. */
  @Test
  void aNodeThatHasLeftIsSuspectedNoMore() {
    heardBoth();
    detector.refused("b", nowNs);
    assertThat(detector.takeVerdicts())
        .containsExactly(new FailureDetector.Verdict("b", Optional.of(VacancyReason.PROCESS_GONE)));
    detector.members(Set.of("a", "c"));
    assertThat(detector.takeVerdicts())
        .containsExactly(new FailureDetector.Verdict("b", Optional.empty()));
    detector.members(Set.of("a", "b", "c"));
    assertThat(detector.suspects()).isEmpty();
  }

  @Test
  void anotherMessageIsNoHeartbeat() {
    for (Kind kind : Kind.values()) {
      Heartbeat heartbeat = new Heartbeat(kind, "boot-1");
      assertThat(Heartbeat.decode(heartbeat.encode())).contains(heartbeat);
    }
    assertThat(Heartbeat.decode(new byte[0])).isEmpty();
    assertThat(Heartbeat.decode(new byte[] {'z'})).isEmpty();
    assertThat(Heartbeat.decode(new byte[] {'g', '/', '.'})).isEmpty();
    assertThat(
            Heartbeat.decode(
                ("g" + "x".repeat(65)).getBytes(java.nio.charset.StandardCharsets.UTF_8)))
        .isEmpty();
  }
}

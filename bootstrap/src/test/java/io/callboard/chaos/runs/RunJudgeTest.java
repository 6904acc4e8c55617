package io.callboard.chaos.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.chaos.runs.RunJudge.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The judge of jobs can fail: each test is a history with one violation. */
class RunJudgeTest {
  private static final RunLimits LIMITS =
      new RunLimits(
          Map.of("red", 2, "green", 9),
          Map.of("red", 2, "green", 1),
          Map.of("partner=acme", 2, "partner=open", 9),
          3);

  private final List<RunLine> lines = new ArrayList<>();
  private final List<Sighting> seen = new ArrayList<>();
  private final List<JobOutcome> outcomes = new ArrayList<>();
  private long epoch;

  private void say(
      String what, String run, String host, String type, String label, String at, String more) {
    int slash = run.indexOf('/');
    String text =
        "%s %s %s /chaos/%s/runs/id/1/ %d %s 77 %s %s %s"
            .formatted(
                what,
                run.substring(0, slash),
                run.substring(slash + 1),
                host,
                ++epoch,
                at,
                type,
                label,
                more);
    lines.add(RunLine.parse(text).orElseThrow());
  }

  /** Adds a red run on a host of its own that comes to its end. */
  private void red(String run, String from, String until) {
    String host = "host-of-" + run.replace('/', '-');
    say("at", run, host, "red", "partner=open", from, "");
    say("done", run, host, "red", "partner=open", until, "");
  }

  private void job(String key, JobKind kind, String state) {
    outcomes.add(new JobOutcome(key, kind, false, false, state.isEmpty() ? null : state));
  }

  private List<Kind> judged() {
    return RunJudge.judge(LIMITS, lines, seen, outcomes).stream()
        .map(RunJudge.Finding::kind)
        .toList();
  }

  @Test
  void aHistoryThatKeepsTheLimitsIsClean() {
    red("a/1", "1.00", "2.00");
    red("b/1", "1.00", "2.00");
    red("c/1", "2.00", "3.00");
    say("at", "d/1", "h", "green", "partner=acme", "1.00", "");
    say("failed", "d/1", "h", "green", "partner=acme", "1.50", "");
    say("at", "d/2", "h", "green", "partner=acme", "1.60", "");
    say("failed", "d/2", "h", "green", "partner=acme", "1.80", "");
    for (String key : List.of("a", "b", "c")) {
      job(key, JobKind.SHORT, "SUCCEEDED");
    }
    job("d", JobKind.FAILING, "DEAD");
    outcomes.add(new JobOutcome("e", JobKind.LONG, true, true, "CANCELLED"));
    assertThat(judged()).isEmpty();
  }

  @Test
  void aTypeOverItsLimit() {
    red("a/1", "1.00", "2.00");
    red("b/1", "1.00", "2.00");
    red("c/1", "1.50", "2.00");
    assertThat(judged()).containsExactly(Kind.OVER_LIMIT);
  }

  @Test
  void aLabelOverItsLimit() {
    for (String key : List.of("a", "b", "c")) {
      say("at", key + "/1", "h" + key, "green", "partner=acme", "1.00", "");
      say("done", key + "/1", "h" + key, "green", "partner=acme", "2.00", "");
    }
    assertThat(judged()).containsExactly(Kind.OVER_LIMIT);
  }

  @Test
  void aShareOfAHostOverItsLimit() {
    for (String key : List.of("a", "b")) {
      say("at", key + "/1", "h", "green", "partner=open", "1.00", "");
      say("done", key + "/1", "h", "green", "partner=open", "2.00", "");
    }
    assertThat(judged()).containsExactly(Kind.OVER_LIMIT);
  }

  @Test
  void aHostOverItsSlots() {
    int number = 0;
    for (String type : List.of("red", "red", "green", "other")) {
      String run = "j%d/1".formatted(number++);
      say("at", run, "h", type, "partner=open", "1.00", "");
      say("done", run, "h", type, "partner=open", "2.00", "");
    }
    assertThat(judged()).containsExactly(Kind.OVER_LIMIT);
  }

  @Test
  void aLockThatWasNotFree() {
    say("over", "a/1", "h", "red", "partner=open", "1.00", "type-red");
    assertThat(judged()).containsExactly(Kind.OVER_LIMIT);
  }

  @Test
  void aRunThatWasKilledCountsUntilItWasSeenLast() {
    say("at", "a/1", "h1", "red", "partner=open", "1.00", "");
    red("b/1", "1.00", "4.00");
    red("c/1", "3.00", "4.00");
    assertThat(judged()).as("nobody knows how long a/1 lived").isEmpty();
    seen.add(new Sighting("a", 1, RunLine.nanos("3.50")));
    assertThat(judged()).containsExactly(Kind.OVER_LIMIT);
  }

  @Test
  void aJobAliveTwice() {
    red("a/1", "1.00", "2.00");
    red("a/2", "1.50", "2.50");
    assertThat(judged()).containsExactly(Kind.DUPLICATED);
  }

  @Test
  void aJobWhoseLockWasNotFree() {
    say("twice", "a/2", "h", "red", "partner=open", "1.00", "");
    assertThat(judged()).containsExactly(Kind.DUPLICATED);
  }

  @Test
  void aRunThatBeganTwice() {
    red("a/1", "1.00", "1.50");
    red("a/1", "2.00", "2.50");
    assertThat(judged()).contains(Kind.DUPLICATED);
  }

  @Test
  void aRunThatBeganAfterALaterOne() {
    red("a/2", "1.00", "1.50");
    red("a/1", "2.00", "2.50");
    assertThat(judged()).containsExactly(Kind.DUPLICATED);
  }

  @Test
  void anEpochThatDoesNotRise() {
    red("a/1", "1.00", "1.50");
    epoch = 0;
    red("a/2", "2.00", "2.50");
    assertThat(judged()).containsExactly(Kind.DUPLICATED);
  }

  @Test
  void anAcceptedJobThatIsNotThere() {
    job("a", JobKind.SHORT, "");
    assertThat(judged()).containsExactly(Kind.LOST);
  }

  @ParameterizedTest
  @CsvSource({
    "SHORT, DEAD",
    "SHORT, CANCELLED",
    "SHORT, QUEUED",
    "LONG, EXPIRED",
    "OVERTIME, SUCCEEDED",
    "FAILING, SUCCEEDED"
  })
  void aJobThatEndedInAnotherWay(JobKind kind, String state) {
    red("a/1", "1.00", "2.00");
    job("a", kind, state);
    assertThat(judged()).isNotEmpty().containsOnly(Kind.LOST);
  }

  @Test
  void aCancellationThatWasConfirmedAndNotDone() {
    red("a/1", "1.00", "2.00");
    outcomes.add(new JobOutcome("a", JobKind.SHORT, true, true, "SUCCEEDED"));
    assertThat(judged()).containsExactly(Kind.LOST);
  }

  @Test
  void aSuccessThatNoProcessReported() {
    job("a", JobKind.SHORT, "SUCCEEDED");
    assertThat(judged()).containsExactly(Kind.LOST);
  }

  @Test
  void aSuccessOfARunThatWasNotTheLast() {
    red("a/1", "1.00", "2.00");
    say("at", "a/2", "h", "red", "partner=open", "3.00", "");
    job("a", JobKind.SHORT, "SUCCEEDED");
    assertThat(judged()).containsExactly(Kind.LOST);
  }

  @Test
  void aJobThatIsDeadBeforeItsAttemptsAreUsed() {
    say("at", "a/1", "h", "red", "partner=open", "1.00", "");
    say("failed", "a/1", "h", "red", "partner=open", "1.10", "");
    job("a", JobKind.FAILING, "DEAD");
    assertThat(judged()).containsExactly(Kind.LOST);
  }

  @Test
  void tornLinesAreNoLines() {
    assertThat(RunLine.parse("at k1 1 /chaos/node-1/runs/id/1/ 7 12.3")).isEmpty();
    assertThat(RunLine.parse("at k1 x /chaos/node-1/runs/id/1/ 7 12.34 5 red partner=a "))
        .isEmpty();
    assertThat(RunLine.parse("at k1 1 /chaos/node-1/runs/id/1/ 7 12.34 5 red partner=a "))
        .get()
        .returns("node-1", RunLine::host)
        .returns(12_340_000_000L, RunLine::atNs);
  }
}

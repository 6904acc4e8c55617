package io.callboard.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.supervision.FailureZone.EndsWith;
import io.callboard.supervision.ZoneSupervisor.Step;
import io.callboard.supervision.ZoneSupervisor.Step.Done;
import io.callboard.supervision.ZoneSupervisor.Step.Ended;
import io.callboard.supervision.ZoneSupervisor.Step.Escalate;
import io.callboard.supervision.ZoneSupervisor.Step.Rest;
import io.callboard.supervision.ZoneSupervisor.Step.RestAll;
import io.callboard.supervision.ZoneSupervisor.Step.Start;
import io.callboard.supervision.ZoneSupervisor.Step.Stop;
import io.callboard.supervision.ZoneSupervisor.Step.Up;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What a supervisor does, case by case. */
class ZoneSupervisorTest {
  private static final Throwable CRASH = new IllegalStateException("crash");
  private static final Duration DELAY = Duration.ofMillis(100);
  private static final Backoff EVEN = new Backoff(DELAY, DELAY, Backoff.Jitter.NONE);

  /** A monotonic clock begins anywhere. */
  private long now = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos();

  private ZoneSupervisor zone = new ZoneSupervisor(new FailureZone(), RandomGenerator.of("Random"));

  private static ChildSpec spec(String name) {
    return new ChildSpec(name).backoff(EVEN);
  }

  private void zone(FailureZone policy, ChildSpec... children) {
    zone = new ZoneSupervisor(policy, RandomGenerator.of("Random"));
    for (ChildSpec child : children) {
      assertThat(zone.add(child, now)).isEmpty();
    }
  }

  /** A zone of that strategy with a, b and c, all up. */
  private void running(FailureZone policy) {
    zone(policy, spec("a"), spec("b"), spec("c"));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
    assertThat(zone.started("c", now)).containsExactly(new Up());
  }

  private static FailureZone with(Strategy strategy) {
    return new FailureZone().strategy(strategy);
  }

  private List<Step> later(Duration time) {
    now += time.toNanos();
    return zone.tick(now);
  }

  private void waits(Duration time) {
    assertThat(zone.wakeNs(now)).isEqualTo(OptionalLong.of(now + time.toNanos()));
    assertThat(later(time.minusNanos(1))).isEmpty();
    now++;
  }

  @Test
  void oneForOneStartsOnlyWhatFailed() {
    running(with(Strategy.ONE_FOR_ONE));
    assertThat(zone.failed("b", CRASH, now)).isEmpty();
    waits(DELAY);
    assertThat(zone.tick(now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).isEmpty();
    assertThat(zone.wakeNs(now)).isEmpty();
  }

  @Test
  void allForOneStopsTheOthersInReverseAndStartsAllInOrderAfterTheBackoff() {
    running(with(Strategy.ALL_FOR_ONE));
    assertThat(zone.failed("b", CRASH, now)).containsExactly(new Stop("c"));
    assertThat(zone.stopped("c", now)).containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now)).isEmpty();
    waits(DELAY);
    assertThat(zone.tick(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
    assertThat(zone.started("c", now)).isEmpty();
  }

  @Test
  void restForOneStartsThoseBehindAgain() {
    running(with(Strategy.REST_FOR_ONE));
    assertThat(zone.failed("b", CRASH, now)).containsExactly(new Stop("c"));
    assertThat(later(DELAY)).as("c is still there").isEmpty();
    assertThat(zone.stopped("c", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
  }

  @Test
  void aSiblingThatCannotBeStartedAgainIsTheOneThatIsTried() {
    running(with(Strategy.REST_FOR_ONE));
    assertThat(zone.failed("a", CRASH, now)).containsExactly(new Stop("c"));
    assertThat(zone.stopped("c", now)).containsExactly(new Stop("b"));
    assertThat(zone.stopped("b", now)).isEmpty();
    assertThat(later(DELAY)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.failed("b", CRASH, now)).as("a goes on").isEmpty();
    assertThat(later(DELAY)).containsExactly(new Start("b"));
  }

  @Test
  void aStartThatFailsIsTriedAgainAndHoldsUpNoIndependentSibling() {
    zone(with(Strategy.ONE_FOR_ONE), spec("a"), spec("b"));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.failed("a", CRASH, now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    for (int i = 0; i < 5; i++) {
      assertThat(later(DELAY)).containsExactly(new Start("a"));
      assertThat(zone.failed("a", CRASH, now)).isEmpty();
    }
    assertThat(later(DELAY)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).isEmpty();
  }

  @Test
  void theLimitIsReachedExactlyAtTheEdgeOfItsWindow() {
    running(new FailureZone().intensity(new Intensity(2, Duration.ofSeconds(1))));
    crashAndStart("a");
    crashAndStart("b");
    now += Duration.ofSeconds(1).minus(DELAY.multipliedBy(2)).toNanos() - 1;
    assertThat(zone.failed("c", CRASH, now))
        .as("the first is not yet a second old")
        .containsExactly(new Stop("b"));
    running(new FailureZone().intensity(new Intensity(2, Duration.ofSeconds(1))));
    crashAndStart("a");
    crashAndStart("b");
    now += Duration.ofSeconds(1).minus(DELAY.multipliedBy(2)).toNanos();
    assertThat(zone.failed("c", CRASH, now)).as("it is").isEmpty();
  }

  private void crashAndStart(String child) {
    assertThat(zone.failed(child, CRASH, now)).isEmpty();
    assertThat(later(DELAY)).containsExactly(new Start(child));
    assertThat(zone.started(child, now)).isEmpty();
  }

  @Test
  void whatIsOverTheLimitEscalatesWhenNothingIsLeft() {
    running(new FailureZone().intensity(new Intensity(0, DELAY)));
    assertThat(zone.failed("b", CRASH, now)).containsExactly(new Stop("c"));
    assertThat(zone.failed("a", CRASH, now)).as("it would have been stopped").isEmpty();
    assertThat(zone.stopped("c", now)).containsExactly(new Escalate(CRASH));
  }

  @Test
  void theOwnLimitOfAChildActsOnItAlone() {
    FailureZone policy = new FailureZone().whenOver(LimitAction.PARK);
    zone(policy, spec("a").intensity(new Intensity(1, Duration.ofDays(1))), spec("b"));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    crashAndStart("a");
    assertThat(zone.failed("a", CRASH, now))
        .containsExactly(new Rest("a", "more than 1 restarts within PT24H"));
    assertThat(zone.restsNow("a")).isTrue();
    assertThat(later(Duration.ofDays(2))).as("until it is resumed").isEmpty();
    assertThat(zone.resume("a", now)).containsExactly(new Start("a"));
  }

  @Test
  void aWholeZoneRests() {
    running(new FailureZone().intensity(new Intensity(0, DELAY)).whenOver(LimitAction.PARK));
    assertThat(zone.failed("c", CRASH, now)).containsExactly(new Stop("b"));
    assertThat(zone.stopped("b", now)).containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now))
        .containsExactly(new RestAll("more than 0 restarts within PT0.1S"));
  }

  @Test
  void aStopDuringTheBackoffStartsNothingAgain() {
    running(with(Strategy.ONE_FOR_ONE));
    assertThat(zone.failed("b", CRASH, now)).isEmpty();
    assertThat(zone.stop(now)).containsExactly(new Stop("c"));
    assertThat(later(DELAY)).isEmpty();
    assertThat(zone.stopped("c", now)).containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now)).containsExactly(new Ended());
    assertThat(zone.wakeNs(now)).isEmpty();
  }

  @Test
  void aStopDuringAStartWaitsForItsEnd() {
    zone(with(Strategy.ALL_FOR_ONE), spec("a"), spec("b"));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.stop(now)).containsExactly(new Stop("a"));
    assertThat(zone.started("a", now)).as("too late").isEmpty();
    assertThat(zone.stopped("a", now)).containsExactly(new Ended());
  }

  @Test
  void whoIsToldToEndDoesNotEscalateAnyMore() {
    running(new FailureZone().intensity(new Intensity(0, DELAY)));
    assertThat(zone.failed("c", CRASH, now)).containsExactly(new Stop("b"));
    assertThat(zone.stop(now)).isEmpty();
    assertThat(zone.stopped("b", now)).containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now)).containsExactly(new Ended());
  }

  @Test
  void theBackoffBeginsAnewAfterAHealthyTimeOnly() {
    Backoff growing = new Backoff(DELAY, Duration.ofMinutes(1), Backoff.Jitter.NONE);
    Duration healthy = Duration.ofSeconds(10);
    zone(new FailureZone(), new ChildSpec("a").backoff(growing).resetAfter(healthy));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Up());
    assertThat(zone.failed("a", CRASH, now)).isEmpty();
    waits(DELAY);
    assertThat(zone.tick(now)).containsExactly(new Start("a"));
    assertThat(zone.failed("a", CRASH, now)).isEmpty();
    waits(DELAY.multipliedBy(2));
    assertThat(zone.tick(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).isEmpty();
    now += healthy.toNanos() - 1;
    assertThat(zone.failed("a", CRASH, now)).isEmpty();
    waits(DELAY.multipliedBy(4));
    assertThat(zone.tick(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).isEmpty();
    now += healthy.toNanos();
    assertThat(zone.failed("a", CRASH, now)).isEmpty();
    waits(DELAY);
  }

  @Test
  void whatItNeedsWasNotThereDoesNotCount() {
    zone(new FailureZone().intensity(new Intensity(0, DELAY)), spec("a"));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    for (int i = 0; i < 100; i++) {
      assertThat(zone.interrupted("a", now)).isEqualTo(i == 0 ? List.of(new Up()) : List.of());
      assertThat(later(Duration.ofSeconds(5))).containsExactly(new Start("a"));
    }
    assertThat(zone.started("a", now)).isEmpty();
  }

  @Test
  void aPermanentChildThatEndsHasFailedATransientOneIsDoneATemporaryOneIsForgotten() {
    zone(
        new FailureZone(),
        spec("a"),
        spec("b").kind(ChildKind.TRANSIENT),
        spec("c").kind(ChildKind.TEMPORARY));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
    assertThat(zone.started("c", now)).containsExactly(new Up());
    assertThat(zone.ended("a", now)).isEmpty();
    assertThat(later(DELAY)).containsExactly(new Start("a"));
    assertThat(zone.failed("b", CRASH, now)).isEmpty();
    assertThat(later(DELAY)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).isEmpty();
    assertThat(zone.ended("b", now)).containsExactly(new Done("b"));
    assertThat(zone.failed("c", CRASH, now)).containsExactly(new Done("c"));
    assertThat(zone.add(spec("c"), now)).as("its name is free").containsExactly(new Start("c"));
    assertThatThrownBy(() -> zone.add(spec("b"), now)).hasMessageContaining("\"b\"");
  }

  @Test
  void aUnitOfWorkEndsWithItsSignificantChildren() {
    FailureZone work = with(Strategy.ALL_FOR_ONE).endsWith(EndsWith.ALL);
    zone(
        work,
        spec("helper"),
        spec("a").kind(ChildKind.TRANSIENT).asSignificant(),
        spec("b").kind(ChildKind.TRANSIENT).asSignificant());
    assertThat(zone.start(now)).containsExactly(new Start("helper"));
    assertThat(zone.started("helper", now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    assertThat(zone.ended("a", now)).containsExactly(new Done("a"));
    assertThat(zone.ended("b", now)).containsExactly(new Done("b"), new Stop("helper"));
    assertThat(zone.stopped("helper", now)).containsExactly(new Ended());
  }

  @Test
  void theFirstRuleThatFitsDecides() {
    Rules rules =
        Rules.RESTART
            .when(
                cause -> {
                  throw new IllegalStateException("a rule with a fault");
                },
                Directive.STOP)
            .on(IOException.class, Directive.PARK)
            .on(Exception.class, Directive.ESCALATE)
            .on(Throwable.class, Directive.STOP);
    running(new FailureZone().rules(rules));
    assertThat(zone.resumes(new IOException("no disk"))).isFalse();
    assertThat(zone.failed("a", new IOException("no disk"), now))
        .containsExactly(new Rest("a", "no disk"));
    assertThat(zone.failed("b", new AssertionError("bug"), now)).containsExactly(new Done("b"));
    RuntimeException other = new RuntimeException("other");
    assertThat(zone.failed("c", other, now)).containsExactly(new Escalate(other));
  }

  @Test
  void whatNeedsAChildThatRestsWaitsWithItAndFollowsIt() {
    running(with(Strategy.REST_FOR_ONE).rules(Rules.RESTART.on(IOException.class, Directive.PARK)));
    assertThat(zone.failed("b", new IOException("no disk"), now))
        .containsExactly(new Rest("b", "no disk"), new Stop("c"));
    assertThat(zone.stopped("c", now)).isEmpty();
    assertThat(later(Duration.ofDays(1))).isEmpty();
    crashAndStart("a");
    assertThat(zone.resume("b", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
  }

  @Test
  void anOperatorStopsResumesAndRestarts() {
    running(with(Strategy.ONE_FOR_ONE));
    assertThat(zone.stop("b", now))
        .containsExactly(new Rest("b", "it was stopped by an operator"), new Stop("b"));
    assertThat(zone.stopped("b", now)).isEmpty();
    assertThat(later(Duration.ofDays(1))).isEmpty();
    assertThat(zone.resume("b", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).isEmpty();
    assertThat(zone.restart("a", now)).containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now)).containsExactly(new Start("a"));
  }

  @Test
  void whatNeedsAChildWaitsForItAlsoWhenItIsStoppedOrInterrupted() {
    running(with(Strategy.REST_FOR_ONE));
    assertThat(zone.stop("b", now))
        .containsExactly(new Rest("b", "it was stopped by an operator"), new Stop("c"));
    assertThat(zone.stopped("c", now)).containsExactly(new Stop("b"));
    assertThat(zone.stopped("b", now)).isEmpty();
    assertThat(zone.resume("b", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
    assertThat(zone.started("c", now)).isEmpty();
    assertThat(zone.interrupted("b", now)).containsExactly(new Stop("c"));
    assertThat(zone.stopped("c", now)).isEmpty();
    assertThat(later(Duration.ofSeconds(5))).containsExactly(new Start("b"));
  }

  @Test
  void aTemporaryChildRestsAndIsResumedLikeOthers() {
    zone(
        with(Strategy.REST_FOR_ONE).rules(Rules.RESTART.on(IOException.class, Directive.PARK)),
        spec("a").kind(ChildKind.TEMPORARY),
        spec("b"));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    assertThat(zone.failed("a", new IOException("no disk"), now))
        .containsExactly(new Rest("a", "no disk"), new Stop("b"));
    assertThat(zone.stopped("b", now)).isEmpty();
    assertThat(zone.resume("a", now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
  }

  @Test
  void aTemporarySiblingThatIsStoppedIsDoneOneThatNeverRanIsStarted() {
    zone(with(Strategy.REST_FOR_ONE), spec("a"), spec("b").kind(ChildKind.TEMPORARY));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.failed("a", CRASH, now)).isEmpty();
    assertThat(later(DELAY)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    assertThat(zone.failed("a", CRASH, now)).containsExactly(new Done("b"), new Stop("b"));
    assertThat(zone.stopped("b", now)).isEmpty();
    assertThat(later(DELAY)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).isEmpty();
    assertThat(zone.add(spec("b"), now)).as("its name is free").containsExactly(new Start("b"));
  }

  @Test
  void aUnitOfWorkDoesNotEndWithAChildThatRests() {
    zone(
        new FailureZone()
            .endsWith(EndsWith.ALL)
            .rules(Rules.RESTART.on(IOException.class, Directive.PARK)),
        spec("a").kind(ChildKind.TRANSIENT).asSignificant(),
        spec("b").kind(ChildKind.TRANSIENT).asSignificant());
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    assertThat(zone.failed("a", new IOException("no disk"), now))
        .containsExactly(new Rest("a", "no disk"));
    assertThat(zone.ended("b", now)).containsExactly(new Done("b"));
    assertThat(zone.resume("a", now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).isEmpty();
    assertThat(zone.ended("a", now)).containsExactly(new Done("a"), new Ended());
  }

  @Test
  void aZoneThatDoesNotRunEndsAtOnce() {
    assertThat(zone.stop(now)).containsExactly(new Ended());
  }

  @Test
  void aFailureThatIsToldLateOrTwiceIsNone() {
    running(with(Strategy.ONE_FOR_ONE));
    assertThat(zone.restart("a", now)).containsExactly(new Stop("a"));
    assertThat(zone.failed("a", CRASH, now)).as("its stop is told, too").isEmpty();
    assertThat(zone.stopped("a", now)).containsExactly(new Start("a"));
    assertThat(zone.stopped("a", now)).isEmpty();
    assertThat(zone.started("a", now)).isEmpty();
    assertThat(zone.started("a", now)).isEmpty();
  }
}

package io.callboard.internal.failurezone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.internal.failurezone.FailureZoneStep.Done;
import io.callboard.internal.failurezone.FailureZoneStep.Ended;
import io.callboard.internal.failurezone.FailureZoneStep.Escalate;
import io.callboard.internal.failurezone.FailureZoneStep.Falls;
import io.callboard.internal.failurezone.FailureZoneStep.Force;
import io.callboard.internal.failurezone.FailureZoneStep.Needs;
import io.callboard.internal.failurezone.FailureZoneStep.Rest;
import io.callboard.internal.failurezone.FailureZoneStep.RestAll;
import io.callboard.internal.failurezone.FailureZoneStep.Resumed;
import io.callboard.internal.failurezone.FailureZoneStep.Retry;
import io.callboard.internal.failurezone.FailureZoneStep.Start;
import io.callboard.internal.failurezone.FailureZoneStep.Stop;
import io.callboard.internal.failurezone.FailureZoneStep.Up;
import io.callboard.internal.failurezone.FailureZoneStep.Wait;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Directive;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.FailureZone.EndsWith;
import io.callboard.supervision.Intensity;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.Rules;
import io.callboard.supervision.Strategy;
import io.callboard.supervision.SupervisionOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Tests of a supervisor's decisions, case by case. */
class FailureZoneMachineTest {
  private static final Throwable CRASH = new IllegalStateException("crash");
  private static final Duration DELAY = Duration.ofMillis(100);
  private static final Backoff EVEN = Backoff.exponential(DELAY, DELAY, Backoff.Jitter.NONE);

  /** A monotonic clock begins anywhere. */
  private long now = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos();

  private FailureZoneMachine zone =
      new FailureZoneMachine(new FailureZone(), RandomGenerator.of("Random"));

  /** A child and how it is treated. */
  private record Spec(String name, SupervisionOptions options) {
    Spec with(UnaryOperator<SupervisionOptions> change) {
      return new Spec(name, change.apply(options));
    }
  }

  private static Spec spec(String name) {
    return new Spec(name, new SupervisionOptions().kind(ChildKind.PERMANENT).backoff(EVEN));
  }

  private void zone(FailureZone policy, Spec... children) {
    zone = new FailureZoneMachine(policy, RandomGenerator.of("Random"));
    for (Spec child : children) {
      assertThat(add(child)).isEmpty();
    }
  }

  private List<FailureZoneStep> add(Spec child) {
    return zone.add(child.name(), child.options(), now);
  }

  private static boolean isOfEscalation(FailureZoneStep step) {
    return step instanceof Falls falls && falls.decided() == Directive.ESCALATE;
  }

  /** Reports a failure and returns the steps that follow, without those that only report a wait. */
  private List<FailureZoneStep> failed(String child, Throwable cause) {
    return zone.failed(child, cause, now).stream()
        .filter(s -> !(s instanceof Wait || isOfEscalation(s)))
        .toList();
  }

  private List<FailureZoneStep> interrupted(String child) {
    return zone.interrupted(child, CRASH, now).stream().filter(s -> !(s instanceof Retry)).toList();
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

  private List<FailureZoneStep> later(Duration time) {
    now += time.toNanos();
    return zone.tick(now);
  }

  private void waits(Duration time) {
    assertThat(zone.wakeNs(now)).isEqualTo(OptionalLong.of(now + time.toNanos()));
    assertThat(later(time.minusNanos(1))).isEmpty();
    now++;
  }

  @Test
  void aWaitingChildThatIsResumedTakesThoseAlongThatWaitWithIt() {
    running(with(Strategy.ALL_FOR_ONE));
    assertThat(failed("b", CRASH)).containsExactly(new Stop("c"));
    assertThat(zone.stopped("c", now)).containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now)).isEmpty();
    assertThat(zone.resume("b", now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
    assertThat(zone.started("c", now)).isEmpty();
    assertThat(zone.wakeNs(now)).isEmpty();
  }

  @Test
  void soDoesOneThatIsRestartedWhileItWaits() {
    running(with(Strategy.REST_FOR_ONE));
    assertThat(failed("b", CRASH)).containsExactly(new Stop("c"));
    assertThat(zone.restart("b", now)).isEmpty();
    assertThat(zone.stopped("c", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
  }

  @Test
  void aResumedChildThatWaitsForASiblingHasThatTriedAtOnce() {
    running(with(Strategy.REST_FOR_ONE));
    assertThat(failed("a", CRASH)).containsExactly(new Stop("c"));
    assertThat(zone.stopped("c", now)).containsExactly(new Stop("b"));
    assertThat(zone.stopped("b", now)).isEmpty();
    assertThat(zone.resume("c", now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
    assertThat(zone.started("c", now)).isEmpty();
    assertThat(failed("b", CRASH)).containsExactly(new Stop("c"));
    assertThat(zone.stopped("c", now)).isEmpty();
    assertThat(zone.restart("c", now)).as("what b needs runs").containsExactly(new Start("b"));
  }

  @Test
  void aChildThatWaitsForItsOwnBackoffGoesOnToWait() {
    Duration longer = DELAY.multipliedBy(3);
    Backoff slow = Backoff.exponential(longer, longer, Backoff.Jitter.NONE);
    zone(with(Strategy.REST_FOR_ONE), spec("a"), spec("b").with(o -> o.backoff(slow)));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    assertThat(failed("b", CRASH)).isEmpty();
    assertThat(failed("a", CRASH)).isEmpty();
    assertThat(zone.resume("a", now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).isEmpty();
    waits(longer);
    assertThat(zone.tick(now)).containsExactly(new Start("b"));
  }

  @Test
  void oneForOneStartsOnlyWhatFailed() {
    running(with(Strategy.ONE_FOR_ONE));
    assertThat(failed("b", CRASH)).isEmpty();
    waits(DELAY);
    assertThat(zone.tick(now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).isEmpty();
    assertThat(zone.wakeNs(now)).isEmpty();
  }

  @Test
  void allForOneStopsTheOthersInReverseAndStartsAllInOrderAfterTheBackoff() {
    running(with(Strategy.ALL_FOR_ONE));
    assertThat(failed("b", CRASH)).containsExactly(new Stop("c"));
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
    assertThat(failed("b", CRASH)).containsExactly(new Stop("c"));
    assertThat(later(DELAY)).as("c is still there").isEmpty();
    assertThat(zone.stopped("c", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
  }

  @Test
  void aSiblingThatCannotBeStartedAgainIsTheOneThatIsTried() {
    running(with(Strategy.REST_FOR_ONE));
    assertThat(failed("a", CRASH)).containsExactly(new Stop("c"));
    assertThat(zone.stopped("c", now)).containsExactly(new Stop("b"));
    assertThat(zone.stopped("b", now)).isEmpty();
    assertThat(later(DELAY)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(failed("b", CRASH)).as("a goes on").isEmpty();
    assertThat(later(DELAY)).containsExactly(new Start("b"));
  }

  @Test
  void aStartThatFailsIsTriedAgainAndHoldsUpNoIndependentSibling() {
    zone(with(Strategy.ONE_FOR_ONE), spec("a"), spec("b"));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(failed("a", CRASH)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    for (int i = 0; i < 5; i++) {
      assertThat(later(DELAY)).containsExactly(new Start("a"));
      assertThat(failed("a", CRASH)).isEmpty();
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
    assertThat(failed("c", CRASH))
        .as("the first is not yet a second old")
        .containsExactly(new Stop("b"));
    running(new FailureZone().intensity(new Intensity(2, Duration.ofSeconds(1))));
    crashAndStart("a");
    crashAndStart("b");
    now += Duration.ofSeconds(1).minus(DELAY.multipliedBy(2)).toNanos();
    assertThat(failed("c", CRASH)).as("it is").isEmpty();
  }

  private void crashAndStart(String child) {
    assertThat(failed(child, CRASH)).isEmpty();
    assertThat(later(DELAY)).containsExactly(new Start(child));
    assertThat(zone.started(child, now)).isEmpty();
  }

  @Test
  void aFailureOverTheLimitEscalatesWhenNoChildIsLeft() {
    running(new FailureZone().intensity(new Intensity(0, DELAY)));
    assertThat(failed("b", CRASH)).containsExactly(new Stop("c"));
    assertThat(failed("a", CRASH)).as("it would have been stopped").isEmpty(); // but for Falls
    assertThat(zone.stopped("c", now)).containsExactly(new Escalate(CRASH));
  }

  @Test
  void theOwnLimitOfAChildActsOnItAlone() {
    FailureZone policy = new FailureZone().whenOver(LimitAction.PARK);
    zone(policy, spec("a").with(s -> s.intensity(1, Duration.ofDays(1))), spec("b"));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    crashAndStart("a");
    assertThat(failed("a", CRASH))
        .containsExactly(new Rest("a", "more than 1 restarts within PT24H", false));
    assertThat(zone.restsNow("a")).isTrue();
    assertThat(later(Duration.ofDays(2))).as("until it is resumed").isEmpty();
    assertThat(zone.resume("a", now)).containsExactly(new Resumed("a"), new Start("a"));
  }

  @Test
  void aWholeZoneRests() {
    running(new FailureZone().intensity(new Intensity(0, DELAY)).whenOver(LimitAction.PARK));
    assertThat(failed("c", CRASH))
        .containsExactly(new Falls("c", CRASH, Directive.PARK), new Stop("b"));
    assertThat(zone.stopped("b", now)).containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now))
        .containsExactly(new RestAll("more than 0 restarts within PT0.1S", "c", CRASH));
  }

  @Test
  void aChildThatFailsWhileItIsToStopIsToldThatItFell() {
    running(with(Strategy.ALL_FOR_ONE));
    assertThat(zone.suspend("a", now))
        .containsExactly(
            new Rest("a", FailureZoneMachine.SUSPENDED, true),
            new Needs("b", "a"),
            new Needs("c", "a"),
            new Stop("c"));
    assertThat(zone.failed("b", CRASH, now))
        .containsExactly(new Falls("b", CRASH, Directive.RESTART));
    assertThat(zone.stopped("c", now)).containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now)).isEmpty();
    assertThat(zone.resume("a", now))
        .containsExactly(
            new Resumed("a"), new Needs("b", null), new Needs("c", null), new Start("a"));
  }

  @Test
  void aRestingChildRestsInTheNextLifeOfItsZone() {
    zone(with(Strategy.REST_FOR_ONE), spec("a"));
    assertThat(zone.addResting("b", spec("b").options(), new ChildRest("why", false), now))
        .isEmpty();
    assertThat(add(spec("c"))).isEmpty();
    assertThat(zone.start(now)).containsExactly(new Needs("c", "b"), new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Up());
    assertThat(zone.resume("b", now))
        .containsExactly(new Resumed("b"), new Needs("c", null), new Start("b"));
  }

  @Test
  void wishesOfAnOperatorWhileTheZoneEndsHoldInItsNextLife() {
    running(new FailureZone().intensity(new Intensity(0, DELAY)));
    assertThat(zone.suspend("a", now)).contains(new Rest("a", FailureZoneMachine.SUSPENDED, true));
    assertThat(failed("c", CRASH)).containsExactly(new Stop("b"));
    assertThat(zone.suspend("b", now)).contains(new Rest("b", FailureZoneMachine.SUSPENDED, true));
    assertThat(zone.resume("a", now)).contains(new Resumed("a"));
  }

  @Test
  void anAttemptOfAMessageUsesUpNoRestart() {
    running(new FailureZone().intensity(new Intensity(0, DELAY)));
    for (int attempt = 1; attempt <= 5; attempt++) {
      assertThat(zone.failedAttempt("c", CRASH, now))
          .containsExactly(new Wait("c", CRASH, DELAY, attempt));
      assertThat(later(DELAY)).containsExactly(new Start("c"));
      assertThat(zone.started("c", now)).isEmpty();
    }
    assertThat(failed("c", CRASH)).as("what is no attempt counts").containsExactly(new Stop("b"));
  }

  @Test
  void aStopDuringTheBackoffStartsNothingAgain() {
    running(with(Strategy.ONE_FOR_ONE));
    assertThat(failed("b", CRASH)).isEmpty();
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
  void aZoneThatIsToldToEndDoesNotEscalateAnyMore() {
    running(new FailureZone().intensity(new Intensity(0, DELAY)));
    assertThat(failed("c", CRASH)).containsExactly(new Stop("b"));
    assertThat(zone.stop(now)).isEmpty();
    assertThat(zone.stopped("b", now)).containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now)).containsExactly(new Ended());
  }

  @Test
  void theBackoffBeginsAnewAfterAHealthyTimeOnly() {
    Backoff growing = Backoff.exponential(DELAY, Duration.ofMinutes(1), Backoff.Jitter.NONE);
    Duration healthy = Duration.ofSeconds(10);
    zone(new FailureZone(), spec("a").with(s -> s.backoff(growing).resetAfter(healthy)));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Up());
    assertThat(failed("a", CRASH)).isEmpty();
    waits(DELAY);
    assertThat(zone.tick(now)).containsExactly(new Start("a"));
    assertThat(failed("a", CRASH)).isEmpty();
    waits(DELAY.multipliedBy(2));
    assertThat(zone.tick(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).isEmpty();
    zone.worked("a");
    now += healthy.toNanos() - 1;
    assertThat(failed("a", CRASH)).isEmpty();
    waits(DELAY.multipliedBy(4));
    assertThat(zone.tick(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).isEmpty();
    now += healthy.toNanos();
    assertThat(failed("a", CRASH)).as("it did nothing meanwhile").isEmpty();
    waits(DELAY.multipliedBy(8));
    assertThat(zone.tick(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).isEmpty();
    zone.worked("a");
    now += healthy.toNanos();
    assertThat(failed("a", CRASH)).isEmpty();
    waits(DELAY);
  }

  @Test
  void aStreakOfFailuresIsOverAfterALifeThatRanWellThoughASiblingEndedIt() {
    Duration healthy = Duration.ofSeconds(10);
    zone(with(Strategy.ALL_FOR_ONE), spec("a").with(s -> s.resetAfter(healthy)), spec("b"));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(failed("a", CRASH)).containsExactly(new Stop("b"));
    assertThat(zone.stopped("b", now)).isEmpty();
    assertThat(later(DELAY)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    assertThat(zone.streak("a").failures()).isEqualTo(1);
    zone.worked("a");
    now += healthy.toNanos();
    assertThat(failed("b", CRASH)).containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now)).isEmpty();
    assertThat(zone.streak("a").failures()).isZero();
    assertThat(zone.streak("b").failures()).isEqualTo(1);
  }

  @Test
  void aStreakOfFailuresIsOfThisNode() {
    running(with(Strategy.ONE_FOR_ONE));
    assertThat(failed("b", CRASH)).isEmpty();
    assertThat(zone.streak("b").failures()).isEqualTo(1);
    assertThat(zone.elsewhere("b", now)).isEmpty();
    assertThat(zone.streak("b").failures()).isZero();
  }

  @Test
  void theWaitOfAChildAndItsFailuresInARowAreTold() {
    running(with(Strategy.ONE_FOR_ONE));
    assertThat(zone.failed("b", CRASH, now)).containsExactly(new Wait("b", CRASH, DELAY, 1));
    assertThat(later(DELAY)).containsExactly(new Start("b"));
    assertThat(zone.failed("b", CRASH, now)).containsExactly(new Wait("b", CRASH, DELAY, 2));
    assertThat(zone.resume("b", now))
        .as("an operator does not wait")
        .containsExactly(new Start("b"));
  }

  @Test
  void theRulesOfAChildComeBeforeThoseOfItsZone() {
    Rules own = Rules.RESTART.on(IOException.class, Directive.STOP);
    zone(
        new FailureZone().rules(Rules.RESTART.on(Exception.class, Directive.PARK)),
        spec("a").with(s -> s.rules(own)),
        spec("b").with(s -> s.rules(own)));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    assertThat(failed("a", new IOException("no disk"))).containsExactly(new Done("a"));
    assertThat(failed("b", CRASH)).containsExactly(new Rest("b", "crash", false));
  }

  @Test
  void aChildThatCannotBeResumedBeginsAnewWithoutBeingCounted() {
    running(
        new FailureZone()
            .intensity(new Intensity(0, DELAY))
            .rules(Rules.RESTART.on(IllegalStateException.class, Directive.RESUME)));
    assertThat(zone.failed("b", CRASH, now)).containsExactly(new Start("b"));
    assertThat(failed("b", CRASH)).as("in its start it counts").containsExactly(new Stop("c"));
  }

  @Test
  void aChildOverItsOwnLimitFollowsItsOwnAction() {
    zone(
        new FailureZone(),
        spec("a").with(s -> s.intensity(0, DELAY).whenOver(LimitAction.PARK)),
        spec("b").with(s -> s.intensity(0, DELAY)));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    assertThat(failed("a", CRASH))
        .containsExactly(new Rest("a", "more than 0 restarts within PT0.1S", false));
    assertThat(failed("b", CRASH)).containsExactly(new Escalate(CRASH));
  }

  @Test
  void aChildThatItsProgramEndedIsNotTheZonesAnyMore() {
    running(with(Strategy.ALL_FOR_ONE));
    assertThat(zone.remove("c", now)).isEmpty();
    assertThat(zone.restart("b", now)).containsExactly(new Stop("b"));
    assertThat(zone.remove("b", now)).as("while it stopped").containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now)).containsExactly(new Start("a"));
  }

  @Test
  void aChildThatBeginsByItselfIsUpWhateverItWaitedFor() {
    running(with(Strategy.REST_FOR_ONE).rules(Rules.RESTART.on(IOException.class, Directive.PARK)));
    assertThat(failed("b", new IOException("no lease")))
        .containsExactly(new Rest("b", "no lease", false), new Needs("c", "b"), new Stop("c"));
    assertThat(zone.stopped("c", now)).isEmpty();
    assertThat(zone.started("b", now))
        .as("c needs it")
        .containsExactly(new Needs("c", null), new Start("c"));
    assertThat(zone.restsNow("b")).isFalse();
    assertThat(zone.started("c", now)).isEmpty();
    assertThat(failed("b", CRASH)).as("it is supervised again").containsExactly(new Stop("c"));
    assertThat(zone.stopped("c", now)).isEmpty();
    assertThat(zone.started("b", now)).as("before its time").isEmpty();
    assertThat(later(DELAY)).as("b only once").containsExactly(new Start("c"));
  }

  @Test
  void aSuspendedChildThatMovesAwayRestsHereNoMore() {
    running(with(Strategy.REST_FOR_ONE));
    assertThat(zone.suspend("b", now))
        .containsExactly(
            new Rest("b", FailureZoneMachine.SUSPENDED, true), new Needs("c", "b"), new Stop("c"));
    assertThat(zone.elsewhere("b", now))
        .as("it waits for c, and stops no more")
        .containsExactly(new Needs("c", null));
    assertThat(zone.restsNow("b")).isFalse();
    assertThat(zone.stopped("c", now)).containsExactly(new Start("c"));
    assertThat(zone.started("c", now)).isEmpty();

    assertThat(zone.suspend("c", now))
        .containsExactly(new Rest("c", FailureZoneMachine.SUSPENDED, true), new Stop("c"));
    assertThat(zone.elsewhere("c", now)).as("it stops first").isEmpty();
    assertThat(zone.stopped("c", now)).containsExactly(new Start("c"));
    assertThat(zone.elsewhere("c", now)).as("as good as started").isEmpty();
    assertThat(failed("b", CRASH)).containsExactly(new Stop("c"));
  }

  @Test
  void aChildThatMovesAwayWhileItsZoneEndsKeepsNothingAlive() {
    running(with(Strategy.REST_FOR_ONE));
    assertThat(zone.suspend("c", now))
        .containsExactly(new Rest("c", FailureZoneMachine.SUSPENDED, true), new Stop("c"));
    assertThat(zone.stop(now)).isEmpty();
    assertThat(zone.elsewhere("c", now)).isEmpty();
    assertThat(zone.stopped("c", now)).containsExactly(new Stop("b"));
  }

  @Test
  void aChildThatBeganElsewhereStillNeedsASiblingThatRests() {
    running(with(Strategy.REST_FOR_ONE).rules(Rules.RESTART.on(IOException.class, Directive.PARK)));
    assertThat(failed("c", new IOException("no lease")))
        .containsExactly(new Rest("c", "no lease", false));
    assertThat(zone.suspend("a", now))
        .containsExactly(
            new Rest("a", FailureZoneMachine.SUSPENDED, true), new Needs("b", "a"), new Stop("b"));
    assertThat(zone.stopped("b", now)).containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now)).isEmpty();
    assertThat(zone.started("c", now)).containsExactly(new Needs("c", "a"), new Stop("c"));
    assertThat(zone.stopped("c", now)).isEmpty();
    assertThat(zone.resume("a", now))
        .containsExactly(
            new Resumed("a"), new Needs("b", null), new Needs("c", null), new Start("a"));
  }

  @Test
  void aRestingChildThatAnOperatorStopsIsStopped() {
    running(with(Strategy.ONE_FOR_ONE).rules(Rules.RESTART.on(IOException.class, Directive.PARK)));
    assertThat(failed("b", new IOException("no disk")))
        .containsExactly(new Rest("b", "no disk", false));
    assertThat(zone.suspend("b", now))
        .containsExactly(new Rest("b", FailureZoneMachine.SUSPENDED, true));
    assertThat(zone.suspend("b", now)).as("it is stopped already").isEmpty();
    assertThat(zone.resume("b", now)).containsExactly(new Resumed("b"), new Start("b"));
  }

  @Test
  void aFailureThatCannotTellItsMessageIsOneLikeOthers() {
    Throwable mute =
        new IllegalStateException() {
          private static final long serialVersionUID = 1L;

          @Override
          public String getMessage() {
            throw new UnsupportedOperationException("no message");
          }
        };
    running(
        new FailureZone()
            .rules(
                Rules.RESTART
                    .when(
                        cause -> {
                          throw new AssertionError("a rule with a fault");
                        },
                        Directive.STOP)
                    .on(IllegalStateException.class, Directive.PARK)));
    assertThat(failed("b", mute)).singleElement().isInstanceOf(Rest.class);
  }

  @Test
  void anAdoptedChildIsSupervisedFromNowOn() {
    zone(with(Strategy.ONE_FOR_ONE));
    assertThat(zone.adopt("a", spec("a").options(), now)).isEmpty();
    assertThat(zone.start(now)).containsExactly(new Up());
    crashAndStart("a");
    assertThat(zone.stop(now)).containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now)).containsExactly(new Ended());
  }

  @Test
  void whenItsTimeIsOverTheRestStopsAtOnce() {
    running(with(Strategy.REST_FOR_ONE));
    assertThat(zone.stop(now)).containsExactly(new Stop("c"));
    assertThat(zone.force(now))
        .containsExactly(
            new Force("c"), new Stop("b"), new Force("b"), new Stop("a"), new Force("a"));
    assertThat(zone.force(now)).as("once").isEmpty();
    assertThat(zone.stopped("a", now)).isEmpty();
    assertThat(zone.stopped("c", now)).isEmpty();
    assertThat(zone.stopped("b", now)).containsExactly(new Ended());
  }

  @Test
  void theTimeOfAStopIsThatOfThePolicyAndIsNotBegunAnew() {
    running(new FailureZone().stopTimeout(DELAY));
    assertThat(zone.stop(now)).containsExactly(new Stop("c"));
    now += DELAY.toNanos() / 2;
    assertThat(zone.policy(new FailureZone(), now)).as("that of the next life").isEmpty();
    assertThat(zone.stop(now)).isEmpty();
    waits(DELAY.dividedBy(2));
    assertThat(zone.tick(now))
        .containsExactly(
            new Force("c"), new Stop("b"), new Force("b"), new Stop("a"), new Force("a"));
    assertThat(zone.wakeNs(now)).as("it is over once").isEmpty();
    assertThat(zone.stop(now)).isEmpty();
  }

  /** The child c ends the zone; asking for its end then does not make it last longer. */
  private void endsInTime(Spec c, FailureZone policy, Runnable end, FailureZoneStep last) {
    zone(policy.stopTimeout(DELAY), spec("a"), spec("b"), c);
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
    assertThat(zone.started("c", now)).containsExactly(new Up());
    end.run();
    waits(DELAY);
    assertThat(zone.tick(now)).containsExactly(new Force("b"), new Stop("a"), new Force("a"));
    assertThat(zone.wakeNs(now)).isEmpty();
    assertThat(zone.stopped("a", now)).isEmpty();
    assertThat(zone.stopped("b", now)).containsExactly(last);
  }

  @Test
  void aZoneThatEndsByItselfStopsInThatTimeToo() {
    FailureZone strict = new FailureZone().intensity(new Intensity(0, DELAY));
    Runnable fails = () -> assertThat(failed("c", CRASH)).contains(new Stop("b"));
    endsInTime(spec("c"), strict, fails, new Escalate(CRASH));
    endsInTime(
        spec("c"),
        strict.whenOver(LimitAction.PARK),
        fails,
        new RestAll("more than 0 restarts within PT0.1S", "c", CRASH));
    endsInTime(spec("c"), strict.whenOver(LimitAction.STOP), fails, new Ended());
    endsInTime(
        spec("c").with(s -> s.kind(ChildKind.TRANSIENT).asSignificant()),
        new FailureZone().endsWith(EndsWith.ANY),
        () -> assertThat(zone.ended("c", now)).contains(new Stop("b")),
        new Ended());
  }

  @Test
  void anEndThatIsAskedForMeanwhileGetsNoTimeOfItsOwn() {
    running(new FailureZone().intensity(new Intensity(0, DELAY)).stopTimeout(DELAY));
    assertThat(failed("c", CRASH)).containsExactly(new Stop("b"));
    now += DELAY.toNanos() / 2;
    assertThat(zone.stop(now)).isEmpty();
    waits(DELAY.dividedBy(2));
    assertThat(zone.tick(now)).containsExactly(new Force("b"), new Stop("a"), new Force("a"));
  }

  @Test
  void withoutTimeAllStopAtOnce() {
    running(new FailureZone().stopTimeout(Duration.ZERO));
    assertThat(zone.stop(now))
        .containsExactly(
            new Stop("c"),
            new Force("c"),
            new Stop("b"),
            new Force("b"),
            new Stop("a"),
            new Force("a"));
  }

  @Test
  void siblingsThatAreRestartedTogetherStopInTheirOrderHoweverLongThatTakes() {
    running(with(Strategy.ALL_FOR_ONE).stopTimeout(DELAY));
    assertThat(failed("b", CRASH)).containsExactly(new Stop("c"));
    assertThat(later(Duration.ofDays(1))).isEmpty();
    assertThat(zone.stopped("c", now)).containsExactly(new Stop("a"));
  }

  /** Other nodes may run it, too, so it may begin whatever its zone wants. */
  @Test
  void aChildThatComesUpWhenTheTimeIsOverIsStoppedAtOnceToo() {
    running(with(Strategy.ONE_FOR_ONE));
    assertThat(failed("b", CRASH)).isEmpty();
    assertThat(zone.stop(now)).containsExactly(new Stop("c"));
    assertThat(zone.force(now)).containsExactly(new Force("c"), new Stop("a"), new Force("a"));
    assertThat(zone.started("b", now))
        .as("c stops still")
        .containsExactly(new Stop("b"), new Force("b"));
    assertThat(zone.stopped("c", now)).isEmpty();
    assertThat(zone.stopped("b", now)).isEmpty();
    assertThat(zone.stopped("a", now)).containsExactly(new Ended());
  }

  @Test
  void aChildAddedWhileTheZoneEndsDoesNotKeepItAlive() {
    running(with(Strategy.ONE_FOR_ONE));
    assertThat(zone.stop(now)).containsExactly(new Stop("c"));
    assertThat(add(spec("d"))).as("for the next life").isEmpty();
    assertThat(zone.elsewhere("d", now)).containsExactly(new Stop("d"));
    assertThat(zone.stopped("d", now)).isEmpty();
    assertThat(zone.stopped("c", now)).containsExactly(new Stop("b"));
    assertThat(zone.stopped("b", now)).containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now)).containsExactly(new Ended());
  }

  @Test
  void anInterruptionOfAStartDoesNotCountAsAFailure() {
    zone(new FailureZone().intensity(new Intensity(0, DELAY)), spec("a"));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    for (int i = 0; i < 100; i++) {
      assertThat(interrupted("a")).isEqualTo(i == 0 ? List.of(new Up()) : List.of());
      assertThat(later(Duration.ofSeconds(5))).containsExactly(new Start("a"));
    }
    assertThat(zone.started("a", now)).isEmpty();
  }

  @Test
  void aPermanentChildThatEndsHasFailedATransientOneIsDoneATemporaryOneIsForgotten() {
    zone(
        new FailureZone(),
        spec("a"),
        spec("b").with(s -> s.kind(ChildKind.TRANSIENT)),
        spec("c").with(s -> s.kind(ChildKind.TEMPORARY)));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
    assertThat(zone.started("c", now)).containsExactly(new Up());
    assertThat(zone.ended("a", now)).hasOnlyElementsOfType(Wait.class);
    assertThat(later(DELAY)).containsExactly(new Start("a"));
    assertThat(failed("b", CRASH)).isEmpty();
    assertThat(later(DELAY)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).isEmpty();
    assertThat(zone.ended("b", now)).containsExactly(new Done("b"));
    assertThat(failed("c", CRASH)).containsExactly(new Done("c"));
    assertThat(add(spec("c"))).as("its name is free").containsExactly(new Start("c"));
    assertThatThrownBy(() -> add(spec("a"))).hasMessageContaining("\"a\"");
  }

  @Test
  void aUnitOfWorkEndsWithItsSignificantChildren() {
    FailureZone work = with(Strategy.ALL_FOR_ONE).endsWith(EndsWith.ALL);
    zone(
        work,
        spec("helper"),
        spec("a").with(s -> s.kind(ChildKind.TRANSIENT).asSignificant()),
        spec("b").with(s -> s.kind(ChildKind.TRANSIENT).asSignificant()));
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
    assertThat(rules.decide(new IOException("no disk"), Rules.RESTART)).isEqualTo(Directive.PARK);
    assertThat(failed("a", new IOException("no disk")))
        .containsExactly(new Rest("a", "no disk", false));
    assertThat(failed("b", new AssertionError("bug"))).containsExactly(new Done("b"));
    RuntimeException other = new RuntimeException("other");
    assertThat(failed("c", other)).containsExactly(new Escalate(other));
  }

  @Test
  void aChildThatNeedsARestingOneWaitsWithItAndFollowsIt() {
    running(with(Strategy.REST_FOR_ONE).rules(Rules.RESTART.on(IOException.class, Directive.PARK)));
    assertThat(failed("b", new IOException("no disk")))
        .containsExactly(new Rest("b", "no disk", false), new Needs("c", "b"), new Stop("c"));
    assertThat(zone.stopped("c", now)).isEmpty();
    assertThat(later(Duration.ofDays(1))).isEmpty();
    crashAndStart("a");
    assertThat(zone.resume("b", now))
        .containsExactly(new Resumed("b"), new Needs("c", null), new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
  }

  @Test
  void anOperatorStopsResumesAndRestarts() {
    running(with(Strategy.ONE_FOR_ONE));
    assertThat(zone.suspend("b", now))
        .containsExactly(new Rest("b", "it was stopped by an operator", true), new Stop("b"));
    assertThat(zone.stopped("b", now)).isEmpty();
    assertThat(later(Duration.ofDays(1))).isEmpty();
    assertThat(zone.resume("b", now)).containsExactly(new Resumed("b"), new Start("b"));
    assertThat(zone.started("b", now)).isEmpty();
    assertThat(zone.restart("a", now)).containsExactly(new Stop("a"));
    assertThat(zone.stopped("a", now)).containsExactly(new Start("a"));
  }

  @Test
  void aChildWaitsForASiblingThatIsStoppedOrInterrupted() {
    running(with(Strategy.REST_FOR_ONE));
    assertThat(zone.suspend("b", now))
        .containsExactly(
            new Rest("b", "it was stopped by an operator", true),
            new Needs("c", "b"),
            new Stop("c"));
    assertThat(zone.stopped("c", now)).containsExactly(new Stop("b"));
    assertThat(zone.stopped("b", now)).isEmpty();
    assertThat(zone.resume("b", now))
        .containsExactly(new Resumed("b"), new Needs("c", null), new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
    assertThat(zone.started("c", now)).isEmpty();
    assertThat(interrupted("b")).containsExactly(new Stop("c"));
    assertThat(zone.stopped("c", now)).isEmpty();
    assertThat(later(Duration.ofSeconds(5))).containsExactly(new Start("b"));
  }

  @Test
  void aTemporaryChildRestsAndIsResumedLikeOthers() {
    zone(
        with(Strategy.REST_FOR_ONE).rules(Rules.RESTART.on(IOException.class, Directive.PARK)),
        spec("a").with(s -> s.kind(ChildKind.TEMPORARY)),
        spec("b"));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    assertThat(failed("a", new IOException("no disk")))
        .containsExactly(new Rest("a", "no disk", false), new Needs("b", "a"), new Stop("b"));
    assertThat(zone.stopped("b", now)).isEmpty();
    assertThat(zone.resume("a", now))
        .containsExactly(new Resumed("a"), new Needs("b", null), new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
  }

  @Test
  void aTemporarySiblingThatIsStoppedIsDoneOneThatNeverRanIsStarted() {
    zone(with(Strategy.REST_FOR_ONE), spec("a"), spec("b").with(s -> s.kind(ChildKind.TEMPORARY)));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(failed("a", CRASH)).isEmpty();
    assertThat(later(DELAY)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    assertThat(failed("a", CRASH)).containsExactly(new Stop("b"));
    assertThat(zone.stopped("b", now)).containsExactly(new Done("b"));
    assertThat(later(DELAY)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).isEmpty();
    assertThat(add(spec("b"))).as("its name is free").containsExactly(new Start("b"));
  }

  @Test
  void aUnitOfWorkDoesNotEndWithAChildThatRests() {
    zone(
        new FailureZone()
            .endsWith(EndsWith.ALL)
            .rules(Rules.RESTART.on(IOException.class, Directive.PARK)),
        spec("a").with(s -> s.kind(ChildKind.TRANSIENT).asSignificant()),
        spec("b").with(s -> s.kind(ChildKind.TRANSIENT).asSignificant()));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Up());
    assertThat(failed("a", new IOException("no disk")))
        .containsExactly(new Rest("a", "no disk", false));
    assertThat(zone.ended("b", now)).containsExactly(new Done("b"));
    assertThat(zone.resume("a", now)).containsExactly(new Resumed("a"), new Start("a"));
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
    assertThat(failed("a", CRASH)).as("its stop is told, too").isEmpty();
    assertThat(zone.stopped("a", now)).containsExactly(new Start("a"));
    assertThat(zone.stopped("a", now)).isEmpty();
    assertThat(zone.started("a", now)).isEmpty();
    assertThat(zone.started("a", now)).isEmpty();
  }

  @Test
  void aChildThatEndsByItselfBeforeItsRestartWithOthersIsDone() {
    zone(
        with(Strategy.ALL_FOR_ONE),
        spec("a"),
        spec("b").with(s -> s.kind(ChildKind.TRANSIENT)),
        spec("c").with(s -> s.kind(ChildKind.TRANSIENT)));
    assertThat(zone.start(now)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("b"));
    assertThat(zone.started("b", now)).containsExactly(new Start("c"));
    assertThat(zone.started("c", now)).containsExactly(new Up());
    assertThat(failed("a", CRASH)).containsExactly(new Stop("c"));
    assertThat(zone.ended("b", now)).containsExactly(new Done("b"));
    assertThat(zone.ended("c", now)).containsExactly(new Done("c"));
    assertThat(add(spec("c"))).as("its name is free").isEmpty();
    assertThat(later(DELAY)).containsExactly(new Start("a"));
    assertThat(zone.started("a", now)).containsExactly(new Start("c"));
  }
}

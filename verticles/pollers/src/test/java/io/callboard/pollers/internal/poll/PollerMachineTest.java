package io.callboard.pollers.internal.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.pollers.internal.poll.Outcome.Reason;
import io.callboard.pollers.model.SourceMode;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.supervision.Backoff;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PollerMachineTest {
  private static final Duration LEASE = Duration.ofSeconds(30);

  private Instant now = Instant.parse("2026-11-26T12:00:00Z");
  private PollerMachine machine = machine(4, true, false);
  private final List<PollerEffect> seen = new ArrayList<>();

  private PollerMachine machine(int credit, boolean onComplete, boolean emits) {
    PollerRules rules =
        new PollerRules(
            credit,
            onComplete,
            3,
            Backoff.exponential(Duration.ofSeconds(2), Duration.ofSeconds(60)),
            emits);
    return new PollerMachine(rules, SourceMode.RUN, null, new SplittableRandom(1), now);
  }

  private void pass(Duration time) {
    now = now.plus(time);
    machine.tick(now);
  }

  /** Returns the only effect of a kind, and forgets it. */
  private <E extends PollerEffect> E effect(Class<E> kind) {
    List<E> found = effects(kind);
    assertThat(found).as(kind.getSimpleName()).hasSize(1);
    return found.get(0);
  }

  private <E extends PollerEffect> List<E> effects(Class<E> kind) {
    seen.addAll(machine.effects());
    List<E> found = seen.stream().filter(kind::isInstance).map(kind::cast).toList();
    seen.removeAll(found);
    return found;
  }

  private void open(@Nullable Duration lease) {
    machine.tick(now);
    machine.opened(effect(PollerEffect.Open.class).life(), lease, now);
  }

  private void poll(String... ids) {
    PollerEffect.Poll poll = effect(PollerEffect.Poll.class);
    machine.polled(
        poll.call(),
        IntStream.range(0, ids.length)
            .mapToObj(i -> message(ids[i], ids[i] + poll.call()))
            .toList(),
        now);
  }

  private void polled(SourceMessage... messages) {
    machine.polled(effect(PollerEffect.Poll.class).call(), List.of(messages), now);
  }

  private static SourceMessage message(String id, int bytes) {
    return new SourceMessage(id, id, Buffer.buffer(new byte[bytes]), Map.of(), 1, null);
  }

  private static SourceMessage message(String id, String receipt) {
    return new SourceMessage(id, receipt, Buffer.buffer("1"), Map.of(), 1, null);
  }

  private PollerEffect.Submit submitted(Outcome outcome) {
    PollerEffect.Submit submit = effect(PollerEffect.Submit.class);
    machine.submitted(submit.call(), outcome, now);
    return submit;
  }

  private static Outcome begun() {
    return new Outcome.Begun("i", true);
  }

  private static Outcome succeeded() {
    return new Outcome.Succeeded("i", "SUCCEEDED");
  }

  private PollerReport report() {
    return machine.report(now);
  }

  @Test
  void noMessageIsPolledBeforeTheSourceIsOpenAndThenItsCredit() {
    machine.tick(now);
    assertThat(effects(PollerEffect.Poll.class)).isEmpty();
    assertThat(report().status()).isEqualTo(SourceStatus.OPENING);
    machine.opened(effect(PollerEffect.Open.class).life(), LEASE, now);
    assertThat(effect(PollerEffect.Poll.class).most()).isEqualTo(4);
    assertThat(report().status()).isEqualTo(SourceStatus.POLLING);
  }

  @Test
  void anEmptyPollIsNotRepeatedAtOnce() {
    open(LEASE);
    poll();
    assertThat(effects(PollerEffect.Poll.class)).isEmpty();
    pass(Duration.ofMillis(200));
    assertThat(effects(PollerEffect.Poll.class)).hasSize(1);
  }

  @Test
  void creditThatIsUsedUpStopsThePollingAndComesBack() {
    open(LEASE);
    poll("a", "b", "c", "d");
    assertThat(effects(PollerEffect.Poll.class)).isEmpty();
    List<PollerEffect.Submit> submits = effects(PollerEffect.Submit.class);
    assertThat(submits).hasSize(4);
    submits.forEach(each -> machine.submitted(each.call(), begun(), now));
    assertThat(report().status()).isEqualTo(SourceStatus.FULL);
    assertThat(report().why()).isEqualTo("its credit of 4 is used up: 4 started and not ended");
    machine.settled("a", 1, succeeded(), now);
    machine.settled("b", 1, succeeded(), now);
    PollerEffect.Complete first = effect(PollerEffect.Complete.class);
    assertThat(first.receipts()).hasSize(1);
    machine.done(first.call(), now);
    assertThat(effect(PollerEffect.Poll.class).most()).isEqualTo(1);
    machine.done(effect(PollerEffect.Complete.class).call(), now);
    assertThat(report().totals().completed()).isEqualTo(2);
  }

  @Test
  void aMessageIsNotAcknowledgedBeforeItIsDurable() {
    machine = machine(4, false, false);
    open(LEASE);
    poll("a");
    poll();
    submitted(
        new Outcome.Refused(Reason.OVERLOADED, "20,000 are under way", Duration.ofSeconds(2)));
    assertThat(effects(PollerEffect.Complete.class)).isEmpty();
    assertThat(effects(PollerEffect.Poll.class)).isEmpty();
    assertThat(report().status()).isEqualTo(SourceStatus.REFUSED);
    assertThat(report().why()).startsWith("20,000 are under way; it is tried again at ");
    pass(Duration.ofSeconds(2));
    assertThat(effects(PollerEffect.Poll.class)).hasSize(1);
    submitted(begun());
    assertThat(effect(PollerEffect.Complete.class).receipts()).hasSize(1);
  }

  @Test
  void messagesAreExtendedEachThirdOfTheLeaseEvenIfTheyWait() {
    open(LEASE);
    poll("a", "b");
    List<PollerEffect.Submit> submits = effects(PollerEffect.Submit.class);
    machine.submitted(submits.get(0).call(), begun(), now);
    machine.submitted(
        submits.get(1).call(),
        new Outcome.Refused(Reason.UNAVAILABLE, "no answer", Duration.ofHours(1)),
        now);
    pass(Duration.ofMillis(9_900));
    assertThat(effects(PollerEffect.Extend.class)).isEmpty();
    pass(Duration.ofMillis(100));
    PollerEffect.Extend extend = effect(PollerEffect.Extend.class);
    assertThat(extend.receipts()).hasSize(2);
    String lost = extend.receipts().get(1);
    machine.extended(extend.call(), Set.of(lost), now.plusSeconds(1));
    assertThat(report().inFlight()).isEqualTo(1);
    assertThat(report().totals().lost()).isEqualTo(1);
    pass(Duration.ofSeconds(10));
    assertThat(effect(PollerEffect.Extend.class).receipts()).hasSize(1);
  }

  @Test
  void anExtensionThatFailsIsRepeated() {
    open(LEASE);
    poll("a");
    submitted(begun());
    pass(Duration.ofSeconds(10));
    machine.failed(effect(PollerEffect.Extend.class).call(), "no answer", now);
    assertThat(effects(PollerEffect.Extend.class)).isEmpty();
    pass(Duration.ofMillis(250));
    assertThat(effects(PollerEffect.Extend.class)).hasSize(1);
    assertThat(report().error()).isEqualTo("no answer");
  }

  @Test
  void withoutALeaseNothingIsExtended() {
    open(null);
    poll("a");
    submitted(begun());
    pass(Duration.ofHours(1));
    assertThat(effects(PollerEffect.Extend.class)).isEmpty();
  }

  @Test
  void anAnnouncedOutcomeIsAskedForAfterFiveMinutesAndAnotherAfterSeconds() {
    open(null);
    poll("a");
    submitted(begun());
    pass(PollerMachine.LOOK);
    submitted(new Outcome.Begun("i", false));
    pass(PollerMachine.LOOK_UNTOLD);
    submitted(succeeded());
    assertThat(effects(PollerEffect.Complete.class)).hasSize(1);
  }

  @Test
  void aFailureGoesBackWithADelayThatGrowsAndTheLastSetsItAside() {
    open(LEASE);
    poll("a");
    submitted(begun());
    machine.settled("a", 1, new Outcome.Failed("no ink"), now);
    PollerEffect.Fail first = effect(PollerEffect.Fail.class);
    assertThat(first.cause()).isEqualTo("no ink");
    assertThat(first.delay()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
    machine.done(first.call(), now);
    poll("a");
    assertThat(submitted(new Outcome.Failed("no ink")).attempt()).isEqualTo(1);
    assertThat(submitted(begun()).attempt()).isEqualTo(2);
    machine.settled("a", 1, succeeded(), now);
    assertThat(effects(PollerEffect.Complete.class)).as("an earlier attempt").isEmpty();
    machine.settled("a", 2, new Outcome.Failed("no ink"), now);
    PollerEffect.Fail second = effect(PollerEffect.Fail.class);
    assertThat(second.delay()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
    machine.done(second.call(), now);
    poll("a");
    submitted(new Outcome.Failed("no ink"));
    submitted(new Outcome.Failed("no ink"));
    assertThat(submitted(new Outcome.Failed("no pen")).attempt()).isEqualTo(3);
    PollerEffect.Dead dead = effect(PollerEffect.Dead.class);
    assertThat(dead.cause()).isEqualTo("3 attempts failed, the last because no pen");
    machine.done(dead.call(), now);
    assertThat(report().inFlight()).isZero();
    assertThat(report().totals().failed()).isEqualTo(2);
    assertThat(report().totals().dead()).isEqualTo(1);
  }

  @Test
  void aHopelessMessageIsSetAsideAtOnceAndAgainUntilThatIsDone() {
    open(LEASE);
    poll("a");
    submitted(new Outcome.Hopeless("it cannot be read"));
    PollerEffect.Dead dead = effect(PollerEffect.Dead.class);
    machine.failed(dead.call(), "no such queue", now);
    pass(Duration.ofSeconds(1));
    assertThat(effect(PollerEffect.Dead.class).cause()).isEqualTo("it cannot be read");
  }

  @Test
  void anEndThatIsReportedBeforeTheAnswerCounts() {
    open(LEASE);
    poll("a");
    PollerEffect.Submit submit = effect(PollerEffect.Submit.class);
    machine.settled("a", 1, succeeded(), now);
    PollerEffect.Complete complete = effect(PollerEffect.Complete.class);
    machine.submitted(submit.call(), begun(), now);
    machine.done(complete.call(), now);
    assertThat(report().inFlight()).isZero();
  }

  @Test
  void twoDeliveriesOfAMessageEndWithOneEnd() {
    open(LEASE);
    poll("a", "a");
    List<PollerEffect.Submit> submits = effects(PollerEffect.Submit.class);
    assertThat(submits).as("one receipt, one message").hasSize(1);
    poll("a");
    submits.forEach(each -> machine.submitted(each.call(), begun(), now));
    submitted(begun());
    machine.settled("a", 1, succeeded(), now);
    PollerEffect.Complete both = effect(PollerEffect.Complete.class);
    assertThat(both.receipts()).hasSize(2);
    machine.done(both.call(), now);
    assertThat(report().totals().completed()).isEqualTo(2);
  }

  @Test
  void moreWorkIsSentBeforeTheAcknowledgement() {
    machine = machine(4, true, true);
    open(LEASE);
    poll("a");
    submitted(succeeded());
    PollerEffect.Emit emit = effect(PollerEffect.Emit.class);
    assertThat(effects(PollerEffect.Complete.class)).isEmpty();
    machine.failed(emit.call(), "no such queue", now);
    pass(Duration.ofSeconds(1));
    machine.done(effect(PollerEffect.Emit.class).call(), now);
    assertThat(effects(PollerEffect.Complete.class)).hasSize(1);
    assertThat(report().totals().emitted()).isEqualTo(1);
  }

  @Test
  void aPollThatFailsClosesTheSourceAndItIsOpenedAgainAfterPausesThatGrow() {
    open(LEASE);
    poll("a");
    submitted(begun());
    Duration longest = Duration.ZERO;
    for (int i = 1; i < 6; i++) {
      machine.failed(effect(PollerEffect.Poll.class).call(), "connection refused", now);
      assertThat(report().inFlight()).as("it delivers again").isZero();
      machine.closed(effect(PollerEffect.Close.class).life(), now);
      PollerReport report = report();
      assertThat(report.status()).isEqualTo(SourceStatus.BACKOFF);
      assertThat(report.why()).startsWith("a call failed: connection refused; it is opened again");
      Instant begun = now;
      while (effects(PollerEffect.Open.class).isEmpty()) {
        pass(Duration.ofMillis(50));
      }
      Duration pause = Duration.between(begun, now);
      assertThat(pause).isGreaterThan(longest);
      longest = Duration.ofMillis(250L << i - 1);
      machine.opened(i + 1, LEASE, now);
    }
  }

  /** Fails the poll that is under way, and opens the source again. */
  private void failAndOpen(long life) {
    machine.failed(effect(PollerEffect.Poll.class).call(), "no memory", now);
    machine.closed(effect(PollerEffect.Close.class).life(), now);
    pass(Duration.ofSeconds(1));
    assertThat(effect(PollerEffect.Open.class).life()).isEqualTo(life);
    assertThat(report().status()).as("it is opened").isEqualTo(SourceStatus.BACKOFF);
    machine.opened(life, LEASE, now);
  }

  @Test
  void aSourceIsFailingUntilItsPollsSucceedForLongerThanALease() {
    open(LEASE);
    failAndOpen(2);
    assertThat(report().status()).as("it is open").isEqualTo(SourceStatus.BACKOFF);
    poll();
    assertThat(report().status())
        .as("what it had taken comes later")
        .isEqualTo(SourceStatus.BACKOFF);
    assertThat(report().why()).startsWith("a call failed: no memory; ");
    pass(LEASE);
    failAndOpen(3);
    pass(LEASE.multipliedBy(3).dividedBy(2));
    assertThat(report().status()).isEqualTo(SourceStatus.BACKOFF);
    poll();
    assertThat(report().status()).isEqualTo(SourceStatus.POLLING);
    assertThat(report().why()).isNull();
  }

  @Test
  void aSourceWithoutLeasesHasWorkedWhenAPollHasSucceeded() {
    open(null);
    machine.failed(effect(PollerEffect.Poll.class).call(), "no connection", now);
    machine.closed(effect(PollerEffect.Close.class).life(), now);
    pass(Duration.ofSeconds(1));
    machine.opened(effect(PollerEffect.Open.class).life(), null, now);
    assertThat(report().status()).isEqualTo(SourceStatus.BACKOFF);
    poll();
    assertThat(report().status()).isEqualTo(SourceStatus.POLLING);
  }

  @Test
  void aSourceIsNotOpenedBeforeTheTimeThatItsSystemAsksFor() {
    open(null);
    machine.failed(
        effect(PollerEffect.Poll.class).call(), "429 Too Many Requests", Duration.ofHours(1), now);
    machine.closed(effect(PollerEffect.Close.class).life(), now);
    Instant refused = now;
    while (effects(PollerEffect.Open.class).isEmpty()) {
      assertThat(report().status()).isEqualTo(SourceStatus.BACKOFF);
      pass(Duration.ofMinutes(1));
    }
    assertThat(Duration.between(refused, now)).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void onlyUnsentEmissionsAreSentAgainAndFailuresCountFromTheLastSentOne() {
    machine = machine(4, true, true);
    open(null);
    poll("a");
    submitted(succeeded());
    for (int i = 0; i < PollerMachine.MOST_EMITS + 5; i++) {
      PollerEffect.Emit emit = effect(PollerEffect.Emit.class);
      assertThat(emit.sent()).isEqualTo(i <= 10 ? Set.of() : Set.of(1));
      machine.sent(emit.call(), i >= 10 ? Set.of(1) : Set.of());
      machine.failed(emit.call(), "no such queue", now);
      pass(Duration.ofSeconds(30));
    }
    PollerEffect.Emit last = effect(PollerEffect.Emit.class);
    machine.sent(last.call(), Set.of(0));
    machine.done(last.call(), now);
    assertThat(effects(PollerEffect.Complete.class)).hasSize(1);
  }

  @Test
  void acknowledgementsThatFailAreRepeatedAndThenTheSourceIsOpenedAgain() {
    open(LEASE);
    poll("a");
    submitted(succeeded());
    for (int i = 1; i < PollerMachine.MOST_FAILURES; i++) {
      machine.failed(effect(PollerEffect.Complete.class).call(), "no answer", now);
      assertThat(effects(PollerEffect.Close.class)).isEmpty();
      pass(Duration.ofSeconds(30));
    }
    machine.failed(effect(PollerEffect.Complete.class).call(), "no answer", now);
    assertThat(effects(PollerEffect.Close.class)).hasSize(1);
  }

  @Test
  void aSourceThatNeverSetsAMessageAsideIsOpenedAgain() {
    open(LEASE);
    poll("a");
    submitted(new Outcome.Hopeless("it cannot be read"));
    for (int i = 1; i < PollerMachine.MOST_FAILURES; i++) {
      machine.failed(effect(PollerEffect.Dead.class).call(), "the producer is closed", now);
      assertThat(effects(PollerEffect.Close.class)).isEmpty();
      pass(Duration.ofSeconds(30));
    }
    machine.failed(effect(PollerEffect.Dead.class).call(), "the producer is closed", now);
    assertThat(effects(PollerEffect.Close.class)).hasSize(1);
    assertThat(report().inFlight()).as("it delivers again").isZero();
    assertThat(report().why()).contains("the producer is closed");
  }

  @Test
  void aMessageThatCannotBeSetAsideIsTheReasonOfASourceThatPolls() {
    open(null);
    poll("large");
    submitted(new Outcome.Hopeless("it cannot be read"));
    for (int i = 0; i < TakenMessage.TROUBLED; i++) {
      assertThat(report().why()).as("of %d failures", i).isNull();
      machine.failed(effect(PollerEffect.Dead.class).call(), "it is too large", now);
      pass(Duration.ofSeconds(30));
    }
    assertThat(report().status()).isEqualTo(SourceStatus.POLLING);
    assertThat(report().why())
        .isEqualTo("1 of its messages cannot go on, one to be set aside: it is too large");
    assertThat(report().with("2 files cannot be read").why())
        .startsWith("2 files cannot be read; 1 of its messages");
    poll("b", "c", "d");
    assertThat(report().status()).isEqualTo(SourceStatus.REFUSED);
    assertThat(report().why()).endsWith("of these, 1 wait, one because it is too large");
    machine.done(effect(PollerEffect.Dead.class).call(), now);
    assertThat(report().status()).isEqualTo(SourceStatus.POLLING);
    assertThat(report().why()).isNull();
  }

  @Test
  void aMessageThatAloneCannotBeSetAsideClosesNoSource() {
    open(LEASE);
    poll("large");
    submitted(new Outcome.Hopeless("it cannot be read"));
    for (int i = 0; i < 3 * PollerMachine.MOST_FAILURES; i++) {
      machine.failed(effect(PollerEffect.Dead.class).call(), "it is too large", now);
      poll("small" + i);
      submitted(new Outcome.Hopeless("it cannot be read"));
      machine.done(effect(PollerEffect.Dead.class).call(), now);
      pass(Duration.ofSeconds(30));
      for (PollerEffect.Extend each : effects(PollerEffect.Extend.class)) {
        machine.extended(each.call(), Set.of(), now);
      }
    }
    assertThat(effects(PollerEffect.Close.class)).isEmpty();
    assertThat(report().inFlight()).isEqualTo(1);
  }

  @Test
  void aMessageThatIsNotSentClosesNoSource() {
    machine = machine(4, true, true);
    open(LEASE);
    poll("a");
    submitted(succeeded());
    for (int i = 0; i < 3 * PollerMachine.MOST_FAILURES; i++) {
      machine.failed(effect(PollerEffect.Emit.class).call(), "it is away", now);
      pass(Duration.ofSeconds(30));
      for (PollerEffect.Extend each : effects(PollerEffect.Extend.class)) {
        machine.extended(each.call(), Set.of(), now);
      }
    }
    assertThat(effects(PollerEffect.Close.class)).isEmpty();
    assertThat(report().error()).isEqualTo("it is away");
  }

  @Test
  void aDrainGivesBackUnbegunMessagesAndWaitsForTheOthers() {
    open(LEASE);
    poll("a", "b");
    List<PollerEffect.Submit> submits = effects(PollerEffect.Submit.class);
    machine.submitted(submits.get(0).call(), begun(), now);
    machine.mode(SourceMode.DRAINING, "ann", now);
    machine.submitted(
        submits.get(1).call(),
        new Outcome.Refused(Reason.OVERLOADED, "full", Duration.ofSeconds(1)),
        now);
    PollerEffect.Release release = effect(PollerEffect.Release.class);
    machine.done(release.call(), now);
    assertThat(report().why()).isEqualTo("it is drained by ann: 1 started and not ended");
    machine.settled("a", 1, succeeded(), now);
    machine.done(effect(PollerEffect.Complete.class).call(), now);
    assertThat(report().status()).isEqualTo(SourceStatus.DRAINED);
    assertThat(effects(PollerEffect.Poll.class)).as("the one that was under way").hasSize(1);
  }

  @Test
  void aDrainGivesBackRefusedMessages() {
    open(LEASE);
    poll("a");
    submitted(new Outcome.Refused(Reason.OVERLOADED, "full", Duration.ofMinutes(1)));
    assertThat(effects(PollerEffect.Release.class)).isEmpty();
    machine.mode(SourceMode.DRAINING, "ann", now);
    assertThat(effects(PollerEffect.Release.class)).hasSize(1);
  }

  @Test
  void aStopGivesBackMessagesThatHaveNotEndedAndLateOnes() {
    open(LEASE);
    poll("a");
    submitted(begun());
    PollerEffect.Poll open = effect(PollerEffect.Poll.class);
    machine.stop(now);
    PollerEffect.Release first = effect(PollerEffect.Release.class);
    machine.done(first.call(), now);
    assertThat(machine.isIdle()).as("a poll is under way").isFalse();
    machine.polled(open.call(), List.of(message("b", "b1")), now);
    assertThat(effects(PollerEffect.Submit.class)).isEmpty();
    machine.done(effect(PollerEffect.Release.class).call(), now);
    assertThat(machine.isIdle()).isTrue();
    assertThat(report().totals().released()).isEqualTo(2);
  }

  /** As while its definition's node is away, and the definition may have been put meanwhile. */
  @Test
  void theReasonForNoRoomIsDroppedOnceItIsNotKnown() {
    open(null);
    machine.room(0, "there is no workflow x: put its definition", now);
    assertThat(machine.report(now).why()).contains("put its definition");
    machine.roomIsNotKnown("no answer");
    assertThat(machine.report(now).why())
        .isEqualTo("it is not known at present what may be started: no answer");
    machine.room(null, "", now);
    machine.roomIsNotKnown("no answer");
    assertThat(machine.report(now).status()).isEqualTo(SourceStatus.POLLING);
  }

  @Test
  void theRoomOfABrakeIsUsedUpAndTheReasonShown() {
    open(LEASE);
    poll();
    machine.room(2, "the brake is on", now);
    pass(Duration.ofSeconds(1));
    PollerEffect.Poll poll = effect(PollerEffect.Poll.class);
    assertThat(poll.most()).isEqualTo(2);
    machine.polled(poll.call(), List.of(message("a", "1"), message("b", "2")), now);
    assertThat(effects(PollerEffect.Poll.class)).isEmpty();
    assertThat(report().status()).isEqualTo(SourceStatus.BRAKED);
    assertThat(report().why()).isEqualTo("the brake is on");
    machine.room(null, "", now);
    assertThat(effect(PollerEffect.Poll.class).most()).isEqualTo(2);
  }

  @Test
  void manySubmissionsWaitForEachOther() {
    machine = machine(1_000, true, false);
    open(LEASE);
    poll(IntStream.range(0, 1_000).mapToObj(i -> "m" + i).toArray(String[]::new));
    List<PollerEffect.Submit> first = effects(PollerEffect.Submit.class);
    assertThat(first).hasSize(NextCalls.MOST_SUBMITS);
    first.forEach(each -> machine.submitted(each.call(), succeeded(), now));
    assertThat(effects(PollerEffect.Submit.class)).hasSize(NextCalls.MOST_SUBMITS);
  }

  @Test
  void aLeaseCountsFromTheBeginningOfThePoll() {
    open(LEASE);
    PollerEffect.Poll poll = effect(PollerEffect.Poll.class);
    now = now.plusSeconds(4);
    machine.polled(poll.call(), List.of(message("a", "a1")), now);
    submitted(begun());
    pass(Duration.ofMillis(5_900));
    assertThat(effects(PollerEffect.Extend.class)).isEmpty();
    pass(Duration.ofMillis(100));
    assertThat(effects(PollerEffect.Extend.class)).hasSize(1);
  }

  @Test
  void aMessageWhoseResultIsRefusedForGoodIsSetAside() {
    machine = machine(4, true, true);
    open(LEASE);
    poll("a");
    submitted(succeeded());
    machine.emitHopeless(effect(PollerEffect.Emit.class).call(), "the name is too long", now);
    assertThat(effect(PollerEffect.Dead.class).cause())
        .isEqualTo("it was done, and what follows was not sent: the name is too long");
  }

  @Test
  void aMessageWhoseResultIsNeverSentIsSetAsideAndClosesNoSource() {
    machine = machine(4, true, true);
    open(null);
    poll("a");
    submitted(succeeded());
    Instant begun = now;
    List<PollerEffect.Dead> dead = List.of();
    while (dead.isEmpty() && Duration.between(begun, now).compareTo(Duration.ofDays(1)) < 0) {
      for (PollerEffect.Emit each : effects(PollerEffect.Emit.class)) {
        machine.failed(each.call(), "no such queue", now);
      }
      assertThat(effects(PollerEffect.Close.class)).isEmpty();
      pass(Duration.ofSeconds(30));
      dead = effects(PollerEffect.Dead.class);
    }
    assertThat(dead).hasSize(1);
    assertThat(dead.get(0).cause())
        .startsWith("it was done, and what follows was not sent: ")
        .contains(" attempts failed, the last because no such queue");
    assertThat(Duration.between(begun, now)).isGreaterThan(Duration.ofHours(2));
  }

  @Test
  void anOutcomeThatIsNotDecidedYetIsAskedForAgain() {
    machine = machine(4, false, false);
    open(LEASE);
    poll("a");
    submitted(new Outcome.Undecided("its builder has not answered yet", false));
    assertThat(effects(PollerEffect.Complete.class)).isEmpty();
    pass(PollerMachine.LOOK_UNTOLD);
    submitted(new Outcome.Undecided("its builder has not answered yet", false));
    pass(PollerMachine.LOOK_UNTOLD);
    submitted(begun());
    assertThat(effects(PollerEffect.Complete.class)).hasSize(1);
  }

  @Test
  void troubleOfABuilderIsShownAndStopsASourceThatIsFullOfIt() {
    machine = machine(2, true, false);
    open(null);
    polled(message("a", "a1"), message("b", "b1"));
    for (PollerEffect.Submit each : effects(PollerEffect.Submit.class)) {
      machine.submitted(each.call(), new Outcome.Begun(null, true), now);
    }
    assertThat(report().status()).isEqualTo(SourceStatus.FULL);
    pass(PollerMachine.LOOK_UNDECIDED);
    PollerEffect.Submit look = effects(PollerEffect.Submit.class).get(0);
    machine.submitted(look.call(), new Outcome.Undecided("no builder", true), now);
    assertThat(report().status()).isEqualTo(SourceStatus.REFUSED);
    assertThat(report().why())
        .isEqualTo(
            "its credit of 2 is used up: 2 started and not ended; of these, 1 wait, one because no"
                + " builder");
    assertThat(report().error()).isEqualTo("no builder");
    machine.settled(look.message().id(), 1, succeeded(), now);
    machine.done(effect(PollerEffect.Complete.class).call(), now);
    assertThat(report().status()).isEqualTo(SourceStatus.POLLING);
  }

  @Test
  void aMessageThatItsSourceCountsAsFailedIsNotTriedAgainFromTheBeginning() {
    open(LEASE);
    polled(
        message("a", "a1").withFailures(2),
        message("b", "b1").withFailures(7),
        message("c", "c1").withFailures(Integer.MAX_VALUE));
    List<PollerEffect.Submit> submits = effects(PollerEffect.Submit.class);
    assertThat(submits).extracting(PollerEffect.Submit::attempt).containsExactly(3, 3, 3);
    machine.submitted(submits.get(0).call(), begun(), now);
    machine.settled("a", 3, new Outcome.Failed("no ink"), now);
    assertThat(effect(PollerEffect.Dead.class).cause())
        .isEqualTo("3 attempts failed, the last because no ink");
  }

  @Test
  void aMessageThatIsDeliveredVeryOftenAndFailsIsSetAside() {
    open(LEASE);
    polled(
        new SourceMessage("a", "a1", Buffer.buffer("1"), Map.of(), 29, null),
        new SourceMessage("b", "b1", Buffer.buffer("1"), Map.of(), 30, null),
        new SourceMessage("c", "c1", Buffer.buffer("1"), Map.of(), 300, null, 0));
    for (PollerEffect.Submit each : effects(PollerEffect.Submit.class)) {
      machine.submitted(each.call(), begun(), now);
    }
    machine.settled("a", 1, new Outcome.Failed("no ink"), now);
    machine.settled("b", 1, new Outcome.Failed("no ink"), now);
    machine.settled("c", 1, new Outcome.Failed("no ink"), now);
    assertThat(effects(PollerEffect.Fail.class))
        .as("the source of c counts failures, and it has had none")
        .extracting(PollerEffect.Fail::receipt)
        .containsExactly("a1", "c1");
    assertThat(effect(PollerEffect.Dead.class).cause())
        .isEqualTo("it was delivered 30 times and has failed again, because no ink");
  }

  @Test
  void theBytesOfTakenMessagesAreLimitedToo() {
    PollerRules usual =
        new PollerRules(
            100,
            true,
            3,
            Backoff.exponential(Duration.ofSeconds(2), Duration.ofSeconds(60)),
            false);
    machine =
        new PollerMachine(
            new PollerRules(
                usual.credit(),
                usual.onComplete(),
                usual.attempts(),
                usual.retry(),
                usual.emits(),
                usual.reopen(),
                usual.again(),
                8 << 20),
            SourceMode.RUN,
            null,
            new SplittableRandom(1),
            now);
    open(null);
    PollerEffect.Poll first = effect(PollerEffect.Poll.class);
    assertThat(first.most()).as("each may have half a MiB").isEqualTo(16);
    machine.polled(first.call(), List.of(message("a", 2 << 20), message("b", 10)), now);
    PollerEffect.Poll second = effect(PollerEffect.Poll.class);
    assertThat(second.most()).as("each may have 2 MiB").isEqualTo(2);
    machine.polled(second.call(), List.of(message("c", 3 << 20), message("d", 3 << 20)), now);
    assertThat(effects(PollerEffect.Poll.class)).isEmpty();
    assertThat(report().status()).isEqualTo(SourceStatus.FULL);
    assertThat(report().why()).startsWith("its messages have 8,388,618 bytes, of 8,388,608: ");
    submitted(succeeded());
    machine.done(effect(PollerEffect.Complete.class).call(), now);
    assertThat(effect(PollerEffect.Poll.class).most()).as("there is room for one").isEqualTo(1);
  }

  @Test
  void fewLargeMessagesAreSubmittedAtATime() {
    open(null);
    polled(message("a", 1 << 20), message("b", 1 << 20), message("c", 1 << 20));
    List<PollerEffect.Submit> submits = effects(PollerEffect.Submit.class);
    assertThat(submits).hasSize(2);
    machine.submitted(submits.get(0).call(), begun(), now);
    assertThat(effects(PollerEffect.Submit.class)).hasSize(1);
  }

  @Test
  void ratesAreThoseOfTheLastMinute() {
    RateCounter rate = new RateCounter(now);
    for (int i = 0; i < 60; i++) {
      rate.add(2, now.plusSeconds(i));
    }
    assertThat(rate.rate(now.plusSeconds(59))).isEqualTo(2.0);
    assertThat(rate.rate(now.plusSeconds(89))).isEqualTo(1.0);
    assertThat(rate.rate(now.plusSeconds(500))).isZero();
    assertThat(rate.total()).isEqualTo(120);
  }
}

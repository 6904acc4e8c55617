package io.callboard.workflows.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.HeldRun;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.protocol.WorkerNews;
import io.callboard.workflows.internal.protocol.WorkersState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A desk before it knows what the workers run. */
class DeskStartTest {
  private static final WorkerId ONE = new WorkerId("one", "boot-one", 1);
  private static final WorkerId TWO = new WorkerId("two", "boot-two", 1);
  private static final StepRequest FIRST = Requests.of("a", "http");
  private static final StepRequest LATER = Requests.run("a", 2);

  private final Map<WorkerId, Long> seqs = new HashMap<>();
  private WorkMachine desk;
  private long now;

  @BeforeEach
  void open() {
    desk = opened(WorkMachine.MOST_QUEUED);
  }

  private WorkMachine opened(int most) {
    WorkMachine opened =
        new WorkMachine(WorkersState.NONE.enrolled(ONE, null).enrolled(TWO, null).opened(), most);
    opened.members(Set.of(ONE.boot(), TWO.boot()), now);
    return opened;
  }

  private void hello(WorkerId worker, StepRequest... running) {
    List<HeldRun> held =
        List.of(running).stream()
            .map(
                each ->
                    new HeldRun(
                        each.key(), "node", "definition", "http", false, null, null, null, null))
            .toList();
    desk.news(
        new DeskCommand.News(
            desk.epoch(),
            worker,
            seqs.merge(worker, 1L, Long::sum),
            List.of(new WorkerNews.Hello(2, Set.of("http"), held, false, null, null))),
        now);
  }

  private void cancels(StepRequest request) {
    assertThat(desk.cancel(request.key(), now)).isNull();
  }

  private static DeskEffect end(WorkerId worker, StepRequest request) {
    return new DeskEffect.Tell(worker, new WorkerCommand.End(0, request.key()));
  }

  private static boolean isCancelled(DeskEffect effect) {
    return effect instanceof DeskEffect.Cancelled;
  }

  @Test
  void aLaterRunIsNotSettledBeforeItIsKnownWhoHasIt() {
    hello(ONE, FIRST);
    cancels(LATER);
    assertThat(desk.effects()).as("worker two may run it").noneMatch(DeskStartTest::isCancelled);
    hello(TWO, LATER);
    assertThat(desk.effects()).contains(end(TWO, LATER)).noneMatch(DeskStartTest::isCancelled);
  }

  @Test
  void aLaterRunThatNobodyHasIsSettledWhenThatIsKnown() {
    hello(ONE, FIRST);
    desk.request(LATER, now);
    cancels(LATER);
    desk.effects();
    hello(TWO);
    assertThat(desk.effects())
        .anyMatch(each -> each instanceof DeskEffect.Cancelled of && of.run().equals(LATER.key()));
    desk.news(
        new DeskCommand.News(
            desk.epoch(),
            ONE,
            seqs.merge(ONE, 1L, Long::sum),
            List.of(new WorkerNews.Ended(FIRST.key()), new WorkerNews.Settled(FIRST.key()))),
        now);
    desk.enrolled(List.of(ONE, TWO), now);
    assertThat(desk.effects()).as("it waits no more").noneMatch(DeskStartTest::isAssign);
  }

  private static boolean isAssign(DeskEffect effect) {
    return effect instanceof DeskEffect.Tell tell && tell.order() instanceof WorkerCommand.Assign;
  }

  /** The other worker may not be heard of for long. */
  @Test
  void aCancelledRunIsEndedAsSoonAsAWorkerHasNamedIt() {
    cancels(FIRST);
    hello(ONE, FIRST);
    assertThat(desk.isReady()).isFalse();
    assertThat(desk.effects()).contains(end(ONE, FIRST));
  }

  @Test
  void aWaitingRunThatIsCancelledIsNotAssignedFirst() {
    hello(ONE);
    desk.enrolled(List.of(ONE), now);
    desk.request(FIRST, now);
    cancels(FIRST);
    desk.enrolled(List.of(TWO), now);
    hello(TWO);
    assertThat(desk.effects())
        .anyMatch(DeskStartTest::isCancelled)
        .noneMatch(DeskStartTest::isAssign);
  }

  @Test
  void aCancelledRunIsNotAssignedWhenTheMembersAreKnownLast() {
    desk = new WorkMachine(WorkersState.NONE.opened());
    hello(ONE);
    desk.enrolled(List.of(ONE), now);
    desk.request(FIRST, now);
    cancels(FIRST);
    desk.members(Set.of(ONE.boot()), now);
    assertThat(desk.effects())
        .anyMatch(DeskStartTest::isCancelled)
        .noneMatch(DeskStartTest::isAssign);
  }

  @Test
  void overTheLimitACancellationIsRefusedAndNotForgotten() {
    desk = opened(2);
    cancels(Requests.of("a", "http"));
    cancels(Requests.of("b", "http"));
    StepRequest more = Requests.of("c", "http");
    assertThat(desk.cancel(more.key(), now)).contains("2 cancellations wait");
    cancels(Requests.of("a", "http"));
    hello(ONE);
    hello(TWO);
    assertThat(desk.effects()).filteredOn(DeskStartTest::isCancelled).hasSize(2);
    cancels(more);
    assertThat(desk.effects()).anyMatch(DeskStartTest::isCancelled);
  }

  private static boolean isLost(DeskEffect effect) {
    return effect instanceof DeskEffect.Lost lost && lost.run().equals(FIRST.key());
  }

  private void losesTheFirst() {
    hello(ONE, FIRST);
    desk.request(FIRST, now);
    hello(new WorkerId(ONE.node(), ONE.boot(), 2)); // its actor was restarted
    assertThat(desk.effects()).as("worker two may run it").noneMatch(DeskStartTest::isLost);
  }

  /** Found by a rehearsal: an earlier desk had taken the first worker for dead. */
  @Test
  void aRunIsNotReportedLostBeforeItIsKnownThatNobodyElseHasIt() {
    losesTheFirst();
    hello(TWO, FIRST);
    assertThat(desk.effects()).noneMatch(DeskStartTest::isLost);
    assertThat(desk.places("a", now, Instant.EPOCH))
        .singleElement()
        .satisfies(place -> assertThat(place.node()).isEqualTo("two"));
  }

  @Test
  void aRunThatNobodyElseHasIsReportedLostAndNotBegunAgain() {
    losesTheFirst();
    desk.request(FIRST, now); // again, under way all the time
    desk.enrolled(List.of(new WorkerId(ONE.node(), ONE.boot(), 2)), now);
    hello(TWO);
    assertThat(desk.effects()).anyMatch(DeskStartTest::isLost).noneMatch(DeskStartTest::isAssign);
  }

  private StepRequest given(WorkerId worker) {
    return FIRST.sent(1, true, worker);
  }

  private void onlyTwoIsLeft() {
    hello(TWO);
    desk.enrolled(List.of(TWO), now);
    desk.members(Set.of(TWO.boot()), now);
    now += WorkMachine.DEATH_GRACE.toNanos();
    desk.tick(now);
    assertThat(desk.isReady()).isTrue();
  }

  /** A desk and a worker that die together, as both are of one node. */
  @Test
  void aRunThatWasGivenToAWorkerThatIsGoneIsLostAndNotBegunAgain() {
    desk.request(given(ONE), now);
    onlyTwoIsLeft();
    assertThat(desk.effects()).anyMatch(DeskStartTest::isLost).noneMatch(DeskStartTest::isAssign);
  }

  @Test
  void aGivenRunIsLostAlsoIfItIsRequestedLater() {
    onlyTwoIsLeft();
    desk.request(given(ONE), now);
    assertThat(desk.effects()).anyMatch(DeskStartTest::isLost).noneMatch(DeskStartTest::isAssign);
  }

  @Test
  void aRunThatAWorkerHasNamedNoMoreInAnotherLifeIsLost() {
    WorkerId next = new WorkerId(ONE.node(), ONE.boot(), 2);
    desk.request(given(ONE), now);
    hello(TWO);
    hello(next);
    desk.enrolled(List.of(next, TWO), now);
    assertThat(desk.effects()).anyMatch(DeskStartTest::isLost).noneMatch(DeskStartTest::isAssign);
  }

  @Test
  void aRunThatItsWorkerHasNotBegunBeginsUnderItsNumber() {
    desk.request(given(ONE), now);
    hello(TWO);
    hello(ONE);
    desk.enrolled(List.of(ONE, TWO), now);
    assertThat(desk.effects()).anyMatch(DeskStartTest::isAssign).noneMatch(DeskStartTest::isLost);
  }

  @Test
  void aRunThatWasGivenToAWorkerThatIsGoneAndLivesElsewhereGoesOn() {
    desk.request(given(ONE), now);
    hello(TWO, FIRST);
    onlyTwoIsLeft();
    hello(TWO, FIRST);
    assertThat(desk.effects()).noneMatch(DeskStartTest::isLost).noneMatch(DeskStartTest::isAssign);
  }

  private long asked() {
    return desk.effects().stream().filter(DeskEffect.Enroll.class::isInstance).count();
  }

  @Test
  void theMasterIsAskedOnceForEachLifeUntilItShouldHaveAnswered() {
    hello(ONE);
    hello(ONE);
    now += DeskWorkers.ENROLL_PAUSE.toNanos() - 1;
    hello(ONE);
    assertThat(asked()).isEqualTo(1);
    now++;
    hello(ONE);
    assertThat(asked()).as("it has not answered").isEqualTo(1);
    WorkerId next = new WorkerId(ONE.node(), ONE.boot(), 2);
    hello(next);
    assertThat(asked()).as("another life").isEqualTo(1);
    desk.enrolled(List.of(next), now);
    now += Duration.ofMinutes(1).toNanos();
    hello(next);
    assertThat(asked()).isZero();
  }

  @Test
  void aDeskThatIsNotThePresentOneHasNoEffectAnyMore() {
    desk.presentIs(desk.epoch() - 1); // a registry that was replaced, too
    desk.presentIs(desk.epoch());
    hello(ONE);
    assertThat(asked()).isEqualTo(1);
    desk.presentIs(desk.epoch() + 1);
    hello(TWO);
    cancels(FIRST);
    assertThat(desk.effects()).isEmpty();
  }
}

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What workers have beside the run that stands for its step at the desk. */
class BesideRunsTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final WorkerId ONE = new WorkerId("one", "boot-one", 1);
  private static final WorkerId TWO = new WorkerId("two", "boot-two", 1);
  private static final StepRequest FIRST = Requests.of("a", "http");
  private static final StepRequest SECOND_RUN = Requests.run("a", 2);

  private final Map<WorkerId, Long> seqs = new HashMap<>();
  private WorkMachine desk;
  private long now;

  @BeforeEach
  void open() {
    desk = new WorkMachine(WorkersState.NONE.opened());
    desk.members(Set.of(ONE.boot(), TWO.boot()), now);
  }

  private void says(WorkerId worker, WorkerNews... news) {
    long seq = seqs.merge(worker, 1L, Long::sum);
    desk.news(new DeskCommand.News(desk.epoch(), worker, seq, List.of(news)), now);
  }

  private static HeldRun running(StepRequest request) {
    return new HeldRun(request.key(), "node", "definition", "http", false, null, null, null, null);
  }

  private static HeldRun result(StepRequest request) {
    return new HeldRun(request.key(), "node", "definition", "http", true, null, null, null, null);
  }

  /** A worker of one slot says what it has. */
  private void hello(WorkerId worker, HeldRun... held) {
    says(worker, new WorkerNews.Hello(1, Set.of("http"), List.of(held), false, null, null));
    desk.enrolled(List.of(worker), now);
  }

  private List<WorkerCommand.Order> orders(WorkerId worker) {
    List<WorkerCommand.Order> orders = new ArrayList<>();
    for (DeskEffect effect : desk.effects()) {
      if (effect instanceof DeskEffect.Tell tell && tell.worker().equals(worker)) {
        orders.add(tell.order());
      }
    }
    return orders;
  }

  private static Stream<StepRequest> assigned(List<WorkerCommand.Order> orders) {
    return orders.stream()
        .filter(WorkerCommand.Assign.class::isInstance)
        .map(order -> ((WorkerCommand.Assign) order).request());
  }

  /** Otherwise it gives each run back, and gets it again at once. */
  @Test
  void aRunThatIsToEndTakesItsSlotUntilItHasEnded() {
    hello(ONE, running(SECOND_RUN));
    hello(TWO, running(FIRST));
    StepRequest other = Requests.of("b", "http");
    desk.request(other, now);
    assertThat(orders(TWO)).containsExactly(new WorkerCommand.End(0, FIRST.key()));
    hello(TWO, running(FIRST));
    assertThat(orders(TWO)).as("it runs still").isEmpty();
    now += 5 * SECOND;
    desk.tick(now);
    assertThat(orders(TWO)).containsExactly(new WorkerCommand.End(0, FIRST.key()));
    says(TWO, new WorkerNews.Ended(FIRST.key()));
    assertThat(assigned(orders(TWO))).containsExactly(other);
  }

  @Test
  void aRunThatIsToEndTakesNoSlotWhenItsWorkerNamesItNoMoreAndSaysSo() {
    hello(ONE, running(SECOND_RUN));
    hello(TWO, running(FIRST));
    StepRequest other = Requests.of("b", "http");
    desk.request(other, now);
    desk.effects();
    hello(TWO);
    assertThat(orders(TWO)).containsExactly(new WorkerCommand.End(0, FIRST.key()));
    says(TWO, new WorkerNews.Revoked(FIRST.key(), 0, WorkerNews.Revocation.NEVER_BEGAN, null));
    List<DeskEffect> effects = desk.effects();
    assertThat(effects).noneMatch(DeskEffect.Cancelled.class::isInstance);
    assertThat(effects)
        .anyMatch(
            effect ->
                effect instanceof DeskEffect.Tell tell
                    && tell.order() instanceof WorkerCommand.Assign assign
                    && assign.request().equals(other));
  }

  @Test
  void theLossOfAnEarlierRunDoesNotSettleTheRunThatReplacedIt() {
    hello(ONE, running(SECOND_RUN));
    hello(TWO, running(FIRST));
    desk.effects();
    says(TWO, new WorkerNews.Revoked(FIRST.key(), 0, WorkerNews.Revocation.LOST, null));
    assertThat(desk.effects()).isEmpty();
    desk.cancel(SECOND_RUN.key(), now);
    assertThat(orders(ONE)).containsExactly(new WorkerCommand.End(0, SECOND_RUN.key()));
  }

  @Test
  void aLiveRunEndsAndSettlesNothingWhenALaterOneOfItsStepIsCancelled() {
    hello(ONE, running(FIRST));
    hello(TWO);
    desk.effects();
    desk.cancel(SECOND_RUN.key(), now);
    assertThat(orders(ONE)).containsExactly(new WorkerCommand.End(0, FIRST.key()));
    says(ONE, new WorkerNews.Revoked(FIRST.key(), 0, WorkerNews.Revocation.LOST, null));
    assertThat(desk.effects()).as("its instance has given it up").isEmpty();
  }

  @Test
  void aRunThatWaitsForALiveOneIsNotGivenUpWhenOneBetweenThemIsCancelled() {
    StepRequest third = Requests.run("a", 3);
    hello(ONE, running(FIRST));
    hello(TWO);
    desk.request(third, now);
    desk.cancel(SECOND_RUN.key(), now);
    desk.effects();
    says(ONE, new WorkerNews.Ended(FIRST.key()), new WorkerNews.Settled(FIRST.key()));
    assertThat(desk.effects())
        .anyMatch(
            effect ->
                effect instanceof DeskEffect.Tell tell
                    && tell.order() instanceof WorkerCommand.Assign assign
                    && assign.request().equals(third));
  }

  /** Before all workers have reported a run is not reported lost, and an earlier one may wait. */
  @Test
  void aRunThatWaitsIsGivenUpWhenALaterOneOfItsStepWasLostEarly() {
    desk = new WorkMachine(WorkersState.NONE.opened().enrolled(ONE, null).enrolled(TWO, null));
    desk.members(Set.of(ONE.boot(), TWO.boot()), now);
    hello(ONE, running(SECOND_RUN));
    says(ONE, new WorkerNews.Revoked(SECOND_RUN.key(), 0, WorkerNews.Revocation.LOST, null));
    desk.request(FIRST, now);
    hello(TWO);
    List<DeskEffect> effects = desk.effects();
    assertThat(effects)
        .anyMatch(
            effect ->
                effect instanceof DeskEffect.Lost lost && lost.run().equals(SECOND_RUN.key()));
    assertThat(effects)
        .noneMatch(
            effect ->
                effect instanceof DeskEffect.Tell tell
                    && tell.order() instanceof WorkerCommand.Assign);
  }

  /** Its node was cut off, and the handler of the earlier one has not ended yet. */
  @Test
  void aLaterRunIsNotEndedBecauseAnEarlierOneIsThoughtAlive() {
    hello(ONE, running(FIRST));
    desk.request(SECOND_RUN, now);
    hello(TWO, running(SECOND_RUN));
    List<DeskEffect> effects = desk.effects();
    assertThat(effects).contains(tell(ONE, new WorkerCommand.End(0, FIRST.key())));
    assertThat(effects).doesNotContain(tell(TWO, new WorkerCommand.End(0, SECOND_RUN.key())));
    hello(ONE, running(FIRST));
    says(ONE, new WorkerNews.Revoked(FIRST.key(), 0, WorkerNews.Revocation.LOST, null));
    assertThat(desk.effects()).as("its instance has given it up").isEmpty();
    assertThat(desk.places("a", now, Instant.EPOCH))
        .singleElement()
        .satisfies(place -> assertThat(place.key()).isEqualTo(SECOND_RUN.key()));
    says(TWO, new WorkerNews.Revoked(SECOND_RUN.key(), 0, WorkerNews.Revocation.NEVER_BEGAN, null));
    assertThat(assigned(orders(ONE)).findFirst().or(() -> assigned(orders(TWO)).findFirst()))
        .as("its request was not forgotten")
        .contains(SECOND_RUN);
  }

  private static DeskEffect tell(WorkerId worker, WorkerCommand.Order order) {
    return new DeskEffect.Tell(worker, order);
  }

  @Test
  void theResultOfALaterRunStandsThoughAnEarlierOneIsThoughtAlive() {
    hello(ONE, running(FIRST));
    hello(TWO, result(SECOND_RUN));
    desk.request(SECOND_RUN, now);
    desk.effects();
    says(ONE, new WorkerNews.Revoked(FIRST.key(), 0, WorkerNews.Revocation.LOST, null));
    assertThat(desk.effects()).as("it is not begun again").isEmpty();
    says(TWO, new WorkerNews.Bye());
    assertThat(desk.effects())
        .anyMatch(
            effect ->
                effect instanceof DeskEffect.Lost lost && lost.run().equals(SECOND_RUN.key()));
  }

  /** A later run that is taken back does not begin while the earlier one may be alive. */
  @Test
  void aRunThatIsTakenBackWaitsForAnEarlierOneBesideIt() {
    hello(ONE, running(FIRST));
    hello(TWO, running(SECOND_RUN));
    desk.request(SECOND_RUN, now);
    desk.effects();
    says(TWO, new WorkerNews.Revoked(SECOND_RUN.key(), 0, WorkerNews.Revocation.NEVER_BEGAN, null));
    hello(TWO);
    assertThat(assigned(orders(TWO))).isEmpty();
    says(ONE, new WorkerNews.Ended(FIRST.key()), new WorkerNews.Settled(FIRST.key()));
    assertThat(desk.effects())
        .anyMatch(
            effect ->
                effect instanceof DeskEffect.Tell tell
                    && tell.order() instanceof WorkerCommand.Assign assign
                    && assign.request().equals(SECOND_RUN));
  }

  private void losesTheOneThatLives() {
    says(TWO, new WorkerNews.Revoked(FIRST.key(), 0, WorkerNews.Revocation.LOST, null));
    assertThat(desk.effects())
        .as("there is a result of it")
        .noneMatch(DeskEffect.Lost.class::isInstance);
    assertThat(desk.places("a", now, Instant.EPOCH))
        .singleElement()
        .satisfies(place -> assertThat(place.node()).isEqualTo("one"));
  }

  @Test
  void aResultCountsWhenTheRunIsLostWhereItHasMovedTo() {
    hello(ONE, result(FIRST));
    hello(TWO, running(FIRST));
    losesTheOneThatLives();
    says(ONE, new WorkerNews.Settled(FIRST.key()));
    desk.request(FIRST, now);
    assertThat(desk.effects()).as("its instance knows it").isEmpty();
  }

  @Test
  void aResultReportedAfterAnotherHelloStillCounts() {
    hello(TWO, running(FIRST));
    hello(ONE, result(FIRST));
    losesTheOneThatLives();
    says(ONE, new WorkerNews.Bye());
    assertThat(desk.effects()).as("nobody has it any more").anyMatch(BesideRunsTest::isLost);
  }

  private static boolean isLost(DeskEffect effect) {
    return effect instanceof DeskEffect.Lost lost && lost.run().equals(FIRST.key());
  }

  @Test
  void aRefutedResultDoesNotCount() {
    hello(ONE, result(FIRST));
    hello(TWO, running(FIRST));
    desk.effects();
    WorkerId next = new WorkerId(ONE.node(), ONE.boot(), 2);
    hello(next);
    assertThat(desk.effects()).noneMatch(BesideRunsTest::isLost);
    says(TWO, new WorkerNews.Revoked(FIRST.key(), 0, WorkerNews.Revocation.LOST, null));
    assertThat(desk.effects()).anyMatch(BesideRunsTest::isLost);
  }

  @Test
  void aRunWithAResultIsNotBegunAgainWhenItIsTakenBackWhereItLives() {
    hello(ONE, result(FIRST));
    hello(TWO, running(FIRST));
    desk.request(FIRST, now);
    desk.effects();
    says(TWO, new WorkerNews.Revoked(FIRST.key(), 0, WorkerNews.Revocation.NEVER_BEGAN, null));
    assertThat(desk.effects()).isEmpty();
    says(ONE, new WorkerNews.Bye());
    assertThat(desk.effects()).anyMatch(BesideRunsTest::isLost);
  }

  /** Found by a rehearsal: the first one was taken for dead, and its handler has not ended yet. */
  @Test
  void aRunAliveAtTwoWorkersIsEndedAtNeitherAndTheSurvivorStands() {
    hello(ONE, running(FIRST));
    hello(TWO, running(FIRST));
    now += 6 * SECOND;
    desk.tick(now);
    assertThat(desk.effects()).noneMatch(BesideRunsTest::isEnd);
    says(ONE, new WorkerNews.Revoked(FIRST.key(), 0, WorkerNews.Revocation.LOST, null));
    assertThat(desk.effects()).noneMatch(BesideRunsTest::isLost);
    assertThat(desk.places("a", now, Instant.EPOCH))
        .singleElement()
        .satisfies(place -> assertThat(place.node()).isEqualTo("two"));
    says(TWO, new WorkerNews.Revoked(FIRST.key(), 0, WorkerNews.Revocation.LOST, null));
    assertThat(desk.effects()).anyMatch(BesideRunsTest::isLost);
  }

  private static boolean isEnd(DeskEffect effect) {
    return effect instanceof DeskEffect.Tell tell && tell.order() instanceof WorkerCommand.End;
  }

  @Test
  void aRunAtTwoWorkersIsEndedAtBothWhenItIsCancelled() {
    hello(ONE, running(FIRST));
    hello(TWO, running(FIRST));
    desk.cancel(FIRST.key(), now);
    assertThat(desk.effects())
        .contains(
            tell(ONE, new WorkerCommand.End(0, FIRST.key())),
            tell(TWO, new WorkerCommand.End(0, FIRST.key())));
  }
}

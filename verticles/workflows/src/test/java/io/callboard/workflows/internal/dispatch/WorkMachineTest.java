package io.callboard.workflows.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.PriorityAging;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.HeldRun;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.RunPlace;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkMachineTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final WorkerId ONE = new WorkerId("one", "boot-one", 1);
  private static final WorkerId TWO = new WorkerId("two", "boot-two", 1);

  private final Map<WorkerId, Long> seqs = new HashMap<>();
  private WorkMachine desk;
  private long now;

  @BeforeEach
  void open() {
    desk = opened(WorkersState.NONE.opened());
  }

  private WorkMachine opened(WorkersState state) {
    WorkMachine opened = new WorkMachine(state);
    opened.members(Set.of(ONE.boot(), TWO.boot()), now);
    return opened;
  }

  private void says(WorkerId worker, WorkerNews... news) {
    desk.news(
        new DeskCommand.News(
            desk.epoch(), worker, seqs.merge(worker, 1L, Long::sum), List.of(news)),
        now);
  }

  private void hello(WorkerId worker, int slots, String... types) {
    says(worker, new WorkerNews.Hello(slots, Set.of(types), List.of(), false, null, null));
    desk.enrolled(List.of(worker), now);
  }

  private List<WorkerCommand.Assign> assigned() {
    List<WorkerCommand.Assign> found = new ArrayList<>();
    for (DeskEffect effect : desk.effects()) {
      if (effect instanceof DeskEffect.Tell tell
          && tell.order() instanceof WorkerCommand.Assign assign) {
        found.add(assign);
      }
    }
    return found;
  }

  private void ends(StepRequest request) {
    says(ONE, new WorkerNews.Ended(request.key()), new WorkerNews.Settled(request.key()));
  }

  @Test
  void aRequestGoesToAWorkerThatOffersItWithOrWithoutTheVersion() {
    hello(ONE, 4, "handler:ocr@2");
    desk.request(Requests.of("a", "handler:ocr"), now);
    desk.request(Requests.of("b", "handler:ocr@2"), now);
    desk.request(Requests.of("c", "handler:ocr@3"), now);
    assertThat(assigned()).extracting(each -> each.request().instance()).containsExactly("a", "b");
    assertThat(why("c")).isEqualTo("no worker offers ocr@3");
  }

  private String why(String instance) {
    return desk.places(instance, now, Instant.EPOCH).get(0).why();
  }

  @Test
  void noSlotIsAssignedTwiceAndTheReasonCountsTheTakenSlots() {
    hello(ONE, 1, "http");
    desk.request(Requests.of("a", "http"), now);
    desk.request(Requests.of("b", "http"), now);
    assertThat(assigned()).hasSize(1);
    RunPlace place = desk.places("b", now, Instant.EPOCH).get(0);
    assertThat(place.state()).isEqualTo(RunPlace.State.QUEUED);
    assertThat(place.why()).isEqualTo("all 1 slots of the workers that offer http are taken: one");
    ends(Requests.of("a", "http"));
    assertThat(assigned()).extracting(each -> each.request().instance()).containsExactly("b");
  }

  @Test
  void aRepeatedRequestChangesNothing() {
    hello(ONE, 4, "http");
    StepRequest request = Requests.of("a", "http");
    desk.request(request, now);
    desk.request(request, now);
    assertThat(assigned()).hasSize(1);
    ends(request);
    desk.request(request, now);
    assertThat(assigned()).as("it has ended").isEmpty();
  }

  /** It would keep a slot from others for as long as its instance does not answer. */
  @Test
  void aRunWhoseInstanceDoesNotAnswerItsWorkerPausesWhileOthersBegin() {
    hello(ONE, 1, "http");
    StepRequest request = Requests.of("a", "http");
    desk.request(request, now);
    assertThat(assigned()).hasSize(1);
    desk.request(Requests.of("b", "http"), now);
    says(
        ONE,
        new WorkerNews.Revoked(
            request.key(), 1, WorkerNews.Revocation.NEVER_BEGAN, "nobody answers"));
    assertThat(assigned()).extracting(each -> each.request().instance()).containsExactly("b");
    assertThat(why("a")).isEqualTo("it is tried again in 60 s: nobody answers");
    ends(Requests.of("b", "http"));
    assertThat(assigned()).isEmpty();
    now += DeskRuns.REST.toNanos();
    says(ONE, new WorkerNews.Accepted(request.key(), 1)); // late
    desk.tick(now);
    assertThat(assigned()).extracting(each -> each.request().instance()).containsExactly("a");
  }

  @Test
  void aPausedRunIsForgottenWhenItIsCancelled() {
    hello(ONE, 1, "http");
    StepRequest request = Requests.of("a", "http");
    desk.request(request, now);
    says(ONE, new WorkerNews.Revoked(request.key(), 1, WorkerNews.Revocation.NEVER_BEGAN, "why"));
    assertThat(desk.cancel(request.key(), now)).isNull();
    assertThat(desk.effects()).anyMatch(DeskEffect.Cancelled.class::isInstance);
    now += DeskRuns.REST.toNanos();
    desk.tick(now);
    assertThat(assigned()).isEmpty();
    assertThat(desk.places("a", now, Instant.EPOCH)).isEmpty();
  }

  @Test
  void overTheLimitARequestIsRefusedWithADelay() {
    desk = new WorkMachine(WorkersState.NONE.opened(), 2);
    desk.request(Requests.of("a", "http"), now);
    desk.request(Requests.of("b", "http"), now);
    assertThat(desk.request(Requests.of("c", "http"), now))
        .isInstanceOfSatisfying(
            RequestAnswer.Refused.class,
            refused -> {
              assertThat(refused.why()).contains("2 steps wait");
              assertThat(refused.retryAfter()).isPositive();
            });
    assertThat(desk.request(Requests.of("a", "http"), now))
        .as("a known one")
        .isInstanceOf(RequestAnswer.Queued.class);
  }

  @Test
  void priorityGoesFirstUntilTheOthersHaveAged() {
    hello(ONE, 1, "http");
    desk.request(Requests.of("running", "http"), now);
    desk.request(Requests.prior("low", 0), now);
    now += PriorityAging.STEP.toNanos() * 5;
    desk.request(Requests.prior("high", 4), now);
    desk.request(Requests.prior("highest", 9), now);
    hello(ONE, 1, "http");
    List<String> order = new ArrayList<>();
    StepRequest last = Requests.of("running", "http");
    for (int i = 0; i < 3; i++) {
      desk.effects();
      ends(last);
      last = assigned().get(0).request();
      order.add(last.instance());
    }
    assertThat(order).containsExactly("highest", "low", "high");
  }

  @Test
  void definitionsShareBySteadyWeights() {
    hello(ONE, 1, "http");
    for (int i = 0; i < 100; i++) {
      desk.request(Requests.of("x" + i, "http", "heavy", 3), now);
      desk.request(Requests.of("y" + i, "http", "light", 1), now);
    }
    Map<String, Integer> got = new HashMap<>();
    List<WorkerCommand.Assign> next = assigned();
    for (int i = 0; i < 40; i++) {
      got.merge(next.get(0).request().definition(), 1, Integer::sum);
      ends(next.get(0).request());
      next = assigned();
    }
    assertThat(got.get("heavy")).isBetween(29, 31);
  }

  @Test
  void aRunThatIsNotAcceptedIsRevokedAndComesAgainOnlyWhenItNeverBegan() {
    hello(ONE, 1, "http");
    hello(TWO, 1, "http");
    desk.request(Requests.of("a", "http"), now);
    long number = assigned().get(0).number();
    StepRunKey key = Requests.of("a", "http").key();
    now += 6 * SECOND;
    hello(ONE, 1, "http");
    desk.tick(now);
    assertThat(desk.effects())
        .contains(new DeskEffect.Tell(ONE, new WorkerCommand.Revoke(number, key)));
    now += 60 * SECOND;
    desk.tick(now);
    assertThat(assigned()).isEmpty();
    says(TWO, new WorkerNews.Hello(1, Set.of("http"), List.of(), false, null, null));
    says(ONE, new WorkerNews.Revoked(key, number, WorkerNews.Revocation.NEVER_BEGAN, null));
    assertThat(assigned())
        .singleElement()
        .satisfies(a -> assertThat(a.number()).isGreaterThan(number));
  }

  @Test
  void aRunOfADeadNodeIsLostAfterTheGraceAndNotBefore() {
    hello(ONE, 1, "http");
    desk.request(Requests.of("a", "http"), now);
    desk.effects();
    desk.members(Set.of(TWO.boot()), now);
    now += 4 * SECOND;
    desk.tick(now);
    assertThat(desk.effects()).isEmpty();
    now += 2 * SECOND;
    desk.tick(now);
    assertThat(desk.effects())
        .anySatisfy(
            effect ->
                assertThat(effect)
                    .isInstanceOfSatisfying(
                        DeskEffect.Lost.class,
                        lost -> assertThat(lost.cause()).contains("node one")))
        .contains(new DeskEffect.Forget(ONE.boot(), 2));
  }

  @Test
  void aReportThatFailsIsRepeated() {
    desk.cancel(Requests.of("a", "http").key(), now);
    assertThat(desk.effects()).singleElement().isInstanceOf(DeskEffect.Cancelled.class);
    desk.reported(Requests.of("a", "http").key(), false, now);
    desk.tick(now);
    assertThat(desk.effects()).isEmpty();
    now += 2 * SECOND;
    desk.tick(now);
    assertThat(desk.effects()).singleElement().isInstanceOf(DeskEffect.Cancelled.class);
    desk.reported(Requests.of("a", "http").key(), true, now);
    now += 2 * SECOND;
    desk.tick(now);
    assertThat(desk.effects()).isEmpty();
  }

  @Test
  void aNewDeskWaitsForTheWorkersOfTheLastOneAndTakesOverWhatTheyRun() {
    desk = opened(WorkersState.NONE.enrolled(ONE, null).enrolled(TWO, null).opened());
    desk.request(Requests.of("a", "http"), now);
    desk.request(Requests.of("b", "http"), now);
    hello(TWO, 2, "http");
    assertThat(assigned()).isEmpty();
    assertThat(why("a")).contains("waits until the workers of these nodes report", ": one");
    HeldRun held =
        new HeldRun(
            Requests.of("a", "http").key(),
            "node",
            "definition",
            "http",
            false,
            null,
            null,
            null,
            null);
    says(ONE, new WorkerNews.Hello(2, Set.of("http"), List.of(held), false, null, null));
    assertThat(assigned()).extracting(each -> each.request().instance()).containsExactly("b");
    assertThat(desk.places("a", now, Instant.EPOCH).get(0).node()).isEqualTo("one");
  }

  @Test
  void aSlotWhoseRunTheWorkerDoesNotNameAnyMoreIsNotTakenForEver() {
    hello(ONE, 1, "http");
    StepRequest lost = Requests.of("a", "http");
    desk.request(lost, now);
    says(ONE, new WorkerNews.Accepted(lost.key(), assigned().get(0).number()));
    desk.request(Requests.of("b", "http"), now);
    hello(ONE, 1, "http"); // its end was reported, and the message lost
    StepRunKey key = lost.key();
    assertThat(desk.effects()).contains(new DeskEffect.Tell(ONE, new WorkerCommand.Revoke(1, key)));
    says(ONE, new WorkerNews.Settled(key)); // which is what it answers
    assertThat(assigned()).extracting(each -> each.request().instance()).containsExactly("b");
  }

  @Test
  void aRunIsOfferedToOneWorkerAlone() {
    hello(ONE, 4, "http");
    hello(TWO, 4, "http");
    desk.effects();
    for (int i = 0; i < 8; i++) {
      desk.request(Requests.of("i" + i, "http"), now);
      assertThat(desk.effects()).hasSize(1);
    }
    desk.request(Requests.of("more", "http"), now);
    assertThat(desk.effects()).as("there is no credit").isEmpty();
  }

  @Test
  void noWorkerIsAskedToRegisterWhenMembersComeAndGo() {
    hello(ONE, 1, "http");
    hello(TWO, 1, "http");
    desk.effects();
    desk.members(Set.of(ONE.boot(), TWO.boot(), "boot-three"), now);
    desk.members(Set.of(ONE.boot(), TWO.boot()), now);
    desk.tick(now);
    assertThat(desk.effects()).isEmpty();
  }

  @Test
  void aDrainedWorkerGetsNothing() {
    desk.configure(Set.of("one"), Map.of(), now);
    hello(ONE, 2, "http");
    desk.request(Requests.of("a", "http"), now);
    assertThat(assigned()).isEmpty();
    assertThat(why("a")).isEqualTo("no worker that offers http takes runs now: one is drained");
    desk.configure(Set.of(), Map.of(), now);
    assertThat(assigned()).hasSize(1);
  }

  @Test
  void aLaterRunOfAStepWaitsUntilTheEarlierOneIsOver() {
    hello(ONE, 4, "http");
    desk.request(Requests.of("a", "http"), now);
    long number = assigned().get(0).number();
    StepRunKey key = Requests.of("a", "http").key();
    desk.request(Requests.run("a", 2), now);
    assertThat(desk.effects())
        .containsExactly(new DeskEffect.Tell(ONE, new WorkerCommand.End(number, key)));
    says(ONE, new WorkerNews.Ended(key));
    says(ONE, new WorkerNews.Settled(key));
    assertThat(assigned())
        .singleElement()
        .satisfies(a -> assertThat(a.request().run()).isEqualTo(2));
  }

  private static WorkerNews holding(StepRequest request) {
    return holding(request, false);
  }

  private static WorkerNews holding(StepRequest request, boolean ended) {
    HeldRun held =
        new HeldRun(request.key(), "node", "definition", "http", ended, null, null, null, null);
    return new WorkerNews.Hello(1, Set.of("http"), List.of(held), false, null, null);
  }

  /** The request of such a run is not repeated to this desk. */
  @Test
  void aRunThatWasRequestedBeforeItsWorkerHasNamedItIsGivenAgainWhenItIsTakenBack() {
    StepRequest first = Requests.of("a", "http");
    StepRequest second = Requests.run("a", 2);
    says(ONE, holding(first));
    desk.enrolled(List.of(ONE), now);
    desk.request(second, now);
    says(ONE, new WorkerNews.Ended(first.key()));
    says(TWO, holding(second));
    desk.enrolled(List.of(TWO), now);
    assertThat(assigned()).as("it runs already").isEmpty();
    says(TWO, new WorkerNews.Revoked(second.key(), 0, WorkerNews.Revocation.NEVER_BEGAN, null));
    assertThat(assigned()).extracting(each -> each.request()).containsExactly(second);
  }

  /** An earlier desk has given it twice: the first worker was cut off, and its node is back. */
  @Test
  void aRunIsWhereItRunsThoughAnotherWorkerHasAResultOfIt() {
    StepRequest request = Requests.of("a", "http");
    says(ONE, holding(request, true));
    says(TWO, holding(request));
    assertThat(desk.effects())
        .as("its instance may know of no result, and cancelled nothing")
        .noneMatch(WorkMachineTest::isEnd);
    says(ONE, new WorkerNews.Settled(request.key()));
    assertThat(desk.effects())
        .contains(new DeskEffect.Tell(TWO, new WorkerCommand.End(0, request.key())));
  }

  private static boolean isEnd(DeskEffect effect) {
    return effect instanceof DeskEffect.Tell tell && tell.order() instanceof WorkerCommand.End;
  }

  /** A desk that was replaced is refused by the worker registry, and gives it nothing. */
  @Test
  void eachLifeOfAWorkerIsEnrolledBeforeItGetsARun() {
    hello(ONE, 1, "http");
    WorkerId next = new WorkerId(ONE.node(), ONE.boot(), 2);
    says(next, new WorkerNews.Hello(1, Set.of("http"), List.of(), false, null, null));
    assertThat(desk.effects()).contains(new DeskEffect.Enroll(next, 2));
    desk.request(Requests.of("a", "http"), now);
    assertThat(assigned()).isEmpty();
    desk.enrolled(List.of(next), now);
    assertThat(assigned()).hasSize(1);
  }

  /** Otherwise nobody would report it lost when its worker dies before its instance knows it. */
  @Test
  void theResultOfAnEarlierRunDoesNotTakeThePlaceOfThatOfALaterOne() {
    StepRequest first = Requests.of("a", "http");
    StepRequest second = Requests.run("a", 2);
    says(TWO, holding(second, true));
    says(ONE, holding(first, true));
    desk.request(second, now);
    says(TWO, new WorkerNews.Bye());
    assertThat(desk.effects())
        .anyMatch(
            effect -> effect instanceof DeskEffect.Lost lost && lost.run().equals(second.key()));
  }

  /** An instance has given a run up, before its worker has named it to a new desk. */
  @Test
  void aLaterRunWaitsForOneThatIsOverForItsInstanceAndStillAlive() {
    desk = opened(WorkersState.NONE.enrolled(ONE, null).opened());
    StepRequest first = Requests.of("a", "http");
    StepRequest second = Requests.run("a", 2);
    desk.request(first, now);
    desk.request(second, now);
    says(ONE, holding(first));
    desk.enrolled(List.of(ONE), now);
    desk.tick(now);
    List<DeskEffect> effects = desk.effects();
    assertThat(effects).contains(new DeskEffect.Tell(ONE, new WorkerCommand.End(0, first.key())));
    assertThat(effects).noneMatch(each -> each.toString().contains("Assign"));
    says(ONE, new WorkerNews.Revoked(first.key(), 0, WorkerNews.Revocation.LOST, null));
    effects = desk.effects();
    assertThat(effects).as("it is known").noneMatch(DeskEffect.Lost.class::isInstance);
    assertThat(effects).noneMatch(DeskEffect.Cancelled.class::isInstance);
    assertThat(effects).anyMatch(each -> each.toString().contains("Assign"));
  }

  /** Its successor may have taken the worker for dead, and given its runs to others. */
  @Test
  void aDeskGivesNothingToALifeThatTheMasterHasNotConfirmedToIt() {
    desk = opened(WorkersState.NONE.enrolled(ONE, null).opened());
    WorkerId next = new WorkerId(ONE.node(), ONE.boot(), 2);
    desk.request(Requests.of("a", "http"), now);
    says(next, new WorkerNews.Hello(1, Set.of("http"), List.of(), false, null, null));
    assertThat(desk.effects()).containsExactly(new DeskEffect.Enroll(next, 1));
    desk.enrolled(List.of(ONE), now); // late, of the life before
    assertThat(assigned()).isEmpty();
    desk.enrolled(List.of(next), now);
    assertThat(assigned()).hasSize(1);
  }

  /** The request of a run may be under way when its instance has its result already. */
  @Test
  void aSettledRunIsNotBegunByALateRequest() {
    hello(ONE, 1, "http");
    StepRequest request = Requests.of("a", "http");
    says(TWO, new WorkerNews.Hello(0, Set.of(), List.of(), false, null, null));
    says(TWO, new WorkerNews.Settled(request.key()));
    desk.request(request, now);
    assertThat(assigned()).isEmpty();
  }

  @Test
  void anEarlierRunOfASettledOneIsNotBegunByALateRequest() {
    hello(ONE, 1, "http");
    StepRequest second = Requests.run("a", 2);
    desk.request(second, now);
    ends(second);
    desk.effects();
    desk.request(Requests.of("a", "http"), now);
    assertThat(assigned()).isEmpty();
  }

  @Test
  void anEarlierRunThatIsCancelledIsNotBegunByALateRequest() {
    StepRequest first = Requests.of("a", "http");
    says(ONE, holding(Requests.run("a", 2), false));
    desk.cancel(first.key(), now);
    says(
        ONE,
        new WorkerNews.Revoked(
            Requests.run("a", 2).key(), 0, WorkerNews.Revocation.NEVER_BEGAN, null));
    desk.request(first, now); // before the second is requested of this desk
    hello(ONE, 1, "http");
    assertThat(assigned()).isEmpty();
  }

  @Test
  void aRunThatWaitsIsGivenUpWhenALaterOneOfItsStepIsCancelled() {
    StepRequest first = Requests.of("a", "http");
    desk.request(first, now);
    desk.cancel(Requests.run("a", 2).key(), now);
    hello(ONE, 1, "http");
    assertThat(assigned()).isEmpty();
  }

  @Test
  void aRunThatWaitsIsGivenUpWhenALaterOneOfItsStepIsSettled() {
    desk.request(Requests.of("a", "http"), now);
    says(TWO, new WorkerNews.Hello(0, Set.of(), List.of(), false, null, null));
    says(TWO, new WorkerNews.Settled(Requests.run("a", 2).key()));
    hello(ONE, 1, "http");
    assertThat(assigned()).isEmpty();
  }

  @Test
  void aLateRequestDoesNotTakeThePlaceOfALaterOne() {
    hello(ONE, 1, "http");
    StepRequest first = Requests.of("a", "http");
    desk.request(first, now);
    desk.request(Requests.run("a", 3), now);
    desk.request(Requests.run("a", 2), now);
    desk.effects();
    ends(first);
    assertThat(assigned()).extracting(each -> each.request().run()).containsExactly(3);
  }

  @Test
  void aResultDoesNotKeepALaterRunWaiting() {
    StepRequest first = Requests.of("a", "http");
    desk.request(Requests.run("a", 2), now);
    says(TWO, holding(first, true));
    hello(ONE, 1, "http");
    assertThat(assigned()).extracting(each -> each.request().run()).containsExactly(2);
  }
}

package io.callboard.workflows.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import io.callboard.workflows.internal.protocol.HeldRun;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.protocol.WorkerNews;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkerMachineTest {
  private static final StepRequest REQUEST = Requests.of("a", "http");
  private static final StepRunKey KEY = REQUEST.key();
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final AtomicInteger lives = new AtomicInteger();
  private final WorkerMachine worker = new WorkerMachine("one", "boot", lives::incrementAndGet, 0);
  private long now;

  @BeforeEach
  void offers() {
    worker.offer(Set.of("http", "handler:ocr@2"), 1, false, List.of());
    worker.deskStarted(7);
    news();
  }

  private List<WorkerNews> news() {
    return worker.news().map(of -> of.news()).orElse(List.of());
  }

  private void orders(long epoch, WorkerCommand.Order... orders) {
    worker.orders(WorkerCommand.Orders.to(worker.id(), epoch, List.of(orders)), now);
  }

  private void assign(long number) {
    orders(7, new WorkerCommand.Assign(number, REQUEST, null));
  }

  @Test
  void aRunBeginsOnceHoweverOftenItIsAssigned() {
    assign(1);
    assign(1);
    assertThat(worker.effects()).containsExactly(new WorkerEffect.Begin(REQUEST, null));
    assertThat(news())
        .containsExactly(new WorkerNews.Accepted(KEY, 1), new WorkerNews.Accepted(KEY, 1));
  }

  @Test
  void theLastHeartbeatGoesToTheDeskWithItsTime() {
    assign(1);
    worker.heartbeat(KEY, IntNode.valueOf(1), Instant.EPOCH.plusSeconds(1));
    worker.heartbeat(KEY, IntNode.valueOf(2), Instant.EPOCH.plusSeconds(9));
    worker.deskStarted(7);
    assertThat(news())
        .last(InstanceOfAssertFactories.type(WorkerNews.Hello.class))
        .extracting(hello -> hello.held().get(0))
        .returns(IntNode.valueOf(2), HeldRun::heartbeat)
        .returns(Instant.EPOCH.plusSeconds(9), HeldRun::heartbeatAt);
  }

  @Test
  void aResultIsReportedUntilItsInstanceKnowsIt() {
    assign(1);
    worker.effects();
    worker.over(KEY, StepOutcome.succeeded(null), now);
    worker.over(KEY, StepOutcome.failed("late"), now);
    WorkerEffect report = new WorkerEffect.Report(REQUEST, StepOutcome.succeeded(null));
    assertThat(worker.effects()).containsExactly(report);
    worker.reported(KEY, false, now);
    worker.tick(now);
    assertThat(worker.effects()).isEmpty();
    now += SECOND;
    worker.tick(now);
    assertThat(worker.effects()).containsExactly(report);
    news();
    worker.reported(KEY, true, now);
    assertThat(news()).containsExactly(new WorkerNews.Settled(KEY));
    assign(9);
    assertThat(worker.effects()).as("it is over").isEmpty();
    assertThat(news()).containsExactly(new WorkerNews.Settled(KEY));
  }

  @Test
  void aRunThatIsGivenBackBeginsOnlyByALaterAssignment() {
    orders(7, new WorkerCommand.Revoke(3, KEY));
    assertThat(news())
        .containsExactly(new WorkerNews.Revoked(KEY, 3, WorkerNews.Revocation.NEVER_BEGAN, null));
    assign(3);
    assertThat(worker.effects()).isEmpty();
    assign(4);
    assertThat(worker.effects()).containsExactly(new WorkerEffect.Begin(REQUEST, null));
  }

  @Test
  void aRunThatIsGivenBackStaysSoWhenAnEarlierOrderComesLater() {
    orders(7, new WorkerCommand.Revoke(25, KEY));
    assign(8);
    orders(7, new WorkerCommand.Revoke(8, KEY), new WorkerCommand.End(0, KEY));
    assign(25);
    assertThat(worker.effects()).isEmpty();
  }

  @Test
  void aLateOrderDoesNotChangeTheNumberOfARunThatWasBegun() {
    assign(25);
    assign(8);
    worker.effects();
    news();
    worker.notBegun(KEY, null, "its zone has no thread", now);
    assign(25);
    assertThat(worker.effects()).noneMatch(WorkerEffect.Begin.class::isInstance);
  }

  @Test
  void anEarlierDeskIsNotObeyed() {
    orders(6, new WorkerCommand.Assign(1, REQUEST, null));
    assertThat(worker.effects()).isEmpty();
    assertThat(news()).isEmpty();
  }

  @Test
  void runsBeyondTheSlotsOfTheWorkerAreGivenBack() {
    assign(1);
    StepRequest other = Requests.of("b", "http");
    orders(7, new WorkerCommand.Assign(2, other, null));
    assertThat(worker.effects()).hasSize(1);
    assertThat(news())
        .contains(new WorkerNews.Revoked(other.key(), 2, WorkerNews.Revocation.NEVER_BEGAN, null));
  }

  @Test
  void aRunOfAnUnknownHandlerIsGivenBackAndTakesNoSlot() {
    StepRequest unknown = Requests.of("b", "handler:unknown");
    orders(7, new WorkerCommand.Assign(1, unknown, null));
    assertThat(worker.effects()).isEmpty();
    assertThat(news())
        .contains(
            new WorkerNews.Revoked(unknown.key(), 1, WorkerNews.Revocation.NEVER_BEGAN, null));
    assign(2);
    assertThat(worker.effects()).containsExactly(new WorkerEffect.Begin(REQUEST, null));
  }

  @Test
  void aWorkerReportsWhenSomethingHasChangedAndAtIntervals() {
    news();
    worker.tick(now + SECOND);
    assertThat(worker.hasNews()).isFalse();
    worker.offer(Set.of("http", "handler:ocr@2"), 1, false, List.of());
    assertThat(worker.hasNews()).as("the same offer").isFalse();
    worker.tick(now + WorkerMachine.HELLO_EVERY.toNanos());
    assertThat(worker.hasNews()).isTrue();
  }

  @Test
  void aCancelledRunHasAGraceInWhichASuccessCounts() {
    assign(1);
    worker.effects();
    orders(7, new WorkerCommand.End(1, KEY));
    assertThat(worker.effects()).containsExactly(new WorkerEffect.Cancel(KEY));
    now += WorkerMachine.CANCEL_GRACE.toNanos();
    worker.tick(now);
    assertThat(worker.effects()).containsExactly(new WorkerEffect.Stop(KEY));
    worker.over(KEY, StepOutcome.succeeded(null), now);
    assertThat(worker.effects())
        .containsExactly(new WorkerEffect.Report(REQUEST, StepOutcome.succeeded(null)));
  }

  @Test
  void afterTheTimeoutOnlyTheTimeoutCounts() {
    StepRequest limited = Requests.limited("a", Duration.ofSeconds(2));
    orders(7, new WorkerCommand.Assign(1, limited, null));
    worker.effects();
    now += 2 * SECOND;
    worker.tick(now);
    assertThat(worker.effects()).containsExactly(new WorkerEffect.Cancel(KEY));
    worker.over(KEY, StepOutcome.succeeded(null), now);
    assertThat(worker.effects())
        .singleElement()
        .isInstanceOfSatisfying(
            WorkerEffect.Report.class,
            report -> assertThat(report.outcome().kind()).isEqualTo(StepOutcome.Kind.TIMEOUT));
  }

  @Test
  void aLostSessionEndsAllRunsAndBeginsAnotherLife() {
    worker.sessionLives(10 * SECOND, now);
    assign(1);
    worker.effects();
    news();
    now += 10 * SECOND;
    worker.tick(now);
    assertThat(worker.effects())
        .containsExactly(new WorkerEffect.Cancel(KEY), new WorkerEffect.Stop(KEY));
    worker.over(KEY, StepOutcome.cancelled("stopped"), now);
    assertThat(worker.effects()).as("nobody knows how it ended").isEmpty();
    assertThat(news())
        .contains(new WorkerNews.Revoked(KEY, 1, WorkerNews.Revocation.LOST, null))
        .anySatisfy(
            each ->
                assertThat(each)
                    .isInstanceOfSatisfying(
                        WorkerNews.Hello.class, hello -> assertThat(hello.slots()).isZero()));
    assertThat(worker.id().life()).isEqualTo(2);
    worker.orders(
        new WorkerCommand.Orders(
            7, 1, null, List.of(new WorkerCommand.Assign(2, Requests.of("b", "http"), null))),
        now);
    worker.sessionLives(now + 10 * SECOND, now);
    assertThat(worker.effects()).as("an order to its earlier life").isEmpty();
  }

  /** Found by a rehearsal: lives begin with 1 in each boot. */
  @Test
  void ordersToAnEarlierBootOfTheNodeAreIgnored() {
    WorkerId earlier = new WorkerId(worker.id().node(), "an earlier boot", worker.id().life());
    worker.orders(
        WorkerCommand.Orders.to(earlier, 7, List.of(new WorkerCommand.Assign(1, REQUEST, null))),
        now);
    assertThat(worker.effects()).isEmpty();
    assign(2);
    assertThat(worker.effects()).hasSize(1);
  }

  /** Found by a rehearsal: a frozen node had orders in its mailbox when it went on. */
  @Test
  void anOrderAfterTheEndOfTheSessionIsIgnored() {
    worker.sessionLives(now + SECOND, now);
    now += 20 * SECOND;
    assign(1);
    assertThat(worker.effects()).isEmpty();
    assertThat(worker.id().life()).isEqualTo(2);
  }

  private static final StepRequest AGAIN = REQUEST.sent(3, true, null);

  private void assignAgain(long number) {
    orders(7, new WorkerCommand.Assign(number, AGAIN, null));
  }

  @Test
  void aRunThatWasRequestedAgainBeginsWhenItsInstanceSaysThatItIsOpen() {
    assignAgain(1);
    assertThat(worker.effects()).containsExactly(new WorkerEffect.Ask(KEY));
    assertThat(news()).containsExactly(new WorkerNews.Accepted(KEY, 1));
    now += WorkerMachine.ASK_AGAIN.toNanos();
    worker.tick(now);
    assertThat(worker.effects()).as("no answer").containsExactly(new WorkerEffect.Ask(KEY));
    worker.asked(KEY, true, now);
    worker.asked(KEY, true, now);
    worker.asked(KEY, false, now);
    assertThat(worker.effects()).containsExactly(new WorkerEffect.Begin(AGAIN, null));
    now += WorkerMachine.ASK_AGAIN.toNanos();
    worker.tick(now);
    assertThat(worker.effects()).as("it is not asked any more").isEmpty();
  }

  @Test
  void aRunThatIsNotOpenDoesNotBeginAndItsDeskForgetsIt() {
    assignAgain(1);
    worker.effects();
    news();
    worker.asked(KEY, false, now);
    assertThat(worker.effects()).isEmpty();
    assertThat(news()).containsExactly(new WorkerNews.Settled(KEY));
    assertThat(worker.held()).isZero();
    assignAgain(2);
    assertThat(worker.effects()).as("it was settled").isEmpty();
    orders(7, new WorkerCommand.Assign(3, Requests.of("b", "http"), null));
    assertThat(worker.effects()).as("its slot is free").hasSize(1);
  }

  @Test
  void aRunWhoseInstanceDoesNotAnswerIsGivenBackAndItsSlotIsFree() {
    assignAgain(1);
    news();
    for (int asked = 1; asked < WorkerMachine.MOST_ASKS; asked++) {
      now += WorkerMachine.ASK_AGAIN.toNanos();
      worker.tick(now);
    }
    assertThat(worker.effects()).filteredOn(new WorkerEffect.Ask(KEY)::equals).hasSize(3);
    assertThat(worker.held()).isEqualTo(1);
    now += WorkerMachine.ASK_AGAIN.toNanos();
    worker.tick(now);
    String why = "its instance did not answer whether it is to run still";
    assertThat(worker.effects()).containsExactly(new WorkerEffect.Unanswered(KEY, why));
    assertThat(news())
        .contains(new WorkerNews.Revoked(KEY, 1, WorkerNews.Revocation.NEVER_BEGAN, why));
    assertThat(worker.held()).isZero();
    worker.asked(KEY, true, now);
    assertThat(worker.effects()).as("too late").isEmpty();
    orders(7, new WorkerCommand.Assign(2, Requests.of("b", "http"), null));
    assertThat(worker.effects()).as("its slot is free").hasSize(1);
  }

  @Test
  void aRunThatIsToEndBeforeItsInstanceHasAnsweredHasEnded() {
    assignAgain(1);
    worker.effects();
    orders(7, new WorkerCommand.End(1, KEY));
    assertThat(worker.effects())
        .containsExactly(new WorkerEffect.Report(AGAIN, StepOutcome.cancelled("it had not begun")));
    worker.asked(KEY, true, now);
    assertThat(worker.effects()).isEmpty();
  }

  @Test
  void aSessionThatEndsBeforeTheInstanceHasAnsweredLeavesNothing() {
    assignAgain(1);
    worker.effects();
    worker.fence(now);
    worker.asked(KEY, true, now);
    assertThat(worker.effects()).isEmpty();
    assertThat(worker.held()).isZero();
  }
}

package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.gate.BacklogView;
import io.callboard.jobs.internal.gate.GateState;
import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.BacklogStock;
import io.callboard.jobs.internal.protocol.GateAnswer;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.testkit.actor.TestedActor;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A job that is held and released at once, while its type has a backlog. */
class GateHoldTest {
  private static final String BACKLOG = TypeBacklog.path("process");
  private static final BacklogStock EMPTY =
      new BacklogStock(Collections.nCopies(10, 0), Collections.nCopies(10, 1L));

  private final TestedActor<GateCommand> gate =
      TestedActor.<GateCommand>of(Gate::new)
          .path(Gate.PATH)
          .from(
              new GateState(
                  GateState.empty().types(),
                  Map.of(),
                  Map.of(),
                  10,
                  0,
                  null,
                  Map.of("process", new BacklogView(Collections.nCopies(10, 1L), EMPTY, false))))
          .once() // the order of runs depends on the clock
          .start();

  private BacklogCommand.Withdraw withdraws() {
    return (BacklogCommand.Withdraw)
        gate.tell(new GateCommand.Withdraw("j", "process")).sentTo(BACKLOG).get(0);
  }

  private void enqueues(int runId) {
    var unused =
        gate.tell(
            new GateCommand.Enqueue(
                "j", runId, "process", 5, Instant.EPOCH, null, null, null, null));
  }

  private List<String> waitsBecause() {
    return gate
        .tell(new GateCommand.AskWhy("j", "process"))
        .answer(GateAnswer.Why.class)
        .blockedBy()
        .stream()
        .map(blocked -> blocked.kind())
        .toList();
  }

  @Test
  void aJobPulledDuringItsWithdrawalAndEnqueuedAgainStays() {
    BacklogCommand.Withdraw withdrawal = withdraws();
    var pulled =
        gate.tell(
            new GateCommand.Returned(
                "process",
                Map.of("j", new WaitingRun(1, "process", 5, Instant.EPOCH, null, null, 4)),
                EMPTY));
    assertThat(pulled.sentTo(BACKLOG)).isEmpty();
    enqueues(1);
    var unused = gate.tell(new GateCommand.NotKept("j", withdrawal.upTo()));
    assertThat(waitsBecause()).containsExactly("no-host");
  }

  @Test
  void aJobPulledDuringItsWithdrawalAndNotEnqueuedAgainIsWithdrawn() {
    BacklogCommand.Withdraw withdrawal = withdraws();
    var unused =
        gate.tell(
            new GateCommand.Returned(
                "process",
                Map.of("j", new WaitingRun(1, "process", 5, Instant.EPOCH, null, null, 4)),
                EMPTY));
    unused = gate.tell(new GateCommand.NotKept("j", withdrawal.upTo()));
    assertThat(waitsBecause()).as("if at all, it is there").containsExactly("backlog");
  }

  @Test
  void theNextRunStaysWhenThatOfTheGrantIsNotInTheBacklog() {
    BacklogCommand.Withdraw withdrawal = withdraws();
    enqueues(2);
    var unused = gate.tell(new GateCommand.NotKept("j", withdrawal.upTo()));
    assertThat(waitsBecause()).containsExactly("no-host");
  }
}

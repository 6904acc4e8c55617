package io.callboard.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.internal.commit.GroupCommit.Consequences;
import io.callboard.internal.commit.GroupCommit.Resolved;
import io.callboard.internal.commit.GroupCommit.Step;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.store.ActorRecord;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.JournalChange;
import io.callboard.store.Limits;
import io.callboard.store.Session;
import io.callboard.store.WhenFull;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GroupCommitTest {
  private final GroupCommit machine = new GroupCommit(new Session(64, 7, 100));
  private Commit sent = new Commit(0, 0, Set.of(), List.of());

  private static final ActorPath A = ActorPath.of("/a");

  private static PendingUnit ready(int n) {
    return to("/a", n);
  }

  private static PendingUnit to(String receiver, int n) {
    MessageId id = new MessageId("edge", n);
    Envelope envelope = new Envelope(id, new MessageType("m", 1), new byte[] {'{', '}'}, null);
    CommitUnit unit =
        new CommitUnit(Optional.empty(), Map.of(ActorPath.of(receiver), List.of(envelope)));
    return new PendingUnit(unit, Optional.empty(), result -> {});
  }

  private static int number(CommitUnit unit) {
    return (int) unit.outgoing().get(ActorPath.of("/a")).get(0).id().number();
  }

  private static List<Integer> numbers(Commit commit) {
    return commit.units().stream().map(GroupCommitTest::number).toList();
  }

  private Commit send() {
    sent = ((Step.Send) machine.next()).commit();
    return sent;
  }

  /** Reports the outcome of the last commit sent. */
  private Consequences outcome(CommitOutcome outcome) {
    return machine.outcome(sent, outcome);
  }

  private static CommitOutcome.Applied applied() {
    return new CommitOutcome.Applied(Map.of());
  }

  @Test
  void sendsAtOnceWhenIdleAndPacksWhatComesMeanwhile() {
    machine.submit(ready(1));
    Commit first = send();
    assertThat(numbers(first)).containsExactly(1);
    assertThat(first.number()).isEqualTo(101);
    assertThat(first.incarnation()).isEqualTo(7);
    machine.submit(ready(2));
    machine.submit(ready(3));
    assertThat(machine.next())
        .as("too little for a commit beside another")
        .isEqualTo(new Step.Wait());
    assertThat(outcome(applied()).resolved()).hasSize(1);
    Commit second = send();
    assertThat(numbers(second)).containsExactly(2, 3);
    assertThat(second.number()).isEqualTo(102);
  }

  @Test
  void dropsOnlyTheCulpritAndKeepsTheOrderOfTheOthers() {
    for (int i = 1; i <= 4; i++) {
      machine.submit(ready(i));
    }
    send();
    machine.submit(ready(5));
    Consequences refused = outcome(new CommitOutcome.Refused(1, Reason.STALE, "/a"));
    assertThat(refused.resolved())
        .singleElement()
        .satisfies(r -> assertThat(number(r.pending().unit())).isEqualTo(2))
        .satisfies(r -> assertThat(r.result()).isEqualTo(new Result.Failed(Reason.STALE, "/a")));
    Commit again = send();
    assertThat(numbers(again)).containsExactly(1, 3, 4, 5);
    assertThat(again.number()).as("nothing was applied").isEqualTo(101);
  }

  @Test
  void theUnitsForADamagedMailboxFailAndNameIt() {
    ActorPath receiver = ActorPath.of("/a");
    machine.submit(ready(1));
    send();
    Consequences refused = outcome(CommitOutcome.Refused.corrupt(0, receiver, "broken"));
    String why = "the mailbox of /a cannot be read: broken";
    assertThat(refused.resolved())
        .extracting(GroupCommit.Resolved::result)
        .containsExactly(new Result.Failed(Reason.CORRUPT, why, Optional.of(receiver)));
    for (Reason reason : List.of(Reason.CORRUPT, Reason.DENIED)) {
      machine.submit(ready(2));
      send();
      outcome(new CommitOutcome.Refused(0, Reason.NO_MAILBOX, "/a"));
      assertThat(machine.next()).isInstanceOf(Step.Create.class);
      assertThat(machine.cannotCreate(reason, "why").resolved())
          .extracting(GroupCommit.Resolved::result)
          .containsExactly(new Result.Failed(reason, "why", Optional.of(receiver)));
    }
  }

  /** A commit that cannot be made ready names no unit: it is divided until one is left. */
  @Test
  void aUnitThatCannotBeSentFailsAlone() {
    for (int i = 1; i <= 4; i++) {
      machine.submit(ready(i));
    }
    Set<Integer> applied = new HashSet<>();
    List<Resolved> failed = new ArrayList<>();
    while (applied.size() + failed.size() < 4) {
      Commit next = send();
      Consequences then =
          outcome(
              numbers(next).contains(3)
                  ? new CommitOutcome.Refused(-1, Reason.UNSENDABLE, "no")
                  : applied());
      for (Resolved resolved : then.resolved()) {
        if (resolved.result() instanceof Result.Committed) {
          applied.add(number(resolved.pending().unit()));
        } else {
          failed.add(resolved);
        }
      }
    }
    assertThat(applied).containsExactlyInAnyOrder(1, 2, 4);
    assertThat(failed)
        .singleElement()
        .satisfies(r -> assertThat(number(r.pending().unit())).isEqualTo(3))
        .satisfies(
            r -> assertThat(r.result()).isEqualTo(new Result.Failed(Reason.UNSENDABLE, "no")));
  }

  @Test
  void messagesBehindOneThatFoundNoRoomComeBackWithItInTheirOrder() {
    machine.submit(ready(1));
    send();
    machine.submit(ready(2));
    machine.submit(ready(3));
    Consequences full = outcome(new CommitOutcome.Refused(0, Reason.FULL, "/a", WhenFull.PARK));
    assertThat(full.resolved())
        .extracting(GroupCommit.Resolved::result)
        .containsOnly(new PendingUnit.Result.Full(ActorPath.of("/a"), WhenFull.PARK));
    assertThat(full.resolved())
        .extracting(resolved -> resolved.pending().unit().outgoing().get(ActorPath.of("/a")).get(0))
        .extracting(envelope -> envelope.id().number())
        .containsExactly(1L, 2L, 3L);
    assertThat(machine.waiting()).isZero();
  }

  @Test
  void turnsThatSendToAFullMailboxComeBackTogetherAndThoseOfItsReceiverGoOn() {
    machine.submit(turn("/x", "/a", 1));
    machine.submit(turn("/y", "/a", 2));
    machine.submit(turn("/a", "/a", 3));
    machine.submit(turn("/z", "/b", 4));
    send();
    Consequences full = outcome(new CommitOutcome.Refused(0, Reason.FULL, "/a", WhenFull.WAIT));
    assertThat(full.resolved())
        .extracting(GroupCommit.Resolved::result)
        .containsOnly(new Result.Full(A, WhenFull.WAIT));
    assertThat(full.resolved())
        .extracting(resolved -> resolved.pending().unit().write().orElseThrow().actor())
        .containsExactly(ActorPath.of("/x"), ActorPath.of("/y"));
    assertThat(send().units())
        .extracting(unit -> unit.write().orElseThrow().actor())
        .containsExactly(A, ActorPath.of("/z"));
  }

  @ParameterizedTest
  @EnumSource(names = {"DROP", "REJECT"})
  void turnsBehindWhatMayMakeRoomAreNotRefusedUntried(WhenFull whenFull) {
    machine.submit(turn("/x", "/a", 1));
    machine.submit(turn("/w", "/a", 2));
    machine.submit(turn("/a", "/b", 3));
    machine.submit(turn("/y", "/a", 4));
    send();
    Consequences full = outcome(new CommitOutcome.Refused(0, Reason.FULL, "/a", whenFull));
    assertThat(full.resolved())
        .extracting(resolved -> resolved.pending().unit().write().orElseThrow().actor())
        .containsExactly(ActorPath.of("/x"), ActorPath.of("/w"));
    assertThat(send().units())
        .extracting(unit -> unit.write().orElseThrow().actor())
        .containsExactly(A, ActorPath.of("/y"));
  }

  /** A unit of an actor's turn that sends one message. */
  private static PendingUnit turn(String actor, String receiver, int n) {
    Write write =
        new Write(
            ActorPath.of(actor),
            n,
            ActorRecord.EMPTY,
            List.of(),
            JournalChange.NONE,
            Map.of(),
            null);
    CommitUnit unit = new CommitUnit(Optional.of(write), to(receiver, n).unit().outgoing());
    return new PendingUnit(unit, Optional.empty(), result -> {});
  }

  @Test
  void aCommitBehindAnUnknownOutcomeMayBeAppliedAllTheSame() {
    machine.submit(ready(1));
    Commit first = send();
    for (int i = 2; i <= Limits.COMMIT_OPERATIONS + 1; i++) {
      machine.submit(ready(i));
    }
    Commit second = send();
    CommitOutcome unknown = new CommitOutcome.Unknown(new Exception("its answer was lost"));
    assertThat(machine.outcome(first, unknown).resolved()).isEmpty();
    assertThat(machine.next()).as("until all have landed").isEqualTo(new Step.Wait());
    assertThat(machine.outcome(second, applied()).resolved()).isEmpty();
    assertThat(machine.next()).isEqualTo(new Step.Renew());
    List<Resolved> resolved = machine.renewed(new Session(64, 8, second.number())).resolved();
    assertThat(resolved).hasSize(1 + second.units().size());
    assertThat(resolved).extracting(Resolved::result).containsOnly(new Result.Committed());
  }

  @Test
  void afterAnUnknownOutcomeTheStoreTellsWhetherToSendAgain() {
    machine.submit(ready(1));
    send();
    assertThat(outcome(new CommitOutcome.Unknown(new Exception())).resolved()).isEmpty();
    assertThat(machine.next()).isEqualTo(new Step.Renew());
    assertThat(machine.next()).as("renewing").isEqualTo(new Step.Wait());
    assertThat(machine.renewed(new Session(64, 8, 100)).resolved()).as("not applied").isEmpty();
    Commit again = send();
    assertThat(again.incarnation()).isEqualTo(8);
    assertThat(again.number()).isEqualTo(101);

    outcome(new CommitOutcome.Unknown(new Exception()));
    machine.next();
    List<Resolved> resolved = machine.renewed(new Session(64, 9, 101)).resolved();
    assertThat(resolved).as("applied").singleElement();
    assertThat(resolved.get(0).result()).isEqualTo(new Result.Committed());
    assertThat(machine.next()).isEqualTo(new Step.Wait());
  }

  @Test
  void refusesACommitNumberThatSomebodyElseWrote() {
    machine.submit(ready(1));
    send();
    outcome(new CommitOutcome.Unknown(new Exception()));
    machine.next();
    assertThatThrownBy(() -> machine.renewed(new Session(64, 8, 105)))
        .hasMessageContaining("another process has its name");
  }

  @Test
  void makesAMissingMailboxAndSendsTheSameAgain() {
    machine.submit(ready(1));
    machine.submit(ready(2));
    send();
    outcome(new CommitOutcome.Refused(0, Reason.NO_MAILBOX, "/a"));
    assertThat(machine.next()).isEqualTo(new Step.Create(ActorPath.of("/a"), Set.of()));
    machine.created();
    assertThat(numbers(send())).containsExactly(1, 2);
  }

  @Test
  void halvesWhatIsTooLargeUntilTheCulpritIsAlone() {
    for (int i = 1; i <= 5; i++) {
      machine.submit(ready(i));
    }
    CommitOutcome tooLarge = new CommitOutcome.Refused(0, Reason.TOO_LARGE, "big");
    assertThat(numbers(send())).hasSize(5);
    outcome(tooLarge);
    assertThat(numbers(send())).containsExactly(1, 2);
    outcome(tooLarge);
    assertThat(numbers(send())).containsExactly(1);
    assertThat(outcome(tooLarge).resolved()).hasSize(1);
    assertThat(numbers(send())).containsExactly(2);
  }

  @Test
  void sendsAFullCommitBesideOthersUpToTheWindow() {
    machine.submit(ready(1));
    Commit first = send();
    fill(2);
    Commit second = send();
    assertThat(second.number()).isEqualTo(102);
    assertThat(second.units()).hasSizeGreaterThan(100);
    fill(10_000);
    send();
    fill(20_000);
    send();
    fill(30_000);
    assertThat(machine.next()).as("the window is full").isEqualTo(new Step.Wait());
    assertThat(machine.outcome(first, applied()).resolved()).hasSize(1);
    assertThat(send().number()).isEqualTo(105);
  }

  private void fill(int from) {
    for (int i = 0; i < Limits.COMMIT_OPERATIONS; i++) {
      machine.submit(ready(from + i));
    }
  }

  @Test
  void waitsForEveryCommitUnderWayBeforeItSendsAgain() {
    machine.submit(ready(1));
    Commit first = send();
    fill(2);
    Commit second = send();
    Consequences none = machine.outcome(first, new CommitOutcome.Refused(-1, Reason.AGAIN, "x"));
    assertThat(none.resolved()).isEmpty();
    assertThat(machine.next()).as("the second is under way").isEqualTo(new Step.Wait());
    machine.outcome(second, new CommitOutcome.Refused(-1, Reason.AGAIN, "x"));
    Commit again = send();
    assertThat(again.number()).isEqualTo(101);
    assertThat(numbers(again)).startsWith(1, 2, 3);
  }

  @Test
  void messagesThatComeMeanwhileToTheSameMailboxGoTogetherAfterIt() {
    machine.submit(ready(1));
    send();
    machine.submit(ready(2));
    machine.submit(ready(3));
    machine.submit(to("/b", 4));
    assertThat(machine.waiting()).isEqualTo(4);
    assertThat(machine.next()).as("not well filled").isEqualTo(new Step.Wait());
    assertThat(outcome(applied()).resolved()).hasSize(1);
    Commit next = send();
    assertThat(next.units()).hasSize(3);
    assertThat(next.units().stream().filter(each -> each.outgoing().containsKey(A)))
        .extracting(GroupCommitTest::number)
        .containsExactly(2, 3);
  }

  @Test
  void noUnitWaitsForMoreThanOneCommit() {
    machine.submit(ready(1));
    Commit first = send();
    fill(2); // well filled: it goes beside the first
    Commit second = send();
    machine.submit(ready(10_000));
    assertThat(machine.outcome(first, applied()).resolved()).hasSize(1);
    assertThat(machine.next()).as("it may go with what comes").isInstanceOf(Step.Wait.class);
    assertThat(machine.outcome(second, applied()).resolved()).isNotEmpty();
    assertThat(numbers(send())).contains(10_000);
  }

  @Test
  void gatheredMessagesStayInTheirOrderWhenACommitIsSentAgain() {
    machine.submit(ready(1));
    Commit first = send();
    for (int i = 2; i <= 20; i++) {
      machine.submit(ready(i));
    }
    machine.outcome(first, new CommitOutcome.Refused(-1, Reason.AGAIN, "x"));
    machine.submit(ready(21));
    assertThat(numbers(send()))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 21).boxed().toList());
  }

  @Test
  void aUnitToSeveralMailboxesOvertakesNoGatheredMessage() {
    machine.submit(ready(1));
    send();
    machine.submit(ready(2));
    List<Envelope> both = ready(3).unit().outgoing().get(A);
    CommitUnit several =
        new CommitUnit(Optional.empty(), Map.of(A, both, ActorPath.of("/b"), both));
    machine.submit(new PendingUnit(several, Optional.empty(), result -> {}));
    outcome(applied());
    assertThat(numbers(send())).containsExactly(2, 3);
  }

  @Test
  void sendersOfGatheredMessagesAreToldThatThereIsNoRoom() {
    machine.submit(ready(1));
    send();
    machine.submit(ready(2));
    Consequences full = outcome(new CommitOutcome.Refused(0, Reason.FULL, "/a", WhenFull.WAIT));
    assertThat(full.resolved()).hasSize(2);
    assertThat(machine.waiting()).isZero();
  }

  @Test
  void gatheredMessagesAreHandedBackAtTheEnd() {
    machine.submit(ready(1));
    send();
    machine.submit(ready(2));
    GroupCommit.Left left = machine.close();
    assertThat(left.underWay()).hasSize(1);
    assertThat(left.waiting()).hasSize(1);
  }

  @Test
  void tellsTheReceiversWhereTheirMailIs() {
    machine.submit(ready(1));
    machine.submit(ready(2));
    send();
    assertThat(machine.isSendingTo(ActorPath.of("/a"))).isTrue();
    ActorPath receiver = ActorPath.of("/a");
    Consequences landed = outcome(new CommitOutcome.Applied(Map.of(receiver, 17L)));
    assertThat(landed.delivered())
        .singleElement()
        .satisfies(mail -> assertThat(mail.sequence()).isEqualTo(17))
        .satisfies(mail -> assertThat(mail.mail()).hasSize(2));
    assertThat(machine.isSendingTo(receiver)).isFalse();
  }
}

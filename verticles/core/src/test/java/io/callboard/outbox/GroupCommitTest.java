package io.callboard.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.outbox.GroupCommit.Consequences;
import io.callboard.outbox.GroupCommit.Resolved;
import io.callboard.outbox.GroupCommit.Step;
import io.callboard.outbox.Ready.Result;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
  private final GroupCommit machine = new GroupCommit(new Session(64, 7, 100));

  private static Ready ready(int n, boolean waits) {
    MessageId id = new MessageId("edge", n);
    Envelope envelope =
        new Envelope(id, new MessageType("m", 1), JsonNodeFactory.instance.objectNode(), null);
    CommitUnit unit =
        new CommitUnit(Optional.empty(), Map.of(ActorPath.of("/a"), List.of(envelope)));
    return new Ready(unit, Optional.empty(), waits, result -> {});
  }

  private static int number(CommitUnit unit) {
    return (int) unit.outgoing().get(ActorPath.of("/a")).get(0).id().number();
  }

  private static List<Integer> numbers(Commit commit) {
    return commit.units().stream().map(GroupCommitTest::number).toList();
  }

  private Commit send() {
    return ((Step.Send) machine.next()).commit();
  }

  @Test
  void sendsAtOnceWhenIdleAndPacksWhatComesMeanwhile() {
    machine.submit(ready(1, false));
    Commit first = send();
    assertThat(numbers(first)).containsExactly(1);
    assertThat(first.number()).isEqualTo(101);
    assertThat(first.incarnation()).isEqualTo(7);
    machine.submit(ready(2, false));
    machine.submit(ready(3, false));
    assertThat(machine.next()).as("one in flight").isEqualTo(new Step.Wait());
    assertThat(machine.outcome(new CommitOutcome.Applied()).resolved()).hasSize(1);
    Commit second = send();
    assertThat(numbers(second)).containsExactly(2, 3);
    assertThat(second.number()).isEqualTo(102);
  }

  @Test
  void dropsOnlyTheCulpritAndKeepsTheOrderOfTheOthers() {
    for (int i = 1; i <= 4; i++) {
      machine.submit(ready(i, false));
    }
    send();
    machine.submit(ready(5, false));
    Consequences refused = machine.outcome(new CommitOutcome.Refused(1, Reason.STALE, "/a"));
    assertThat(refused.resolved())
        .singleElement()
        .satisfies(r -> assertThat(number(r.ready().unit())).isEqualTo(2))
        .satisfies(r -> assertThat(r.result()).isEqualTo(new Result.Failed(Reason.STALE, "/a")));
    Commit again = send();
    assertThat(numbers(again)).containsExactly(1, 3, 4, 5);
    assertThat(again.number()).as("nothing was applied").isEqualTo(101);
  }

  @Test
  void holdsBackAPatientUnitWhoseReceiverIsFullAndFailsAnImpatientOne() {
    machine.submit(ready(1, true));
    send();
    Consequences patient = machine.outcome(new CommitOutcome.Refused(0, Reason.FULL, "/a"));
    assertThat(patient.heldBack()).hasSize(1);
    assertThat(patient.resolved()).isEmpty();
    machine.submit(ready(2, false));
    send();
    assertThat(machine.outcome(new CommitOutcome.Refused(0, Reason.FULL, "/a")).resolved())
        .hasSize(1);
  }

  @Test
  void afterAnUnknownOutcomeTheStoreTellsWhetherToSendAgain() {
    machine.submit(ready(1, false));
    send();
    assertThat(machine.outcome(new CommitOutcome.Unknown(new Exception())).resolved()).isEmpty();
    assertThat(machine.next()).isEqualTo(new Step.Renew());
    assertThat(machine.next()).as("renewing").isEqualTo(new Step.Wait());
    assertThat(machine.renewed(new Session(64, 8, 100)).resolved()).as("not applied").isEmpty();
    Commit again = send();
    assertThat(again.incarnation()).isEqualTo(8);
    assertThat(again.number()).isEqualTo(101);

    machine.outcome(new CommitOutcome.Unknown(new Exception()));
    machine.next();
    List<Resolved> resolved = machine.renewed(new Session(64, 9, 101)).resolved();
    assertThat(resolved).as("applied").singleElement();
    assertThat(resolved.get(0).result()).isEqualTo(new Result.Committed());
    assertThat(machine.next()).isEqualTo(new Step.Wait());
  }

  @Test
  void refusesACommitNumberThatSomebodyElseWrote() {
    machine.submit(ready(1, false));
    send();
    machine.outcome(new CommitOutcome.Unknown(new Exception()));
    machine.next();
    assertThatThrownBy(() -> machine.renewed(new Session(64, 8, 105)))
        .hasMessageContaining("another process has its name");
  }

  @Test
  void makesAMissingMailboxAndSendsTheSameAgain() {
    machine.submit(ready(1, false));
    machine.submit(ready(2, false));
    send();
    machine.outcome(new CommitOutcome.Refused(0, Reason.NO_MAILBOX, "/a"));
    assertThat(machine.next()).isEqualTo(new Step.Create(ActorPath.of("/a")));
    machine.created();
    assertThat(numbers(send())).containsExactly(1, 2);
  }

  @Test
  void halvesWhatIsTooLargeUntilTheCulpritIsAlone() {
    for (int i = 1; i <= 5; i++) {
      machine.submit(ready(i, false));
    }
    CommitOutcome tooLarge = new CommitOutcome.Refused(0, Reason.TOO_LARGE, "big");
    assertThat(numbers(send())).hasSize(5);
    machine.outcome(tooLarge);
    assertThat(numbers(send())).containsExactly(1, 2);
    machine.outcome(tooLarge);
    assertThat(numbers(send())).containsExactly(1);
    assertThat(machine.outcome(tooLarge).resolved()).hasSize(1);
    assertThat(numbers(send())).containsExactly(2);
  }

  /** Whatever the store answers, each unit is committed exactly once, in order, or failed once. */
  @Test
  void neverLosesNorRepeatsAUnit() {
    for (long seed = 0; seed < 500; seed++) {
      world(seed);
    }
  }

  private static void world(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long stored = 0;
    long incarnation = 1;
    GroupCommit group = new GroupCommit(new Session(64, incarnation, stored));
    List<Integer> applied = new ArrayList<>();
    Map<Integer, Result> told = new HashMap<>();
    int submitted = 0;
    for (int step = 0; step < 300 || group.waiting() > 0; step++) {
      boolean quiet = step >= 300;
      if (!quiet && random.nextInt(3) == 0) {
        group.submit(ready(++submitted, false));
      }
      Step next = group.next();
      Consequences consequences = new Consequences(List.of(), List.of());
      if (next instanceof Step.Send send) {
        Commit commit = send.commit();
        assertThat(commit.number()).as("seed %d", seed).isEqualTo(stored + 1);
        assertThat(commit.incarnation()).isEqualTo(incarnation);
        int fate = quiet ? 0 : random.nextInt(6);
        if (fate <= 2) {
          applied.addAll(numbers(commit));
          stored++;
          consequences = group.outcome(new CommitOutcome.Applied());
        } else if (fate == 3) {
          applied.addAll(numbers(commit));
          stored++;
          consequences = group.outcome(new CommitOutcome.Unknown(new Exception()));
        } else if (fate == 4) {
          consequences = group.outcome(new CommitOutcome.Unknown(new Exception()));
        } else {
          int culprit = random.nextInt(commit.units().size());
          consequences = group.outcome(new CommitOutcome.Refused(culprit, Reason.STALE, "x"));
        }
      } else if (next instanceof Step.Renew) {
        consequences = group.renewed(new Session(64, ++incarnation, stored));
      }
      for (Resolved resolved : consequences.resolved()) {
        Result before = told.put(number(resolved.ready().unit()), resolved.result());
        assertThat(before).as("told once, seed %d", seed).isNull();
      }
    }
    assertThat(applied).as("seed %d", seed).isSorted().doesNotHaveDuplicates();
    assertThat(told).as("seed %d", seed).hasSize(submitted);
    told.forEach(
        (n, result) ->
            assertThat(result instanceof Result.Committed)
                .as("unit %d, seed %d", n, seed)
                .isEqualTo(applied.contains(n)));
  }
}

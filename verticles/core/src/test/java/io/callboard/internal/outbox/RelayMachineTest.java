package io.callboard.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.feed.Feeds;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.internal.outbox.RelayMachine.Outcome;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.JournalChange;
import io.callboard.store.WhenFull;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RelayMachineTest {
  private static final ActorPath ME = ActorPath.of("/space/me");
  private static final ActorPath A = ActorPath.of("/space/a");
  private static final ActorPath B = ActorPath.of("/space/b");
  private static final long LATER = 10 * RelayMachine.PATIENCE_NANOS;

  private final Outbox outbox = new Outbox(() -> 0, new TestDeliveries(() -> 0).machine());
  private boolean mayBeFull;
  private final RelayMachine dispatch =
      new RelayMachine(ME, outbox, () -> mayBeFull, failures -> 100);

  private static CommitUnit unit(ActorPath... receivers) {
    Map<ActorPath, List<Envelope>> mail = new LinkedHashMap<>();
    byte[] body = {'1'};
    for (ActorPath receiver : receivers) {
      MessageId id = new MessageId(ME.toString(), mail.size());
      mail.put(receiver, List.of(new Envelope(id, new MessageType("m", 1), body, null)));
    }
    Write write =
        new Write(ME, 0, ActorRecord.EMPTY, List.of(), JournalChange.NONE, Map.of(), null);
    return new CommitUnit(Optional.of(write), mail);
  }

  private CommitUnit next(int version, long now) {
    CommitUnit next = dispatch.next(ActorRecord.EMPTY, version, now);
    assertThat(next).isNotNull();
    return next;
  }

  private Outcome full(ActorPath receiver, WhenFull wish, long now) {
    return dispatch.result(new Result.Full(receiver, wish), now);
  }

  @Test
  void aUnitIsWrittenOverTheVersionThatIsThereWhenItLeaves() {
    dispatch.post(unit(A), 0);
    assertThat(next(7, 0).write().orElseThrow().expectedVersion()).isEqualTo(7);
    assertThat(dispatch.next(ActorRecord.EMPTY, 7, 0)).as("one at a time").isNull();
    assertThat(dispatch.result(new Result.Committed(), 0)).isEqualTo(new Outcome.Posted(Map.of()));
  }

  @Test
  void noUnitTakesThePlaceOfOneWhoseOutcomeIsOpen() {
    dispatch.post(unit(A), 0);
    CommitUnit first = next(0, 0);
    assertThatThrownBy(() -> dispatch.post(unit(B), 0)).isInstanceOf(IllegalStateException.class);
    assertThat(first.outgoing()).containsOnlyKeys(A);
    assertThat(dispatch.result(new Result.Committed(), 0)).isEqualTo(new Outcome.Posted(Map.of()));
    dispatch.post(unit(B), 0);
    assertThat(next(1, 0).outgoing()).containsOnlyKeys(B);
  }

  @Test
  void aRelayWaitsAsLongAsTheReceiverWishes() {
    dispatch.post(unit(A), 0);
    CommitUnit first = next(0, 0);
    assertThat(full(A, WhenFull.WAIT, 0)).isEqualTo(new Outcome.GoOn());
    assertThat(dispatch.next(ActorRecord.EMPTY, 0, 99)).isNull();
    assertThat(dispatch.waitNanos(40)).isEqualTo(60);
    assertThat(next(0, 100)).isEqualTo(first);
    assertThat(full(A, WhenFull.WAIT, LATER)).isEqualTo(new Outcome.GoOn());
    assertThat(next(0, LATER + 100)).isEqualTo(first);
  }

  @Test
  void anActorThatMayBeFullItselfGoesOn() {
    mayBeFull = true;
    dispatch.post(unit(A, B), 0);
    CommitUnit unused = next(0, 0);
    Outcome patient = full(A, WhenFull.WAIT, RelayMachine.PATIENCE_NANOS - 1);
    assertThat(patient).isEqualTo(new Outcome.GoOn());
    unused = next(0, LATER);
    Outcome impatient = full(A, WhenFull.WAIT, LATER);
    assertThat(impatient).isEqualTo(new Outcome.GoOn());
    CommitUnit spilled = next(0, LATER);
    assertThat(spilled.outgoing()).containsOnlyKeys(B);
    assertThat(spilled.write().orElseThrow().outbox().made()).hasSize(1);
    assertThat(dispatch.result(new Result.Committed(), LATER)).isInstanceOf(Outcome.Posted.class);
    assertThat(outbox.holds(A)).isTrue();
  }

  /** Messages to a feed belong to the commit, wherever the feed stands among many receivers. */
  @Test
  void aFeedIsWaitedForAndNeverLeftForLater() {
    ActorPath feed = Feeds.path("sold");
    ActorPath[] many = new ActorPath[RelayMachine.MOST_RECEIVERS + 2];
    for (int i = 0; i < many.length - 1; i++) {
      many[i] = ActorPath.of("/space/r" + i);
    }
    many[many.length - 1] = feed;
    mayBeFull = true;
    dispatch.post(unit(many), 0);
    assertThat(next(0, 0).outgoing()).containsKey(feed);
    for (WhenFull wish : List.of(WhenFull.WAIT, WhenFull.PARK)) {
      assertThat(full(feed, wish, LATER)).isEqualTo(new Outcome.GoOn());
      assertThat(next(0, LATER + 100).outgoing()).containsKey(feed);
    }
  }

  @Test
  void betweenUnitsTheOutboxIsRelayed() {
    dispatch.post(unit(A), 0);
    CommitUnit unused = next(0, 0);
    Outcome parked = full(A, WhenFull.PARK, 0);
    assertThat(parked).isEqualTo(new Outcome.GoOn());
    unused = next(0, 0);
    assertThat(dispatch.result(new Result.Committed(), 0)).isInstanceOf(Outcome.Posted.class);
    dispatch.post(unit(A, B), 0);
    CommitUnit relay = next(1, 0);
    assertThat(relay.outgoing()).containsOnlyKeys(A);
    assertThat(relay.write().orElseThrow().outbox().gone()).containsExactly(1L);
    assertThat(full(A, WhenFull.REJECT, 0)).as("it is accepted").isEqualTo(new Outcome.GoOn());
    CommitUnit behind = next(1, 0);
    assertThat(behind.outgoing()).as("not before what waits").containsOnlyKeys(B);
    assertThat(dispatch.result(new Result.Committed(), 0)).isInstanceOf(Outcome.Posted.class);
    relay = next(2, 100);
    assertThat(relay.outgoing().get(A)).hasSize(2);
    assertThat(dispatch.result(new Result.Committed(), 0)).isEqualTo(new Outcome.Relayed());
    assertThat(outbox.isEmpty()).isTrue();
  }

  @Test
  void aMessageThatTheReceiverDoesNotWantIsRefusedOrDropped() {
    dispatch.post(unit(A, B), 0);
    CommitUnit unused = next(0, 0);
    assertThat(full(A, WhenFull.DROP, 0)).isEqualTo(new Outcome.GoOn());
    assertThat(next(0, 0).outgoing()).containsOnlyKeys(B);
    assertThat(dispatch.result(new Result.Committed(), 0))
        .isInstanceOfSatisfying(
            Outcome.Posted.class, posted -> assertThat(posted.dropped()).containsOnlyKeys(A));
    dispatch.post(unit(A), 0);
    unused = next(1, 0);
    assertThat(full(A, WhenFull.REJECT, 0))
        .isInstanceOfSatisfying(
            Outcome.Failed.class, failed -> assertThat(failed.full()).contains(A));
  }

  @Test
  void receiversBeyondWhatOneCommitServesAreRelayed() {
    ActorPath[] many = new ActorPath[RelayMachine.MOST_RECEIVERS + 300];
    for (int i = 0; i < many.length; i++) {
      many[i] = ActorPath.of("/space/r" + i);
    }
    dispatch.post(unit(many), 0);
    CommitUnit unit = next(0, 0);
    assertThat(unit.outgoing()).hasSize(RelayMachine.MOST_RECEIVERS);
    assertThat(dispatch.result(new Result.Committed(), 0)).isInstanceOf(Outcome.Posted.class);
    int relayed = 0;
    for (int version = 1; !outbox.isEmpty(); version++) {
      relayed += next(version, 0).outgoing().size();
      assertThat(dispatch.result(new Result.Committed(), 0)).isEqualTo(new Outcome.Relayed());
    }
    assertThat(relayed).isEqualTo(300);
  }

  @Test
  void aUnitThatTheOutboxHasNoRoomForWaitsForTheRelay() {
    List<Envelope> lots = new ArrayList<>();
    unit(A)
        .outgoing()
        .get(A)
        .forEach(
            each -> {
              for (int i = 0; i < Outbox.MOST_MESSAGES; i++) {
                lots.add(each);
              }
            });
    outbox.made(Map.of(A, lots), 0);
    dispatch.post(unit(A), 0);
    CommitUnit relay = next(0, 0);
    assertThat(relay.write().orElseThrow().outbox().gone()).isNotEmpty();
    assertThat(full(A, WhenFull.WAIT, 0)).isEqualTo(new Outcome.GoOn());
    assertThat(dispatch.next(ActorRecord.EMPTY, 0, 50)).isNull();
    relay = next(0, 100);
    assertThat(dispatch.result(new Result.Committed(), 100)).isEqualTo(new Outcome.Relayed());
    assertThat(next(1, 100).write().orElseThrow().outbox().made()).hasSize(1);
  }

  @Test
  void aRelayThatIsRefusedSaysNothingOfTheUnitBehindIt() {
    outbox.made(unit(A).outgoing(), 0);
    dispatch.post(unit(A, B), 0);
    CommitUnit posted = next(0, 0);
    assertThat(posted.outgoing()).containsOnlyKeys(B);
    assertThat(dispatch.result(new Result.Committed(), 0)).isInstanceOf(Outcome.Posted.class);
    dispatch.post(unit(B), 0);
    CommitUnit relay = next(1, 0);
    assertThat(relay.outgoing()).containsOnlyKeys(A);
    Result stale = new Result.Failed(Reason.STALE, "another version");
    assertThat(dispatch.result(stale, 0)).isEqualTo(new Outcome.NotRelayed(stale));
    assertThat(outbox.holds(A)).isTrue();
    assertThat(dispatch.giveUp()).as("the unit still waits").isTrue();
  }

  private static Result damaged(ActorPath receiver) {
    return new Result.Failed(Reason.CORRUPT, "damage of " + receiver, Optional.of(receiver));
  }

  @Test
  void aMailboxThatCannotBeReadHoldsUpItsLaneAlone() {
    outbox.made(unit(A, B).outgoing(), 0);
    assertThat(next(0, 0).outgoing()).containsOnlyKeys(A, B);
    assertThat(dispatch.result(damaged(A), 0)).isEqualTo(new Outcome.Stuck(A, "damage of " + A));
    assertThat(next(0, 0).outgoing()).containsOnlyKeys(B);
    assertThat(dispatch.result(new Result.Committed(), 0)).isEqualTo(new Outcome.Relayed());
    long pause = Outbox.STUCK_PAUSES * 100;
    assertThat(dispatch.waitNanos(0)).isEqualTo(pause);
    assertThat(next(1, pause).outgoing()).containsOnlyKeys(A);
    assertThat(dispatch.result(damaged(A), pause)).as("no news").isEqualTo(new Outcome.GoOn());
    assertThat(next(1, 2 * pause).outgoing()).containsOnlyKeys(A);
    assertThat(dispatch.result(new Result.Committed(), 2 * pause)).isEqualTo(new Outcome.Relayed());
    assertThat(outbox.isEmpty()).isTrue();
  }

  /** Access is denied to one mailbox, or the body of a message to it is gone. */
  @Test
  void aReceiverThatCannotBeReachedHoldsUpItsLaneAlone() {
    for (Reason reason : List.of(Reason.DENIED, Reason.STALE)) {
      outbox.made(unit(A, B).outgoing(), 0);
      assertThat(next(0, 0).outgoing()).containsOnlyKeys(A, B);
      Result refused = new Result.Failed(reason, "not to a", Optional.of(A));
      assertThat(dispatch.result(refused, 0)).isEqualTo(new Outcome.Stuck(A, "not to a"));
      assertThat(next(0, 0).outgoing()).containsOnlyKeys(B);
      assertThat(dispatch.result(new Result.Committed(), 0)).isEqualTo(new Outcome.Relayed());
      long later = Outbox.STUCK_PAUSES * 100;
      assertThat(next(1, later).outgoing()).containsOnlyKeys(A);
      assertThat(dispatch.result(new Result.Committed(), later)).isEqualTo(new Outcome.Relayed());
    }
  }

  @Test
  void aMessageToItselfWhoseBodyIsGoneHoldsUpItsLaneAlone() {
    outbox.made(unit(ME, B).outgoing(), 0);
    assertThat(next(0, 0).outgoing()).containsOnlyKeys(ME, B);
    Result gone = new Result.Failed(Reason.STALE, "the blob is gone", Optional.of(ME));
    assertThat(dispatch.result(gone, 0)).isEqualTo(new Outcome.Stuck(ME, "the blob is gone"));
    assertThat(next(0, 0).outgoing()).containsOnlyKeys(B);
  }

  /** The turn is committed; a turn whose own blob has gone meanwhile is made again with another. */
  @Test
  void aMessageToAMailboxThatCannotBeReachedStaysInTheOutbox() {
    for (Reason reason : List.of(Reason.CORRUPT, Reason.DENIED)) {
      dispatch.post(unit(A, B), 0);
      assertThat(next(0, 0).outgoing()).containsOnlyKeys(A, B);
      Result refused = new Result.Failed(reason, "not to a", Optional.of(A));
      assertThat(dispatch.result(refused, 0)).isEqualTo(new Outcome.Stuck(A, "not to a"));
      assertThat(next(0, 0).outgoing()).containsOnlyKeys(B);
      assertThat(dispatch.result(new Result.Committed(), 0)).isInstanceOf(Outcome.Posted.class);
      assertThat(dispatch.next(ActorRecord.EMPTY, 1, 0)).as("it is tried much later").isNull();
      long later = Outbox.STUCK_PAUSES * 100;
      assertThat(next(1, later).outgoing()).containsOnlyKeys(A);
      assertThat(dispatch.result(new Result.Committed(), later)).isEqualTo(new Outcome.Relayed());
    }
    dispatch.post(unit(A), 0);
    assertThat(next(0, 0).outgoing()).containsOnlyKeys(A);
    Result gone = new Result.Failed(Reason.STALE, "the blob is gone", Optional.of(A));
    assertThat(dispatch.result(gone, 0)).isEqualTo(new Outcome.Failed(gone, Optional.empty()));
  }

  /** The order of a feed is that of the commits. */
  @Test
  void aUnitToAFeedThatCannotBeReachedFails() {
    ActorPath feed = Feeds.path("sold");
    dispatch.post(unit(feed, B), 0);
    assertThat(next(0, 0).outgoing()).containsOnlyKeys(feed, B);
    assertThat(dispatch.result(damaged(feed), 0))
        .isEqualTo(new Outcome.Failed(damaged(feed), Optional.empty()));
  }

  @Test
  void damageThatNamesNoReceiverOfTheRelayEndsTheLife() {
    outbox.made(unit(A).outgoing(), 0);
    for (Result result :
        List.of(damaged(B), damaged(ME), new Result.Failed(Reason.CORRUPT, "damage"))) {
      assertThat(next(0, 0).outgoing()).containsOnlyKeys(A);
      assertThat(dispatch.result(result, 0)).isEqualTo(new Outcome.NotRelayed(result));
    }
  }

  @Test
  void aUnitIsRefusedIfUnreadableMailboxesAloneLeaveItNoRoom() {
    Envelope each = unit(A).outgoing().get(A).get(0);
    outbox.made(Map.of(A, Collections.nCopies(Outbox.MOST_MESSAGES, each)), 0);
    dispatch.post(unit(A), 0);
    CommitUnit unused = next(0, 0);
    assertThat(dispatch.refused()).as("the relay is under way").isEmpty();
    assertThat(full(A, WhenFull.WAIT, 0)).isEqualTo(new Outcome.GoOn());
    assertThat(dispatch.refused()).as("it gets room when the receiver has some").isEmpty();
    unused = next(0, 100);
    assertThat(dispatch.result(damaged(A), 100)).isInstanceOf(Outcome.Stuck.class);
    assertThat(dispatch.refused())
        .hasValueSatisfying(
            failed ->
                assertThat(failed.result())
                    .isInstanceOfSatisfying(
                        Result.Failed.class,
                        why -> {
                          assertThat(why.reason()).isEqualTo(Reason.CORRUPT);
                          assertThat(why.detail()).contains("no room", "damage of " + A);
                        }));
    assertThat(dispatch.giveUp()).as("it is ended").isFalse();
    dispatch.post(unit(B), 100);
    assertThat(dispatch.refused()).as("it needs no room").isEmpty();
    assertThat(next(0, 100).outgoing()).containsOnlyKeys(B);
  }

  @Test
  void aUnitThatAloneIsMoreThanTheOutboxHoldsIsTakenByAnEmptyOne() {
    Envelope each = unit(A).outgoing().get(A).get(0);
    List<Envelope> lots = Collections.nCopies(Outbox.MOST_MESSAGES + 1, each);
    Write write = unit(A).write().orElseThrow();
    dispatch.post(new CommitUnit(Optional.of(write), Map.of(A, lots)), 0);
    CommitUnit unused = next(0, 0);
    assertThat(full(A, WhenFull.PARK, 0)).isEqualTo(new Outcome.GoOn());
    assertThat(next(0, 0).write().orElseThrow().outbox().made()).isNotEmpty();
    assertThat(dispatch.result(new Result.Committed(), 0)).isInstanceOf(Outcome.Posted.class);
    assertThat(outbox.size()).isEqualTo(Outbox.MOST_MESSAGES + 1);
    dispatch.post(unit(B, A), 0);
    CommitUnit relay = next(1, 0);
    assertThat(relay.outgoing()).as("nothing more fits before it has left").containsOnlyKeys(A);
  }

  @Test
  void anyOtherRefusalIsPassedOn() {
    dispatch.post(unit(A), 0);
    CommitUnit unused = next(0, 0);
    Result fenced = new Result.Failed(Reason.FENCED, "gone");
    assertThat(dispatch.result(fenced, 0)).isEqualTo(new Outcome.Failed(fenced, Optional.empty()));
  }
}

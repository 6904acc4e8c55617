package io.callboard.internal.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.DeliveryMode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Handling;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Segment;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.unit.CommitUnitBuilder;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitUnit;
import io.callboard.store.Consumed;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSegment;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests of messages that are handled before others ahead of them in the mailbox: priorities, and
 * messages put aside.
 */
class TurnLoopOrderTest {
  private static final ActorPath ACTOR = ActorPath.of("/a/b");
  private static final Lease LEASE = new Lease(ACTOR.partition(4), 1, "node", "boot", 0);
  private static final int HIGH = 1_000;

  private ActorRecord record = ActorRecord.EMPTY;
  private final List<Long> emptied = new ArrayList<>();
  private final TurnLoop loop =
      new TurnLoop(
          "/a/b",
          3,
          DeliveryMode.EXACTLY_ONCE,
          MailboxHeader.of(100),
          () -> 0,
          lost -> {
            throw new AssertionError(lost);
          });

  private static StoredSegment segment(long sequence, int... numbers) {
    List<Envelope> envelopes = new ArrayList<>();
    for (int n : numbers) {
      envelopes.add(
          new Envelope(
                  new MessageId("s", n),
                  new MessageType("m", 1),
                  "{}".getBytes(StandardCharsets.UTF_8),
                  null)
              .with(new Handling(n >= HIGH ? 1 : 0, 0, 0)));
    }
    return new StoredSegment(sequence, Segment.encode(envelopes));
  }

  private void load(int messages, StoredSegment... mail) {
    loop.loaded(
        new Loaded(
            Optional.of(new StoredRecord(record, 0)),
            List.of(),
            new StoredMail(List.of(mail), mail.length, messages),
            MailboxHeader.of(100),
            List.of()));
  }

  private List<Long> mail() {
    TurnStep step = loop.next();
    assertThat(step).isInstanceOf(TurnStep.HandleMail.class);
    return ((TurnStep.HandleMail) step).mail().stream().map(each -> each.id().number()).toList();
  }

  private static Turn done() {
    return new Turn(Reply.NONE);
  }

  private static Turn aside() {
    Turn turn = new Turn(Reply.NONE);
    turn.putAside();
    return turn;
  }

  private static Turn releases() {
    Turn turn = new Turn(Reply.NONE);
    turn.release(Integer.MAX_VALUE);
    return turn;
  }

  private void handled(Turn... turns) {
    loop.handledMail(List.of(turns), new SliceResult.Paused());
  }

  private void commit() {
    TurnStep step = loop.next();
    assertThat(step).isInstanceOf(TurnStep.CommitTurns.class);
    CommitUnit unit =
        new CommitUnitBuilder(ACTOR, SnapshotPolicy.DEFAULT, false)
            .turns(
                new CommitUnitBuilder.Basis(record, 0, LEASE),
                ((TurnStep.CommitTurns) step).all(),
                null,
                loop.header(),
                Instant.EPOCH);
    record = unit.write().orElseThrow().record();
    emptied.addAll(unit.write().orElseThrow().consumed());
    assertThat(loop.committed(record)).isNull();
  }

  @Test
  void urgentMessagesComeFirstAndEachLaneInOrder() {
    load(5, segment(0, 1, 1001, 2), segment(1, 1002, 3));
    assertThat(mail()).containsExactly(1001L, 1002L, 1L, 2L, 3L);
    handled(done(), done());
    assertThat(mail()).containsExactly(1L, 2L, 3L);
    handled();
    assertThat(loop.waiting()).isEqualTo(5);
    assertThat(mail()).containsExactly(1L, 2L, 3L);
    handled(done());
    loop.doorbell().delivered(2, Segment.decode("it", segment(2, 1003, 4).bytes()));
    assertThat(mail()).as("mail that came meanwhile").containsExactly(1003L, 2L, 3L, 4L);
    handled(done(), done(), done(), done());
    commit();
    assertThat(record.consumed()).isEqualTo(new Consumed(3, 0, List.of()));
    assertThat(emptied).containsExactlyInAnyOrder(0L, 1L, 2L);
    assertThat(loop.waiting()).isZero();
  }

  @Test
  void messagesThatWereHandledFirstAreNotHandledAgain() {
    load(5, segment(0, 1, 1001, 2), segment(1, 1002, 3));
    assertThat(mail()).hasSize(5);
    loop.handledMail(
        List.of(done(), done()), new SliceResult.Failed(new IllegalStateException("why")));
    commit();
    assertThat(record.consumed().contains(0, 1)).isTrue();
    assertThat(emptied).isEmpty();
    assertThat(loop.next()).isInstanceOf(TurnStep.Fail.class);
    load(5, segment(0, 1, 1001, 2), segment(1, 1002, 3));
    assertThat(loop.waiting()).isEqualTo(3);
    assertThat(loop.attempts()).as("of the message that failed").isEqualTo(1);
    assertThat(mail()).as("it is tried alone").containsExactly(1L);
  }

  @Test
  void attemptsAreThoseOfTheirMessageWhateverComesBefore() {
    load(2, segment(0, 1, 2));
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(mail()).contains(1L);
      loop.handledMail(List.of(), new SliceResult.Failed(new IllegalStateException("why")));
      if (attempt < 3) {
        assertThat(loop.next()).isInstanceOf(TurnStep.Fail.class);
        load(2, segment(0, 1, 2));
        loop.doorbell().delivered(attempt, Segment.decode("", segment(attempt, 1000).bytes()));
        assertThat(mail()).containsExactly(1000L);
        handled(done());
        commit();
        assertThat(loop.attempts()).isEqualTo(attempt);
        StoredSegment first = segment(0, 1, 2);
        load(2, first);
      }
    }
    assertThat(loop.next()).isInstanceOf(TurnStep.Park.class);
  }

  @Test
  void stashedMessagesStayInTheMailboxAndComeAgain() {
    load(4, segment(0, 1, 2), segment(1, 3, 4));
    assertThat(mail()).hasSize(4);
    handled(aside(), done(), aside());
    assertThat(mail()).containsExactly(4L);
    assertThat(loop.idle()).isFalse();
    handled(releases());
    assertThat(mail()).as("in its order, before the rest").containsExactly(1L, 3L);
    handled(aside(), done());
    commit();
    assertThat(record.consumed().beyond()).hasSize(1);
    assertThat(emptied).containsExactly(1L);
    assertThat(loop.waiting()).isEqualTo(1);
    assertThat(loop.idle()).as("it must not leave memory").isFalse();
    load(2, segment(0, 1, 2));
    assertThat(mail()).as("after a restart").containsExactly(1L);
    handled(done());
    commit();
    assertThat(record.consumed()).isEqualTo(new Consumed(2, 0, List.of()));
    assertThat(loop.unread()).isEqualTo(2);
  }

  @Test
  void onlyAQuarterOfTheMailboxCanBePutAside() {
    load(6, segment(0, 1, 2, 3, 4, 5, 6));
    TurnStep step = loop.next();
    assertThat(((TurnStep.HandleMail) step).stashRoom()).isEqualTo(25);
    handled(aside(), aside(), aside());
    assertThat(((TurnStep.HandleMail) loop.next()).stashRoom()).isEqualTo(22);
  }

  @Test
  void aMessageStashedAfterAFailureIsNotTriedAnyMore() {
    load(3, segment(0, 1, 2, 3));
    assertThat(mail()).contains(1L);
    loop.handledMail(List.of(), new SliceResult.Failed(new IllegalStateException("why")));
    assertThat(loop.next()).isInstanceOf(TurnStep.Fail.class);
    load(3, segment(0, 1, 2, 3));
    assertThat(mail()).as("alone").containsExactly(1L);
    handled(aside());
    assertThat(loop.attempts()).isZero();
    assertThat(mail()).as("together again").containsExactly(2L, 3L);
  }

  @Test
  void sendersAreToldAHigherLimitWhereSegmentsRemainThatAreNearlyConsumed() {
    load(16, segment(0, 1, 2, 3, 4, 5, 6, 7, 8), segment(1, 9, 10, 11, 12, 13, 14, 15, 16));
    assertThat(mail()).hasSize(16);
    Turn[] turns = new Turn[16];
    for (int i = 0; i < turns.length; i++) {
      turns[i] = i == 0 || i == 8 ? aside() : done();
    }
    handled(turns);
    commit();
    assertThat(record.consumed().beyond()).hasSize(2);
    assertThat(loop.waiting()).isEqualTo(2);
    TurnStep step = loop.next();
    assertThat(step)
        .as("only the header")
        .isEqualTo(new TurnStep.CommitTurns(List.of(), List.of()));
    assertThat(loop.header().limit()).as("room for what is consumed").isBetween(114, 130);
    assertThat(loop.committed(record)).isNull();
    load(2, segment(0, 1, 2, 3, 4, 5, 6, 7, 8), segment(1, 9, 10, 11, 12, 13, 14, 15, 16));
    assertThat(loop.next())
        .as("the stored one is as before")
        .isInstanceOf(TurnStep.CommitTurns.class);
    assertThat(loop.header().limit()).isGreaterThan(100);
    assertThat(loop.committed(record)).isNull();
    assertThat(mail()).containsExactly(1L, 9L);
    handled(done(), done());
    commit();
    assertThat(loop.next()).isEqualTo(new TurnStep.CommitTurns(List.of(), List.of()));
    assertThat(loop.header().limit()).as("as at first").isEqualTo(100);
  }
}

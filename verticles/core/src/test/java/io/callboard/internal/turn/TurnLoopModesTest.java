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
import io.callboard.store.ActorRecord;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of the loop's decisions for actors that are not exactly-once. */
class TurnLoopModesTest {
  private static final RuntimeException BOOM = new RuntimeException("boom");

  private final List<Long> lost = new ArrayList<>();
  private long nanos;

  private TurnLoop loop(DeliveryMode mode) {
    return new TurnLoop(
        "/a",
        3,
        mode,
        MailboxHeader.NEW,
        () -> nanos,
        gone -> lost.add(gone.message().id().number()));
  }

  /** A mailbox with one segment that holds messages 1 to {@code last}. */
  private static void load(TurnLoop loop, int offset, long last) {
    List<Envelope> envelopes =
        LongStream.rangeClosed(1, last)
            .mapToObj(
                n ->
                    new Envelope(
                        new MessageId("s", n),
                        new MessageType("m", 1),
                        "{}".getBytes(StandardCharsets.UTF_8),
                        null))
            .toList();
    ActorRecord record = new ActorRecord(0, 0, 0, offset, 0, List.of());
    List<StoredSegment> mail = List.of(new StoredSegment(0, Segment.encode(envelopes)));
    loop.loaded(
        new Loaded(
            Optional.of(new StoredRecord(record, 0)),
            List.of(),
            new StoredMail(mail, 1, last),
            MailboxHeader.NEW,
            List.of()));
  }

  private static List<Long> handles(TurnLoop loop) {
    TurnStep step = loop.next();
    assertThat(step).isInstanceOf(TurnStep.HandleMail.class);
    return ((TurnStep.HandleMail) step).mail().stream().map(mail -> mail.id().number()).toList();
  }

  private static TurnStep.CommitTurns commits(TurnLoop loop, int turns, int ahead) {
    TurnStep step = loop.next();
    assertThat(step).isInstanceOf(TurnStep.CommitTurns.class);
    TurnStep.CommitTurns commit = (TurnStep.CommitTurns) step;
    assertThat(commit.turns()).hasSize(turns);
    assertThat(commit.ahead()).hasSize(ahead);
    assertThat(commit.all()).hasSize(turns + ahead);
    return commit;
  }

  private static void handled(TurnLoop loop, int messages, SliceResult end) {
    loop.handledMail(Stream.generate(() -> new Turn(Reply.NONE)).limit(messages).toList(), end);
  }

  private static void committed(TurnLoop loop, long next, int offset) {
    assertThat(loop.committed(new ActorRecord(1, 1, next, offset, 0, List.of()))).isNull();
  }

  private static List<Long> numbers(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().toList();
  }

  @Test
  void atMostOnceConsumesBeforeItHandlesAndCompletesWithTheNextConsumption() {
    TurnLoop loop = loop(DeliveryMode.AT_MOST_ONCE);
    load(loop, 0, 100);
    commits(loop, 0, 64);
    assertThat(loop.next()).as("nothing before that is durable").isEqualTo(new TurnStep.Wait());
    committed(loop, 0, 64);
    assertThat(handles(loop)).isEqualTo(numbers(1, 64));
    handled(loop, 60, new SliceResult.Paused());
    assertThat(handles(loop)).as("never more than a commit's").isEqualTo(numbers(61, 64));
    handled(loop, 4, new SliceResult.Paused());
    TurnStep.CommitTurns next = commits(loop, 64, 36);
    assertThat(next.turns()).allMatch(turn -> turn.input() == null);
    committed(loop, 1, 0);
    assertThat(handles(loop)).isEqualTo(numbers(65, 100));
    handled(loop, 36, new SliceResult.Paused());
    commits(loop, 36, 0);
    committed(loop, 1, 0);
    assertThat(loop.next()).isEqualTo(new TurnStep.Read(1));
    assertThat(lost).isEmpty();
  }

  @Test
  void anAtMostOnceMessageThatFailsIsLostAloneAndTheOthersAreForTheNextLife() {
    TurnLoop loop = loop(DeliveryMode.AT_MOST_ONCE);
    load(loop, 0, 5);
    commits(loop, 0, 5);
    committed(loop, 1, 0);
    assertThat(handles(loop)).isEqualTo(numbers(1, 5));
    handled(loop, 2, new SliceResult.Failed(BOOM));
    assertThat(lost).containsExactly(3L);
    commits(loop, 2, 0);
    committed(loop, 1, 0);
    assertThat(loop.next()).isEqualTo(new TurnStep.Fail(BOOM, false));
    loop.unload(BOOM);
    assertThat(loop.next()).isEqualTo(new TurnStep.Wait());
    loop.loaded(Loaded.NOTHING);
    assertThat(handles(loop)).isEqualTo(numbers(4, 5));
    handled(loop, 0, new SliceResult.Unreadable(BOOM));
    assertThat(lost).containsExactly(3L, 4L);
    assertThat(handles(loop)).as("that is no failure of the actor").containsExactly(5L);
  }

  @Test
  void aCrashOfAnAtMostOnceActorLosesWhatWasHandedOut() {
    TurnLoop loop = loop(DeliveryMode.AT_MOST_ONCE);
    load(loop, 0, 5);
    commits(loop, 0, 5);
    committed(loop, 1, 0);
    assertThat(handles(loop)).hasSize(5);
    loop.unload(BOOM);
    assertThat(lost).isEqualTo(numbers(1, 5));
  }

  @Test
  void aCrashDuringACommitLosesWhatTheCommitDecides() {
    TurnLoop loop = loop(DeliveryMode.AT_MOST_ONCE);
    load(loop, 0, 70);
    commits(loop, 0, 64);
    committed(loop, 0, 64);
    assertThat(handles(loop)).hasSize(64);
    handled(loop, 64, new SliceResult.Paused());
    TurnStep.CommitTurns under = commits(loop, 64, 6);
    loop.unload(BOOM);
    assertThat(lost).as("that is not known yet").isEmpty();
    loop.landed(under, BOOM);
    load(loop, 70, 71);
    assertThat(handles(loop)).isEqualTo(numbers(65, 70));
    handled(loop, 6, new SliceResult.Paused());
    loop.notCommitted(commits(loop, 6, 1), BOOM);
    assertThat(lost).as("71 is still in the mailbox").isEqualTo(numbers(65, 70));
  }

  @Test
  void anotherOwnerEndsWhatAnAtMostOnceActorConsumed() {
    TurnLoop loop = loop(DeliveryMode.AT_MOST_ONCE);
    load(loop, 0, 3);
    TurnStep.CommitTurns under = commits(loop, 0, 3);
    loop.disowned(BOOM);
    assertThat(lost).isEmpty();
    loop.landed(under, BOOM);
    assertThat(lost).isEqualTo(numbers(1, 3));
  }

  @Test
  void aLateRefusalDoesNotTouchWhatTheNextOwnershipConsumed() {
    TurnLoop loop = loop(DeliveryMode.AT_MOST_ONCE);
    load(loop, 0, 3);
    TurnStep.CommitTurns before = commits(loop, 0, 3);
    loop.disowned(BOOM);
    load(loop, 0, 3);
    commits(loop, 0, 3);
    loop.notCommitted(before, BOOM);
    committed(loop, 1, 0);
    assertThat(handles(loop)).isEqualTo(numbers(1, 3));
    loop.notCommitted(before, BOOM);
    assertThat(lost).isEmpty();
  }

  @Test
  void atLeastOnceWaitsABoundedTimeForMoreTurns() {
    TurnLoop loop = loop(DeliveryMode.AT_LEAST_ONCE);
    load(loop, 0, 3);
    assertThat(handles(loop)).hasSize(3);
    handled(loop, 2, new SliceResult.Paused());
    nanos += Batch.COMMIT_AFTER_NANOS - 1;
    assertThat(handles(loop)).containsExactly(3L);
    handled(loop, 1, new SliceResult.Paused());
    assertThat(loop.next()).as("first it looks for more").isEqualTo(new TurnStep.Read(1));
    loop.read(StoredMail.NONE);
    assertThat(loop.next()).isEqualTo(new TurnStep.Linger(1));
    assertThat(loop.idle()).as("what is not durable is not idle").isFalse();
    nanos++;
    TurnStep.CommitTurns commit = commits(loop, 3, 0);
    assertThat(commit.turns()).allMatch(turn -> turn.input() != null);
    committed(loop, 1, 0);
    assertThat(loop.next()).isEqualTo(new TurnStep.Wait());
    assertThat(loop.idle()).isTrue();
  }

  @Test
  void anAtLeastOnceActorThatKeepsGettingMailStillCommitsInTime() {
    TurnLoop loop = loop(DeliveryMode.AT_LEAST_ONCE);
    load(loop, 0, 3);
    assertThat(handles(loop)).hasSize(3);
    handled(loop, 1, new SliceResult.Paused());
    nanos += Batch.COMMIT_AFTER_NANOS;
    commits(loop, 1, 0);
    committed(loop, 0, 1);
    assertThat(handles(loop)).isEqualTo(numbers(2, 3));
  }

  @Test
  void aBatchWaitsAsLongAsTheLastCommitTookWithinABound() {
    TurnLoop loop = loop(DeliveryMode.AT_LEAST_ONCE);
    load(loop, 0, 4);
    assertThat(handles(loop)).hasSize(4);
    handled(loop, 1, new SliceResult.Paused());
    nanos += Batch.COMMIT_AFTER_NANOS;
    commits(loop, 1, 0);
    nanos += 3 * Batch.COMMIT_AFTER_NANOS;
    committed(loop, 0, 1);
    assertThat(handles(loop)).isEqualTo(numbers(2, 4));
    handled(loop, 1, new SliceResult.Paused());
    nanos += 3 * Batch.COMMIT_AFTER_NANOS - 1;
    assertThat(handles(loop)).as("more for a commit").isEqualTo(numbers(3, 4));
    handled(loop, 1, new SliceResult.Paused());
    nanos++;
    commits(loop, 2, 0);
    nanos += 2 * Batch.MOST_AFTER_NANOS;
    committed(loop, 0, 3);
    assertThat(handles(loop)).isEqualTo(numbers(4, 4));
    handled(loop, 1, new SliceResult.Paused());
    nanos += Batch.MOST_AFTER_NANOS - 1;
    loop.next();
    loop.read(StoredMail.NONE);
    assertThat(loop.next()).isEqualTo(new TurnStep.Linger(1));
  }

  @Test
  void durableSendsOfAnAtLeastOnceActorDoNotWait() {
    TurnLoop loop = loop(DeliveryMode.AT_LEAST_ONCE);
    load(loop, 0, 1);
    assertThat(handles(loop)).hasSize(1);
    record Note(String text) {}
    Turn turn = new Turn(Reply.NONE);
    turn.send(ActorPath.of("/b"), new Note("it"), null, Handling.PLAIN);
    loop.handledMail(List.of(turn), new SliceResult.Paused());
    commits(loop, 1, 0);
  }

  @Test
  void aFailingAtLeastOnceMessageHasItsAttempts() {
    TurnLoop loop = loop(DeliveryMode.AT_LEAST_ONCE);
    load(loop, 0, 2);
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(handles(loop)).first().isEqualTo(1L);
      handled(loop, 0, new SliceResult.Failed(BOOM));
      if (attempt < 3) {
        assertThat(loop.next()).isEqualTo(new TurnStep.Fail(BOOM, true));
        load(loop, 0, 2);
      }
    }
    assertThat(loop.next()).isInstanceOf(TurnStep.Park.class);
    assertThat(lost).isEmpty();
  }
}

package io.callboard.internal.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.DeliveryMode;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Segment;
import io.callboard.internal.mailbox.Delivery;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Turns that let the next messages be handled while they commit. */
class TurnLoopGoesOnTest {
  private long nanos;
  private long nanosPerReading;
  private final TurnLoop loop =
      new TurnLoop(
          "/a",
          2,
          DeliveryMode.EXACTLY_ONCE,
          MailboxHeader.NEW,
          () -> nanos += nanosPerReading,
          lost -> {
            throw new AssertionError(lost);
          });

  private static StoredSegment segment(long sequence, int... numbers) {
    return new StoredSegment(sequence, Segment.encode(envelopes(numbers)));
  }

  private static List<Envelope> envelopes(int... numbers) {
    List<Envelope> envelopes = new ArrayList<>();
    for (int n : numbers) {
      envelopes.add(
          new Envelope(
              new MessageId("s", n),
              new MessageType("m", 1),
              "{}".getBytes(StandardCharsets.UTF_8),
              null));
    }
    return envelopes;
  }

  private void load(long next, StoredSegment... mail) {
    loop.loaded(
        new Loaded(
            Optional.of(new StoredRecord(new ActorRecord(0, 0, next, 0, 0, List.of()), 0)),
            List.of(),
            new StoredMail(List.of(mail), mail.length, mail.length),
            MailboxHeader.NEW,
            List.of()));
  }

  private static Turn turn(boolean goesOn) {
    Turn turn = new Turn(Reply.NONE);
    turn.state("changed");
    if (goesOn) {
      turn.goOn();
    }
    return turn;
  }

  private List<Long> handles() {
    TurnStep step = loop.next();
    assertThat(step).isInstanceOf(TurnStep.HandleMail.class);
    return ((TurnStep.HandleMail) step).mail().stream().map(each -> each.id().number()).toList();
  }

  private void handled(boolean... goOn) {
    List<Turn> turns = new ArrayList<>();
    for (boolean each : goOn) {
      turns.add(turn(each));
    }
    loop.handledMail(turns, new SliceResult.Paused());
  }

  private TurnStep.CommitTurns commits() {
    TurnStep step = loop.next();
    assertThat(step).isInstanceOf(TurnStep.CommitTurns.class);
    return (TurnStep.CommitTurns) step;
  }

  private void waits() {
    assertThat(loop.next()).isEqualTo(new TurnStep.Wait());
  }

  private void committed(long next) {
    assertThat(loop.committed(new ActorRecord(1, 1, next, 0, 0, List.of()))).isNull();
  }

  /** Begins to handle the second message while the turn of the first one is committed. */
  private void handlesDuringACommit() {
    load(0, segment(0, 1));
    assertThat(handles()).containsExactly(1L);
    handled(true);
    assertThat(commits().turns()).hasSize(1);
    loop.doorbell().delivered(1, envelopes(2));
    assertThat(handles()).containsExactly(2L);
  }

  @Test
  void mailIsHandledDuringACommitAndCommitsAfterIt() {
    load(0, segment(0, 1));
    assertThat(handles()).containsExactly(1L);
    handled(true);
    assertThat(commits().turns()).hasSize(1);
    waits();
    loop.doorbell().delivered(1, envelopes(2, 3));
    assertThat(handles()).containsExactly(2L, 3L);
    handled(true, true);
    waits();
    assertThat(loop.idle()).isFalse();
    committed(1);
    assertThat(commits().turns()).hasSize(2);
    committed(2);
    assertThat(loop.next()).isEqualTo(new TurnStep.Read(2));
  }

  /**
   * @param readings of the clock after which the batch becomes due
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void noSecondCommitBeginsThoughTimePassesWithinADecision(int readings) {
    handlesDuringACommit();
    handled(true);
    nanos += Batch.COMMIT_AFTER_NANOS - readings;
    nanosPerReading = 1;
    waits();
    committed(1);
    assertThat(commits().turns()).hasSize(1);
  }

  @Test
  void theCommitMayEndWhileAHandlerRuns() {
    handlesDuringACommit();
    committed(1);
    waits();
    handled(true);
    assertThat(commits().turns()).hasSize(1);
  }

  @Test
  void aTurnThatDoesNotAllowItHoldsUpTheNextMessages() {
    load(0, segment(0, 1, 2));
    assertThat(handles()).containsExactly(1L, 2L);
    handled(true, false);
    assertThat(commits().turns()).hasSize(2);
    loop.doorbell().delivered(1, envelopes(3));
    waits();
    committed(1);
    assertThat(handles()).containsExactly(3L);
  }

  @Test
  void aFailureDuringACommitWaitsForIt() {
    load(0, segment(0, 1));
    assertThat(handles()).containsExactly(1L);
    handled(true);
    assertThat(commits().turns()).hasSize(1);
    loop.doorbell().delivered(1, envelopes(2, 3));
    assertThat(handles()).containsExactly(2L, 3L);
    IllegalStateException why = new IllegalStateException("why");
    loop.handledMail(List.of(turn(true)), new SliceResult.Failed(why));
    waits();
    committed(1);
    assertThat(commits().turns()).as("what was handled before it").hasSize(1);
    waits();
    loop.committed(new ActorRecord(2, 1, 1, 1, 0, List.of()));
    assertThat(loop.next()).isEqualTo(new TurnStep.Fail(why, true));
    assertThat(loop.attempts()).isEqualTo(1);
  }

  @Test
  void aCommitThatIsRefusedEndsAllThatFollows() {
    handlesDuringACommit();
    loop.refused(new IllegalStateException("too large"));
    waits();
    assertThat(loop.attempts()).isEqualTo(1);
    load(0, segment(0, 1), segment(1, 2));
    assertThat(handles()).as("alone, for it is tried again").containsExactly(1L);
  }

  @Test
  void messagesToItselfDuringACommitAreLostWithTheLife() {
    load(0, segment(0, 1));
    assertThat(handles()).containsExactly(1L);
    handled(true);
    assertThat(commits().turns()).hasSize(1);
    assertThat(loop.offer(Delivery.of("itself"))).isTrue();
    assertThat(loop.next()).isInstanceOf(TurnStep.HandleOwn.class);
    loop.handled(turn(true));
    assertThat(loop.loseOwn(false)).extracting(Delivery::message).containsExactly("itself");
  }

  @Test
  void choresWaitForTheCommit() {
    boolean[] chores = {false};
    loop.chores(() -> chores[0]);
    load(0, segment(0, 1));
    assertThat(handles()).containsExactly(1L);
    handled(true);
    assertThat(commits().turns()).hasSize(1);
    chores[0] = true;
    waits();
    committed(1);
    assertThat(loop.next()).as("mail comes first").isEqualTo(new TurnStep.Read(1));
    loop.read(new StoredMail(List.of(), 0, 0));
    assertThat(commits().turns()).isEmpty();
    chores[0] = false;
    waits();
    committed(1);
    waits();
  }

  @Test
  void aFullBatchWaitsForTheCommit() {
    load(0, segment(0, 1));
    assertThat(handles()).containsExactly(1L);
    handled(true);
    assertThat(commits().turns()).hasSize(1);
    int[] many = Stream.iterate(2, n -> n + 1).limit(600).mapToInt(n -> n).toArray();
    loop.doorbell().delivered(1, envelopes(many));
    int first = handles().size();
    loop.handledMail(
        Stream.generate(() -> turn(true)).limit(first).toList(), new SliceResult.Paused());
    waits();
    committed(1);
    assertThat(commits().turns()).hasSize(Batch.MOST);
  }
}

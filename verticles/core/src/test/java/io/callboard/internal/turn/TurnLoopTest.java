package io.callboard.internal.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.DeliveryMode;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Handling;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Segment;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.store.ActorRecord;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TurnLoopTest {
  private static final int ATTEMPTS = 3;

  private long nanos;
  private final TurnLoop loop =
      new TurnLoop(
          "/a",
          ATTEMPTS,
          DeliveryMode.EXACTLY_ONCE,
          MailboxHeader.NEW,
          () -> nanos,
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
              null));
    }
    return new StoredSegment(sequence, Segment.encode(envelopes));
  }

  private void load(long next, int offset, StoredSegment... mail) {
    ActorRecord record = new ActorRecord(0, 0, next, offset, 0, List.of());
    loop.loaded(
        new Loaded(
            Optional.of(new StoredRecord(record, 0)),
            List.of(),
            new StoredMail(List.of(mail), mail.length, mail.length),
            MailboxHeader.NEW,
            List.of()));
  }

  /** Gives out mail, from that message on. */
  private long handles() {
    TurnStep step = loop.next();
    assertThat(step).isInstanceOf(TurnStep.HandleMail.class);
    return ((TurnStep.HandleMail) step).mail().get(0).id().number();
  }

  private void handled(int messages, SliceResult end) {
    loop.handledMail(Stream.generate(() -> new Turn(Reply.NONE)).limit(messages).toList(), end);
  }

  private void handled(int messages) {
    handled(messages, new SliceResult.Paused());
  }

  private void failed(Throwable cause) {
    handled(0, new SliceResult.Failed(cause));
  }

  private static ActorRecord after(long next, int offset) {
    return new ActorRecord(1, 1, next, offset, 0, List.of());
  }

  private List<HandledMessage> commits() {
    TurnStep step = loop.next();
    assertThat(step).isInstanceOf(TurnStep.CommitTurns.class);
    return ((TurnStep.CommitTurns) step).turns();
  }

  @Test
  void handlesInOrderAndCommitsTogether() {
    load(0, 0, segment(0, 1, 2), segment(1, 3));
    assertThat(handles()).isEqualTo(1);
    assertThat(loop.next()).as("one slice at a time").isEqualTo(new TurnStep.Wait());
    handled(1);
    assertThat(handles()).as("what was left of the slice").isEqualTo(2);
    handled(2);
    assertThat(commits()).hasSize(3);
    assertThat(loop.next())
        .as("nothing while a commit is under way")
        .isEqualTo(new TurnStep.Wait());
    assertThat(loop.committed(after(2, 0))).isNull();
    assertThat(loop.next()).isEqualTo(new TurnStep.Read(2));
  }

  @Test
  void slowHandlersHoldUpNoCommitAndFastOnesFillTheirs() {
    load(0, 0, segment(0, 1, 2, 3, 4));
    assertThat(handles()).isEqualTo(1);
    nanos += Batch.COMMIT_AFTER_NANOS;
    handled(1);
    assertThat(handles()).as("the age counts from the end of the first").isEqualTo(2);
    nanos += Batch.COMMIT_AFTER_NANOS - 1;
    handled(1);
    assertThat(handles()).as("not yet").isEqualTo(3);
    nanos += 1;
    handled(1);
    assertThat(commits()).as("although mail waits").hasSize(3);
    assertThat(loop.committed(after(0, 3))).isNull();
    nanos += 10 * Batch.COMMIT_AFTER_NANOS;
    assertThat(handles()).as("the next batch is young").isEqualTo(4);
    handled(1);
    assertThat(commits()).hasSize(1);
  }

  @Test
  void aFullBatchCommitsWithoutWaitingForItsAge() {
    int[] numbers = IntStream.rangeClosed(1, Batch.MOST + 1).toArray();
    load(0, 0, segment(0, numbers));
    assertThat(handles()).isEqualTo(1);
    handled(Batch.MOST);
    assertThat(commits()).hasSize(Batch.MOST);
  }

  @Test
  void goesOnInTheMiddleOfASegment() {
    load(5, 1, segment(5, 1, 2));
    assertThat(handles()).isEqualTo(2);
  }

  private static StoredSegment large(long sequence, int bytes, int parts) {
    BlobRef blob = new BlobRef("b" + sequence, bytes, parts, "00000000");
    MessageId id = new MessageId("s", sequence);
    return new StoredSegment(
        sequence, Segment.encode(List.of(new Envelope(id, new MessageType("m", 1), blob, null))));
  }

  private static Envelope handed(long sequence, int bytes, int parts) {
    BlobRef blob = new BlobRef("b" + sequence, bytes, parts, "00000000");
    MessageId id = new MessageId("s", sequence);
    MessageType type = new MessageType("m", 1);
    return new Envelope(id, type, new byte[0], null, "the message", blob, Handling.PLAIN, null);
  }

  @Test
  void fetchesALargeBodyWhenItIsTheNextAndNothingIsUncommitted() {
    load(0, 0, segment(0, 1), large(1, 50_000, 1), segment(2, 3), large(3, 60_000, 1));
    assertThat(handles()).isEqualTo(1);
    handled(1);
    assertThat(commits()).hasSize(1);
    assertThat(loop.committed(after(1, 0))).isNull();
    TurnStep fetch = loop.next();
    assertThat(fetch).isInstanceOf(TurnStep.Fetch.class);
    assertThat(((TurnStep.Fetch) fetch).envelope().bytes()).isEqualTo(50_000);
    assertThat(loop.next()).as("one at a time").isEqualTo(new TurnStep.Wait());
    byte[] body = new byte[50_000];
    loop.fetched(body);
    TurnStep handle = loop.next();
    assertThat(((TurnStep.HandleMail) handle).mail()).as("not the next large one").hasSize(2);
    assertThat(((TurnStep.HandleMail) handle).mail().get(0).body()).isSameAs(body);
    handled(2);
    assertThat(commits().get(0).input().envelope().lacksBody()).as("held no longer").isTrue();
    assertThat(loop.committed(after(3, 0))).isNull();
    assertThat(loop.next()).isInstanceOf(TurnStep.Fetch.class);
  }

  @Test
  void parksALargeMessageWhoseBodyIsNotThere() {
    load(0, 0, large(0, 50_000, 1), segment(1, 2));
    assertThat(loop.next()).isInstanceOf(TurnStep.Fetch.class);
    RuntimeException gone = new RuntimeException("gone");
    loop.lacking(gone);
    TurnStep park = loop.next();
    assertThat(park).isInstanceOf(TurnStep.Park.class);
    assertThat(((TurnStep.Park) park).cause()).isSameAs(gone);
    assertThat(((TurnStep.Park) park).input().blob()).isNotNull();
    assertThat(loop.committed(after(1, 0))).isNull();
    assertThat(handles()).isEqualTo(2);
  }

  @Test
  void aLargeMessageThatWasHandedOverIsNotFetchedUnlessMemoryHasEnough() {
    load(0, 0);
    loop.doorbell().delivered(0, List.of(handed(0, 16 << 20, 32), handed(1, 16 << 20, 32)));
    TurnStep handle = loop.next();
    assertThat(((TurnStep.HandleMail) handle).mail()).hasSize(1);
    handled(1);
    assertThat(commits()).hasSize(1);
    assertThat(loop.committed(after(0, 1))).isNull();
    assertThat(loop.next()).isInstanceOf(TurnStep.Fetch.class);
  }

  @Test
  void aBatchEndsWhenItsBlobsMakeEnoughOperations() {
    load(0, 0);
    List<Envelope> mail = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      mail.add(handed(i, 1_000, 30));
    }
    loop.doorbell().delivered(0, mail);
    TurnStep handle = loop.next();
    int taken = ((TurnStep.HandleMail) handle).mail().size();
    assertThat(taken).isBetween(Batch.MOST / 32, Batch.MOST / 32 + 1);
    handled(taken);
    assertThat(commits()).hasSize(taken);
  }

  @Test
  void refusesAGapInTheSequence() {
    assertThatThrownBy(() -> load(3, 0, segment(4, 1))).hasMessageContaining("segment 4");
  }

  @Test
  void commitsWhatSucceededBeforeItTellsTheFailure() {
    load(0, 0, segment(0, 1, 2, 3));
    handles();
    RuntimeException boom = new RuntimeException("boom");
    handled(1, new SliceResult.Failed(boom));
    assertThat(commits()).hasSize(1);
    assertThat(loop.committed(after(0, 1))).isNull();
    assertThat(loop.next()).isEqualTo(new TurnStep.Fail(boom, true));
    assertThat(loop.next()).as("until it is loaded again").isEqualTo(new TurnStep.Wait());
  }

  @Test
  void parksAMessageAfterItsAttemptsAndAsksForANewObject() {
    RuntimeException boom = new RuntimeException("boom");
    for (int attempt = 1; attempt <= 2; attempt++) {
      load(0, 0, segment(0, 1), segment(1, 2));
      assertThat(handles()).isEqualTo(1);
      failed(boom);
      assertThat(loop.next()).isEqualTo(new TurnStep.Fail(boom, true));
    }
    load(0, 0, segment(0, 1), segment(1, 2));
    handles();
    failed(boom);
    TurnStep park = loop.next();
    assertThat(park).isInstanceOf(TurnStep.Park.class);
    assertThat(((TurnStep.Park) park).attempts()).isEqualTo(3);
    assertThat(loop.committed(after(1, 0))).isSameAs(boom);
    load(1, 0, segment(1, 2));
    assertThat(handles()).as("attempts are of one message").isEqualTo(2);
    failed(boom);
    assertThat(loop.next()).isEqualTo(new TurnStep.Fail(boom, true));
  }

  @Test
  void parksAnUnreadableSegmentWithoutAFailureOfTheActor() {
    StoredSegment garbage = new StoredSegment(1, "{\"f\":1".getBytes(StandardCharsets.UTF_8));
    load(0, 0, segment(0, 1), garbage, segment(2, 3));
    assertThat(handles()).isEqualTo(1);
    handled(1);
    assertThat(commits()).as("what is before it first").hasSize(1);
    loop.committed(after(1, 0));
    assertThat(loop.next()).isInstanceOf(TurnStep.Park.class);
    assertThat(loop.committed(after(2, 0))).isNull();
    assertThat(handles()).isEqualTo(3);
  }

  @Test
  void parksAnUndecodableMessageWithoutAFailureOfTheActor() {
    load(0, 0, segment(0, 1, 2));
    handles();
    handled(0, new SliceResult.Unreadable(new RuntimeException("unknown type")));
    assertThat(loop.next()).isInstanceOf(TurnStep.Park.class);
    assertThat(loop.committed(after(0, 1))).isNull();
    assertThat(handles()).isEqualTo(2);
  }

  @Test
  void triesABatchThatCannotBeCommittedOneByOne() {
    load(0, 0, segment(0, 1, 2));
    handles();
    handled(2);
    assertThat(commits()).hasSize(2);
    loop.refused(new IllegalStateException("refused"));
    load(0, 0, segment(0, 1, 2));
    assertThat(handles()).isEqualTo(1);
    handled(1);
    assertThat(commits()).hasSize(1);
    loop.committed(after(0, 1));
    for (int attempt = 0; attempt < 3; attempt++) {
      load(0, 1, segment(0, 1, 2));
      assertThat(handles()).isEqualTo(2);
      handled(1);
      assertThat(commits()).hasSize(1);
      loop.refused(new IllegalStateException("refused"));
    }
    load(0, 1, segment(0, 1, 2));
    assertThat(loop.next()).as("it can never be committed").isInstanceOf(TurnStep.Park.class);
  }

  @Test
  void attemptsOfALaterMessageAreNotCountedForThoseBeforeIt() {
    load(0, 0, segment(0, 1, 2));
    assertThat(handles()).isEqualTo(1);
    handled(1, new SliceResult.Failed(new IllegalArgumentException("of the second")));
    assertThat(loop.attempts()).isEqualTo(1);
    assertThat(commits()).hasSize(1);
    loop.refused(new IllegalStateException("of the first"));
    assertThat(loop.attempts()).as("of the first alone").isEqualTo(1);
    for (int attempt = 2; attempt <= ATTEMPTS; attempt++) {
      load(0, 0, segment(0, 1, 2));
      assertThat(handles()).isEqualTo(1);
      handled(1);
      assertThat(commits()).hasSize(1);
      loop.refused(new IllegalStateException("of the first"));
    }
    load(0, 0, segment(0, 1, 2));
    TurnStep park = loop.next();
    assertThat(park).isInstanceOf(TurnStep.Park.class);
    assertThat(((TurnStep.Park) park).cause()).hasMessage("of the first");
    assertThat(((TurnStep.Park) park).attempts()).isEqualTo(ATTEMPTS);
  }

  private void tellsItselfAndCommits(long next) {
    assertThat(loop.offer(Delivery.of("tick"))).isTrue();
    assertThat(loop.next()).isInstanceOf(TurnStep.HandleOwn.class);
    loop.handled(new Turn(Reply.NONE));
    assertThat(commits()).hasSize(1);
    assertThat(loop.committed(after(next, 0))).isNull();
  }

  @Test
  void messagesToItselfDoNotForgiveTheMessageThatFails() {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      load(5, 0, segment(5, 1), segment(6, 2));
      if (attempt > 1) {
        tellsItselfAndCommits(5);
      }
      assertThat(handles()).isEqualTo(1);
      failed(new IllegalStateException("attempt " + attempt));
      TurnStep step = loop.next();
      assertThat(step).isInstanceOf(attempt < ATTEMPTS ? TurnStep.Fail.class : TurnStep.Park.class);
    }
  }

  @Test
  void attemptsOfAMessageAreNotChargedToTheNext() {
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      load(5, 0, segment(5, 1), segment(6, 2));
      assertThat(handles()).isEqualTo(1);
      failed(new IllegalStateException("it fails"));
      assertThat(loop.next()).isInstanceOf(TurnStep.Fail.class);
    }
    assertThat(loop.attempts()).isEqualTo(ATTEMPTS - 1);
    load(6, 0, segment(6, 2)); // another node has parked it meanwhile
    assertThat(loop.attempts()).isZero();
    assertThat(handles()).isEqualTo(2);
    failed(new IllegalStateException("it fails too"));
    assertThat(loop.next()).as("not parked").isInstanceOf(TurnStep.Fail.class);
    loop.disowned(new IllegalStateException("away"));
    load(6, 0, segment(6, 2));
    assertThat(loop.attempts()).as("elsewhere it may have been tried, here anew").isZero();
  }

  @Test
  void messagesToItselfAreLostWithALifeOnlyIfTheyWereTaken() {
    load(0, 0);
    Delivery first = Delivery.of("first");
    Delivery second = Delivery.of("second");
    Delivery third = Delivery.of("third");
    assertThat(loop.offer(first) && loop.offer(second) && loop.offer(third)).isTrue();
    assertThat(loop.next()).isEqualTo(new TurnStep.HandleOwn(first));
    loop.handled(new Turn(Reply.NONE));
    assertThat(loop.next()).isEqualTo(new TurnStep.HandleOwn(second));
    assertThat(loop.loseOwn(false)).containsExactly(first, second);
    loop.unload(new IllegalStateException("a timer of the user's failed"));
    assertThat(loop.loseOwn(false)).as("told once").isEmpty();
    load(0, 0);
    assertThat(loop.next()).isEqualTo(new TurnStep.HandleOwn(third));
    assertThat(loop.offer(first)).isTrue();
    assertThat(loop.loseOwn(true)).containsExactly(third, first);
  }

  @Test
  void aHintLeadsToAReadAndAnEmptyReadToRest() {
    load(0, 0);
    assertThat(loop.next()).isEqualTo(new TurnStep.Read(0));
    assertThat(loop.doorbell().hint(0)).isTrue();
    loop.read(StoredMail.NONE);
    assertThat(loop.next()).as("the hint came while reading").isEqualTo(new TurnStep.Read(0));
    loop.read(new StoredMail(List.of(segment(0, 1)), 1, 1));
    assertThat(handles()).isEqualTo(1);
    handled(1);
    commits();
    loop.committed(after(1, 0));
    assertThat(loop.next()).isEqualTo(new TurnStep.Read(1));
    loop.read(StoredMail.NONE);
    assertThat(loop.next()).isEqualTo(new TurnStep.Wait());
    assertThat(loop.idle()).isTrue();
  }

  @Test
  void takesWhatTheNodeItselfDeliveredWithoutAReadIfItIsTheNext() {
    load(0, 0);
    loop.next();
    loop.read(StoredMail.NONE);
    assertThat(loop.next()).isEqualTo(new TurnStep.Wait());
    loop.doorbell().delivered(0, Segment.decode("it", segment(0, 1, 2).bytes()));
    assertThat(loop.doorbell().hint(0)).as("its own event is no news").isFalse();
    assertThat(handles()).isEqualTo(1);
    loop.doorbell().expect(2);
    loop.doorbell().delivered(1, Segment.decode("it", segment(1, 3).bytes()));
    handled(2);
    handles();
    handled(1);
    assertThat(commits()).hasSize(3);
    loop.committed(after(2, 0));
    assertThat(loop.next()).as("another's segment came meanwhile").isEqualTo(new TurnStep.Read(2));
  }

  @Test
  void readsWhereADeliveryIsNotTheNext() {
    load(0, 0);
    loop.next();
    loop.read(StoredMail.NONE);
    loop.doorbell().delivered(1, Segment.decode("it", segment(1, 2).bytes()));
    assertThat(loop.next()).isEqualTo(new TurnStep.Read(0));
    loop.read(new StoredMail(List.of(segment(0, 1), segment(1, 2)), 2, 2));
    assertThat(handles()).isEqualTo(1);
  }

  private static List<Envelope> mail(StoredSegment segment) {
    return Segment.decode("it", segment.bytes());
  }

  private void handleAndCommit(long message) {
    assertThat(handles()).isEqualTo(message);
    handled(1);
    assertThat(commits()).hasSize(1);
    assertThat(loop.committed(after(message, 0))).isNull();
  }

  private void idle() {
    load(0, 0);
    loop.next();
    loop.read(StoredMail.NONE);
    assertThat(loop.next()).isEqualTo(new TurnStep.Wait());
  }

  @Test
  void takesAPushThatIsTheNextAndIgnoresTheRest() {
    idle();
    assertThat(loop.doorbell().pushed(0, mail(segment(0, 1, 2)))).isTrue();
    assertThat(loop.waiting()).isEqualTo(2);
    assertThat(loop.doorbell().pushed(0, mail(segment(0, 1, 2)))).as("twice").isFalse();
    assertThat(loop.waiting()).as("nor counted twice").isEqualTo(2);
    assertThat(loop.doorbell().hint(0)).as("its event is no news").isFalse();
    assertThat(handles()).isEqualTo(1);
    handled(2);
    assertThat(commits()).hasSize(2);
    assertThat(loop.committed(after(1, 0))).isNull();
    assertThat(loop.next()).isEqualTo(new TurnStep.Wait());
    assertThat(loop.doorbell().pushed(2, mail(segment(2, 4)))).as("not the next").isFalse();
    assertThat(loop.next()).isEqualTo(new TurnStep.Read(1));
    assertThat(loop.doorbell().pushed(1, mail(segment(1, 3)))).as("being read").isFalse();
    loop.read(new StoredMail(List.of(segment(1, 3), segment(2, 4)), 2, 2));
    assertThat(loop.doorbell().pushed(1, mail(segment(1, 3)))).as("late").isFalse();
    assertThat(handles()).isEqualTo(3);
  }

  @Test
  void mailThatAnotherOwnerConsumedMeanwhileIsNoFailureOfTheActor() {
    idle();
    assertThat(loop.doorbell().hint(7)).isTrue();
    assertThat(loop.next()).isEqualTo(new TurnStep.Read(0));
    StoredMail later = new StoredMail(List.of(segment(7, 1)), 1, 1);
    assertThatThrownBy(() -> loop.read(later))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONFLICT))
        .hasMessageContaining("segment 7 follows where 0 must");
  }

  @Test
  void mailThatIsMissingWhenItIsLoadedIs() {
    assertThatThrownBy(() -> load(0, 0, segment(7, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("segment 7 follows where 0 must");
  }

  @Test
  void awaitsPushesWhereTheyComeInTime() {
    idle();
    assertThat(loop.doorbell().foretold(0)).as("no push came yet").isFalse();
    assertThat(loop.next()).isEqualTo(new TurnStep.Read(0));
    assertThat(loop.doorbell().pushed(0, mail(segment(0, 1)))).isFalse();
    loop.read(new StoredMail(List.of(segment(0, 1)), 1, 1));
    handleAndCommit(1);
    assertThat(loop.next()).isEqualTo(new TurnStep.Read(1));
    loop.read(StoredMail.NONE);
    assertThat(loop.doorbell().foretold(1)).as("a wait begins").isTrue();
    assertThat(loop.doorbell().foretold(2)).as("the same wait").isFalse();
    assertThat(loop.next()).isEqualTo(new TurnStep.Wait());
    assertThat(loop.idle()).as("mail is on its way").isFalse();
    assertThat(loop.doorbell().pushed(1, mail(segment(1, 2)))).isTrue();
    assertThat(loop.doorbell().waited()).as("one came, one is missing").isTrue();
    assertThat(loop.doorbell().waited()).as("it did not come").isFalse();
    handleAndCommit(2);
    assertThat(loop.next()).isEqualTo(new TurnStep.Read(2));
    loop.read(new StoredMail(List.of(segment(2, 3)), 1, 1));
    handleAndCommit(3);
    assertThat(loop.doorbell().foretold(3)).as("pushes do not come any more").isFalse();
  }

  @Test
  void aPushBeforeItIsLoadedIsAHint() {
    assertThat(loop.doorbell().pushed(0, mail(segment(0, 1)))).isFalse();
    load(0, 0, segment(0, 1));
    assertThat(handles()).isEqualTo(1);
  }

  @Test
  void boundsTheActorsOwnMessages() {
    load(0, 0);
    Delivery own = Delivery.of("tick");
    for (int i = 0; i < SelfMessages.MOST; i++) {
      assertThat(loop.offer(own)).isTrue();
    }
    assertThat(loop.offer(own)).isFalse();
    assertThat(loop.next()).isEqualTo(new TurnStep.HandleOwn(own));
  }

  @Test
  void aCommitNamesWhatTheActorToldItself() {
    load(0, 0, segment(0, 1));
    assertThat(handles()).isEqualTo(1);
    Delivery own = Delivery.of("tick");
    assertThat(loop.offer(own)).isTrue();
    handled(1);
    assertThat(loop.next()).isEqualTo(new TurnStep.HandleOwn(own));
    loop.handled(new Turn(Reply.NONE));
    assertThat(commits()).extracting(HandledMessage::own).containsExactly(null, own);
    loop.refused(new IllegalStateException("refused"));
    load(0, 0, segment(0, 1));
    assertThat(handles()).isEqualTo(1);
    handled(1);
    assertThat(commits())
        .as("it is not tried again")
        .extracting(HandledMessage::own)
        .containsOnlyNulls();
    assertThat(loop.committed(after(1, 0))).isNull();
    assertThat(loop.offer(own)).isTrue();
    assertThat(loop.next()).isEqualTo(new TurnStep.HandleOwn(own));
    loop.handled(new Turn(Reply.NONE));
    assertThat(commits()).hasSize(1);
    loop.refused(new IllegalStateException("refused"));
    assertThat(loop.attempts()).as("no message of the mailbox is to blame").isZero();
  }
}

package io.callboard.internal.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.DeliveryMode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Segment;
import io.callboard.internal.commit.Append;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.store.ActorRecord;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSegment;
import io.callboard.store.WhenFull;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each rule has a situation in which it is the one taken. */
class TurnRuleTest {
  private static final RuntimeException BOOM = new RuntimeException("boom");
  private static final MessageType TYPE = new MessageType("m", 1);

  private long nanos;
  private int attempts = 3;
  private DeliveryMode mode = DeliveryMode.EXACTLY_ONCE;
  private MailboxHeader header = MailboxHeader.NEW;
  private TurnLoop loop = made();

  @ParameterizedTest
  @EnumSource
  void isTaken(TurnRule rule) {
    bring(rule);
    TurnStep step = loop.next();
    assertThat(loop.rule()).as("the step is %s", step).isEqualTo(rule);
  }

  /** Brings the loop to where that rule is taken next. */
  private void bring(TurnRule rule) {
    switch (rule) {
      case BUSY -> load(segment(0, 1)).next();
      case FIND_PLACES -> {
        losesItsPlace();
        loop.doorbell().hint(0);
      }
      case PLACES -> losesItsPlace();
      case AFTER_COMMIT -> {
        commitsAndGoesOn(segment(0, 1));
        loop.doorbell().delivered(1, envelopes(2));
        loop.next();
        handled(0, new SliceResult.Failed(BOOM));
      }
      case COMMIT_BEFORE_FAILURE -> {
        load(segment(0, 1, 2)).next();
        handled(1, new SliceResult.Failed(BOOM));
      }
      case PARK_FAILED -> {
        attempts = 1;
        load(segment(0, 1)).next();
        handled(0, new SliceResult.Failed(BOOM));
      }
      case FAIL -> {
        load(segment(0, 1)).next();
        handled(0, new SliceResult.Failed(BOOM));
      }
      case COMMIT_DUE -> {
        load(segment(0, 1, 2)).next();
        handled(1);
        nanos += Batch.COMMIT_AFTER_NANOS;
      }
      case COMMIT_HEADER -> {
        header = new MailboxHeader(true, 10_000, WhenFull.WAIT);
        load();
      }
      case COMMIT_AT_REST -> {
        load(segment(0, 1, 2)).next();
        handled(1);
        loop.rest();
      }
      case REST -> load(segment(0, 1)).rest();
      case HANDLE_OWN -> assertThat(load().offer(Delivery.of("tick"))).isTrue();
      case HANDLE_CONSUMED -> {
        mode = DeliveryMode.AT_MOST_ONCE;
        load(segment(0, 1)).next();
        committed(1);
      }
      case MAIL_AFTER_COMMIT -> {
        commitsAndGoesOn(segment(0, 1), large(1));
      }
      case COMMIT_BEFORE_UNREADABLE -> {
        load(segment(0, 1), garbage(1)).next();
        handled(1);
      }
      case PARK_UNREADABLE -> load(garbage(0));
      case PARK_UNCOMMITTABLE -> {
        attempts = 1;
        load(segment(0, 1)).next();
        handled(1);
        loop.next();
        loop.refused(BOOM);
        reload(segment(0, 1));
      }
      case COMMIT_BEFORE_BODY -> {
        load(segment(0, 1), large(1)).next();
        handled(1);
      }
      case FETCH -> load(large(0));
      case CONSUME -> {
        mode = DeliveryMode.AT_MOST_ONCE;
        load(segment(0, 1));
      }
      case HANDLE_MAIL -> load(segment(0, 1));
      case HANDLE_BYPASS -> offersDirect();
      case COMMITTING -> commitsAndGoesOn(segment(0, 1));
      case COMMIT -> {
        load(segment(0, 1)).next();
        handled(1);
      }
      case READ -> load();
      case COMMIT_CHORES -> {
        loadAndRead();
        loop.chores(() -> true);
      }
      case IDLE -> loadAndRead();
      case LINGER -> {
        mode = DeliveryMode.AT_LEAST_ONCE;
        load(segment(0, 1)).next();
        handled(1);
        loop.next();
        readNothing();
      }
    }
  }

  private TurnLoop made() {
    return new TurnLoop("/a", attempts, mode, MailboxHeader.NEW, () -> nanos, lost -> {});
  }

  private TurnLoop load(StoredSegment... mail) {
    loop = made();
    reload(mail);
    return loop;
  }

  private void reload(StoredSegment... mail) {
    loop.loaded(
        new Loaded(
            Optional.of(new StoredRecord(new ActorRecord(0, 0, 0, 0, 0, List.of()), 0)),
            List.of(),
            new StoredMail(List.of(mail), mail.length, mail.length),
            header,
            List.of()));
  }

  /** Loads and reads: messages that may be in the store are looked for after each load. */
  private void loadAndRead() {
    load().next();
    readNothing();
  }

  private void readNothing() {
    loop.read(new StoredMail(List.of(), 0, 0));
  }

  private void offersDirect() {
    loadAndRead();
    loop.direct().outlet(new Nowhere());
    Envelope envelope = new Envelope(new MessageId("edge", 1), TYPE, new byte[] {'{', '}'}, null);
    ActorPath path = ActorPath.of("/a");
    Append append = new Append(path, envelope, Long.MAX_VALUE, Promise.promise());
    assertThat(loop.offer(new BypassMessage(append), true)).isTrue();
  }

  /** A bypass message fails, so that it goes to the mailbox, to be tried again from there. */
  private void losesItsPlace() {
    offersDirect();
    loop.next();
    handled(0, new SliceResult.Failed(BOOM));
  }

  private void commitsAndGoesOn(StoredSegment... mail) {
    load(mail).next();
    Turn turn = new Turn(Reply.NONE);
    turn.state("changed");
    turn.goOn();
    loop.handledMail(List.of(turn), new SliceResult.Paused());
    assertThat(loop.next()).isInstanceOf(TurnStep.CommitTurns.class);
  }

  private void handled(int messages) {
    handled(messages, new SliceResult.Paused());
  }

  private void handled(int messages, SliceResult end) {
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      turns.add(new Turn(Reply.NONE));
    }
    loop.handledMail(turns, end);
  }

  private void committed(long next) {
    assertThat(loop.committed(new ActorRecord(1, 1, next, 0, 0, List.of()))).isNull();
  }

  private static StoredSegment segment(long sequence, int... numbers) {
    return new StoredSegment(sequence, Segment.encode(envelopes(numbers)));
  }

  private static StoredSegment garbage(long sequence) {
    return new StoredSegment(sequence, "{\"f\":1".getBytes(StandardCharsets.UTF_8));
  }

  private static StoredSegment large(long sequence) {
    BlobRef blob = new BlobRef("b" + sequence, 50_000, 1, "00000000");
    return new StoredSegment(
        sequence,
        Segment.encode(List.of(new Envelope(new MessageId("s", sequence), TYPE, blob, null))));
  }

  private static List<Envelope> envelopes(int... numbers) {
    List<Envelope> envelopes = new ArrayList<>();
    for (int n : numbers) {
      envelopes.add(new Envelope(new MessageId("s", n), TYPE, new byte[] {'{', '}'}, null));
    }
    return envelopes;
  }

  /** A mailbox on its way to which everything stays. */
  private static final class Nowhere implements MailboxBypass.Outlet {
    @Override
    public void taken() {}

    @Override
    public void hold() {}

    @Override
    public void put(BypassMessage message) {}

    @Override
    public void release(List<BypassMessage> messages) {}

    @Override
    public void ended(BypassMessage message, Result result) {}
  }
}

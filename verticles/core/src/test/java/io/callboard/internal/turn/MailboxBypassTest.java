package io.callboard.internal.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Handling;
import io.callboard.codecs.MessageId;
import io.callboard.internal.commit.Append;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.readahead.MailboxMessage;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.WhenFull;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MailboxBypassTest {
  private static final ActorPath PATH = ActorPath.of("/a");
  private static final int LIMIT = 20;

  record Note(int number) {}

  private final List<String> told = new ArrayList<>();
  private final List<BypassMessage> put = new ArrayList<>();
  private final MailboxBypass mail = new MailboxBypass(LIMIT);
  private int numbers;

  @BeforeEach
  void listen() {
    mail.outlet(
        new MailboxBypass.Outlet() {
          @Override
          public void taken() {}

          @Override
          public void hold() {
            told.add("hold");
          }

          @Override
          public void put(BypassMessage message) {
            put.add(message);
            told.add("put " + message.id().number());
          }

          @Override
          public void release(List<BypassMessage> messages) {
            told.add("release " + messages.stream().map(m -> m.id().number()).toList());
          }

          @Override
          public void ended(BypassMessage message, Result result) {
            told.add(message.id().number() + " " + result.getClass().getSimpleName());
          }
        });
  }

  private BypassMessage message(Handling handling) {
    Envelope envelope = Envelope.of(new MessageId("edge", ++numbers), new Note(numbers), null);
    return new BypassMessage(
        new Append(PATH, envelope.with(handling), Long.MAX_VALUE, Promise.promise()));
  }

  private boolean offer() {
    return mail.offer(message(Handling.PLAIN), true);
  }

  private void offer(int count) {
    for (int i = 0; i < count; i++) {
      assertThat(offer()).isTrue();
    }
  }

  /** Handles so many of those handed out. */
  private List<HandledMessage> handle(int count) {
    return mail
        .begun(count, mailboxMessage -> told.add("lane " + mailboxMessage.envelope().id().number()))
        .stream()
        .map(message -> new HandledMessage(null, null, message, new Turn(Reply.NONE)))
        .toList();
  }

  private static MailboxMessage at(int index, BypassMessage message) {
    return MailboxMessage.of(0, 0, index, false, message.envelope());
  }

  private static Result full() {
    return new Result.Full(PATH, WhenFull.WAIT);
  }

  @Test
  void aHandledMessageIsWrittenByItsCommitAlone() {
    offer(3);
    assertThat(mail.take(2)).hasSize(2);
    List<HandledMessage> turns = handle(2);
    mail.committing(turns);
    assertThat(mail.isPlacing()).isFalse();
    mail.committed(turns, new Result.Committed());
    assertThat(told).containsExactly("1 Committed", "2 Committed");
    assertThat(mail.hasNext()).isTrue();
    assertThat(mail.size()).isEqualTo(1);
  }

  @Test
  void takesNothingThatWouldOvertakeMail() {
    assertThat(mail.offer(message(Handling.PLAIN), false)).isFalse();
    assertThat(told).isEmpty();
    assertThat(offer()).isTrue();
  }

  @Test
  void aMessageThatOnlyAMailboxHeedsSendsAllThere() {
    offer(2);
    assertThat(mail.offer(message(new Handling(1, 0, 0)), true)).isFalse();
    assertThat(told).containsExactly("hold", "release [1, 2]");
    assertThat(mail.size()).isZero();
    assertThat(offer()).isTrue();
  }

  @Test
  void aCommitIsWaitedForBeforeOthersGoToTheMailbox() {
    offer(3);
    assertThat(mail.take(1)).hasSize(1);
    List<HandledMessage> first = handle(1);
    mail.committing(first);
    assertThat(mail.take(1)).hasSize(1);
    mail.slow();
    assertThat(told).containsExactly("hold");
    mail.committed(first, new Result.Committed());
    assertThat(told).containsExactly("hold", "1 Committed", "put 2");
    assertThat(mail.isPlacing()).isTrue();
    assertThat(mail.stored(put.get(0), new Result.Committed())).isFalse();
    assertThat(told).endsWith("put 2", "release [3]");
    assertThat(mail.claims(at(0, put.get(0)))).isTrue();
    assertThat(mail.isPlacing()).isFalse();
    mail.leaves(handle(1).get(0).direct());
    assertThat(mail.size()).isZero();
  }

  @Test
  void aMessageWithoutRoomIsHandledOrComesBeforeTheOthers() {
    offer(4);
    assertThat(mail.take(3)).hasSize(3);
    mail.slow();
    put.forEach(message -> assertThat(mail.stored(message, full())).isTrue());
    assertThat(mail.isPlacing()).isFalse();
    List<HandledMessage> handled = handle(2);
    assertThat(told).containsExactly("hold", "put 1", "put 2", "put 3");
    mail.leaves(handled.get(1).direct());
    mail.committing(handled.subList(0, 1));
    mail.committed(handled.subList(0, 1), new Result.Committed());
    assertThat(told).endsWith("1 Committed", "release [2, 3, 4]");
  }

  @Test
  void messagesGivenOutInVainWithoutRoomComeBeforeTheOthers() {
    offer(4);
    assertThat(mail.take(3)).hasSize(3);
    mail.slow();
    List<HandledMessage> first = handle(1);
    assertThat(mail.stored(put.get(0), full())).isTrue();
    mail.committing(first);
    mail.committed(first, new Result.Committed());
    assertThat(told).containsExactly("hold", "put 1", "put 2", "put 3", "1 Committed");
    assertThat(mail.stored(put.get(1), full())).isTrue();
    assertThat(mail.stored(put.get(2), full())).isTrue();
    assertThat(told).endsWith("release [2, 3, 4]");
    assertThat(mail.size()).isZero();
  }

  @Test
  void aMessageWhoseCommitFailsComesInItsPlace() {
    offer(3);
    assertThat(mail.take(2)).hasSize(2);
    mail.slow();
    put.forEach(message -> assertThat(mail.stored(message, full())).isTrue());
    List<HandledMessage> handled = handle(2);
    mail.leaves(handled.get(1).direct());
    mail.committing(handled.subList(0, 1));
    mail.notCommitted(handled.subList(0, 1));
    assertThat(told).endsWith("release [1, 2, 3]");
  }

  @Test
  void aCommitThatFindsNoRoomElsewhereHoldsUpNoTell() {
    offer(2);
    assertThat(mail.take(1)).hasSize(1);
    List<HandledMessage> first = handle(1);
    mail.committing(first);
    mail.takenBack(first);
    assertThat(told).containsExactly("hold", "put 1");
    assertThat(mail.isPlacing()).isTrue();
    assertThat(mail.stored(put.get(0), new Result.Committed())).isFalse();
    assertThat(told).endsWith("release [2]");
  }

  @Test
  void moreTellsDoNotHideAHandlerThatHoldsItsThread() {
    offer(1);
    assertThat(mail.take(1)).hasSize(1);
    for (int i = 0; i < 2; i++) {
      offer(1);
      assertThat(mail.tick()).isTrue();
    }
    assertThat(told).containsExactly("hold", "put 1");
  }

  @Test
  void aSlowHandlerOfOtherMailHoldsUpNone() {
    offer(2);
    mail.slow();
    assertThat(told).containsExactly("hold", "release [1, 2]");
  }

  @Test
  void messagesGivenOutInVainThatWereStoredAreMailOfTheMailbox() {
    offer(3);
    assertThat(mail.take(3)).hasSize(3);
    mail.slow();
    for (int i = 0; i < put.size(); i++) {
      assertThat(mail.claims(at(i, put.get(i)))).isTrue();
      assertThat(mail.stored(put.get(i), new Result.Committed())).isFalse();
    }
    assertThat(handle(1)).hasSize(1);
    assertThat(told).endsWith("lane 3", "lane 2");
  }

  @Test
  void aRefusedCommitSendsAllThereInOrder() {
    offer(3);
    assertThat(mail.take(1)).hasSize(1);
    List<HandledMessage> first = handle(1);
    mail.committing(first);
    assertThat(mail.take(1)).hasSize(1);
    mail.notCommitted(first);
    assertThat(told).containsExactly("hold", "release [1, 2, 3]");
    assertThat(mail.size()).isZero();
  }

  @Test
  void anUnknownOutcomeIsToldWhenTheLifeHasEnded() {
    offer(1);
    assertThat(mail.take(1)).hasSize(1);
    List<HandledMessage> first = handle(1);
    mail.committing(first);
    mail.lifeEnded();
    mail.committed(first, new Result.Unknown("the node stopped"));
    assertThat(told).containsExactly("hold", "1 Unknown", "release []");
  }

  @Test
  void messagesThatGetNoFurtherGoToTheMailboxAfterTwoLooks() {
    offer(2);
    assertThat(mail.tick()).isTrue();
    assertThat(mail.take(1)).hasSize(1);
    assertThat(mail.tick()).isTrue();
    assertThat(told).isEmpty();
    assertThat(mail.tick()).isTrue();
    assertThat(told).containsExactly("hold", "put 1");
  }

  @Test
  void aCommitUnderWayIsNoStandstill() {
    offer(1);
    assertThat(mail.take(1)).hasSize(1);
    mail.committing(handle(1));
    offer(1);
    for (int i = 0; i < 5; i++) {
      assertThat(mail.tick()).isTrue();
    }
    assertThat(told).isEmpty();
  }

  @Test
  void afterASlowHandlerSomeAreSparedTheTrial() {
    offer(1);
    assertThat(mail.take(1)).hasSize(1);
    mail.slow();
    assertThat(mail.stored(put.get(0), new Result.Failed(Reason.CORRUPT, "for a test"))).isTrue();
    mail.leaves(handle(1).get(0).direct());
    assertThat(offer()).isFalse();
    assertThat(offer()).isTrue();
  }

  @Test
  void holdsNoMoreThanHalfTheLimit() {
    offer(LIMIT / 2);
    assertThat(offer()).isFalse();
    assertThat(told).containsExactly("hold", "release [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]");
  }
}

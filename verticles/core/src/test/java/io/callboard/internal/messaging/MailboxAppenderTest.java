package io.callboard.internal.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.internal.commit.Append;
import io.callboard.internal.commit.PendingUnit;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.store.WhenFull;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MailboxAppenderTest implements MailboxAppender.Node {
  private static final ActorPath A = ActorPath.of("/a");

  private final Deque<PendingUnit> submitted = new ArrayDeque<>();
  private final List<Runnable> timers = new ArrayList<>();
  private final MailboxAppender appender = new MailboxAppender(this);
  private long numbers;

  @Override
  public void submit(PendingUnit pendingUnit) {
    submitted.addLast(pendingUnit);
  }

  @Override
  public long nanoTime() {
    return 0;
  }

  @Override
  public long pauseNanos(int failures) {
    return 1;
  }

  @Override
  public Time.Alarm later(long nanos, Runnable task) {
    timers.add(task);
    return () -> timers.remove(task);
  }

  @Override
  public void sent() {}

  private Future<Void> tell() {
    return tell((message, room) -> false);
  }

  private Future<Void> tell(BypassTarget bypass) {
    Promise<Void> done = Promise.promise();
    MessageId id = new MessageId("edge", ++numbers);
    Envelope envelope = new Envelope(id, new MessageType("m", 1), new byte[] {'{', '}'}, null);
    appender.send(new Append(A, envelope, Long.MAX_VALUE / 2, done), bypass);
    return done.future();
  }

  private void settle(Result result) {
    submitted.removeFirst().done().accept(result);
  }

  @Test
  void atTheEndNoTellStaysOpenThatTheMailboxHadNoRoomForAgain() {
    Result full = new Result.Full(A, WhenFull.WAIT);
    Future<Void> first = tell();
    Future<Void> second = tell();
    settle(full);
    settle(full);
    timers.remove(0).run();
    assertThat(submitted).as("tried again together").hasSize(2);
    settle(full);
    appender.close();
    assertThat(first.cause())
        .as("no timer tries it again")
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.STOPPED));
    settle(new Result.Unknown("the node stopped while it was under way"));
    assertThat(second.failed()).isTrue();
    assertThat(submitted).isEmpty();
  }

  /** Receiver that starts, and takes messages past its mailbox once it is up. */
  private static final class Starting implements BypassTarget {
    private final Promise<Void> up = Promise.promise();
    private final List<Append> taken = new ArrayList<>();

    @Override
    public boolean handles(Append message, boolean room) {
      return up.future().isComplete() && taken.add(message);
    }

    @Override
    public Optional<Future<Void>> starts(ActorPath receiver) {
      return up.future().isComplete() ? Optional.empty() : Optional.of(up.future());
    }
  }

  @Test
  void aStartLeavesNoTimerBehind() {
    Starting receiver = new Starting();
    Future<Void> sent = tell(receiver);
    assertThat(timers).as("the limit of the wait").hasSize(1);
    receiver.up.complete();
    assertThat(receiver.taken).hasSize(1);
    assertThat(timers).isEmpty();
    assertThat(submitted).isEmpty();
    assertThat(sent.isComplete()).as("with the turn").isFalse();
  }

  @Test
  void aStartThatTakesTooLongIsNotWaitedFor() {
    Starting receiver = new Starting();
    Future<Void> sent = tell(receiver);
    timers.remove(0).run();
    assertThat(submitted).hasSize(1);
    settle(new Result.Committed());
    assertThat(sent.succeeded()).isTrue();
    receiver.up.complete();
    assertThat(receiver.taken).as("it was sent once").isEmpty();
  }
}

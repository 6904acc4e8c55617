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
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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
  public void later(long nanos, Runnable task) {
    timers.add(task);
  }

  @Override
  public void sent() {}

  private Future<Void> tell() {
    Promise<Void> done = Promise.promise();
    MessageId id = new MessageId("edge", ++numbers);
    Envelope envelope = new Envelope(id, new MessageType("m", 1), new byte[] {'{', '}'}, null);
    appender.send(new Append(A, envelope, Long.MAX_VALUE / 2, done), (message, room) -> false);
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
}

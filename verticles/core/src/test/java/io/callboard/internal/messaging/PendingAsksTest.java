package io.callboard.internal.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.Waits;
import io.callboard.internal.context.Promises;
import io.callboard.internal.context.TimeoutWheel;
import io.callboard.internal.mailbox.Reply;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Asks end, each once. */
class PendingAsksTest {
  private static final ActorPath ACTOR = ActorPath.of("/a/b");
  private static final ActorPath FAILED = ActorPath.of("/failed");

  record Answer(int value) {}

  private final Vertx vertx = Vertx.vertx();
  private final PendingAsks asks =
      new PendingAsks(
          new TimeoutWheel(
              (millis, task) -> vertx.setTimer(millis, id -> task.run()), System::nanoTime),
          new Promises((VertxInternal) vertx),
          "boot",
          (boot, number) -> Reply.NONE,
          address -> null,
          path ->
              path.equals(FAILED) ? path + " is failed, its mail waits until it is resumed" : null,
          2);

  @AfterEach
  void close() throws Exception {
    Waits.await(vertx.close());
  }

  private static void assertFails(Future<?> answer, Code code) {
    assertThatThrownBy(() -> Waits.await(answer))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void aReceiverThatWasGivenUpIsNamedWhenTheTimeIsOver() {
    PendingAsks.Ask<Answer> asked = asks.open(FAILED, Answer.class, Duration.ofMillis(20));
    PendingAsks.Ask<Answer> passedOn = open(Duration.ofMillis(20));
    passedOn.passedOnTo(FAILED);
    String why = " within PT0.02S: /failed is failed, its mail waits until it is resumed";
    assertThatThrownBy(() -> Waits.await(asked.answer()))
        .hasMessage("no answer from /failed" + why);
    assertThatThrownBy(() -> Waits.await(passedOn.answer()))
        .hasMessage("no answer from /a/b" + why);
  }

  private PendingAsks.Ask<Answer> open(Duration timeout) {
    return asks.open(ACTOR, Answer.class, timeout);
  }

  @Test
  void anAskWithoutAnAnswerTimesOut() {
    PendingAsks.Ask<Answer> ask = open(Duration.ofMillis(1));
    String address = ask.address();
    assertFails(ask.answer(), Code.TIMEOUT);
    assertThat(ask.isOver()).isTrue();
    assertThat(asks.waiting()).isZero();
    assertThat(asks.replyTo(address)).isSameAs(Reply.NONE);
  }

  @Test
  void anAskOfAStoppedNodeFailsAtOnce() throws Exception {
    PendingAsks.Ask<Answer> before = open(Duration.ofMinutes(1));
    asks.close();
    assertFails(before.answer(), Code.STOPPED);
    Waits.await(vertx.close()); // which takes no timers any more
    for (Future<?> answer :
        List.of(open(Duration.ofMinutes(1)).answer(), asks.openAlways(ACTOR).answer())) {
      assertThatThrownBy(() -> Waits.await(answer)).hasMessage("this node is stopped");
    }
    assertThat(asks.waiting()).isZero();
  }

  @Test
  void theFirstAnswerCounts() throws Exception {
    PendingAsks.Ask<Answer> ask = open(Duration.ofSeconds(10));
    Reply back = asks.replyTo(ask.address());
    back.succeed(new Answer(1));
    ask.succeed(new Answer(2));
    ask.fail(new IllegalStateException());
    assertThat(Waits.await(ask.answer())).isEqualTo(new Answer(1));
    assertThat(asks.waiting()).isZero();
  }

  @Test
  void anAnswerOfAnotherTypeIsNamed() {
    PendingAsks.Ask<Answer> ask = open(Duration.ofSeconds(10));
    ask.succeed("text");
    assertFails(ask.answer(), Code.BAD_MESSAGE);
    assertThatThrownBy(() -> Waits.await(ask.answer()))
        .hasMessageContainingAll("java.lang.String", Answer.class.getName());
  }

  @Test
  void tooManyAreRefusedAndTheRestEndsWithTheNode() {
    PendingAsks.Ask<Answer> first = open(Duration.ofDays(1_000_000));
    PendingAsks.Ask<Answer> second = open(Duration.ofSeconds(100));
    PendingAsks.Ask<Answer> third = open(Duration.ofSeconds(100));
    assertThat(third.isOver()).isTrue();
    assertFails(third.answer(), Code.UNAVAILABLE);
    asks.close();
    assertFails(first.answer(), Code.STOPPED);
    assertFails(second.answer(), Code.STOPPED);
  }

  @Test
  void asksThatWaitForEverTakeNoPlace() {
    PendingAsks.Ask<Object> watch = asks.openAlways(ACTOR);
    PendingAsks.Ask<Answer> first = open(Duration.ofSeconds(100));
    PendingAsks.Ask<Answer> second = open(Duration.ofSeconds(100));
    assertThat(asks.waiting()).isEqualTo(2);
    assertThat(List.of(watch.isOver(), first.isOver(), second.isOver())).containsOnly(false);
    assertThat(open(Duration.ofSeconds(100)).isOver()).isTrue();
    asks.close();
    assertFails(watch.answer(), Code.STOPPED);
  }

  @Test
  void aHostileAddressMeansNobody() {
    for (String address :
        new String[] {
          "",
          "#",
          "x#",
          "#1",
          "callboard.node.boot#",
          "callboard.node.boot#-1",
          "callboard.node.boot#99999999999999999999",
          "callboard.node.boot#7",
          "actor:/a/b"
        }) {
      assertThat(asks.replyTo(address)).as(address).isSameAs(Reply.NONE);
    }
  }
}

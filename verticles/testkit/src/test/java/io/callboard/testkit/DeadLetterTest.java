package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.Protocol;
import io.callboard.admin.DeadLetter;
import io.callboard.store.WhenFull;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.event.Level;

/** Test that listeners are notified of messages that are not handled. */
class DeadLetterTest {
  record Note(String text) {}

  @RegisterExtension final Stage stage = new Stage();
  private final Promise<Void> gate = Promise.promise();
  private final BlockingQueue<DeadLetter> letters = new LinkedBlockingQueue<>();

  private final class Sender extends Actor<Note> {
    @Override
    protected void protocol(Protocol<Note> on) {
      on.async(
          Note.class,
          note -> {
            if (note.text().equals("hold")) {
              stage.sees("holds");
              return gate.future();
            }
            tell(callboard().ref("/nobody", Note.class), note);
            return Future.succeededFuture();
          });
    }
  }

  @AfterEach
  void stop() throws Exception {
    gate.tryComplete();
  }

  /** Reads something, and holds its turn if it is to. */
  private final class Reader extends Actor<Note> {
    private final Future<Void> read;

    Reader(Future<Void> read) {
      this.read = read;
    }

    @Override
    protected void protocol(Protocol<Note> on) {
      on.async(
          Note.class,
          note -> {
            pipeToSelf(read, done -> new Note("read"));
            stage.sees(note.text());
            return note.text().equals("hold") ? gate.future() : Future.succeededFuture();
          });
    }
  }

  @Test
  void anOutcomeThatComesAfterTheStopOfItsActorIsNoDeadLetter() throws Exception {
    Promise<Void> read = Promise.promise();
    ActorRef<Note> reader =
        await(stage.callboard.spawn("/reader", () -> new Reader(read.future())));
    await(reader.tell(new Note("reads")));
    stage.expect("reads");
    await(stage.callboard.stop("/reader"));
    read.complete();
    assertThat(stage.callboard.admin().counts().dead()).isZero();
  }

  @Test
  void anOutcomeThatWaitsAtTheStopOfItsActorIsNoDeadLetterButMailIs() throws Exception {
    ActorRef<Note> reader =
        await(stage.callboard.spawn("/reader", () -> new Reader(Future.succeededFuture())));
    await(reader.tell(new Note("hold")));
    stage.expect("hold");
    await(reader.tell(new Note("waits")));
    await(stage.callboard.stop("/reader")); // while it holds its turn, so that the mail waits
    assertThat(stage.callboard.admin().counts().dead()).isEqualTo(1);
  }

  private DeadLetter next() throws Exception {
    DeadLetter letter = Waits.next(letters);
    return letter;
  }

  @Test
  void aDeadLetterSaysWhoToldWhatToWhomAndWhy() throws Exception {
    Runnable end = stage.callboard.admin().onDeadLetter(letters::add);
    ActorRef<Note> sender = await(stage.callboard.spawn("/sender", Sender::new));
    await(sender.tell(new Note("hello")));
    DeadLetter letter = next();
    assertThat(letter.receiver()).isEqualTo("/nobody");
    assertThat(letter.sender()).isEqualTo("/sender");
    assertThat(letter.type().name()).isEqualTo("note");
    assertThat(letter.message()).isEqualTo(new Note("hello"));
    assertThat(letter.cause())
        .isInstanceOfSatisfying(
            CallboardException.class,
            e -> assertThat(e.code()).isEqualTo(CallboardException.Code.NO_SUCH_ACTOR));
    end.run();
    await(sender.tell(new Note("unheard")));
    Eventually.assertThat(() -> assertThat(stage.callboard.admin().counts().dead()).isEqualTo(2));
    assertThat(letters).isEmpty();
  }

  @Test
  void aListenerThatFailsHarmsNobody() throws Exception {
    Runnable first =
        stage
            .callboard
            .admin()
            .onDeadLetter(
                letter -> {
                  throw new IllegalStateException("as told");
                });
    Runnable second = stage.callboard.admin().onDeadLetter(letters::add);
    ActorRef<Note> sender = await(stage.callboard.spawn("/sender", Sender::new));
    await(sender.tell(new Note("one")));
    await(sender.tell(new Note("two")));
    assertThat(next().message()).isEqualTo(new Note("one"));
    assertThat(next().message()).isEqualTo(new Note("two"));
    first.run();
    second.run();
  }

  @Test
  @ExtendWith(CallboardExtension.class)
  void aListenerThatAlwaysFailsDoesNotFloodTheLog(Callboard callboard, ManualTime time)
      throws Exception {
    Runnable first =
        callboard
            .admin()
            .onDeadLetter(
                letter -> {
                  throw new IllegalStateException("as told");
                });
    Runnable second = callboard.admin().onDeadLetter(letters::add);
    ActorRef<Note> sender = await(callboard.spawn("/sender", Sender::new));
    try (LogCapture log = LogCapture.of("io.callboard")) {
      for (int i = 0; i < 25; i++) {
        await(sender.tell(new Note("one")));
        assertThat(next().message()).isEqualTo(new Note("one"));
      }
      assertThat(log.lines().stream().filter(line -> line.level() == Level.ERROR)).hasSize(20);
      time.advance(Duration.ofSeconds(10));
      assertThat(log.expect(Level.WARN, "failures of listeners").text()).startsWith("5 more ");
    }
    first.run();
    second.run();
  }

  @Test
  void aStormCostsNoMoreThanItsLimit() throws Exception {
    int storm = 50_000;
    CountDownLatch blocked = new CountDownLatch(1);
    AtomicInteger told = new AtomicInteger();
    Runnable end =
        stage
            .callboard
            .admin()
            .onDeadLetter(
                letter -> {
                  told.incrementAndGet();
                  try {
                    blocked.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    ActorOptions options = new ActorOptions().mailboxLimit(1).whenFull(WhenFull.DROP_OLDEST);
    ActorRef<Note> slow = await(stage.callboard.spawn("/slow", Sender::new, options));
    await(slow.tell(new Note("hold")));
    stage.expect("holds");
    for (int i = 0; i <= storm; i++) {
      assertThat(slow.tell(new Note("note")).succeeded()).isTrue();
    }
    assertThat(stage.callboard.admin().counts().dead()).isEqualTo(storm);
    blocked.countDown();
    Eventually.assertThat(() -> assertThat(told.get()).isBetween(1_000, 1_001));
    end.run();
  }
}

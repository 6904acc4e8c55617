package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.TellOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Test of the messages that a probe receives, and of its failures when it expected others. */
@ExtendWith(CallboardExtension.class)
class ProbeTest {
  sealed interface Word {
    record Ping(int number) implements Word {}

    record Pong(int number) implements Word {}
  }

  private Probe<Word> probe;
  private Probes probes;

  /** Of a patience that is soon over, for what is to fail. */
  private Probes hasty;

  @BeforeEach
  void start(Probes given) {
    hasty = given.patience(Duration.ofMillis(200));
    probes = given;
    probe = given.probe(Word.class);
  }

  /** Starts a hasty probe; on a busy machine its patience may be over before it is up. */
  private Probe<Word> hastyProbe() {
    AtomicReference<Probe<Word>> started = new AtomicReference<>();
    Eventually.assertThat(() -> started.set(hasty.probe(Word.class)));
    return started.get();
  }

  private void tell(int... pings) throws Exception {
    for (int ping : pings) {
      await(probe.ref().tell(new Word.Ping(ping)));
    }
  }

  @Test
  void messagesComeInTheirOrder() throws Exception {
    tell(1, 2, 3);
    probe.expectMessage(new Word.Ping(1));
    assertThat(probe.expectMessage(Word.Ping.class).number()).isEqualTo(2);
    assertThat(probe.expectMessage()).isEqualTo(new Word.Ping(3));
    probe.expectNoMessage();
  }

  @Test
  void whereTimeIsRealRestAloneIsNotNothing() {
    long before = System.nanoTime();
    probe.expectNoMessage();
    assertThat(Duration.ofNanos(System.nanoTime() - before))
        .as("something could come by a timer")
        .isGreaterThanOrEqualTo(Probe.SILENCE);
  }

  @Test
  void errorsTellWhatCameInstead() throws Exception {
    Probe<Word> waits = hastyProbe();
    assertThatThrownBy(() -> waits.expectMessage(Word.Pong.class))
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "expected a Pong, but nothing arrived at %s within PT0.2S".formatted(waits.ref()));
    tell(1, 2, 3);
    probe.expectMessage();
    assertThatThrownBy(() -> probe.expectMessage(Word.Pong.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("expected a Pong, but /probes/")
        .hasMessageContaining("received Ping[number=2]; received before: [Ping[number=1]]");
    assertThatThrownBy(() -> probe.expectNoMessage())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("expected no message, but /probes/")
        .hasMessageContaining("Ping[number=3]");
    Eventually.assertThat(this::fishesInVain);
  }

  /** On a busy machine the message may come when the patience of the probe is over. */
  private void fishesInVain() {
    Probe<Word> fishes = hastyProbe();
    await(fishes.ref().tell(new Word.Ping(4)));
    assertThatThrownBy(() -> fishes.fishFor(Word.Pong.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("within PT0.2S, but [Ping[number=4]]");
  }

  @Test
  void fishesForWhatItWants() throws Exception {
    tell(1, 2, 3, 4);
    assertThat(probe.fishFor(Word.Ping.class, ping -> ping.number() == 3).number()).isEqualTo(3);
    probe.expectMessage(new Word.Ping(4));
  }

  @Test
  void answersAFutureAndAnActor() throws Exception {
    Future<Word.Pong> answer = probe.ref().ask(new Word.Ping(1), Word.Pong.class);
    probe.expectMessage(new Word.Ping(1));
    assertThat(answer.isComplete()).isFalse();
    probe.reply(new Word.Pong(1));
    assertThat(await(answer)).isEqualTo(new Word.Pong(1));
    assertThatThrownBy(() -> probe.reply(new Word.Pong(1)))
        .isInstanceOf(IllegalStateException.class);

    Probe<Word> asker = probes.probe("/asker", Word.class);
    await(probe.ref().tell(new Word.Ping(2), TellOptions.replyTo(asker.ref())));
    probe.expectMessage(new Word.Ping(2));
    probe.reply(new Word.Pong(2));
    asker.expectMessage(new Word.Pong(2));
  }

  @Test
  void isToldOfAnEnd(Callboard callboard) throws Exception {
    Probe<Word> other = probes.probe("/other", Word.class);
    Probe<Word> waits = hastyProbe();
    Eventually.assertThat( // first it starts a watch, for which it has no more patience
        () ->
            assertThatThrownBy(() -> waits.expectTerminated(other.ref()))
                .isInstanceOf(AssertionError.class)
                .hasMessage("the end of /other did not complete within PT0.2S"));
    await(callboard.stop("/other"));
    probe.expectTerminated(other.ref());
    ActorRef<Word> nobody = callboard.ref("/nobody", Word.class);
    assertThat(probe.expectTerminated(nobody)).contains("no actor /nobody");
  }
}

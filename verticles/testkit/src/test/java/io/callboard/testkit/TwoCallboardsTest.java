package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two Callboards in one process, each with a cell of its own: what an actor of one does with the
 * ref of an actor of the other reaches that one, never the actor of the same path in its own cell.
 */
class TwoCallboardsTest {
  @RegisterExtension final Stage here = new Stage();
  @RegisterExtension final Stage there = new Stage();

  record Say(String text) {}

  record Heard(String cell) {}

  /** Durable actor that reports what it hears. */
  static final class Ear extends DurableStateActor<Say, Heard> {
    private final String cell;
    private final Consumer<String> hears;

    Ear(String cell, Consumer<String> hears) {
      this.cell = cell;
      this.hears = hears;
    }

    @Override
    protected Heard initial() {
      return new Heard(cell);
    }

    @Override
    protected void protocol(Protocol<Say> on) {
      on.message(
          Say.class,
          say -> {
            hears.accept(say.text());
            reply(new Heard(cell));
          });
    }
  }

  /** Volatile actor that reports what it hears. */
  static final class Whisper extends Actor<Say> {
    private final String cell;
    private final Consumer<String> hears;

    Whisper(String cell, Consumer<String> hears) {
      this.cell = cell;
      this.hears = hears;
    }

    @Override
    protected void protocol(Protocol<Say> on) {
      on.message(
          Say.class,
          say -> {
            hears.accept(say.text());
            reply(new Heard(cell));
          });
    }
  }

  /** Durable actor that does with its messages what it was given. */
  static final class Speaker extends DurableStateActor<Say, Heard> {
    private final Deed<Speaker> deed;

    Speaker(Deed<Speaker> deed) {
      this.deed = deed;
    }

    @Override
    protected Heard initial() {
      return new Heard("here");
    }

    @Override
    protected void protocol(Protocol<Say> on) {
      on.async(Say.class, say -> deed.does(this, say));
    }

    void tells(ActorRef<Say> to, Say say) {
      tell(to, say);
    }

    void tellsAll(List<ActorRef<Say>> all, Say say) {
      tellAll(all, say);
    }

    void forwards(ActorRef<Say> to, Say say) {
      forward(to, say);
    }

    void answers(Object answer) {
      reply(answer);
    }

    void delivers(ActorRef<Say> to, Say say) {
      deliver(to, id -> say);
    }
  }

  interface Deed<A> {
    Future<?> does(A actor, Say message);
  }

  private ActorRef<Say> speaker(Deed<Speaker> deed) throws Exception {
    return await(here.callboard.spawn("/speaker", () -> new Speaker(deed)));
  }

  private static Future<?> done() {
    return Future.succeededFuture();
  }

  @Test
  void tellsOfADurableActorReachTheOtherCellWithItsCommit() throws Exception {
    ActorRef<Say> ear = ears();
    ActorRef<Say> whisper = whispers();
    ActorRef<Say> speaker =
        speaker(
            (me, say) -> {
              me.tells(ear, new Say("verb"));
              me.tellsAll(List.of(ear, whisper), new Say("all"));
              return ear.tell(new Say("ref")).onSuccess(v -> me.answers(new Heard("speaker")));
            });
    assertThat(await(speaker.ask(new Say("go"), Heard.class)).cell()).isEqualTo("speaker");
    assertThat(Set.of(there.next(), there.next(), there.next(), there.next()))
        .as("seen in the other cell")
        .containsExactlyInAnyOrder("ear verb", "ear all", "whisper all", "ear ref");
    assertThat(here.rest()).as("seen in the actor's own cell").isEmpty();
  }

  private ActorRef<Say> ears() throws Exception {
    await(here.callboard.spawn("/ear", () -> new Ear("here", s -> here.sees("ear " + s))));
    return await(
        there.callboard.spawn("/ear", () -> new Ear("there", s -> there.sees("ear " + s))));
  }

  private ActorRef<Say> whispers() throws Exception {
    await(
        here.callboard.spawn(
            "/whisper", () -> new Whisper("here", s -> here.sees("whisper " + s))));
    return await(
        there.callboard.spawn(
            "/whisper", () -> new Whisper("there", s -> there.sees("whisper " + s))));
  }

  @Test
  void asksAndForwardsOfADurableActorReachTheOtherAndItsAnswerComesBack() throws Exception {
    ActorRef<Say> ear = ears();
    ActorRef<Say> whisper = whispers();
    ActorRef<Say> speaker =
        speaker(
            (me, say) -> {
              if (say.text().equals("ask")) {
                return ear.ask(say, Heard.class).onSuccess(me::answers);
              }
              me.forwards(say.text().equals("durable") ? ear : whisper, say);
              return done();
            });
    for (String way : List.of("ask", "durable", "volatile")) {
      assertThat(await(speaker.ask(new Say(way), Heard.class)).cell()).as(way).isEqualTo("there");
    }
    assertThat(here.rest()).as("seen in the actor's own cell").isEmpty();
  }

  /** Volatile actor that does with its messages what it was given. */
  static final class Caller extends Actor<Say> {
    private final Deed<Caller> deed;

    Caller(Deed<Caller> deed) {
      this.deed = deed;
    }

    @Override
    protected void protocol(Protocol<Say> on) {
      on.async(Say.class, say -> deed.does(this, say));
    }

    void tells(ActorRef<Say> to, Say say, TellOptions options) {
      tell(to, say, options);
    }

    void forwards(ActorRef<Say> to, Say say) {
      forward(to, say);
    }

    void watches(ActorRef<Say> whom) {
      watch(whom, end -> new Say("ended"));
    }
  }

  @Test
  void aVolatileActorTellsForwardsAndWatchesTheOther() throws Exception {
    ActorRef<Say> ear = ears();
    ActorRef<Say> whisper = whispers();
    ActorRef<Say> caller =
        await(
            here.callboard.spawn(
                "/caller",
                () ->
                    new Caller(
                        (me, say) -> {
                          switch (say.text()) {
                            case "tell" -> me.tells(ear, say, TellOptions.NONE);
                            case "watch" -> me.watches(whisper);
                            case "ended" -> here.sees("told of the end");
                            default ->
                                me.forwards(say.text().equals("durable") ? ear : whisper, say);
                          }
                          return done();
                        })));
    for (String way : List.of("durable", "volatile")) {
      assertThat(await(caller.ask(new Say(way), Heard.class)).cell()).as(way).isEqualTo("there");
    }
    there.expect("ear durable", "whisper volatile");
    await(caller.tell(new Say("tell")));
    there.expect("ear tell");
    await(caller.tell(new Say("watch")));
    await(here.callboard.stop("/whisper")); // of the same path, and not the one it watches
    assertThat(here.rest()).as("before the end of the one it watches").isEmpty();
    await(there.callboard.stop("/whisper"));
    here.expect("told of the end");
  }

  @Test
  void callsThatCannotCrossAreRefusedWithWhatWouldBeRight() throws Exception {
    ActorRef<Say> ear = ears();
    ActorRef<Say> whisper = whispers();
    ActorRef<Say> own = here.callboard.durableRef("/ear", Say.class);
    ActorRef<Say> speaker =
        speaker(
            (me, say) -> {
              me.delivers(whisper, say);
              return done();
            });
    assertThatThrownBy(() -> await(speaker.ask(new Say("go"), Heard.class)))
        .as("a delivery is an entry of the own cell's outbox")
        .hasMessageContaining("/whisper is an actor of another Callboard");
    assertThatThrownBy(() -> await(ear.tell(new Say("hello"), TellOptions.replyTo(own))))
        .as("the answer of a durable actor goes by an address, which is of its cell")
        .hasMessageContaining("/ear is an actor of another Callboard");
    assertThat(there.rest()).isEmpty();
  }
}

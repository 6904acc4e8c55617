package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static io.callboard.testkit.Stage.assertCode;
import static io.callboard.testkit.ZoneActors.opened;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Interceptor;
import io.callboard.LoggingContext;
import io.callboard.Priority;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.store.WhenFull;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test of what a handler may do with the message being handled and with others. */
class ActorApiTest {
  record Note(String text) {}

  record Answer(String text) {}

  @RegisterExtension final Stage stage = new Stage();
  private final Promise<Void> gate = Promise.promise();
  private final Set<String> seenBefore = ConcurrentHashMap.newKeySet();

  /** Actor that does with each note what the test specifies. */
  private final class Player extends Actor<Note> {
    private final BiConsumer<Player, Note> script;

    Player(BiConsumer<Player, Note> script) {
      this.script = script;
    }

    @Override
    protected void protocol(Protocol<Note> on) {
      on.async(
          Note.class,
          note -> {
            if (note.text().equals("hold")) {
              stage.sees("holds");
              return gate.future();
            }
            script.accept(this, note);
            return Future.succeededFuture();
          });
    }

    void sees(Note note) {
      stage.sees(note.text());
    }

    void answers(String text) {
      reply(new Answer(text));
    }

    void forwards(ActorRef<Note> to, Note note) {
      forward(to, note);
    }

    /** Puts a note aside at first, and answers when it comes again. */
    void renames(Note note) {
      if (seenBefore.add(note.text())) {
        stage.sees("aside " + note.text());
        stash();
      } else {
        stage.sees("again " + note.text());
        reply(new Answer("answered " + note.text()));
      }
    }

    void unstashes() {
      unstashAll();
    }

    void asks(ActorRef<Note> other) {
      stage.sees("asked");
      other.ask(new Note("x"), Answer.class, Duration.ofMillis(30)).onSuccess(this::unexpected);
    }

    private void unexpected(Answer answer) {
      stage.sees("unexpected " + answer);
    }

    void stops() {
      stopSelf();
    }

    void echoes(Note note) {
      reply(note);
    }

    String replyToPath() {
      return replyTo().map(actor -> actor.path().toString()).orElse("nobody");
    }

    void starts(String key, long millis, String text) {
      startTimer(key, Duration.ofMillis(millis), new Note(text));
    }

    void repeats(String key, long millis, String text) {
      startPeriodicTimer(key, Duration.ofMillis(millis), new Note(text));
    }

    void cancels(String key) {
      cancelTimer(key);
    }

    void idles(long millis, String text) {
      receiveTimeout(Duration.ofMillis(millis), new Note(text));
    }
  }

  private ActorRef<Note> play(String path, ActorOptions options, BiConsumer<Player, Note> script)
      throws Exception {
    return await(stage.callboard.spawn(path, () -> new Player(script), options));
  }

  private ActorRef<Note> play(String path, BiConsumer<Player, Note> script) throws Exception {
    return play(path, QUICK, script);
  }

  /** A durable actor that answers, or passes on. */
  private final class Clerk extends DurableStateActor<Note, Answer> {
    private final Consumer<Clerk> script;

    Clerk(Consumer<Clerk> script) {
      this.script = script;
    }

    @Override
    protected Answer initial() {
      return new Answer("");
    }

    @Override
    protected void protocol(Protocol<Note> on) {
      on.message(Note.class, note -> script.accept(this));
    }

    void answers(String text) {
      reply(new Answer(text));
    }

    void forwards(ActorRef<Note> to) {
      forward(to, new Note("passed on"));
    }
  }

  private final class Desk extends DurableStateActor<Answer, Answer> {
    @Override
    protected Answer initial() {
      return new Answer("");
    }

    @Override
    protected void protocol(Protocol<Answer> on) {
      on.message(Answer.class, answer -> stage.sees("desk got " + answer.text()));
    }
  }

  @Test
  void anAnswerGoesToTheActorNamed() throws Exception {
    ActorRef<Note> asker = play("/asker", Player::sees);
    ActorRef<Note> echo =
        play(
            "/echo",
            (me, note) -> {
              stage.sees("answers " + me.replyToPath());
              me.echoes(note);
              me.echoes(new Note("a second answer"));
            });
    await(echo.tell(new Note("hello"), TellOptions.replyTo(asker)));
    stage.expect("answers /asker", "hello");
    await(echo.tell(new Note("again")));
    stage.expect("answers nobody");
  }

  @Test
  void durableActorsAnswerToDurableActorsWithTheirTurns() throws Exception {
    ActorRef<Answer> desk = await(stage.callboard.spawn("/desk", Desk::new));
    await(stage.callboard.spawn("/clerk", () -> new Clerk(me -> me.answers("done")), QUICK));
    ActorRef<Note> clerk = stage.callboard.durableRef("/clerk", Note.class);
    await(clerk.tell(new Note("please"), TellOptions.replyTo(desk)));
    stage.expect("desk got done");
  }

  @Test
  void anAskerIsAnsweredByTheActorThatTheMessageWasForwardedTo() throws Exception {
    ActorRef<Note> last = play("/last", (me, note) -> me.answers("last got " + note.text()));
    ActorRef<Note> first =
        play(
            "/first",
            (me, note) -> {
              me.forwards(last, note);
              me.answers("too late");
            });
    assertThat(await(first.ask(new Note("x"), Answer.class))).isEqualTo(new Answer("last got x"));

    await(stage.callboard.spawn("/d/last", () -> new Clerk(me -> me.answers("durable")), QUICK));
    ActorRef<Note> durable = stage.callboard.durableRef("/d/last", Note.class);
    ActorRef<Note> into = play("/into", (me, note) -> me.forwards(durable, note));
    assertThat(await(into.ask(new Note("x"), Answer.class))).isEqualTo(new Answer("durable"));

    await(stage.callboard.spawn("/d/first", () -> new Clerk(me -> me.forwards(durable)), QUICK));
    ActorRef<Note> through = stage.callboard.durableRef("/d/first", Note.class);
    assertThat(await(through.ask(new Note("x"), Answer.class))).isEqualTo(new Answer("durable"));

    await(stage.callboard.spawn("/d/out", () -> new Clerk(me -> me.forwards(last)), QUICK));
    ActorRef<Note> out = stage.callboard.durableRef("/d/out", Note.class);
    assertThat(await(out.ask(new Note("x"), Answer.class)))
        .isEqualTo(new Answer("last got passed on"));
  }

  @Test
  void anAskerIsAnsweredThoughTheForwarderFails() throws Exception {
    ActorRef<Note> last =
        play(
            "/last",
            (me, note) -> {
              if (note.text().equals("x")) {
                me.answers("still");
              }
            });
    await(last.tell(new Note("hold")));
    stage.expect("holds");
    ActorRef<Note> first =
        play(
            "/first",
            (me, note) -> {
              me.forwards(last, note);
              throw new IllegalStateException("too late");
            });
    Future<Answer> asked = first.ask(new Note("x"), Answer.class);
    assertCode(
        () -> await(first.ask(new Note("hold"), Answer.class, Duration.ofMillis(200))),
        Code.TIMEOUT);
    gate.complete();
    assertThat(await(asked)).isEqualTo(new Answer("still"));
  }

  @Test
  void anAskEndsInTimeThoughTheFirstAskerIsGone() throws Exception {
    ActorRef<Note> silent = play("/silent", (me, note) -> {});
    ActorRef<Note> asker =
        play(
            "/asker",
            (me, note) -> {
              me.asks(silent);
              me.stops();
            });
    await(asker.tell(new Note("go")));
    stage.expect("asked");
    for (int i = 0; i < 3; i++) {
      assertCode(
          () -> await(silent.ask(new Note("x"), Answer.class, Duration.ofMillis(50))),
          Code.TIMEOUT);
    }
  }

  @Test
  void aDeadlineInAThousandYearsIsNone() throws Exception {
    ActorRef<Note> actor = play("/patient", Player::sees);
    await(actor.tell(new Note("x"), TellOptions.within(Duration.ofDays(365_000))));
    stage.expect("x");
  }

  @Test
  void aPeriodicTimerOutlivesAFullMailbox() throws Exception {
    int[] ticks = {0};
    ActorRef<Note> actor =
        play(
            "/beat",
            new ActorOptions(QUICK).mailboxLimit(1),
            (me, note) -> {
              if (note.text().equals("begin")) {
                me.repeats("tick", 20, "tick");
                stage.sees("begun");
              } else if (note.text().equals("tick") && ++ticks[0] == 3) {
                stage.sees("beats");
              }
            });
    await(actor.tell(new Note("begin")));
    stage.expect("begun");
    await(actor.tell(new Note("hold")));
    stage.expect("holds");
    actor.tell(new Note("fills")).onFailure(cause -> stage.sees("was full"));
    Eventually.assertThat(
        () ->
            assertThat(stage.callboard.admin().running().result())
                .singleElement()
                .satisfies(beat -> assertThat(beat.queued()).as("with a tick").isGreaterThan(1)));
    gate.complete();
    stage.expect("beats");
  }

  @Test
  void anAskerIsToldAtOnceThatThereIsNobodyToForwardTo() throws Exception {
    ActorRef<Note> nobody = stage.callboard.ref("/nobody", Note.class);
    ActorRef<Note> first = play("/first", (me, note) -> me.forwards(nobody, note));
    assertCode(() -> await(first.ask(new Note("x"), Answer.class)), Code.NO_SUCH_ACTOR);
  }

  @Test
  void stashedMessagesComeFirstInTheirOrder() throws Exception {
    ActorRef<Note> actor =
        play(
            "/stashing",
            (me, note) -> {
              if (note.text().equals("open")) {
                stage.sees("open");
                me.unstashes();
              } else if (note.text().startsWith("early")) {
                me.renames(note);
              } else {
                me.sees(note);
              }
            });
    for (String text : new String[] {"hold", "early 1", "early 2", "open", "late"}) {
      await(actor.tell(new Note(text)));
    }
    gate.complete();
    stage.expect("holds", "aside early 1", "aside early 2", "open");
    stage.expect("again early 1", "again early 2", "late");
  }

  @Test
  void aStashedMessageSurvivesARestartAndKeepsItsAsker() throws Exception {
    ActorRef<Note> actor =
        play(
            "/stashing",
            (me, note) -> {
              if (note.text().equals("fail")) {
                throw new IllegalStateException("as told");
              }
              me.renames(note);
            });
    Future<Answer> asked = actor.ask(new Note("early"), Answer.class);
    stage.expect("aside early");
    await(actor.tell(new Note("fail")));
    stage.expect("again early");
    assertThat(await(asked)).isEqualTo(new Answer("answered early"));
  }

  /** Starts a timer, puts its message aside, and answers it when it comes again. */
  private ActorRef<Note> stashesItsTimersMessage() throws Exception {
    ActorRef<Note> actor =
        play(
            "/stashing",
            (me, note) -> {
              switch (note.text()) {
                case "begin" -> me.starts("timer", 1, "early");
                case "fail" -> throw new IllegalStateException("as told");
                default -> me.renames(note);
              }
            });
    await(actor.tell(new Note("begin")));
    stage.expect("aside early");
    return actor;
  }

  @Test
  void aStashedTimerMessageSurvivesACrash() throws Exception {
    await(stashesItsTimersMessage().tell(new Note("fail")));
    stage.expect("again early");
  }

  @Test
  void aStashedTimerMessageSurvivesAnOperatorsRestart() throws Exception {
    ActorRef<Note> actor = stashesItsTimersMessage();
    await(stage.callboard.admin().restart(actor.path().toString()));
    stage.expect("again early");
  }

  @Test
  void anUrgentMessageComesFirst() throws Exception {
    ActorRef<Note> actor = play("/urgent", Player::sees);
    await(actor.tell(new Note("hold")));
    stage.expect("holds");
    await(actor.tell(new Note("normal 1")));
    await(actor.tell(new Note("high 1"), TellOptions.priority(Priority.HIGH)));
    await(actor.tell(new Note("normal 2")));
    await(actor.tell(new Note("control"), TellOptions.priority(Priority.CONTROL)));
    await(actor.tell(new Note("high 2"), TellOptions.priority(Priority.HIGH)));
    gate.complete();
    stage.expect("control", "high 1", "high 2", "normal 1", "normal 2");
  }

  @Test
  void anOverdueMessageIsADeadLetter() throws Exception {
    ActorRef<Note> actor = play("/late", Player::sees);
    await(actor.tell(new Note("hold")));
    stage.expect("holds");
    await(actor.tell(new Note("overdue"), TellOptions.within(Duration.ofMillis(1))));
    await(actor.tell(new Note("in time"), TellOptions.within(Duration.ofMinutes(1))));
    assertCode(
        () -> await(actor.ask(new Note("gave up"), Answer.class, Duration.ofMillis(1))),
        Code.TIMEOUT);
    await(actor.tell(new Note("last")));
    long dead = stage.callboard.admin().counts().dead();
    gate.complete();
    stage.expect("in time", "last");
    assertThat(stage.callboard.admin().counts().dead()).isEqualTo(dead + 1);
  }

  @Test
  void theOldestMakesRoomWhereThatIsWished() throws Exception {
    ActorOptions options = new ActorOptions(QUICK).mailboxLimit(2).whenFull(WhenFull.DROP_OLDEST);
    ActorRef<Note> actor = play("/dropping", options, Player::sees);
    await(actor.tell(new Note("hold")));
    stage.expect("holds");
    Future<Answer> oldest = actor.ask(new Note("1"), Answer.class);
    await(actor.tell(new Note("2")));
    await(actor.tell(new Note("3")));
    assertCode(() -> await(oldest), Code.MAILBOX_FULL);
    gate.complete();
    stage.expect("2", "3");
  }

  @Test
  void aFullMailboxRefuses() throws Exception {
    ActorRef<Note> actor = play("/full", new ActorOptions(QUICK).mailboxLimit(2), Player::sees);
    await(actor.tell(new Note("hold")));
    stage.expect("holds");
    await(actor.tell(new Note("1")));
    await(actor.tell(new Note("2")));
    assertCode(() -> await(actor.tell(new Note("3"))), Code.MAILBOX_FULL);
    gate.complete();
    stage.expect("1", "2");
  }

  @Test
  void aTimerThatIsCancelledIsNotHandledThoughItWaits() throws Exception {
    CountDownLatch told = new CountDownLatch(1); // what is before the timers in the mailbox
    ActorRef<Note> actor =
        play(
            "/timed",
            (me, note) -> {
              if (note.text().equals("begin")) {
                opened(told);
                me.starts("a", 20, "cancelled");
                me.starts("b", 20, "replaced");
                me.starts("c", 20, "kept");
              } else if (note.text().equals("cancel")) {
                me.cancels("a");
                me.starts("b", 1, "replaced by this");
              } else {
                me.sees(note);
              }
            });
    await(actor.tell(new Note("begin")));
    await(actor.tell(new Note("hold")));
    await(actor.tell(new Note("cancel")));
    told.countDown();
    stage.expect("holds");
    Eventually.assertThat(
        () ->
            assertThat(stage.callboard.admin().running().result())
                .singleElement()
                .satisfies(
                    timed -> assertThat(timed.queued()).as("with three timers").isEqualTo(4)));
    gate.complete();
    stage.expect("kept", "replaced by this");
    await(actor.tell(new Note("end")));
    stage.expect("end");
  }

  @Test
  void aPeriodicTimerGoesOnUntilItIsCancelled() throws Exception {
    int[] times = {0};
    ActorRef<Note> actor =
        play(
            "/periodic",
            (me, note) -> {
              if (note.text().equals("begin")) {
                me.repeats("tick", 2, "tick");
              } else if (note.text().equals("tick") && ++times[0] == 3) {
                me.cancels("tick");
                stage.sees("three");
              }
            });
    await(actor.tell(new Note("begin")));
    stage.expect("three");
    assertThat(times[0]).isEqualTo(3);
  }

  @Test
  void layersAreAroundTheHandlersInTheirOrder() throws Exception {
    Interceptor retrying =
        (self, message, next) -> {
          try {
            return next.receive(message);
          } catch (IllegalStateException e) {
            stage.sees("tries again: " + e.getMessage());
            return next.receive(message);
          }
        };
    Interceptor naming =
        (self, message, next) -> {
          stage.sees(self.path() + " gets " + message);
          return next.receive(message);
        };
    ActorOptions options =
        new ActorOptions(QUICK).intercept(new LoggingContext()).intercept(retrying);
    for (int durable = 0; durable < 2; durable++) {
      int[] failures = {1};
      Runnable script =
          () -> {
            if (failures[0]-- > 0) {
              throw new IllegalStateException("once");
            }
          };
      ActorOptions all = new ActorOptions(options).intercept(naming);
      ActorRef<Note> actor;
      if (durable == 0) {
        actor = play("/layers", all, (me, note) -> script.run());
      } else {
        actor = await(stage.callboard.spawn("/layers/d", () -> new Clerk(me -> script.run()), all));
      }
      await(actor.tell(new Note("x")));
      String gets = actor.path() + " gets Note[text=x]";
      stage.expect(gets, "tries again: once", gets);
    }
  }

  @Test
  void anIdleActorIsToldSo() throws Exception {
    ActorRef<Note> actor =
        play(
            "/idle",
            (me, note) -> {
              if (note.text().equals("begin")) {
                me.idles(20, "idle");
              } else {
                me.sees(note);
              }
            });
    await(actor.tell(new Note("begin")));
    stage.expect("idle", "idle");
    await(actor.tell(new Note("hello")));
    stage.expect("hello", "idle");
  }
}

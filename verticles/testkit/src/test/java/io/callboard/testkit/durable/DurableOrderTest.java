package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException.Code;
import io.callboard.DeliveryMode;
import io.callboard.DurableStateActor;
import io.callboard.Priority;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.store.StoredParked;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test of durable actors that handle urgent messages first, overdue ones not, and some later. */
class DurableOrderTest {
  sealed interface Request {
    record Open() implements Request {}

    record Read(String what) implements Request {}

    record Hold() implements Request {}

    record Misuse() implements Request {}

    record Note(int number) implements Request {}

    record Grow(int size) implements Request {}
  }

  record Answer(String text) {}

  sealed interface Door {
    record Closed(int count) implements Door {}

    record Opened(int count) implements Door {}

    record Failed(String why) implements Door {}
  }

  @RegisterExtension final Stage stage = new Stage();
  private Promise<Void> gate = Promise.promise();

  /** Actor that stashes requests until it is open. */
  final class Library extends DurableStateActor<Request, Door> {
    @Override
    protected Door initial() {
      return new Door.Closed(0);
    }

    @Override
    protected void protocol(Protocol<Request> on) {
      on.async(
          Request.Hold.class,
          hold -> {
            stage.sees("holds");
            return gate.future();
          });
      on.message(
          Request.Open.class,
          open -> {
            update(new Door.Opened(0));
            unstashAll();
            stage.sees("open");
          });
      on.message(Request.Note.class, note -> {});
      on.message(
          Request.Grow.class,
          grow -> {
            update(new Door.Failed("x".repeat(grow.size())));
            reply(new Answer("grown"));
          });
      on.message(
          Request.Misuse.class,
          misuse -> {
            reply(new Answer("it"));
            stash();
          });
    }

    @Override
    protected void protocol(Door door, Protocol<Request> on) {
      protocol(on);
      if (door instanceof Door.Closed) {
        on.message(
            Request.Read.class,
            read -> {
              stage.sees("aside " + read.what());
              stash();
            });
      } else {
        on.message(
            Request.Read.class,
            read -> {
              stage.sees(read.what());
              reply(new Answer(read.what()));
            });
      }
    }
  }

  private ActorRef<Request> library(ActorOptions options) throws Exception {
    await(stage.callboard.spawn("/library", Library::new, options));
    return stage.callboard.durableRef("/library", Request.class);
  }

  /** Waits until so many messages are in the mailbox. */
  private void waits(int messages) {
    Eventually.assertThat(
        () ->
            assertThat(stage.callboard.admin().waiting("/library", 10).await()).hasSize(messages));
  }

  /** Waits until a message is parked. */
  private void parked() {
    Eventually.assertThat(() -> assertThat(stage.callboard.admin().parked(10).await()).hasSize(1));
  }

  @Test
  void aStashedMessageComesFirstAndItsAskerIsAnswered() throws Exception {
    ActorRef<Request> library = library(QUICK);
    Future<Answer> first = library.ask(new Request.Read("first"), Answer.class);
    stage.expect("aside first");
    await(library.tell(new Request.Read("second")));
    await(library.tell(new Request.Open()));
    await(library.tell(new Request.Read("third")));
    stage.expect("aside second", "open", "first", "second", "third");
    assertThat(await(first).text()).isEqualTo("first");
    waits(0);
  }

  @Test
  void aStashedMessageSurvivesItsActor() throws Exception {
    ActorRef<Request> library = library(QUICK);
    await(library.tell(new Request.Read("first")));
    await(library.tell(new Request.Hold()));
    stage.expect("aside first", "holds");
    gate.complete();
    await(library.tell(new Request.Read("second")));
    stage.expect("aside second");
    waits(2);
    await(stage.callboard.stop("/library"));
    gate = Promise.promise();
    await(stage.callboard.spawn("/library", Library::new, QUICK));
    stage.expect("aside first", "aside second");
    await(library.tell(new Request.Open()));
    stage.expect("open", "first", "second");
  }

  @Test
  void aMessageWhoseTurnStashesItAndHasEffectsIsParked() throws Exception {
    ActorRef<Request> library = library(new ActorOptions(QUICK).attempts(2));
    assertCode(() -> await(library.ask(new Request.Misuse(), Answer.class)), Code.HANDLER_FAILED);
    parked();
    StoredParked parked = await(stage.callboard.admin().parked(10)).get(0);
    assertThat(new String(parked.bytes(), java.nio.charset.StandardCharsets.UTF_8))
        .contains("stashed a message and had effects in the same turn");
  }

  @Test
  void onlyAQuarterOfTheMailboxCanBePutAside() throws Exception {
    ActorRef<Request> library = library(new ActorOptions(QUICK).mailboxLimit(8).attempts(1));
    await(library.tell(new Request.Read("1")));
    await(library.tell(new Request.Read("2")));
    stage.expect("aside 1", "aside 2");
    assertCode(() -> await(library.ask(new Request.Read("3"), Answer.class)), Code.HANDLER_FAILED);
    stage.expect("aside 3");
    parked();
  }

  @Test
  void aMessageThatAnAtMostOnceActorHasConsumedCannotBeStashed() throws Exception {
    ActorRef<Request> library =
        library(new ActorOptions(QUICK).delivery(DeliveryMode.AT_MOST_ONCE));
    assertCode(() -> await(library.ask(new Request.Read("1"), Answer.class)), Code.HANDLER_FAILED);
  }

  @Test
  void anUrgentMessageIsHandledFirst() throws Exception {
    ActorRef<Request> library = library(QUICK);
    await(library.tell(new Request.Open()));
    await(library.tell(new Request.Hold()));
    stage.expect("open", "holds");
    await(library.tell(new Request.Read("normal 1")));
    await(library.tell(new Request.Read("high 1"), TellOptions.priority(Priority.HIGH)));
    await(library.tell(new Request.Read("control"), TellOptions.priority(Priority.CONTROL)));
    await(library.tell(new Request.Read("normal 2")));
    await(library.tell(new Request.Read("high 2"), TellOptions.priority(Priority.HIGH)));
    gate.complete();
    stage.expect("control", "high 1", "high 2", "normal 1", "normal 2");
    waits(0);
  }

  @Test
  void anOverdueMessageIsADeadLetter() throws Exception {
    ActorRef<Request> library = library(QUICK);
    await(library.tell(new Request.Open()));
    await(library.tell(new Request.Hold()));
    stage.expect("open", "holds");
    await(library.tell(new Request.Read("late"), TellOptions.within(Duration.ofMillis(1))));
    await(library.tell(new Request.Read("in time"), TellOptions.within(Duration.ofMinutes(1))));
    long dead = stage.callboard.admin().counts().dead();
    long told = System.currentTimeMillis();
    Eventually.assertThat(() -> assertThat(System.currentTimeMillis()).isGreaterThan(told + 5));
    gate.complete();
    stage.expect("in time");
    Eventually.assertThat(
        () -> assertThat(stage.callboard.admin().counts().dead()).isEqualTo(dead + 1));
    assertThat(stage.rest()).isEqualTo(List.of());
  }

  @Test
  void anActorThatTurnsOutToBeDurableTakesThemToo() throws Exception {
    ActorRef<Request> durable = library(QUICK);
    await(durable.tell(new Request.Open()));
    await(durable.tell(new Request.Hold()));
    stage.expect("open", "holds");
    ActorRef<Request> library = stage.callboard.ref("/library", Request.class);
    await(library.tell(new Request.Read("normal")));
    await(library.tell(new Request.Read("high"), TellOptions.priority(Priority.HIGH)));
    gate.complete();
    stage.expect("high", "normal");
  }

  @Test
  void anAskerIsToldWhenATurnThatCannotBeCommittedIsParked() throws Exception {
    ActorRef<Request> library = library(new ActorOptions(QUICK).attempts(1));
    assertCode(
        () -> await(library.ask(new Request.Grow(2_000_000), Answer.class, Duration.ofMinutes(1))),
        Code.HANDLER_FAILED);
    parked();
  }

  record Ask(int reads) {}

  record Nothing(int count) {}

  /** Actor that asks for many things at once, which are in one segment. */
  static final class Reader extends DurableStateActor<Ask, Nothing> {
    @Override
    protected Nothing initial() {
      return new Nothing(0);
    }

    @Override
    protected void protocol(Protocol<Ask> on) {
      ActorRef<Request> library = callboard().durableRef("/library", Request.class);
      on.message(
          Ask.class,
          ask -> {
            tell(library, new Request.Read("of a reader"));
            for (int i = 1; i < ask.reads(); i++) {
              tell(library, new Request.Note(i));
            }
          });
    }
  }

  @Test
  void aFewThatArePutAsideDoNotCloseTheMailbox() throws Exception {
    ActorRef<Request> library = library(new ActorOptions(QUICK).mailboxLimit(40));
    await(stage.callboard.spawn("/reader", Reader::new, QUICK));
    ActorRef<Ask> reader = stage.callboard.durableRef("/reader", Ask.class);
    for (int round = 1; round <= 5; round++) {
      await(reader.tell(new Ask(30)));
      stage.expect("aside of a reader");
      waits(round);
    }
    await(library.tell(new Request.Open()));
    stage.expect("open");
    waits(0);
  }
}

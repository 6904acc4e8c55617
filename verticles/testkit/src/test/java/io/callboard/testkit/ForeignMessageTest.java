package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.admin.DeadLetter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of messages that are not of their receiver's protocol: the mistake is their sender's. */
class ForeignMessageTest {
  @RegisterExtension final Stage stage = new Stage();
  private final BlockingQueue<DeadLetter> letters = new LinkedBlockingQueue<>();

  record Add(int amount) {}

  record Foreign(String text) {}

  record Adapted(int amount) {}

  /** Counter in memory. */
  private static final class Counter extends Actor<Add> {
    private int total;

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(Add.class, this::add).adapt(Adapted.class, adapted -> new Add(adapted.amount()));
    }

    private void add(Add add) {
      total += add.amount();
      reply(total);
    }
  }

  /** Counter that has no declared protocol. */
  private static final class Receiving extends Actor<Add> {
    private int total;

    @Override
    public Future<?> receive(Add message) {
      total += message.amount();
      reply(total);
      return null;
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.others(add -> {});
    }
  }

  /** Actor that sends the wrong message, in several ways. */
  private static final class Sender extends Actor<Foreign> {
    private final ActorRef<Object> to;

    Sender(ActorRef<Object> to) {
      this.to = to;
    }

    @Override
    protected void protocol(Protocol<Foreign> on) {
      on.message(
          Foreign.class,
          foreign -> {
            switch (foreign.text()) {
              case "tell" -> tell(to, foreign);
              case "forward" -> forward(to, foreign);
              case "ref" -> to.tell(foreign);
              default -> tell(to, foreign, TellOptions.replyTo(self()));
            }
          });
    }
  }

  @BeforeEach
  void listen() {
    Runnable unused = stage.callboard.admin().onDeadLetter(letters::add);
  }

  @SuppressWarnings("unchecked")
  private static ActorRef<Object> untyped(ActorRef<?> ref) {
    return (ActorRef<Object>) ref;
  }

  private ActorRef<Add> spawn(Supplier<Actor<Add>> factory) {
    return await(stage.callboard.spawn("/counter", factory, QUICK));
  }

  private void isLetter(String sender, String type) {
    DeadLetter letter = Waits.next(letters);
    assertThat(letter.receiver()).isEqualTo("/counter");
    assertThat(letter.sender()).isEqualTo(sender);
    assertThat(letter.type().name()).isEqualTo(type);
    assertThat(letter.cause())
        .hasMessageContaining(Foreign.class.getName())
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.BAD_MESSAGE));
  }

  private void goesOn(ActorRef<Add> counter, int total) {
    assertThat(await(counter.ask(new Add(5), Integer.class))).isEqualTo(total);
    assertThat(stage.callboard.admin().counts().restarts()).isZero();
    assertThat(stage.callboard.admin().counts().failed()).isZero();
  }

  @Test
  void aWrongMessageIsTheDeadLetterOfItsSenderAndTheReceiverKeepsItsState() {
    ActorRef<Add> counter = spawn(Counter::new);
    await(counter.tell(new Add(10)));
    ActorRef<Foreign> sender =
        await(stage.callboard.spawn("/sender", () -> new Sender(untyped(counter))));
    for (String how : new String[] {"tell", "forward", "ref", "with options"}) {
      await(sender.tell(new Foreign(how)));
      isLetter("/sender", "foreign");
    }
    goesOn(counter, 15);
    assertThat(letters).isEmpty();
  }

  @Test
  void aCallerOutsideOfActorsIsToldOfItsMistake() {
    ActorRef<Add> counter = spawn(Counter::new);
    await(counter.tell(new Add(10)));
    assertCode(() -> await(untyped(counter).tell(new Foreign("tell"))), Code.BAD_MESSAGE);
    isLetter(null, "foreign");
    assertCode(
        () -> await(untyped(counter).ask(new Foreign("ask"), Integer.class)), Code.BAD_MESSAGE);
    goesOn(counter, 15);
  }

  @Test
  void anActorThatReceivesItselfKeepsItsState() {
    ActorRef<Add> counter = spawn(Receiving::new);
    await(counter.tell(new Add(10)));
    assertCode(() -> await(untyped(counter).tell(new Foreign("tell"))), Code.BAD_MESSAGE);
    isLetter(null, "foreign");
    goesOn(counter, 15);
  }

  @Test
  void aMessageOfAnAdaptedProtocolIsNoMistake() {
    ActorRef<Add> counter = spawn(Counter::new);
    await(untyped(counter).tell(new Adapted(10)));
    goesOn(counter, 15);
  }

  @Test
  void aWrongMessageThatCameBeforeTheStartIsADeadLetter() {
    Promise<Void> start = Promise.promise();
    Future<ActorRef<Add>> spawned =
        stage.callboard.spawn(
            "/counter",
            () ->
                new Actor<Add>() {
                  private int total;

                  @Override
                  public Class<Add> messageType() {
                    return Add.class;
                  }

                  @Override
                  protected Future<?> started() {
                    return start.future();
                  }

                  @Override
                  protected void protocol(Protocol<Add> on) {
                    on.message(
                        Add.class,
                        add -> {
                          total += add.amount();
                          reply(total);
                        });
                  }
                },
            QUICK);
    ActorRef<Add> early = stage.callboard.ref("/counter", Add.class);
    await(early.tell(new Add(10)));
    await(untyped(early).tell(new Foreign("tell")));
    start.complete();
    ActorRef<Add> counter = await(spawned);
    isLetter(null, "foreign");
    goesOn(counter, 15);
  }
}

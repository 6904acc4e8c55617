package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Stage;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests of outcomes that a durable actor pipes to itself and that come when it is not there any
 * more: they end with its stay on the node, and mail of others does not.
 */
class LateOutcomesTest {
  private static final String PATH = "/roles/reader";

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final Promise<String> reading = Promise.promise();
  private final Promise<Void> held = Promise.promise();
  private final Queue<String> begun = new ConcurrentLinkedQueue<>();

  sealed interface Request {
    /** Begins to read what the test gives. */
    record Read() implements Request {}

    /** Notes a text. */
    record Note(String text) implements Request {}

    /** Holds its turn until the test ends it. */
    record Hold() implements Request {}

    /** Fails. */
    record Fail() implements Request {}

    record Look() implements Request {}
  }

  record Notes(List<String> texts) {}

  private final class Reader extends DurableStateActor<Request, Notes> {
    @Override
    protected Notes initial() {
      return new Notes(List.of());
    }

    @Override
    protected void protocol(Protocol<Request> on) {
      on.message(
              Request.Read.class,
              read -> {
                pipeToSelf(reading.future(), done -> new Request.Note(done.result()));
                reply(state());
              })
          .message(
              Request.Note.class,
              note ->
                  update(
                      new Notes(
                          Stream.concat(state().texts().stream(), Stream.of(note.text()))
                              .toList())))
          .async(
              Request.Hold.class,
              hold -> {
                begun.add("hold");
                return held.future();
              })
          .message(
              Request.Fail.class,
              fail -> {
                throw new IllegalStateException("it is to fail");
              })
          .message(Request.Look.class, look -> reply(state()));
    }
  }

  @AfterEach
  void release() {
    held.tryComplete();
  }

  private static ActorOptions options() {
    return new ActorOptions(Stage.QUICK).attempts(1).stopTimeout(Duration.ofMillis(50));
  }

  private ActorRef<Request> spawn(Callboard node) {
    return await(node.spawn(PATH, Reader::new, options()));
  }

  private static List<String> texts(ActorRef<Request> reader) {
    return await(reader.ask(new Request.Look(), Notes.class)).texts();
  }

  private static void read(ActorRef<Request> reader) {
    await(reader.ask(new Request.Read(), Notes.class));
  }

  /** Holds a turn, behind which the outcome and a note of another wait. */
  private void waits(ActorRef<Request> reader) {
    read(reader);
    await(reader.tell(new Request.Hold()));
    Eventually.assertThat(() -> assertThat(begun).containsExactly("hold"));
    await(reader.tell(new Request.Note("of another")));
    reading.complete("read");
  }

  @Test
  void anOutcomeThatWaitsAtTheStopOfItsActorIsNoDeadLetter() {
    Callboard node = nodes.open("one");
    waits(spawn(node));
    await(node.stop(PATH));
    assertThat(node.admin().counts().dead()).isZero();
    held.complete();
    ActorRef<Request> next = spawn(node);
    Eventually.assertThat(() -> assertThat(texts(next)).containsExactly("of another"));
  }

  @Test
  void anOutcomeThatWaitsAtTheStopOfItsNodeIsNoDeadLetter() {
    Callboard node = nodes.open("one");
    waits(spawn(node));
    await(node.close());
    assertThat(node.admin().counts().dead()).isZero();
  }

  @Test
  void anOutcomeOfAStayThatHasEndedIsNotHandledInTheNext() {
    Callboard one = nodes.open("one");
    read(spawn(one));
    Callboard two = nodes.open("two");
    ActorRef<Request> there = spawn(two);
    await(one.leases().drain(true));
    Eventually.assertThat(() -> assertThat(await(one.admin().owner(PATH))).contains("two"));
    await(there.tell(new Request.Note("there")));
    assertThat(texts(there)).containsExactly("there");
    reading.complete("read");
    await(two.leases().drain(true));
    await(one.leases().drain(false));
    Eventually.assertThat(() -> assertThat(await(two.admin().owner(PATH))).contains("one"));
    ActorRef<Request> back = one.durableRef(PATH, Request.class);
    await(back.tell(new Request.Note("back")));
    assertThat(texts(back)).containsExactly("there", "back");
    assertThat(one.admin().counts().dead()).isZero();
  }

  @Test
  void anOutcomeThatComesAfterARestartIsHandledInTheNextLife() {
    Callboard node = nodes.open("one");
    ActorRef<Request> reader = spawn(node);
    read(reader);
    assertThatThrownBy(() -> await(reader.ask(new Request.Fail(), Notes.class)))
        .hasMessageContaining("it is to fail");
    assertThat(texts(reader)).isEmpty();
    reading.complete("read");
    Eventually.assertThat(() -> assertThat(texts(reader)).containsExactly("read"));
    assertThat(node.admin().counts().dead()).isZero();
  }
}

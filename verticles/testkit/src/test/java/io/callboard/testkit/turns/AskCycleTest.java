package io.callboard.testkit.turns;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.proxy.ProxyActor;
import io.callboard.routing.Routers;
import io.callboard.routing.Routing;
import io.callboard.testkit.Stage;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Actors that wait in their handlers for each other's answers. */
class AskCycleTest {
  /** Passed on along {@code way}; the last one answers. */
  record Pass(List<String> way, boolean piped) {}

  record Answer(String by) {}

  record Nothing(int count) {}

  private static final Duration LONG = Duration.ofMinutes(1);

  @RegisterExtension final Stage stage = new Stage();

  sealed interface Message {
    record Go(Pass pass) implements Message {}

    record Came(String by) implements Message {}
  }

  private Future<Answer> next(Pass pass) {
    List<String> rest = pass.way().subList(1, pass.way().size());
    String path = pass.way().get(0);
    Message next = new Message.Go(new Pass(rest, pass.piped()));
    return (path.startsWith("/durable")
            ? stage.callboard.durableRef(path, Message.class)
            : stage.callboard.ref(path, Message.class))
        .ask(next, Answer.class, LONG);
  }

  final class Hop extends ProxyActor<Message> {
    @Override
    protected void protocol(Protocol<Message> on) {
      on.async(
              Message.Go.class,
              go -> {
                if (go.pass().way().isEmpty()) {
                  reply(new Answer(path().toString()));
                  return Future.succeededFuture();
                }
                Future<Answer> answer = next(go.pass());
                if (go.pass().piped()) {
                  replyWhen(answer);
                  pipeToSelf(answer, came -> new Message.Came(String.valueOf(came.result())));
                  return Future.succeededFuture();
                }
                return answer.onSuccess(this::reply);
              })
          .message(Message.Came.class, came -> stage.sees("came " + came.by()));
    }
  }

  /** Actor that keeps its thread until its ask was forwarded, and then waits for the answer. */
  final class LateHop extends Actor<Message> {
    @Override
    protected void protocol(Protocol<Message> on) {
      on.async(
              Message.Go.class,
              go -> {
                Future<Answer> answer = next(go.pass());
                assertThatCode(() -> stage.expect("forwarded")).doesNotThrowAnyException();
                return answer.onSuccess(this::reply);
              })
          .message(Message.Came.class, came -> {});
    }
  }

  final class BackToA extends Actor<Message> {
    @Override
    protected void protocol(Protocol<Message> on) {
      on.others(
          message -> {
            forward(stage.callboard.ref("/a", Message.class), message);
            stage.sees("forwarded");
          });
    }
  }

  final class DurableHop extends DurableStateActor<Message, Nothing> {
    @Override
    protected Nothing initial() {
      return new Nothing(0);
    }

    @Override
    protected void protocol(Protocol<Message> on) {
      on.async(
              Message.Go.class,
              go ->
                  go.pass().way().isEmpty()
                      ? Future.succeededFuture().onSuccess(v -> reply(new Answer("durable")))
                      : next(go.pass()).onSuccess(this::reply))
          .message(Message.Came.class, came -> {});
    }
  }

  private void spawn(String... paths) throws Exception {
    for (String path : paths) {
      await(stage.callboard.spawn(path, Hop::new, QUICK));
    }
  }

  private Answer ask(String first, boolean piped, String... way) throws Exception {
    ActorRef<Message> ref = stage.callboard.ref(first, Message.class);
    return await(ref.ask(new Message.Go(new Pass(List.of(way), piped)), Answer.class, LONG));
  }

  @Test
  void aRingFailsAtOnceAndIsNamed() throws Exception {
    spawn("/a", "/b", "/c");
    assertThatThrownBy(() -> ask("/a", false, "/b", "/c", "/a"))
        .hasMessageContaining("each waits in a handler for the answer of the next");
    spawn("/d", "/e");
    assertThat(ask("/d", false, "/e", "/b").by()).as("no ring").isEqualTo("/b");
    assertThat(ask("/a", false, "/b").by()).as("they work again").isEqualTo("/b");
  }

  @Test
  void anActorThatAsksItselfIsARing() throws Exception {
    spawn("/alone");
    assertThatThrownBy(() -> ask("/alone", false, "/alone"))
        .hasMessageContaining("/alone asks /alone");
  }

  @Test
  void anActorThatPipesToItselfWaitsInNoHandler() throws Exception {
    spawn("/a", "/b");
    assertThat(ask("/a", true, "/b", "/a").by()).isEqualTo("/a");
    stage.expect("came Answer[by=/a]");
  }

  @Test
  void aRingOverARouterIsSeenToo() throws Exception {
    spawn("/a", "/b");
    for (Routing<Message> routing :
        List.of(Routing.<Message>roundRobin(), Routing.<Message>leastLoaded())) {
      List<ActorRef<Message>> routees =
          List.of(
              stage.callboard.ref("/a", Message.class), stage.callboard.ref("/b", Message.class));
      await(
          stage.callboard.spawn("/router", Routers.group(Message.class, routees, routing), QUICK));
      assertThatThrownBy(() -> ask("/a", false, "/router")).hasMessageContaining("/a asks /a");
      assertThat(ask("/a", false, "/router").by()).as("no ring").isEqualTo("/b");
      await(stage.callboard.stop("/router"));
    }
  }

  @Test
  void aRingThroughAForwardBeforeTheWaitIsSeenToo() throws Exception {
    await(
        stage.callboard.spawn(
            "/a", LateHop::new, new ActorOptions(QUICK).zone(ZoneDefaults.BLOCKING)));
    await(stage.callboard.spawn("/back", BackToA::new, QUICK));
    assertThatThrownBy(() -> ask("/a", false, "/back")).hasMessageContaining("/a asks /a");
  }

  @Test
  void aMessageForwardedToManyIsNoRing() throws Exception {
    spawn("/a", "/b");
    List<ActorRef<Message>> routees =
        List.of(stage.callboard.ref("/b", Message.class), stage.callboard.ref("/a", Message.class));
    await(
        stage.callboard.spawn(
            "/router", Routers.group(Message.class, routees, Routing.broadcast()), QUICK));
    assertThat(ask("/a", false, "/router").by()).isEqualTo("/b");
  }

  @Test
  void aRingOverADurableActorIsSeenToo() throws Exception {
    spawn("/a");
    await(
        stage.callboard.spawn("/durable/b", DurableHop::new, new ActorOptions(QUICK).attempts(1)));
    assertCode(() -> ask("/a", false, "/durable/b", "/a"), Code.HANDLER_FAILED);
    assertThat(ask("/a", false, "/durable/b").by()).isEqualTo("durable");
  }
}

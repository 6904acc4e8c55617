package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorContext;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.HeldMessage;
import io.callboard.Interceptor;
import io.callboard.Protocol;
import io.callboard.proxy.ProxyActor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test of what only an actor in front of others may do with a message. */
class ProxyActorTest {
  record Order(String text) {}

  record Done(String by) {}

  @RegisterExtension final Stage stage = new Stage();
  private final Promise<Void> gate = Promise.promise();
  private final BlockingQueue<HeldMessage<Order>> held = new LinkedBlockingQueue<>();

  /** Actor that does with each order what the test specifies. */
  private final class Before extends ProxyActor<Order> {
    private final BiConsumer<Before, Order> script;

    Before(BiConsumer<Before, Order> script) {
      this.script = script;
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(Order.class, order -> script.accept(this, order));
    }

    void forwards(ActorRef<Order> to, Order order) {
      forward(to, order, () -> stage.sees("finished"));
    }

    void forwardsToAll(List<ActorRef<Order>> to, Order order) {
      forwardAll(to, order);
    }

    void repliesWhen(Future<?> answer) {
      replyWhen(answer);
    }

    void holds(Order order) {
      held.add(hold(order));
    }
  }

  /** Actor that answers at once, and has handled the message when the gate opens. */
  private final class Behind extends Actor<Order> {
    @Override
    protected void protocol(Protocol<Order> on) {
      on.async(
          Order.class,
          order -> {
            if (order.text().equals("fail")) {
              throw new IllegalStateException("as told");
            }
            reply(new Done(path().toString()));
            return inTurn(gate.future()).onSuccess(v -> stage.sees("handled"));
          });
    }
  }

  private ActorRef<Order> behind(String path) throws Exception {
    return await(stage.callboard.spawn(path, Behind::new, QUICK));
  }

  private ActorRef<Order> before(BiConsumer<Before, Order> script) throws Exception {
    return await(stage.callboard.spawn("/before", () -> new Before(script), QUICK));
  }

  private static Done ask(ActorRef<Order> actor, String text) throws Exception {
    return await(actor.ask(new Order(text), Done.class));
  }

  @Test
  void aProxyLearnsThatAReceiverHasFinishedAfterItsHandler() throws Exception {
    ActorRef<Order> behind = behind("/behind");
    ActorRef<Order> before = before((proxy, order) -> proxy.forwards(behind, order));
    assertThat(ask(before, "work")).isEqualTo(new Done("/behind"));
    gate.complete();
    stage.expect("handled", "finished");
    assertCode(() -> ask(before, "fail"), Code.HANDLER_FAILED);
    stage.expect("finished");
  }

  @Test
  void anActorThatDoesNotExistHasFinished() throws Exception {
    ActorRef<Order> nobody = stage.callboard.ref("/nobody", Order.class);
    ActorRef<Order> before = before((proxy, order) -> proxy.forwards(nobody, order));
    assertCode(() -> ask(before, "work"), Code.NO_SUCH_ACTOR);
    stage.expect("finished");
  }

  @Test
  void aMessageForwardedToAllReachesEachAndAnAskGetsOneOutcome() throws Exception {
    gate.complete();
    List<ActorRef<Order>> all = List.of(behind("/a"), behind("/b"));
    ActorRef<Order> before = before((proxy, order) -> proxy.forwardsToAll(all, order));
    await(before.tell(new Order("work")));
    stage.expect("handled", "handled");
    assertThat(ask(before, "work").by()).isIn("/a", "/b");
  }

  @Test
  void aMessageForwardedToNobodyFails() throws Exception {
    ActorRef<Order> before = before((proxy, order) -> proxy.forwardsToAll(List.of(), order));
    assertThatThrownBy(() -> ask(before, "work"))
        .hasMessageContaining("/before has no receiver to forward the message to: refuse it");
  }

  @Test
  void aProxyHandlesOtherMessagesWhileItAwaitsAnAnswer() throws Exception {
    Promise<Done> slow = Promise.promise();
    ActorRef<Order> before =
        before(
            (proxy, order) ->
                proxy.repliesWhen(
                    order.text().equals("slow")
                        ? slow.future()
                        : Future.succeededFuture(new Done("quick"))));
    Future<Done> first = before.ask(new Order("slow"), Done.class);
    assertThat(ask(before, "quick")).isEqualTo(new Done("quick"));
    assertThat(first.isComplete()).isFalse();
    slow.complete(new Done("slow"));
    assertThat(await(first)).isEqualTo(new Done("slow"));
  }

  @Test
  void aHeldMessageEndsOnce() throws Exception {
    ActorRef<Order> before = before(Before::holds);
    Future<Done> asked = before.ask(new Order("work"), Done.class);
    HeldMessage<Order> message = held.take();
    assertThat(message.isOver()).isFalse();
    assertThat(message.answer(new Done("later"))).isTrue();
    assertThat(message.fail(new CallboardException(Code.UNAVAILABLE, "too late"))).isFalse();
    assertThat(await(asked)).isEqualTo(new Done("later"));
  }

  @Test
  void aLayerThatWrapsItsContextAsTheOtherKindFailsTheStart() {
    Interceptor layer =
        new Interceptor() {
          @Override
          public @Nullable Future<?> receive(ActorRef<?> self, Object message, Next next) {
            return next.receive(message);
          }

          @Override
          public ActorContext context(ActorContext given) {
            return (ActorContext)
                Proxy.newProxyInstance(
                    Callboard.class.getClassLoader(),
                    new Class<?>[] {ActorContext.class},
                    (proxy, method, arguments) -> method.invoke(given, arguments));
          }
        };
    Future<?> spawned =
        stage.callboard.spawn(
            "/wrapped", Behind::new, new ActorOptions().intercept(layer).attempts(1));
    assertThatThrownBy(() -> await(spawned))
        .hasMessageContaining("needs a VolatileContext")
        .hasMessageContaining("let the interceptor return a context of that kind");
  }
}

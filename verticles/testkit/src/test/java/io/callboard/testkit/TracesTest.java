package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.codecs.Json;
import io.callboard.codecs.TraceContext;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of which messages belong to the trace of the message whose handler sends them. */
class TracesTest {
  private static final TraceContext TRACE =
      new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=1,b=x;y\"z");

  private static final TraceContext OTHER =
      new TraceContext("00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00", null);

  private static final Duration SOON = Duration.ofMillis(1);
  private static final Duration LIMIT = Duration.ofSeconds(10);

  sealed interface Step {
    /** Step that does what its name says. */
    record Do(String what) implements Step {}

    /** Step that reports its trace to the test. */
    record Say(String what) implements Step {}
  }

  record Count(int steps) {}

  record Answer(String text) {}

  @RegisterExtension final Stage stage = new Stage();

  private void says(String what, Optional<TraceContext> trace) {
    String of = trace.equals(Optional.of(TRACE)) ? "traced" : trace.isEmpty() ? "" : "other";
    stage.sees("%s %s".formatted(what, of).strip());
  }

  final class Listener extends Actor<Step> {
    @Override
    protected void protocol(Protocol<Step> on) {
      on.message(
              Step.Say.class,
              say -> {
                says(say.what(), trace());
                if (replyTo().isEmpty()) {
                  reply(new Answer(say.what()));
                }
              })
          .message(Step.Do.class, act -> act(act.what()));
    }

    private void act(String what) {
      ActorRef<Step> to = callboard().durableRef("/durable", Step.class);
      switch (what) {
        case "tell" -> tell(to, new Step.Say(what));
        case "ref" -> to.tell(new Step.Say(what));
        case "forward" -> forward(to, new Step.Say(what));
        case "other" -> tell(to, new Step.Say(what), TellOptions.trace(OTHER));
        case "timer" -> startTimer("it", SOON, new Step.Say(what));
        case "periodic" -> startPeriodicTimer("it", LIMIT.plus(LIMIT), new Step.Say(what));
        case "pipe" ->
            pipeToSelf(
                to.ask(new Step.Say("asked"), Answer.class, LIMIT), done -> new Step.Say(what));
        case "stash" -> {
          become(
              on ->
                  on.message(Step.Say.class, say -> says(say.what(), trace()))
                      .others(other -> says("again", trace())));
          stash();
          unstashAll();
        }
        default -> throw new IllegalArgumentException(what);
      }
    }
  }

  final class Durable extends DurableStateActor<Step, Count> {
    @Override
    protected Count initial() {
      return new Count(0);
    }

    @Override
    protected void protocol(Protocol<Step> on) {
      on.message(
              Step.Say.class,
              say -> {
                Optional<TraceContext> trace = trace();
                update(new Count(state().steps() + 1));
                reply(new Answer(say.what()));
                afterCommit(() -> says(say.what(), trace));
              })
          .async(Step.Do.class, act -> act(act.what()));
    }

    private Future<?> act(String what) {
      ActorRef<Step> to = callboard().durableRef("/other", Step.class);
      ActorRef<Step> listener = callboard().ref("/listener", Step.class);
      switch (what) {
        case "tell" -> tell(to, new Step.Say(what));
        case "all" -> tellAll(List.of(to, listener), new Step.Say(what));
        case "ref" -> to.tell(new Step.Say(what));
        case "forward" -> forward(to, new Step.Say(what));
        case "volatile" -> tell(listener, new Step.Say(what));
        case "forwarded" -> forward(listener, new Step.Say(what));
        case "other" -> tell(to, new Step.Say(what), TellOptions.trace(OTHER));
        case "timer" -> startTimer("it", SOON, new Step.Say(what));
        case "durable timer" -> startDurableTimer("it", SOON, new Step.Say(what));
        case "periodic" -> startPeriodicDurableTimer("it", SOON, new Step.Say(what));
        case "deliver" -> deliver(listener, id -> new Step.Say(what));
        case "ask" -> {
          return listener.ask(new Step.Say(what), Answer.class, LIMIT);
        }
        default -> throw new IllegalArgumentException(what);
      }
      return Future.succeededFuture();
    }
  }

  private ActorRef<Step> listener;
  private ActorRef<Step> durable;

  @BeforeEach
  void start() {
    listener = await(stage.callboard.spawn("/listener", Listener::new, QUICK));
    spawn();
  }

  private void spawn() {
    durable = await(stage.callboard.spawn("/durable", Durable::new, QUICK));
    await(stage.callboard.<Step>spawn("/other", Durable::new, QUICK));
  }

  private void does(ActorRef<Step> actor, String what) {
    await(actor.tell(new Step.Do(what), TellOptions.trace(TRACE)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tell", "ref", "forward", "timer"})
  void messagesOfAHandlerInMemoryArePartOfItsTrace(String what) throws Exception {
    does(listener, what);
    stage.expect(what + " traced");
    await(listener.tell(new Step.Do(what)));
    stage.expect(what);
  }

  @Test
  void stashedAndPipedMessagesArePartOfTheTrace() throws Exception {
    does(listener, "pipe");
    assertThat(List.of(stage.next(), stage.next()))
        .containsExactlyInAnyOrder("asked traced", "pipe traced");
    does(listener, "stash");
    stage.expect("again traced");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tell",
        "ref",
        "forward",
        "volatile",
        "forwarded",
        "timer",
        "durable timer",
        "deliver",
        "ask"
      })
  void messagesOfADurableTurnArePartOfItsTrace(String what) throws Exception {
    does(durable, what);
    stage.expect(what + " traced");
    if (!what.equals("deliver")) { // which nobody has confirmed
      await(durable.tell(new Step.Do(what)));
      stage.expect(what);
    }
  }

  @Test
  void messagesToManyReceiversArePartOfTheTrace() throws Exception {
    does(durable, "all");
    stage.expect("all traced", "all traced");
  }

  @Test
  void anotherTraceMayBeNamedAndPeriodicTimersHaveNone() throws Exception {
    does(listener, "other");
    stage.expect("other other");
    does(durable, "other");
    stage.expect("other other");
    does(durable, "periodic");
    stage.expect("periodic", "periodic");
  }

  @Test
  void anAskMayBeAPartOfATrace() throws Exception {
    await(listener.ask(new Step.Say("one"), Answer.class, LIMIT, TRACE));
    await(durable.ask(new Step.Say("two"), Answer.class, LIMIT, TRACE));
    await(durable.ask(new Step.Say("three"), Answer.class, LIMIT));
    stage.expect("one traced", "two traced", "three");
  }

  @Test
  void storedMessagesKeepTheirTrace() throws Exception {
    await(stage.callboard.stop("/durable"));
    await(durable.tell(new Step.Say("late"), TellOptions.trace(TRACE)));
    stage.restart();
    spawn();
    stage.expect("late traced");
  }

  @Test
  void plainVertxMessagesSayItInTheirHeaders() throws Exception {
    for (String path : List.of("/listener", "/durable")) {
      JsonObject said = new JsonObject().put("@type", "say").put("what", path);
      DeliveryOptions headers =
          new DeliveryOptions()
              .addHeader("traceparent", TRACE.parent())
              .addHeader("tracestate", String.valueOf(TRACE.state()));
      await(stage.vertx.eventBus().request("callboard:" + path, said, headers));
      stage.expect(path + " traced");
      DeliveryOptions wrong = new DeliveryOptions().addHeader("traceparent", "00-0-0-00");
      await(stage.vertx.eventBus().request("callboard:" + path, said, wrong));
      stage.expect(path);
    }
  }

  @Test
  void aParkedMessageKeepsItWhenItIsReplayed() throws Exception {
    ActorOptions once = new ActorOptions(QUICK).attempts(1);
    ActorRef<Step> picky = await(stage.callboard.spawn("/picky", Durable::new, once));
    does(picky, "nonsense");
    Eventually.assertThat(() -> assertThat(await(stage.callboard.admin().parked(1))).hasSize(1));
    String id = await(stage.callboard.admin().parked(1)).get(0).id();
    await(stage.callboard.admin().replay("/picky", id, Json.tree(new Step.Do("tell"))));
    stage.expect("tell traced");
  }
}

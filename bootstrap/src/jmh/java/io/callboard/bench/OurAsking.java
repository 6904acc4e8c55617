package io.callboard.bench;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.callboard.bench.Asking.Answer;
import io.callboard.bench.Asking.Question;
import io.callboard.bench.OurAsking.Event.Answered;
import io.callboard.bench.OurAsking.Event.Begin;
import io.callboard.bench.OurAsking.Event.Failed;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Loads of asks of a volatile actor: by plain code on an event loop, and by another actor. */
final class OurAsking {
  private static final long LIMIT_SECONDS = 30;

  private final Node node;
  private final ActorOptions options = new ActorOptions().onBus(false);
  private final CompletableFuture<Thread> loop = new CompletableFuture<>();
  private final ActorRef<Question> echo;
  private final ActorRef<Question> echoOnLoop;
  private int askers;

  /** Message to an actor that asks. */
  sealed interface Event {
    /** Start with the number of asks that may be under way. */
    record Begin(int asks) implements Event {}

    /** An answer is there. */
    record Answered(long question, long answer) implements Event {}

    /** Failure of an ask. */
    record Failed(String cause) implements Event {}
  }

  OurAsking(Node node) throws Exception {
    this.node = node;
    this.echo = node.spawn("/bench/echo", () -> new Echo(thread -> {}), options);
    this.echoOnLoop =
        node.spawn(
            "/bench/echo-on-loop",
            () -> new Echo(loop::complete),
            new ActorOptions(options).zone(ZoneDefaults.EVENT_LOOP));
  }

  private static final class Echo extends Actor<Question> {
    private final Consumer<Thread> lives;

    Echo(Consumer<Thread> lives) {
      this.lives = lives;
    }

    @Override
    protected void protocol(Protocol<Question> on) {
      on.message(Question.class, question -> reply(new Answer(question.number())));
    }

    @Override
    protected Future<?> started() {
      lives.accept(Thread.currentThread());
      return super.started();
    }
  }

  /**
   * Returns a load of asks to an actor on an event loop.
   *
   * @param sameLoop whether the asking code is on the event loop of the actor, or on another
   */
  Load byPlainCode(int underWay, boolean sameLoop) throws Exception {
    Thread actors = loop.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    Stand stand = Stand.of(node.vertx(), actors, sameLoop);
    return new ByPlainCode(underWay, stand.context(), echoOnLoop);
  }

  /** Returns a load of asks by code on an event loop to an actor of the default zone. */
  Load byPlainCode(int underWay) throws Exception {
    return new ByPlainCode(underWay, Stand.next(node.vertx()).context(), echo);
  }

  private final class ByPlainCode extends Asking {
    private final Context context;
    private final ActorRef<Question> asked;

    ByPlainCode(int underWay, Context context, ActorRef<Question> asked) {
      super(underWay);
      this.context = context;
      this.asked = asked;
    }

    @Override
    void begin(int asks) {
      context.runOnContext(v -> next(asks));
    }

    @Override
    void ask(long question) {
      asked
          .ask(new Question(question), Answer.class, TIMEOUT)
          .onComplete(answer -> answered(question, answer.number()), this::failed);
    }
  }

  /** Returns a load of asks by an actor, to which the answers come as messages. */
  Load byActor(int underWay) throws Exception {
    return new ByActor(underWay);
  }

  private final class ByActor extends Asking {
    private final ActorRef<Event> actor;
    private volatile @Nullable Asker asker;

    ByActor(int underWay) throws Exception {
      super(underWay);
      actor = node.spawn("/bench/asker-%d".formatted(askers++), Asker::new, options);
    }

    @Override
    void begin(int asks) throws Exception {
      Node.await(actor.tell(new Begin(asks)));
    }

    @Override
    void ask(long question) {
      Objects.requireNonNull(asker).ask(question);
    }

    private final class Asker extends Actor<Event> {
      @Override
      protected void protocol(Protocol<Event> on) {
        on.message(Begin.class, begin -> begin(begin))
            .message(Answered.class, got -> answered(got.question(), got.answer()))
            .message(Failed.class, none -> failed(new IllegalStateException(none.cause())));
      }

      private void begin(Begin begin) {
        asker = this;
        next(begin.asks());
      }

      void ask(long question) {
        pipeToSelf(
            echo.ask(new Question(question), Answer.class, Asking.TIMEOUT),
            answer ->
                answer.succeeded()
                    ? new Answered(question, answer.result().number())
                    : new Failed(String.valueOf(answer.cause())));
      }
    }
  }
}

package io.callboard.bench;

import io.callboard.bench.Asking.Answer;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** Peer: an actor of Pekko typed asks another; the answers become messages of its own. */
final class PekkoAsking implements AutoCloseable {
  private final Pekko pekko = new Pekko();
  private final ActorRef<Query> echo;

  /** Question. */
  private record Query(long number, ActorRef<Answer> replyTo) {}

  /** Message to the actor that asks. */
  private sealed interface Event {
    /** Start with the number of asks that may be under way. */
    record Begin(int asks) implements Event {}

    /** An answer is there. */
    record Answered(long question, long answer) implements Event {}

    /** Failure of an ask. */
    record Failed(Throwable cause) implements Event {}
  }

  PekkoAsking() throws Exception {
    echo =
        pekko.spawn(
            Behaviors.receiveMessage(
                question -> {
                  question.replyTo().tell(new Answer(question.number()));
                  return Behaviors.same();
                }));
  }

  Load byActor(int underWay) throws Exception {
    return new ByActor(underWay);
  }

  private final class ByActor extends Asking {
    private final ActorRef<Event> actor;
    private final AtomicReference<@Nullable ActorContext<Event>> asker = new AtomicReference<>();

    ByActor(int underWay) throws Exception {
      super(underWay);
      actor = pekko.spawn(asker());
    }

    private Behavior<Event> asker() {
      return Behaviors.setup(
          context -> {
            asker.set(context);
            return Behaviors.receiveMessage(
                event -> {
                  handle(event);
                  return Behaviors.same();
                });
          });
    }

    private void handle(Event event) {
      if (event instanceof Event.Answered got) {
        answered(got.question(), got.answer());
      } else if (event instanceof Event.Begin begin) {
        next(begin.asks());
      } else if (event instanceof Event.Failed none) {
        failed(none.cause());
      }
    }

    @Override
    void begin(int asks) {
      actor.tell(new Event.Begin(asks));
    }

    @Override
    void ask(long question) {
      asker
          .get()
          .ask(
              Answer.class,
              echo,
              TIMEOUT,
              replyTo -> new Query(question, replyTo),
              (answer, failure) ->
                  failure == null
                      ? new Event.Answered(question, answer.number())
                      : new Event.Failed(failure));
    }
  }

  @Override
  public void close() {
    pekko.close();
  }
}

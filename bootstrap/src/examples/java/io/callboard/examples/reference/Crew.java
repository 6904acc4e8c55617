package io.callboard.examples.reference;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.vertx.core.Future;
import java.time.Duration;

/**
 * Actor that starts child actors and watches them; it has a periodic timer and a receive timeout.
 */
public final class Crew extends Actor<Crew.Event> {
  /** Event of a crew. */
  public sealed interface Event {
    /** Hiring of one more hand. */
    record Hire(String name) implements Event {}

    /** End of a hand. */
    record Left(String path, String cause) implements Event {}

    /** Roll call, once a minute. */
    record RollCall() implements Event {}

    /** Timeout after a while without an event. */
    record Boring() implements Event {}
  }

  /** The protocol of a hand. */
  public record Task(String text) {}

  /** Number of hands. */
  public record Count(int hands) {}

  /** Member of the crew. */
  public static final class Hand extends Actor<Task> {
    @Override
    protected void protocol(Protocol<Task> on) {
      on.message(Task.class, task -> stopSelf());
    }
  }

  private int hands;

  @Override
  protected void protocol(Protocol<Event> on) {
    on.async(Event.Hire.class, this::hire)
        .message(Event.Left.class, left -> hands--)
        .message(Event.RollCall.class, call -> reply(new Count(hands)))
        .message(Event.Boring.class, boring -> cancelReceiveTimeout());
  }

  @Override
  protected Future<?> started() {
    startPeriodicTimer("roll call", Duration.ofMinutes(1), new Event.RollCall());
    receiveTimeout(Duration.ofMinutes(10), new Event.Boring());
    return Future.succeededFuture();
  }

  private Future<?> hire(Event.Hire hire) {
    return spawnChild(hire.name(), Hand::new, new ActorOptions())
        .onSuccess(
            hand -> {
              hands++;
              watch(hand, end -> new Event.Left(end.actor().path().toString(), end.reason()));
              tell(hand, new Task("begin"), TellOptions.within(Duration.ofSeconds(5)));
            });
  }
}

package io.callboard.examples;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.Protocol;
import io.callboard.examples.Ping.Event;
import io.vertx.core.Future;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Actor that talks to an actor of another process. Run {@link Pong} in one terminal and this class
 * in another, both with {@code bootstrap/bin/vertx run … -cluster}.
 */
public final class Ping extends Actor<Event> {
  private static final Logger log = LoggerFactory.getLogger(Ping.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** Event of the game. */
  public sealed interface Event {
    /** Time for the next ball. */
    record Serve() implements Event {}

    /** Return of the ball. */
    record Returned(int number, String from) implements Event {}

    /** Loss of the ball. */
    record Missed(int number, String why) implements Event {}
  }

  private int number;

  @Override
  protected void protocol(Protocol<Event> on) {
    on.message(Event.Serve.class, serve -> serve())
        .message(
            Event.Returned.class,
            back -> log.info("ball {} came back from {}", back.number(), back.from()))
        .message(
            Event.Missed.class,
            missed -> log.info("ball {} is lost: {}", missed.number(), missed.why()));
  }

  @Override
  protected Future<?> started() {
    startTimer("serve", PAUSE, new Event.Serve());
    return Future.succeededFuture();
  }

  private void serve() {
    int ball = ++number;
    ActorRef<Pong.Hit> pong = callboard().ref("/pong", Pong.Hit.class);
    pipeToSelf(
        pong.ask(new Pong.Hit(ball), Pong.Back.class, PAUSE.multipliedBy(5)),
        answer ->
            answer.succeeded()
                ? new Event.Returned(ball, answer.result().from())
                : new Event.Missed(ball, why(answer.cause())));
    startTimer("serve", PAUSE, new Event.Serve());
  }

  private static String why(Throwable cause) {
    return cause instanceof CallboardException ours ? ours.code().name() : cause.toString();
  }
}

package io.callboard.examples;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.examples.Greeter.Greet;

/**
 * Minimal actor. Run it with {@code bootstrap/bin/vertx run io.callboard.examples.Greeter
 * -cluster}; any Vert.x verticle of the cluster then reaches it under {@code callboard:/greeter}.
 */
public final class Greeter extends Actor<Greet> {
  /** Request for a greeting; answered with a {@link Greeting}. */
  public record Greet(String name) {}

  /** The answer. */
  public record Greeting(String text) {}

  private int greeted;

  @Override
  protected void protocol(Protocol<Greet> on) {
    on.message(
        Greet.class,
        greet -> {
          greeted++;
          reply(new Greeting("Hello, %s! You are number %d.".formatted(greet.name(), greeted)));
        });
  }
}

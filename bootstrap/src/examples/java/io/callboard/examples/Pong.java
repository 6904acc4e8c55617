package io.callboard.examples;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.examples.Pong.Hit;

/** The other side of {@link Ping}, in a process of its own. */
public final class Pong extends Actor<Hit> {
  /** A ball. */
  public record Hit(int number) {}

  /** The ball again. */
  public record Back(int number, String from) {}

  @Override
  protected void protocol(Protocol<Hit> on) {
    on.message(Hit.class, hit -> reply(new Back(hit.number(), callboard().node())));
  }
}

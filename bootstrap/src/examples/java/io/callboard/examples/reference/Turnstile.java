package io.callboard.examples.reference;

import io.callboard.Actor;
import io.callboard.Protocol;

/** A volatile finite state machine: one method for each state. */
public final class Turnstile extends Actor<Turnstile.Event> {
  /** Event at the turnstile. */
  public sealed interface Event {
    /** Somebody pays. */
    record Coin() implements Event {}

    /** Somebody wants to pass. */
    record Push() implements Event {}
  }

  /** Answer whether the way is free. */
  public record Passage(boolean free) {}

  @Override
  protected void protocol(Protocol<Event> on) {
    locked(on);
  }

  private void locked(Protocol<Event> on) {
    on.message(Event.Coin.class, coin -> become(this::unlocked))
        .message(Event.Push.class, push -> reply(new Passage(false)));
  }

  private void unlocked(Protocol<Event> on) {
    on.message(
            Event.Push.class,
            push -> {
              become(this::locked);
              reply(new Passage(true));
            })
        .others(other -> {});
  }
}

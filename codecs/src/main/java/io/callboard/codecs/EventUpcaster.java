package io.callboard.codecs;

import java.util.Set;
import java.util.function.Consumer;

/**
 * Upcaster of old events: turns the events that an actor wrote long ago into those that it
 * understands now, where one became several, several became one, or one is of no interest any more.
 * (A change within one event is a step of its type: {@link Upcast}.)
 *
 * <pre>{@code
 * final class Transfers implements EventUpcaster {
 *   public void upcast(OldEvent event, Consumer<OldEvent> next) {
 *     if (event.is("transferred")) { // since version 2 of the protocol there are two of it
 *       next.accept(event.as("withdrawn", 1, event.body().deepCopy()));
 *       next.accept(event.as("deposited", 1, event.body()));
 *     } else {
 *       next.accept(event);
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>It is made anew for each replay and sees every event from the snapshot on that the replay
 * begins with, in order, so it may hold events back until it knows what becomes of them. A replay
 * may begin anywhere: between two events that became one, the second comes alone. It must be pure
 * otherwise, for it runs at each replay. What it throws fails the replay, with the event's number.
 */
@FunctionalInterface
public interface EventUpcaster {
  /**
   * Turns one event into others: none, one or several.
   *
   * @param next takes the events that are made of {@code event}, before this returns or at a later
   *     event
   */
  void upcast(OldEvent event, Consumer<OldEvent> next);

  /**
   * Returns the logical names of events that no class reads any more, because this upcaster makes
   * others of them. {@code ProtocolLock}, the test that watches over what is stored, asks for them.
   */
  default Set<String> gone() {
    return Set.of();
  }

  /**
   * Ends a replay after its last event: an event that was held back goes to {@code next} now, or
   * never.
   */
  default void end(Consumer<OldEvent> next) {}
}

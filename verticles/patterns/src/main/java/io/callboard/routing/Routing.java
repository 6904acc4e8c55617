package io.callboard.routing;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Routing strategy: to which of its routees a router forwards a message. Immutable; each router has
 * its own state.
 */
public sealed interface Routing<M> {
  /** Forwards to one routee after the other. */
  static <M> Routing<M> roundRobin() {
    return new One<>(RoundRobin::new, false);
  }

  /**
   * Forwards to the routee with the fewest outstanding messages of this router, among equals one
   * after the other. For a volatile routee of the router's node a message is outstanding until its
   * handler and the handler's future have completed, even if it has been answered; messages in its
   * mailbox or stash count. Messages from other senders do not. For a routee of another node, and
   * for a durable one, a message counts only until it is in the mailbox.
   */
  static <M> Routing<M> leastLoaded() {
    return new One<>(LeastLoaded::new, true);
  }

  /**
   * Forwards messages with the same key to the same routee, as long as it exists, by rendezvous
   * hashing; when a routee comes or goes, only its own share of the keys moves. Messages of one key
   * keep their order while the routees stay the same.
   *
   * @param key not null; if it fails, the message is refused, and its ask fails with the cause
   */
  static <M> Routing<M> consistentHash(Function<? super M, String> key) {
    Objects.requireNonNull(key, "key is null: give a function that takes the key of a message");
    return new One<>(() -> new Rendezvous<>(key), false);
  }

  /**
   * Forwards to all routees. A future that waits for the answer gets the first outcome, an answer
   * or a failure; routees that have not begun the ask by then skip it. An actor that waits for it
   * gets all answers. Send a message that all routees are to handle with tell, not with ask.
   */
  static <M> Routing<M> broadcast() {
    return new All<>();
  }

  /**
   * Asks all routees, and answers with the first answer. If all fail, or none answers in time, the
   * ask fails with the cause of the first failure.
   *
   * @param answer the type of the answers
   * @param within positive; a volatile routee of the same node does not handle a message that it
   *     has not begun by then
   */
  static <M> Routing<M> firstAnswer(Class<?> answer, Duration within) {
    Objects.requireNonNull(answer, "answer is null: give the type of the answers");
    Objects.requireNonNull(within, "within is null: give a positive duration");
    if (within.isNegative() || within.isZero()) {
      throw new IllegalArgumentException("within must be positive, not " + within);
    }
    return new FirstAnswer<>(answer, within);
  }

  /**
   * Routing to one chosen routee.
   *
   * @param counts whether it needs to know when messages are finished
   */
  record One<M>(Supplier<Picker<M>> picker, boolean counts) implements Routing<M> {}

  /** Routing to all routees. */
  record All<M>() implements Routing<M> {}

  /** Routing by asking all routees. */
  record FirstAnswer<M>(Class<?> answer, Duration within) implements Routing<M> {}
}

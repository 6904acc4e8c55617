package io.callboard.routing;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/** To which of its routees a router passes a message on. Immutable; each router begins anew. */
public sealed interface Routing<M> {
  /** To one after the other. */
  static <M> Routing<M> roundRobin() {
    return new One<>(RoundRobin::new, false);
  }

  /**
   * To the one that has the fewest messages of this router at hand, among equals one after the
   * other. For a volatile routee of the router's node that is what it was passed on and whose
   * handler is not done, its future included, also if it has answered: what waits in its mailbox,
   * or was put aside there, counts. What comes to it another way does not. For one of another node,
   * and for a durable one, a message counts only until it is in the mailbox.
   */
  static <M> Routing<M> leastLoaded() {
    return new One<>(LeastLoaded::new, true);
  }

  /**
   * The same key to the same routee, as long as that is there; when one comes or goes, only its own
   * share of the keys moves. Messages of one key keep their order while the routees stay the same.
   *
   * @param key not null; a message for which it fails is refused, and its asker told why
   */
  static <M> Routing<M> consistentHash(Function<? super M, String> key) {
    Objects.requireNonNull(key, "key is null: give a function that takes the key of a message");
    return new One<>(() -> new Rendezvous<>(key), false);
  }

  /**
   * To all. A future that waits for the answer gets the first outcome, an answer or a failure; an
   * actor that is told the answers gets all.
   */
  static <M> Routing<M> broadcast() {
    return new All<>();
  }

  /**
   * Asks all, and answers with the first answer. If all fail, or none answers in time, whoever
   * asked fails with the cause of the first failure.
   *
   * @param answer the type of the answers
   * @param within positive; what a volatile routee of the same node has not begun by then it never
   *     does
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
   * Chooses one.
   *
   * @param counts whether it needs to know when messages are over
   */
  record One<M>(Supplier<Picker<M>> picker, boolean counts) implements Routing<M> {}

  /** Chooses all. */
  record All<M>() implements Routing<M> {}

  /** Asks all. */
  record FirstAnswer<M>(Class<?> answer, Duration within) implements Routing<M> {}
}

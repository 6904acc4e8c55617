package io.callboard.internal.turn;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.internal.mailbox.Delivery;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a durable actor to itself, from timers and piped futures. They outlive the actor's
 * lives on a node, but not its stay there. Not thread-safe.
 */
public final class SelfMessages {
  /** Limit of the waiting messages; those of timers are not dropped beyond it. */
  public static final int MOST = 1_000;

  private final Deque<Delivery> waiting = new ArrayDeque<>();
  private @Nullable Delivery current;

  /** Adds a message; false if too many wait. */
  boolean offer(Delivery delivery) {
    if (waiting.size() >= MOST && !delivery.isOwn()) {
      return false;
    }
    return waiting.add(delivery);
  }

  /** Hands out the first message; there must be one. */
  Delivery take() {
    Delivery first = waiting.removeFirst();
    current = first;
    return first;
  }

  /**
   * Ends the handling of the message handed out.
   *
   * @return that message; null if there is none
   */
  @CanIgnoreReturnValue
  @Nullable Delivery done() {
    Delivery done = current;
    current = null;
    return done;
  }

  /** Removes all waiting messages, for none will be handled. */
  List<Delivery> drain() {
    List<Delivery> all = new ArrayList<>(waiting);
    waiting.clear();
    return all;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }
}

package io.callboard.internal.turn;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.internal.mailbox.Delivery;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a durable actor tells itself: timers and piped futures. Outlives the actor's lives on a
 * node, not the node. Not thread-safe.
 */
public final class SelfMessages {
  /** Messages that may wait. */
  public static final int MOST = 1_000;

  private final Deque<Delivery> waiting = new ArrayDeque<>();
  private @Nullable Delivery current;

  /** Whether it was taken; false if too many wait. */
  boolean offer(Delivery delivery) {
    if (waiting.size() >= MOST) {
      return false;
    }
    return waiting.add(delivery);
  }

  /** Hands out the first; there must be one. */
  Delivery take() {
    Delivery first = waiting.removeFirst();
    current = first;
    return first;
  }

  /** The one handed out; none is from now on. */
  @CanIgnoreReturnValue
  @Nullable Delivery done() {
    Delivery done = current;
    current = null;
    return done;
  }

  /** Takes all that wait, for nobody will handle them. */
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

package io.callboard.turn;

import io.callboard.store.Generation;
import org.jspecify.annotations.Nullable;

/**
 * How often the next message of one durable actor was tried, and why in vain. Outlives the actor's
 * lives. Not thread-safe.
 */
final class Trial {
  private final int most;
  private int attempts;
  private long sequence;
  private int index;
  private int singly;
  private @Nullable Throwable why;

  /**
   * @param most attempts after which a message is parked
   */
  Trial(int most) {
    this.most = most;
  }

  /** That message failed; what another one tried is forgotten. */
  void failed(Input message, Throwable cause) {
    if (message.sequence() != sequence || message.index() != index) {
      forget();
      sequence = message.sequence();
      index = message.index();
    }
    attempts++;
    why = cause;
  }

  /** So many messages could not be committed together: each is tried alone. */
  void failedTogether(int messages) {
    singly = messages;
  }

  /** The next message is at that place; if it is another one, nobody has tried it yet. */
  void nextIs(long next, int offset) {
    boolean same = index == offset && Generation.follows(sequence, next);
    if (attempts > 0 && !same) {
      forget();
    }
  }

  /** So many messages are committed, and the one that was tried is none of those that follow. */
  void committed(int messages) {
    singly = Math.max(0, singly - messages);
    forget();
  }

  /** The same, but the one that was tried comes next. */
  void committedBefore(int messages) {
    singly = Math.max(0, singly - messages);
  }

  private void forget() {
    attempts = 0;
    why = null;
  }

  /** Another node has the actor. */
  void end() {
    singly = 0;
    forget();
  }

  /** Whether the next message commits alone: its attempts are its own. */
  boolean isAlone() {
    return singly > 0 || attempts > 0;
  }

  boolean isExhausted() {
    return attempts >= most;
  }

  int attempts() {
    return attempts;
  }

  /** Of the last attempt; null if there was none. */
  @Nullable Throwable why() {
    return why;
  }
}

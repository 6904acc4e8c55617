package io.callboard.turn;

import org.jspecify.annotations.Nullable;

/**
 * How often the next message of one durable actor was tried, and why in vain. Outlives the actor's
 * lives. Not thread-safe.
 */
final class Trial {
  private final int most;
  private int attempts;
  private int singly;
  private @Nullable Throwable why;

  /**
   * @param most attempts after which a message is parked
   */
  Trial(int most) {
    this.most = most;
  }

  /** It failed once more. */
  void failed(Throwable cause) {
    attempts++;
    why = cause;
  }

  /** So many messages could not be committed together: each is tried alone. */
  void failedTogether(int messages) {
    singly = messages;
  }

  /** Another message is the next one: this was all about one that comes later, or is gone. */
  void another() {
    attempts = 0;
    why = null;
  }

  /** So many messages are committed. */
  void committed(int messages) {
    singly = Math.max(0, singly - messages);
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

package io.callboard.testkit.actor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turn of a tested actor. */
final class RecordedTurn {
  private final Object message;
  private final @Nullable Object before;
  private final long changed;
  private final List<Effect> effects = new ArrayList<>();
  private final List<OpenAsk> asks = new ArrayList<>();
  private @Nullable Throwable failure;
  private boolean over;

  /**
   * Creates a turn.
   *
   * @param before state in which it began; null if none was stored
   * @param changed last turn before it that changed the stored state
   */
  RecordedTurn(Object message, @Nullable Object before, long changed) {
    this.message = message;
    this.before = before;
    this.changed = changed;
  }

  Object message() {
    return message;
  }

  @Nullable Object before() {
    return before;
  }

  long changed() {
    return changed;
  }

  List<Effect> effects() {
    return effects;
  }

  List<OpenAsk> asks() {
    return asks;
  }

  void end(@Nullable Throwable cause) {
    over = true;
    failure = cause;
  }

  boolean isOver() {
    return over;
  }

  @Nullable Throwable failure() {
    return failure;
  }
}

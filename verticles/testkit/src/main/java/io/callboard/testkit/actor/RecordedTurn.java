package io.callboard.testkit.actor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One turn of a tested actor. */
final class RecordedTurn {
  private final Object message;
  private final @Nullable Object before;
  private final long changed;
  private final List<Effect> effects = new ArrayList<>();
  private final List<OpenAsk> asks = new ArrayList<>();
  private @Nullable Throwable failure;
  private boolean over;

  /**
   * @param before the state that it began in; null if none was stored
   * @param changed the last turn before it that changed the stored state
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

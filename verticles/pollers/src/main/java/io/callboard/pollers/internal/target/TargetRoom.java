package io.callboard.pollers.internal.target;

import org.jspecify.annotations.Nullable;

/**
 * Number of further messages that may be taken for a target.
 *
 * @param free the number; null for any
 * @param why why not more; empty for any number
 */
public record TargetRoom(@Nullable Integer free, String why) {
  /** Room for any number. */
  public static final TargetRoom ANY = new TargetRoom(null, "");
}

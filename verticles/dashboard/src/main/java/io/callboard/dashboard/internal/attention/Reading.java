package io.callboard.dashboard.internal.attention;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Last reading of a value.
 *
 * @param value what was read; null if it never was
 * @param asOf when; null if it never was
 * @param error why it could not be read since; null if {@code value} is the present one
 * @param failedSince since when it cannot be read; null if it can
 */
public record Reading<T>(
    @Nullable T value,
    @Nullable Instant asOf,
    @Nullable String error,
    @Nullable Instant failedSince) {

  /** Returns a reading that succeeded at that time. */
  public static <T> Reading<T> of(T value, Instant at) {
    return new Reading<>(value, at, null, null);
  }

  /** Returns this reading after a further attempt, which failed at that time. */
  Reading<T> failed(String why, Instant at) {
    return new Reading<>(value, asOf, why, failedSince == null ? at : failedSince);
  }

  /** Returns the value that was read last, or else the given one. */
  public T orElse(T other) {
    return value == null ? other : value;
  }

  /** Returns whether the value is the present one. */
  public boolean isFresh() {
    return error == null;
  }
}

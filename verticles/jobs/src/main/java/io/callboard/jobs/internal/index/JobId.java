package io.callboard.jobs.internal.index;

import io.callboard.time.Machine;
import java.util.Optional;
import java.util.UUID;

/**
 * Id of a job in 16 bytes.
 *
 * @param high first half
 * @param low second half
 */
@Machine
record JobId(long high, long low) {
  /** Returns the id; empty if the text is not a UUID in its canonical form. */
  static Optional<JobId> parse(String text) {
    if (text.length() != 36) {
      return Optional.empty();
    }
    try {
      UUID id = UUID.fromString(text);
      return id.toString().equals(text)
          ? Optional.of(new JobId(id.getMostSignificantBits(), id.getLeastSignificantBits()))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns the id as text. */
  String text() {
    return new UUID(high, low).toString();
  }
}

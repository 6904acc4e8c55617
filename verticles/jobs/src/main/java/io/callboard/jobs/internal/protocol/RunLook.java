package io.callboard.jobs.internal.protocol;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Answer of a host when the gate asked how a run is.
 *
 * @param processes number of processes of its group, those of its shim included
 * @param lastProgress its last progress by the host's clock, or its start; null if it is not known
 * @param ended whether its command has ended, and only its job does not know it yet
 */
public record RunLook(int processes, @Nullable Instant lastProgress, boolean ended) {
  /**
   * Returns the answer in words, as the end of a sentence about the run.
   *
   * @param ofHandler whether it is the run of a handler
   */
  public String words(boolean ofHandler) {
    if (ended || processes == 0) {
      return (ofHandler ? "its handler has ended" : "no process of it is left")
          + ", and its end is on the way to its job";
    }
    String alive =
        ofHandler
            ? "its handler runs"
            : "alive with %d process%s".formatted(processes, processes == 1 ? "" : "es");
    return alive + (lastProgress == null ? "" : ", last progress at " + lastProgress);
  }
}

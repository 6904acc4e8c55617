package io.callboard.workflows.internal.starts;

import io.callboard.workflows.model.BrakeView;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answer of the start desk to a report.
 *
 * @param epoch epoch of the desk
 * @param number number of the answer, rising within an epoch
 * @param limited whether instances of every definition wait for permits, because as many run in the
 *     cell as may
 * @param room how many more instances may begin on the node until it has reported again
 * @param permits permits that the node was given in this epoch, by definition
 * @param brakes the brakes that are on or overridden
 * @param messages messages that are under way in the cell; null if that is not known
 */
public record StartAnswer(
    long epoch,
    long number,
    boolean limited,
    int room,
    Map<String, Long> permits,
    List<BrakeView> brakes,
    @Nullable Integer messages) {
  /** Copies map and list. */
  public StartAnswer {
    permits = Map.copyOf(permits);
    brakes = List.copyOf(brakes);
  }
}

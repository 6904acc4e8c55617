package io.callboard.workflows.internal.instance;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.time.Machine;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.model.InstanceChange;
import java.time.Instant;

/**
 * Restoration of an instance to the state after an earlier event, by an operator. What it asked of
 * others since then they remember, by the numbers of its runs; so no number that it may have used
 * is used again. The number of its last event is above all of them, as each run is begun by an
 * event of its own.
 */
@Machine
public final class Restoration {
  private Restoration() {}

  /**
   * Returns the state with which the instance goes on.
   *
   * @param data that after the event
   * @param event number of the event
   * @param last number of its last event
   * @throws CallboardException {@code CONFLICT} if it did not exist then
   */
  public static InstanceData of(InstanceData data, long event, long last, Instant now) {
    if (data.spec() == null) {
      throw new CallboardException(
          Code.CONFLICT,
          "the instance was not created yet at its event %d: restore it to event 1 or a later one, or delete it"
              .formatted(event));
    }
    InstanceChange change =
        new InstanceChange(
            now,
            null,
            "restored",
            "to its event %d; the %,d after it do not count".formatted(event, last - event));
    return data.restored(last, now).with(change);
  }
}

package io.callboard.workflows.internal.dispatch;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.protocol.StepRunKey;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Ends of runs that a new desk settles when all workers have reported: until then one of them may
 * have the run, whoever else had it.
 */
@Machine
final class EarlyEnds {
  /** Runs that are to be cancelled. */
  final Set<StepRunKey> cancels = new LinkedHashSet<>();

  /** Runs that are lost, or will not begin, as far as is known. */
  final Map<StepRunKey, Loss> losses = new LinkedHashMap<>();

  /**
   * Run that a worker does not have any more.
   *
   * @param run the run
   * @param cause why, for people
   */
  record Loss(DeskRun run, String cause) {}

  /** Forgets all ends, as they are settled. */
  void clear() {
    cancels.clear();
    losses.clear();
  }
}

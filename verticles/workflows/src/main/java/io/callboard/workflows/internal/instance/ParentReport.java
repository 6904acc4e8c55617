package io.callboard.workflows.internal.instance;

import io.callboard.codecs.BlobRef;
import io.callboard.codecs.CodecException;
import io.callboard.time.Machine;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.ParentStep;
import io.callboard.workflows.internal.protocol.StepOutcome;
import java.time.Instant;
import java.util.Map;

/** Report of an ended instance to its parent, for the step that ran it. */
@Machine
public final class ParentReport {
  private ParentReport() {}

  /**
   * Returns the report; the parent adopts large outputs.
   *
   * @param inputs inputs of the steps of its definition
   */
  public static InstanceCommand of(
      InstanceData data, StepInputs inputs, ParentStep parent, Instant now) {
    Map<String, BlobRef> large = inputs.largeOfParent(data);
    StepOutcome outcome = data.outcome(inputs.ofParent(data));
    boolean small;
    try {
      int bytes = OutputCheck.json(parent.step(), outcome.output()).length;
      small = large.isEmpty() && bytes <= OutputCheck.MOST_OUTPUT;
    } catch (CodecException e) {
      return of(parent, StepOutcome.failedForGood(String.valueOf(e.getMessage())), now);
    }
    return small || outcome.kind() != StepOutcome.Kind.SUCCEEDED
        ? of(parent, outcome, now)
        : new InstanceCommand.Adopt(
            parent.step(), parent.run(), outcome, data.created().id(), large, null, now);
  }

  /** Returns the report of that outcome. */
  public static InstanceCommand of(ParentStep parent, StepOutcome outcome, Instant now) {
    return new InstanceCommand.Done(parent.step(), parent.run(), outcome, null, now);
  }
}

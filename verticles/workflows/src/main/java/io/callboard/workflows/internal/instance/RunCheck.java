package io.callboard.workflows.internal.instance;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.time.Machine;
import io.callboard.workflows.definition.StepDefinition;
import io.callboard.workflows.definition.StepParameters;
import io.callboard.workflows.definition.StepRun;
import org.jspecify.annotations.Nullable;

/** Checks the parameters and the input of a run before it is requested. */
@Machine
final class RunCheck {
  /** Maximum size as JSON of the input of a sub-workflow, which one event of it has. */
  static final int MOST_CHILD_INPUT = 600 << 10;

  private RunCheck() {}

  /**
   * Returns why nobody can be asked for the present run of a step; null if that is possible. What a
   * sub-workflow is sent is added to the turn.
   */
  static @Nullable String refusal(InstanceProgress its, int step) {
    boolean undo = its.data().undoing() != null;
    StepDefinition definition = its.definition().step(step);
    try {
      if (definition.run(undo).kind() != StepRun.Kind.SUBWORKFLOW) {
        byte[] unused = Json.data("its parameters", StepParameters.of(definition, undo));
        return null;
      }
      String beyond = TreeLimits.refusal(its);
      if (beyond != null) {
        return beyond;
      }
      int bytes =
          Json.data("the input of its sub-workflow", its.inputs().ofChild(step, its.data(), undo))
              .length;
      its.sends(bytes);
      return bytes <= MOST_CHILD_INPUT
          ? null
          : "the input of its sub-workflow has %,d bytes as JSON; the limit is %,d: keep large data elsewhere and give a reference"
              .formatted(bytes, MOST_CHILD_INPUT);
    } catch (CodecException e) {
      return String.valueOf(e.getMessage());
    }
  }
}

package io.callboard.workflows.internal.actor;

import io.callboard.workflows.internal.intake.StartGate;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceSpec;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowWhy;
import java.time.Instant;
import java.util.Map;

/** Admission of one instance by the gate of its node: it begins at once, or waits for a permit. */
final class StartAdmission {
  private final StartGate gate;
  private boolean released;

  /** Creates the pass of an instance that has not asked yet. */
  StartAdmission(StartGate gate) {
    this.gate = gate;
  }

  /**
   * Asks the gate for a new instance.
   *
   * @return whether the instance may begin at once
   */
  boolean asks(InstanceSpec spec, LoadedDefinition loaded, Instant now) {
    gate.weighs(spec.definition(), loaded.weight());
    if (spec.parent() != null) { // a sub-workflow goes with its parent
      gate.resumed(spec.definition(), spec.id(), now);
      released = true;
    } else {
      released = gate.begins(spec.definition(), spec.id(), now);
    }
    return released;
  }

  /** Asks the gate for an instance that comes to this node, or begins again here. */
  void comes(InstanceData data, LoadedDefinition loaded, Instant now) {
    InstanceSpec spec = data.created();
    if (data.hasBegun()) {
      released = true;
      gate.resumed(spec.definition(), spec.id(), data.begunAt() == null ? now : data.begunAt());
    } else {
      boolean unused = asks(spec, loaded, now);
    }
  }

  /**
   * Takes the permit of the gate. A permit that another node was given, which had the instance
   * before, is none here.
   */
  boolean release(InstanceData data) {
    boolean held = holds(data) && gate.runs(data.created().id());
    released |= held;
    return held;
  }

  /** Returns whether the instance waits for a permit to begin. */
  boolean holds(InstanceData data) {
    return !released && data.spec() != null && !data.hasBegun();
  }

  /** Returns why the instance waits. */
  WorkflowWhy why(InstanceData data) {
    InstanceSpec spec = data.created();
    Instant since = gate.waitsSince(spec.id());
    return new WorkflowWhy(
        data.state(),
        "it has not begun: " + gate.why(spec.definition()),
        since == null ? spec.createdAt() : since,
        Map.of(),
        null);
  }

  /** Records that the instance has ended. */
  void ends(InstanceData data) {
    InstanceState state = data.state();
    gate.ended(
        data.created().id(),
        state == InstanceState.CANCELLED ? null : state != InstanceState.FAILED);
  }
}

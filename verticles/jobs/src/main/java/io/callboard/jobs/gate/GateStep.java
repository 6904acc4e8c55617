package io.callboard.jobs.gate;

import io.callboard.jobs.protocol.GateEvent;
import java.util.List;

/** A decision of the gate: an event that becomes durable, or a message to send. */
public sealed interface GateStep {
  /** A run may go; its job is sent the grant. */
  record Grant(GateEvent.Granted event, long epoch) implements GateStep {}

  /** A run never started, or has ended; its slot is free, and its job is notified. */
  record Void(GateEvent.Released event, String why, boolean withNode) implements GateStep {}

  /** A run waited too long; its job is notified. */
  record Expire(GateEvent.Withdrawn event, int runId) implements GateStep {}

  /** A host is asked to refuse runs that the gate misses there. */
  record Ask(String host, String boot, List<String> runs) implements GateStep {}

  /** A host is asked to end a run that has no handle. */
  record Kill(String host, String boot, String run) implements GateStep {}
}

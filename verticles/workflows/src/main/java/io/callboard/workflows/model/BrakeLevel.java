package io.callboard.workflows.model;

/** Level of the brake of a definition. */
public enum BrakeLevel {
  /** Instances begin as they come. */
  OFF,
  /** Only so many instances that began since may run at once. */
  REDUCED,
  /** Only probes begin, one at a time, to see whether the failures have ended. */
  OPEN
}

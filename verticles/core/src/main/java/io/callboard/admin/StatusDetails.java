package io.callboard.admin;

/** An actor that adds something of its own kind to its {@link ActorStatus}. */
public interface StatusDetails {
  /** How it is now; from any thread. */
  Record statusDetails();
}

package io.callboard.admin;

/** Implemented by actors that add details of their kind to their {@link ActorStatus}. */
public interface StatusDetails {
  /** Returns the actor's present details. Called from any thread. */
  Record statusDetails();
}

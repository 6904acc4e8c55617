package io.callboard.internal.zone;

/** Listener for actors that block a thread. */
public interface BlockedListener {
  /**
   * Reports a blockage once, on the watchdog thread, which the listener must not block.
   *
   * @param whose as given with the slice: the actor's path
   * @param what which thread, and for how long
   * @param stack of that thread
   */
  void blocked(Object whose, String what, String stack);
}

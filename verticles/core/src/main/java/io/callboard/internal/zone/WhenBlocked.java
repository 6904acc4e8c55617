package io.callboard.internal.zone;

/** Is told of each actor that blocks a thread. */
public interface WhenBlocked {
  /**
   * Once for each blockage, by the thread that looks after the zones, which must not be blocked.
   *
   * @param whose as it was given with the slice: the actor's path
   * @param what which thread, and for how long
   * @param stack of that thread
   */
  void blocked(Object whose, String what, String stack);
}

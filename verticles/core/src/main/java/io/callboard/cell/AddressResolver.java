package io.callboard.cell;

import io.vertx.core.Future;

/**
 * Port to a cluster manager that asks the nodes themselves for the consumers of an actor's address,
 * instead of registering every actor.
 */
public interface AddressResolver {
  /**
   * Registers {@code endpoints}, which are asked from now on before an address is reported as not
   * present.
   *
   * @return completes when other nodes can ask this one
   */
  Future<Void> add(Endpoints endpoints);

  /** Unregisters {@code endpoints}. */
  void remove(Endpoints endpoints);

  /** Registry of event-bus consumers, which are registered on demand. */
  interface Endpoints {
    /**
     * Ensures that a consumer is registered under {@code address}, if it is the address of an actor
     * that can be reached through this node. May be called from any thread.
     *
     * @return whether a consumer is registered now; never fails
     */
    Future<Boolean> open(String address);
  }
}

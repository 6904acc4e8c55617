package io.callboard.cell;

import io.vertx.core.Future;

/**
 * Implemented by a cluster manager that asks the nodes themselves where an actor's address leads,
 * instead of keeping a register of all of them.
 */
public interface AddressResolver {
  /**
   * Asks {@code doors} from now on before it says that an address is not here.
   *
   * @return completes when other nodes can ask this one
   */
  Future<Void> add(Doors doors);

  /** Not any more. */
  void remove(Doors doors);

  /** Opens what nobody has needed yet. */
  interface Doors {
    /**
     * Makes sure that a consumer is registered under that address, if it is one of an actor that
     * can be reached through this node. Any thread.
     *
     * @return whether it is now; never fails
     */
    Future<Boolean> open(String address);
  }
}

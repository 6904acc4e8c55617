package io.callboard.node;

import io.callboard.CallboardOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/**
 * Node under construction: its Vert.x runs, its actors are not started yet. For what actors need,
 * such as a pool of connections, and for options of the {@link io.callboard.Callboard}.
 */
public final class NodePreparation {
  private final Vertx vertx;
  private final CallboardOptions options;
  private final Parts parts;

  NodePreparation(Vertx vertx, CallboardOptions options, Parts parts) {
    this.vertx = vertx;
    this.options = options;
    this.parts = parts;
  }

  /** The Vert.x in which the node will run. */
  public Vertx vertx() {
    return vertx;
  }

  /**
   * The options with which the Callboard will be created; name, home and store are set. Changes
   * apply.
   */
  public CallboardOptions options() {
    return options;
  }

  /**
   * Adds something that is closed after the actors and before the Vert.x. The last one added is
   * closed first. It has two fifths of the time that is left of {@link NodeOptions#closeTimeout}.
   *
   * @param name what the log calls it
   */
  public void closeAfterActors(String name, Supplier<? extends Future<?>> stop) {
    parts.pushOfApplication(name, stop);
  }
}

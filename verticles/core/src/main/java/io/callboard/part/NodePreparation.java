package io.callboard.part;

import io.callboard.CallboardOptions;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/**
 * Node under construction: its Vert.x runs, its actors are not started yet. For what actors need,
 * such as a pool of connections, and for options of the {@link io.callboard.Callboard}.
 */
public interface NodePreparation {
  /** Returns the Vert.x in which the node will run. */
  Vertx vertx();

  /**
   * Returns the options with which the Callboard will be created; name, home and store are set.
   * Changes apply.
   */
  CallboardOptions options();

  /**
   * Adds a scheduling zone for actors, handlers and builders of a part. What the application or the
   * configuration of the node says of a zone of that name takes effect instead.
   *
   * @throws IllegalArgumentException if every node has a zone of that name, another part has added
   *     one, or a zone cannot have these options
   */
  void zone(String name, ZoneOptions byDefault);

  /**
   * Adds something that is closed after the actors and before the Vert.x. The last one added is
   * closed first. It has two fifths of the time that is left of the node's limit.
   *
   * @param name what the log calls it
   */
  void closeAfterActors(String name, Supplier<? extends Future<?>> stop);
}

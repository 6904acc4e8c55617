package io.callboard.part;

import io.callboard.Callboard;
import io.callboard.metric.Metric;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Node as its parts see it: its actors run, and the parts that have started. Thread-safe. */
public interface RunningNode {
  /** Returns the Callboard of the node. */
  Callboard callboard();

  /** Returns the Vert.x in which the node runs. */
  default Vertx vertx() {
    return callboard().vertx();
  }

  /** Returns the name of the cell. */
  String cell();

  /** Returns the data directory of the node, absolute; empty if it has none. */
  Optional<Path> directory();

  /** Returns the identity of the data directory; empty if it has none. */
  Optional<String> homeId();

  /** Returns whether its store is gone, so that parts which need it cannot close cleanly. */
  boolean isStoreLost();

  /** Returns what a part has started; empty if the node has no such part. */
  <T> Optional<T> find(Class<T> type);

  /**
   * Returns what a part has started.
   *
   * @throws IllegalStateException if the node has no such part, or it has not started yet
   */
  default <T> T part(Class<T> type) {
    return find(type)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "node %s has no %s: add that part to its options"
                        .formatted(callboard().node(), type.getSimpleName())));
  }

  /** Returns the settings of the parts by the names of parts, in the order of their start. */
  Map<String, Map<String, String>> settings();

  /**
   * Returns what is wrong now with a part, see {@link NodePart#troubles}; nothing if no part of
   * that name runs.
   */
  Future<List<PartTrouble>> troubles(String part);

  /**
   * Returns the metrics of a part, see {@link NodePart#metrics}; none if no part of that name runs.
   */
  Future<List<Metric>> metrics(String part);

  /** Returns the names of the parts that have started, in the order of their start. */
  default List<String> parts() {
    return List.copyOf(settings().keySet());
  }
}

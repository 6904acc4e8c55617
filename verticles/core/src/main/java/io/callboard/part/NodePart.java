package io.callboard.part;

import io.callboard.metric.Metric;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/**
 * Something that runs on a node beside its actors, and that the application or other parts use: the
 * job scheduler, the page, or a part of the application's own. Parts start one after the other,
 * each after those that it needs, and close in the reverse order. A node has one part of a type.
 *
 * <p>Its methods are called by the thread that starts the node, except {@link #troubles}, {@link
 * #metrics} and {@link #close}.
 *
 * @param <T> what the part gives to the application and to other parts
 */
public interface NodePart<T> {
  /** Returns the name of the part in logs, settings and errors, such as {@code jobs}. */
  String name();

  /**
   * Returns the type under which {@link RunningNode#part} finds what it has started; that of the
   * part itself if there is nothing else.
   */
  Class<T> type();

  /** Returns which other parts it needs, or uses if they are there. */
  default List<PartNeed> needs() {
    return List.of();
  }

  /**
   * Returns its options as they take effect, the defaults among them, without secrets, for
   * operators; {@link PartSettings} makes them of a record.
   */
  default Map<String, String> settings() {
    return Map.of();
  }

  /**
   * Checks its options before anything of the node is started. May block shortly.
   *
   * @throws Exception if they cannot take effect; the message says what would be right
   */
  default void check() throws Exception {}

  /**
   * Prepares the node before its actors start. A part that overrides this cannot be added to a node
   * that runs.
   */
  default void prepare(NodePreparation node) {}

  /**
   * Starts the part; its actors are part of {@code node}. Completes when others can use it.
   *
   * @return fails if it cannot start, and so does the start of the node
   */
  Future<T> start(RunningNode node);

  /**
   * Returns what is wrong now with what was started. Called from any thread, every few seconds
   * while an operator looks, and must not block. A failure, and no answer within two seconds, are
   * told to the operator instead.
   */
  default Future<List<PartTrouble>> troubles(T started) {
    return Future.succeededFuture(List.of());
  }

  /**
   * Returns the metrics of what was started, as they are now. Called from any thread, at each
   * scrape, and must not block. Metrics of a name that there is already, those beyond 20,000
   * samples of the part, a failure, and no answer within four seconds, are counted in {@code
   * callboard_metrics_left_out} instead.
   */
  default Future<List<Metric>> metrics(T started) {
    return Future.succeededFuture(List.of());
  }

  /**
   * Closes what was started, on any thread; the node waits for the future, within a limit.
   *
   * @param node the node, which may have lost its store
   */
  default Future<?> close(T started, RunningNode node) {
    return Future.succeededFuture();
  }
}

package io.callboard.archive;

import io.callboard.journal.FeedEvent;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A table, or some, of the archive's database that follow the events of a feed. It changes them
 * within the transaction that notes how far it is, so each event has its effect on them exactly
 * once.
 *
 * <pre>{@code
 * public void apply(Connection connection, FeedEvent feedEvent) throws SQLException {
 *   if (feedEvent.event(Event.class) instanceof Event.Deposited deposited) {
 *     ... connection.prepareStatement("update balance set cents = cents + ? where account = ?") ...
 *   }
 * }
 * }</pre>
 */
public interface Projection {
  /**
   * Returns the name under which the progress is stored: letters, digits and {@code - _ . @ + =}, a
   * few dozen at most.
   */
  String name();

  /** Returns the tag of the feed that it follows. */
  String feed();

  /**
   * Creates its tables if they do not exist. Called when the projection is begun, in a transaction,
   * on a thread that may block; does nothing by default.
   */
  default void prepare(Connection connection) throws SQLException {}

  /**
   * Applies an event to its tables. Events come in the order of their feed. Called on a thread that
   * may block; must not commit. After a failure all events since the last transaction are applied
   * again after a pause.
   */
  void apply(Connection connection, FeedEvent event) throws SQLException;

  /**
   * Empties its tables; all events are applied again afterwards.
   *
   * @throws UnsupportedOperationException by default
   */
  default void reset(Connection connection) throws SQLException {
    throw new UnsupportedOperationException(
        "projection %s cannot be rebuilt: override reset(connection)".formatted(name()));
  }
}

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
   * Under which it is noted how far it is: letters, digits and {@code - _ . @ + =}, some dozens.
   */
  String name();

  /** The tag whose events it follows. */
  String feed();

  /** Makes its tables if they are not there. Called when it is begun, in a transaction. */
  default void prepare(Connection connection) throws SQLException {}

  /**
   * Changes its tables as {@code event} says. Events come in the order of their feed. Called on a
   * thread that may wait; does not commit. If it fails, it is tried again after a pause, with all
   * events since the last transaction.
   */
  void apply(Connection connection, FeedEvent event) throws SQLException;

  /**
   * Empties its tables: all events are applied again after that.
   *
   * @throws UnsupportedOperationException unless it is overridden
   */
  default void reset(Connection connection) throws SQLException {
    throw new UnsupportedOperationException(
        "projection %s cannot be rebuilt: override reset(connection)".formatted(name()));
  }
}

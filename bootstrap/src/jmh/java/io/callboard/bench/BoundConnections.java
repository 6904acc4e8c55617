package io.callboard.bench;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections that know transactions of a thread: within one, all who ask get its connection. So a
 * library that asks for a connection for each of its statements takes part, as with Spring.
 */
final class BoundConnections implements DataSource {
  private final DataSource connections;
  private final ThreadLocal<@Nullable Connection> bound = new ThreadLocal<>();

  /** Work within a transaction. */
  interface Work {
    /** Does it. */
    void with(Connection connection) throws SQLException;
  }

  BoundConnections(DataSource connections) {
    this.connections = connections;
  }

  /** Runs work in one transaction, which is durable when this returns. */
  void inTransaction(Work work) throws SQLException {
    try (Connection connection = connections.getConnection()) {
      connection.setAutoCommit(false);
      bound.set(unclosed(connection));
      try {
        work.with(connection);
        connection.commit();
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      } finally {
        bound.remove();
        connection.setAutoCommit(true);
      }
    }
  }

  /** Returns a view of a connection that stays open when it is closed. */
  private static Connection unclosed(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            BoundConnections.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection own = bound.get();
    return own == null ? connections.getConnection() : own;
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return connections.getConnection(user, password);
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return connections.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    connections.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    connections.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return connections.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger(BoundConnections.class.getName());
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return connections.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return connections.isWrapperFor(type);
  }
}

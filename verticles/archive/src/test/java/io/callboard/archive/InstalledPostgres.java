package io.callboard.archive;

import io.callboard.testkit.PostgresServer;
import java.sql.SQLException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * PostgreSQL server for the tests of a class, which are skipped where none is installed, unless the
 * environment requires it.
 */
final class InstalledPostgres implements BeforeAllCallback, AfterAllCallback {
  private PostgresServer server;

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    boolean required = Boolean.parseBoolean(System.getenv("CALLBOARD_REQUIRE_POSTGRES"));
    Assumptions.assumeTrue(
        required || PostgresServer.isInstalled(), "there is no PostgreSQL server on this machine");
    server = PostgresServer.start(false);
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    if (server != null) {
      server.close();
    }
  }

  /** Returns the URL of a new schema. */
  String schema(String name) throws SQLException {
    return server.schema(name);
  }
}

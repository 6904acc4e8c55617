package io.callboard.workflows;

import io.callboard.testkit.PostgresServer;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Tests on a real PostgreSQL server, which this class starts; skipped where none is installed. */
@Tag("long")
class PostgresArchivedInstancesTest extends ArchivedInstancesCases {
  private static PostgresServer server;

  @BeforeAll
  static void server() throws Exception {
    boolean required = Boolean.parseBoolean(System.getenv("CALLBOARD_REQUIRE_POSTGRES"));
    Assumptions.assumeTrue(
        required || PostgresServer.isInstalled(), "there is no PostgreSQL server on this machine");
    server = PostgresServer.start(false);
  }

  @AfterAll
  static void stopServer() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Override
  String url(String name) throws Exception {
    return server.schema(name.toLowerCase(Locale.ROOT));
  }
}

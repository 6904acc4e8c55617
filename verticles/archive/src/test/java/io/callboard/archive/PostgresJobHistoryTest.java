package io.callboard.archive;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.PostgresServer;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests on a real PostgreSQL server, which this class starts; skipped where none is installed. */
class PostgresJobHistoryTest extends JobHistoryCases {
  private static PostgresServer server;

  @BeforeAll
  static void server() throws Exception {
    boolean required = Boolean.parseBoolean(System.getenv("CALLBOARD_REQUIRE_POSTGRES"));
    Assumptions.assumeTrue(
        required || PostgresServer.isInstalled(), "there is no PostgreSQL server on this machine");
    server = PostgresServer.start(false);
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void aUserWhoMayNotCreateTheExtensionSearchesWithoutIt() throws Exception {
    String admin = server.schema("jobs_of_admin");
    try (Connection connection = DriverManager.getConnection(admin);
        Statement statement = connection.createStatement()) {
      var unused = statement.execute("drop extension if exists pg_trgm cascade");
      unused = statement.execute("create role plain login");
      unused = statement.execute("create schema jobs_of_plain authorization plain");
    }
    Vertx vertx = Vertx.vertx();
    String url =
        admin.replace("user=postgres", "user=plain").replace("jobs_of_admin", "jobs_of_plain");
    Archive archive = await(Archive.open(vertx, url));
    JobRow job = row(1, 1, "DEAD", "report.py");
    assertThat(await(archive.jobs().write(List.of(job)))).isEmpty();
    assertThat(await(archive.jobs().page(query(null, "port.p", false, null)))).hasSize(1);
    await(archive.close());
    await(vertx.close());
  }

  @Override
  String url(String name) throws Exception {
    return server.schema("jobs_" + name.toLowerCase(Locale.ROOT));
  }
}

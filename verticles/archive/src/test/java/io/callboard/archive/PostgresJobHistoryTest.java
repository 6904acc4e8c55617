package io.callboard.archive;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.PostgresExtension;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests on a real PostgreSQL server, which this class starts; skipped where none is installed. */
class PostgresJobHistoryTest extends JobHistoryCases {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  @Test
  void aUserWhoMayNotCreateTheExtensionSearchesWithoutIt() throws Exception {
    String admin = POSTGRES.server().schema("jobs_of_admin");
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
    return POSTGRES.server().schema("jobs_" + name.toLowerCase(Locale.ROOT));
  }
}

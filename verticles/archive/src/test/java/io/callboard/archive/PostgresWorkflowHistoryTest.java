package io.callboard.archive;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.PostgresExtension;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests on a real PostgreSQL server, which this class starts; skipped where none is installed. */
class PostgresWorkflowHistoryTest extends WorkflowHistoryCases {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  @Test
  void aDatabaseThatHadOnlyJobsGetsTheIndexOfTheSearchForInstances() throws Exception {
    Vertx vertx = Vertx.vertx();
    String url = POSTGRES.server().schema("search_index");
    await(await(Archive.open(vertx, url)).close());
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      var unused = statement.execute("drop index callboard_workflow_search");
    }
    await(await(Archive.open(vertx, url)).close());
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select to_regclass('callboard_workflow_search')::text")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getString(1)).isEqualTo("callboard_workflow_search");
    }
    await(vertx.close());
  }

  @Override
  String url(String name) throws Exception {
    return POSTGRES.server().schema("workflows_" + name.toLowerCase(Locale.ROOT));
  }
}

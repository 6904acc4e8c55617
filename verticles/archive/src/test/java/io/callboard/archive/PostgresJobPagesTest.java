package io.callboard.archive;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.PostgresExtension;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pages of many ended jobs, on a real PostgreSQL server; the figures are printed. */
@Tag("long")
class PostgresJobPagesTest {
  private static final int CHUNK = 250_000;

  /** Aim: 50 ms; on a busy machine it may be more. */
  private static final Duration GENEROUS = Duration.ofMillis(500);

  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  @Test
  void manyJobsAreListedAndSearchedInMilliseconds() throws Exception {
    pages(100_000);
  }

  @Test
  @Tag("nightly")
  void aMillionJobsAreListedAndSearchedInMilliseconds() throws Exception {
    pages(Integer.getInteger("callboard.archive.rows", 1_000_000));
  }

  private static void pages(int rows) throws Exception {
    Vertx vertx = Vertx.vertx();
    String url = POSTGRES.server().schema("jobs_" + rows);
    Archive archive = await(Archive.open(vertx, url));
    long begunNs = System.nanoTime();
    try (Connection connection = DriverManager.getConnection(url)) { // without limits of time
      String index = withoutIndex(connection);
      for (int from = 1; from <= rows; from += CHUNK) {
        boolean unused = fill(connection, from, Math.min(rows, from + CHUNK - 1));
      }
      boolean unused =
          execute(connection, index, "analyze callboard_job", "analyze callboard_job_label");
    }
    System.out.printf("%d jobs in %d ms%n", rows, millisSince(begunNs));

    JobHistory jobs = archive.jobs();
    List<String> slow = new ArrayList<>();
    measure("first page", jobs, new Filter(), 50, slow);
    measure("page in the middle", jobs, new Filter().after(rows / 2), 50, slow);
    measure("oldest first", jobs, new Filter().ascending(), 50, slow);
    measure("state of one in a hundred", jobs, new Filter().state("DEAD"), 50, slow);
    measure("type", jobs, new Filter().type("type-7"), 50, slow);
    measure("label of one in a thousand", jobs, new Filter().label("team", "t77"), 50, slow);
    measure("search for one job", jobs, new Filter().text("order-7654 "), 1, slow);
    measure(
        "search for one by its rare words",
        jobs,
        new Filter().text("sh order-999 team=t999"),
        1,
        slow);
    Filter party = new Filter().text("sh order-4321 team=t321 party\uD83D\uDE00");
    measure("search for a character of two halves", jobs, party, 1, slow);
    measure("words in another order", jobs, new Filter().text("7654 order-"), 0, slow);
    measure("no wildcards", jobs, new Filter().text("order_7654 "), 0, slow);
    measure("search for many", jobs, new Filter().text("report"), 50, slow);
    measure("search for none", jobs, new Filter().text("nobody"), 0, slow);
    measure("state and text", jobs, new Filter().state("DEAD").text("report"), 50, slow);
    assertThat(slow).isEmpty();
    await(archive.close());
    await(vertx.close());
  }

  private static long millisSince(long ns) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - ns);
  }

  /** Drops the index of the search, which is made faster at the end; returns its definition. */
  private static String withoutIndex(Connection connection) throws SQLException {
    String select =
        "select indexdef from pg_indexes where indexname = 'callboard_job_search' and schemaname = current_schema";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(select)) {
      assertThat(row.next()).as("the index is there").isTrue();
      String definition = row.getString(1);
      execute(connection, "drop index callboard_job_search");
      return definition;
    }
  }

  private static boolean execute(Connection connection, String... all) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : all) {
        boolean unused = statement.execute(each);
      }
      return true;
    }
  }

  private static boolean fill(Connection connection, int first, int last) throws SQLException {
    return execute(
        connection,
        """
        insert into callboard_job
        select %s, 7, 'type-' || (i %% 20), case when i %% 100 = 0 then 'DEAD' else 'SUCCEEDED' end,
          timestamptz '2026-01-01' + i * interval '1 second', timestamptz '2026-01-01' + i * interval '1 second',
          %s || ' ./report.sh order-' || i || ' team=t' || (i %% 1000) || case i when 4321 then ' party\uD83D\uDE00' else '' end, '{"id":"' || i || '","spec":{"command":["./report.sh"]}}', '{"id":"' || i || '","command":["./report.sh"]}', null
        from generate_series(%d, %d) i
        """
            .formatted(ID, ID, first, last),
        """
        insert into callboard_job_label (name, label_value, job_id)
        select 'team', 't' || (i %% 1000), %s from generate_series(%d, %d) i
        """
            .formatted(ID, first, last));
  }

  /** Id of job i, a second after the one before. */
  private static final String ID =
      "(lpad(to_hex(1767225600000 + i::bigint * 1000), 12, '0') || '7000' || '8000' || lpad(to_hex(i), 12, '0'))::uuid";

  private static void measure(
      String what, JobHistory jobs, Filter filter, int expected, List<String> slow) {
    long bestNs = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long begunNs = System.nanoTime();
      assertThat(await(jobs.page(filter.query()))).as(what).hasSize(expected);
      bestNs = Math.min(bestNs, System.nanoTime() - begunNs);
    }
    System.out.printf("%s: %.1f ms%n", what, bestNs / 1e6);
    if (bestNs > GENEROUS.toNanos()) {
      slow.add("%s: %.1f ms".formatted(what, bestNs / 1e6));
    }
  }

  /** Query of 50 jobs, newest first. */
  private static final class Filter {
    private JobRowQuery query =
        new JobRowQuery(null, null, null, null, null, null, false, 50, null);

    JobRowQuery query() {
      return query;
    }

    private Filter with(JobRowQuery next) {
      query = next;
      return this;
    }

    Filter after(int number) {
      long millis = 1_767_225_600_000L + number * 1000L;
      String id =
          new java.util.UUID(millis << 16 | 0x7000, 0x8000_0000_0000_0000L | number).toString();
      return with(
          new JobRowQuery(
              query.type(), query.state(), null, null, null, query.text(), false, 50, id));
    }

    Filter ascending() {
      return with(new JobRowQuery(null, null, null, null, null, null, true, 50, null));
    }

    Filter state(String state) {
      return with(new JobRowQuery(null, state, null, null, null, query.text(), false, 50, null));
    }

    Filter type(String type) {
      return with(new JobRowQuery(type, null, null, null, null, null, false, 50, null));
    }

    Filter label(String name, String value) {
      return with(new JobRowQuery(null, null, name, value, null, null, false, 50, null));
    }

    Filter text(String text) {
      return with(new JobRowQuery(null, query.state(), null, null, null, text, false, 50, null));
    }
  }
}

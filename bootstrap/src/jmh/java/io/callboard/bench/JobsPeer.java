package io.callboard.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.callboard.testkit.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Row of no-op jobs beside db-scheduler and JobRunr on PostgreSQL: the same number of jobs, from
 * the first submission until the end of the last is durable. PostgreSQL flushes each commit to the
 * disk, as ZooKeeper does.
 */
final class JobsPeer implements Row {
  private static final String OURS = "callboard";
  private static final String DB_SCHEDULER = "db-scheduler, PostgreSQL";
  private static final String JOBRUNR = "JobRunr, PostgreSQL";
  private static final int JOBS = 10_000;
  private static final int QUICK_JOBS = 2_000;

  /** JobRunr is slow enough for fewer to show its rate. */
  private static final int FEWER = 4;

  @Override
  public String name() {
    return "jobs-peer";
  }

  @Override
  public String about() {
    return "no-op jobs/s; peers: db-scheduler and JobRunr on PostgreSQL with full fsync";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    int count = stage.quick() ? QUICK_JOBS : JOBS;
    List<String> peers = new ArrayList<>();
    try (Servers server = Servers.here(stage);
        OurJobs ours = new OurJobs(stage, server.connectString());
        PostgresServer database = PostgresServer.isInstalled() ? PostgresServer.start(true) : null;
        JobPeer dbScheduler =
            database == null ? null : new DbSchedulerJobs(database.schema("dbscheduler"));
        JobPeer jobRunr = database == null ? null : new JobRunrJobs(database.schema("jobrunr"))) {
      Rounds rounds =
          new Rounds(stage)
              .warmups(stage.quick() ? 1 : stage.warmups())
              .with(OURS, warmup -> new double[] {ours.run(count).ended()});
      if (dbScheduler == null || jobRunr == null) {
        System.err.println("jobs-peer: PostgreSQL is not installed here, so there is no peer");
      } else {
        rounds.with(DB_SCHEDULER, warmup -> new double[] {dbScheduler.run(count)});
        rounds.with(JOBRUNR, warmup -> new double[] {jobRunr.run(count / FEWER)});
        peers.addAll(List.of(DB_SCHEDULER, JOBRUNR));
      }
      rounds.play();
      return List.of(rounds.rates("no-op jobs from submission to success", "jobs/s", OURS, peers));
    }
  }

  /** Returns a pool of connections for a peer. */
  static HikariDataSource connections(String url) {
    return connections(url, JobPeer.THREADS + 8);
  }

  /** Returns a pool of so many connections. */
  static HikariDataSource connections(String url, int most) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(most);
    return new HikariDataSource(config);
  }

  /** Returns the number that a query selects. */
  static long count(HikariDataSource connections, String query) throws SQLException {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      if (!rows.next()) {
        throw new SQLException("no row: " + query);
      }
      return rows.getLong(1);
    }
  }
}

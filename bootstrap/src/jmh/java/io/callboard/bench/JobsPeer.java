package io.callboard.bench;

import com.sun.management.OperatingSystemMXBean;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.callboard.testkit.PostgresServer;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

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

  /** Rounds that only warm up: some 30 s of ours. */
  private static final int WARMUPS = 5;

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
              .warmups(stage.quick() ? 1 : WARMUPS)
              .with(OURS, warmup -> timed(database, count, () -> ours.run(count).ended()));
      if (dbScheduler == null || jobRunr == null) {
        System.err.println("jobs-peer: PostgreSQL is not installed here, so there is no peer");
      } else {
        int fewer = count / FEWER;
        rounds.with(DB_SCHEDULER, warmup -> timed(database, count, () -> dbScheduler.run(count)));
        rounds.with(JOBRUNR, warmup -> timed(database, fewer, () -> jobRunr.run(fewer)));
        peers.addAll(List.of(DB_SCHEDULER, JOBRUNR));
      }
      rounds.play();
      return List.of(
          rounds.rates("no-op jobs from submission to success", "jobs/s", OURS, peers),
          rounds.costs("processor time of 1,000 no-op jobs", "ms", OURS, peers, 1));
    }
  }

  /**
   * Returns the rate of a round, and the processor time of 1,000 of its jobs in milliseconds: that
   * of this JVM, in which the ZooKeeper server is, and of the database.
   */
  private static double[] timed(
      @Nullable PostgresServer database, int count, Callable<Double> round) throws Exception {
    Duration before = processorTime(database);
    double rate = round.call();
    Duration used = processorTime(database).minus(before);
    return new double[] {rate, used.toNanos() / 1e6 * 1_000 / count};
  }

  private static Duration processorTime(@Nullable PostgresServer database) {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    Duration here = Duration.ofNanos(system.getProcessCpuTime());
    return database == null ? here : here.plus(database.processorTime());
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

package io.callboard.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * No-op tasks of db-scheduler, with the settings that it recommends for PostgreSQL and many tasks:
 * lock-and-fetch, and an execution at once of what is due. It deletes a task when it has ended.
 */
final class DbSchedulerJobs extends JobPeer {
  private final HikariDataSource connections;
  private final OneTimeTask<Void> task;
  private final Scheduler scheduler;
  private final AtomicLong submitted = new AtomicLong();

  /** Starts it with the settings for many tasks. */
  DbSchedulerJobs(String url) throws SQLException {
    this(url, true, number -> {});
  }

  /**
   * Starts it.
   *
   * @param tuned whether with the settings for many tasks, or with its defaults
   * @param begun called when a task begins, with its number
   */
  DbSchedulerJobs(String url, boolean tuned, LongConsumer begun) throws SQLException {
    connections = JobsPeer.connections(url);
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement()) {
      createTable(statement);
    }
    task =
        Tasks.oneTime("no-op")
            .execute((instance, context) -> begun.accept(number(instance.getId())));
    SchedulerBuilder builder = Scheduler.create(connections, task).threads(THREADS);
    if (tuned) {
      builder
          .pollUsingLockAndFetch(1.0, 4.0)
          .pollingInterval(Duration.ofMillis(100))
          .enableImmediateExecution();
    }
    scheduler = builder.build();
    scheduler.start();
  }

  /** Creates the table that db-scheduler needs. */
  static void createTable(Statement statement) throws SQLException {
    statement.execute(
        """
        CREATE TABLE IF NOT EXISTS scheduled_tasks (
          task_name TEXT NOT NULL,
          task_instance TEXT NOT NULL,
          task_data BYTEA,
          execution_time TIMESTAMP WITH TIME ZONE NOT NULL,
          picked BOOLEAN NOT NULL,
          picked_by TEXT,
          last_success TIMESTAMP WITH TIME ZONE,
          last_failure TIMESTAMP WITH TIME ZONE,
          consecutive_failures INT,
          last_heartbeat TIMESTAMP WITH TIME ZONE,
          version BIGINT NOT NULL,
          priority SMALLINT,
          PRIMARY KEY (task_name, task_instance))""");
    statement.execute(
        "CREATE INDEX IF NOT EXISTS execution_time_idx ON scheduled_tasks (execution_time)");
    statement.execute(
        "CREATE INDEX IF NOT EXISTS last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
  }

  private static long number(String id) {
    return Long.parseLong(id.substring(id.indexOf(' ') + 1));
  }

  @Override
  void submit(long number) {
    scheduler.schedule(task.instance(UUID.randomUUID() + " " + number), Instant.now());
    submitted.incrementAndGet();
  }

  @Override
  long ended() throws SQLException {
    long all = submitted.get(); // first: a task that is submitted meanwhile has not ended
    return all - JobsPeer.count(connections, "SELECT count(*) FROM scheduled_tasks");
  }

  @Override
  public void close() throws Exception {
    super.close();
    scheduler.stop();
    connections.close();
  }
}

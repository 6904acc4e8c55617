package io.callboard.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.ExecutionOperations;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Workflows as dependent rows of db-scheduler: each step is a task, and its completion removes it
 * and schedules those that wait for it, in one transaction. A step with several sources is
 * scheduled by the one that takes its counter to zero. The settings are those of {@link
 * DbSchedulerJobs}.
 */
final class DbSchedulerWorkflows extends WorkflowRunner {
  private final HikariDataSource pool;
  private final BoundConnections connections;
  private final CustomTask<Void> task;
  private final Scheduler scheduler;

  /**
   * Starts the scheduler.
   *
   * @param url URL of an empty schema
   */
  DbSchedulerWorkflows(String url) throws SQLException {
    pool = JobsPeer.connections(url);
    connections = new BoundConnections(pool);
    connections.inTransaction(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            DbSchedulerJobs.createTable(statement);
            statement.execute("CREATE TABLE workflows (id TEXT PRIMARY KEY, state TEXT NOT NULL)");
            statement.execute(
                """
                CREATE TABLE workflow_joins (
                  workflow TEXT NOT NULL,
                  step INT NOT NULL,
                  missing INT NOT NULL,
                  PRIMARY KEY (workflow, step))""");
          }
        });
    task =
        Tasks.custom("step", Void.class)
            .execute(
                (instance, context) ->
                    (complete, operations) ->
                        settle(instance.getId(), context.getSchedulerClient(), operations));
    scheduler =
        Scheduler.create(connections, task)
            .threads(THREADS)
            .pollUsingLockAndFetch(1.0, 4.0)
            .pollingInterval(Duration.ofMillis(100))
            .enableImmediateExecution()
            .build();
    scheduler.start();
  }

  private static String id(String workflow, int step) {
    return workflow + "/" + TenSteps.id(step);
  }

  @Override
  void begin() throws SQLException {
    String workflow = UUID.randomUUID().toString();
    connections.inTransaction(
        connection -> {
          update(connection, "INSERT INTO workflows VALUES (?, 'RUNNING')", workflow);
          update(
              connection,
              "INSERT INTO workflow_joins VALUES (?, %d, %d)"
                  .formatted(TenSteps.JOIN, TenSteps.sources(TenSteps.JOIN).size()),
              workflow);
          scheduler.schedule(task.instance(id(workflow, 0)), Instant.now());
        });
    scheduler.triggerCheckForDueExecutions();
  }

  /** Settles a step: what follows is durable when this returns. */
  private void settle(String id, SchedulerClient client, ExecutionOperations<Void> operations) {
    int slash = id.indexOf('/');
    String workflow = id.substring(0, slash);
    int step = TenSteps.number(id.substring(slash + 1));
    List<Integer> targets = TenSteps.targets(step);
    try {
      connections.inTransaction(
          connection -> {
            if (targets.isEmpty()) {
              update(connection, "UPDATE workflows SET state = 'SUCCEEDED' WHERE id = ?", workflow);
              operations.stop();
            } else if (targets.get(0) == TenSteps.JOIN && missing(connection, workflow) > 0) {
              operations.stop();
            } else if (targets.size() == 1) {
              operations.removeAndScheduleNew(
                  task.schedulableInstance(id(workflow, targets.get(0))));
            } else {
              operations.stop();
              List<TaskInstance<?>> tasks =
                  targets.stream()
                      .<TaskInstance<?>>map(target -> task.instance(id(workflow, target)))
                      .toList();
              client.scheduleBatch(tasks, Instant.now());
            }
          });
    } catch (SQLException e) {
      throw new IllegalStateException("%s cannot be settled".formatted(id), e);
    }
    if (targets.isEmpty()) {
      ended();
    } else {
      scheduler.triggerCheckForDueExecutions();
    }
  }

  /** Counts down what the join waits for, and returns the rest. */
  private static int missing(Connection connection, String workflow) throws SQLException {
    String count =
        "UPDATE workflow_joins SET missing = missing - 1 WHERE workflow = ? AND step = ? RETURNING missing";
    try (PreparedStatement statement = connection.prepareStatement(count)) {
      statement.setString(1, workflow);
      statement.setInt(2, TenSteps.JOIN);
      try (ResultSet rows = statement.executeQuery()) {
        if (!rows.next()) {
          throw new SQLException("there is no join of " + workflow);
        }
        return rows.getInt(1);
      }
    }
  }

  private static void update(Connection connection, String sql, String workflow)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, workflow);
      if (statement.executeUpdate() != 1) {
        throw new SQLException("not one row: " + sql);
      }
    }
  }

  @Override
  void check(long instances) throws SQLException {
    long open = JobsPeer.count(pool, "SELECT count(*) FROM scheduled_tasks");
    long ended = JobsPeer.count(pool, "SELECT count(*) FROM workflows WHERE state = 'SUCCEEDED'");
    if (open > 0 || ended != instances) {
      throw new IllegalStateException(
          "%d of %d instances have ended, with %d tasks left".formatted(ended, instances, open));
    }
  }

  @Override
  public void close() throws Exception {
    super.close();
    scheduler.stop();
    pool.close();
  }
}

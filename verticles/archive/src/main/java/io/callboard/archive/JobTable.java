package io.callboard.archive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Tables of ended jobs. Each method is part of a transaction. */
final class JobTable {
  private static final int MOST_NAME = 100;
  private static final int MOST_VALUE = 500;

  private JobTable() {}

  /** Writes the jobs that are not there in this version or a newer one; returns their number. */
  static int write(Connection connection, List<JobRow> jobs) throws SQLException {
    Map<UUID, Long> known =
        RowBatch.versions(
            connection,
            "callboard_job",
            jobs.stream().map(job -> UUID.fromString(job.id())).toList());
    List<JobRow> fresh = new ArrayList<>();
    List<JobRow> newer = new ArrayList<>();
    for (JobRow job : jobs) {
      Long version = known.get(UUID.fromString(job.id()));
      if (version == null) {
        fresh.add(job);
      } else if (version < job.version()) {
        newer.add(job);
      }
    }
    insert(connection, fresh);
    update(connection, newer);
    for (String table :
        List.of("callboard_job_label", "callboard_job_run", "callboard_job_event")) {
      forget(connection, table, newer);
    }
    List<JobRow> all = new ArrayList<>(fresh);
    all.addAll(newer);
    labels(connection, all);
    runs(connection, all);
    events(connection, all);
    return all.size();
  }

  private static void insert(Connection connection, List<JobRow> jobs) throws SQLException {
    RowBatch.run(
        connection,
        "insert into callboard_job (version, job_type, state, created_at, ended_at, search, body, list_view, result, id) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        jobs,
        JobTable::set);
  }

  private static void update(Connection connection, List<JobRow> jobs) throws SQLException {
    RowBatch.run(
        connection,
        "update callboard_job set version = ?, job_type = ?, state = ?, created_at = ?, ended_at = ?, search = ?, body = ?, list_view = ?, result = ? where id = ?",
        jobs,
        JobTable::set);
  }

  private static void set(PreparedStatement statement, JobRow job) throws SQLException {
    statement.setLong(1, job.version());
    statement.setString(2, RowBatch.clean(job.type()));
    statement.setString(3, job.state());
    statement.setObject(4, RowBatch.time(job.createdAt()));
    statement.setObject(5, RowBatch.time(job.endedAt()));
    statement.setString(6, RowBatch.clean(job.search()));
    statement.setString(7, RowBatch.clean(job.body()));
    statement.setString(8, RowBatch.clean(job.view()));
    statement.setString(9, RowBatch.clean(job.result()));
    statement.setObject(10, UUID.fromString(job.id()));
    statement.addBatch();
  }

  private static void forget(Connection connection, String table, List<JobRow> jobs)
      throws SQLException {
    RowBatch.run(
        connection,
        "delete from %s where job_id = ?".formatted(table),
        jobs,
        (statement, job) -> {
          statement.setObject(1, UUID.fromString(job.id()));
          statement.addBatch();
        });
  }

  private static void labels(Connection connection, List<JobRow> jobs) throws SQLException {
    RowBatch.run(
        connection,
        "insert into callboard_job_label (job_id, name, label_value) values (?, ?, ?)",
        jobs,
        (statement, job) -> {
          for (Map.Entry<String, String> label : job.labels().entrySet()) {
            statement.setObject(1, UUID.fromString(job.id()));
            statement.setString(2, RowBatch.cut(label.getKey(), MOST_NAME));
            statement.setString(3, RowBatch.cut(label.getValue(), MOST_VALUE));
            statement.addBatch();
          }
        });
  }

  private static void runs(Connection connection, List<JobRow> jobs) throws SQLException {
    RowBatch.run(
        connection,
        "insert into callboard_job_run (job_id, run_id, state, host, exit_code, started_at, ended_at, error, log_end) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        jobs,
        (statement, job) -> {
          for (JobRow.Run run : job.runs()) {
            statement.setObject(1, UUID.fromString(job.id()));
            statement.setInt(2, run.runId());
            statement.setString(3, run.state());
            statement.setString(4, run.host());
            statement.setObject(5, run.exitCode());
            statement.setObject(6, RowBatch.time(run.startedAt()));
            statement.setObject(7, RowBatch.time(run.endedAt()));
            statement.setString(8, RowBatch.clean(run.error()));
            statement.setString(9, RowBatch.clean(run.logEnd()));
            statement.addBatch();
          }
        });
  }

  private static void events(Connection connection, List<JobRow> jobs) throws SQLException {
    RowBatch.run(
        connection,
        "insert into callboard_job_event (job_id, event_number, happened_at, what) values (?, ?, ?, ?)",
        jobs,
        (statement, job) -> {
          for (int i = 0; i < job.events().size(); i++) {
            statement.setObject(1, UUID.fromString(job.id()));
            statement.setInt(2, i + 1);
            statement.setObject(3, RowBatch.time(job.events().get(i).at()));
            statement.setString(4, RowBatch.clean(job.events().get(i).what()));
            statement.addBatch();
          }
        });
  }

  static Optional<String> find(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select body from callboard_job where id = ?")) {
      statement.setObject(1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
      }
    }
  }

  static boolean delete(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("delete from callboard_job where id = ?")) {
      statement.setObject(1, id);
      return statement.executeUpdate() > 0;
    }
  }

  static int deleteEnded(Connection connection, EndedRows rows, int most) throws SQLException {
    List<String> types = rows.types();
    String ofTypes =
        types.isEmpty()
            ? rows.others() ? "" : " and 1 = 0"
            : " and job_type %sin (%s)"
                .formatted(
                    rows.others() ? "not " : "",
                    String.join(", ", types.stream().map(type -> "?").toList()));
    String delete =
        "delete from callboard_job where id in (select id from callboard_job where state = ? and ended_at < ?%s order by ended_at limit ?)"
            .formatted(ofTypes);
    try (PreparedStatement statement = connection.prepareStatement(delete)) {
      int next = 1;
      statement.setString(next++, rows.state());
      statement.setObject(next++, RowBatch.time(rows.before()));
      for (String type : types) {
        statement.setString(next++, type);
      }
      statement.setInt(next, most);
      return statement.executeUpdate();
    }
  }
}

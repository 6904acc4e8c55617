package io.callboard.archive;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tables of ended jobs. Each method is part of a transaction. */
final class JobTable {
  private static final int MOST_NAME = 100;
  private static final int MOST_VALUE = 500;

  private JobTable() {}

  /** Writes the jobs that are not there in this version or a newer one; returns their number. */
  static int write(Connection connection, List<JobRow> jobs) throws SQLException {
    Map<UUID, Long> known = versions(connection, jobs);
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

  /** Returns the versions of those that are there, which stay locked until the end. */
  private static Map<UUID, Long> versions(Connection connection, List<JobRow> jobs)
      throws SQLException {
    String select =
        "select id, version from callboard_job where id in (%s) order by id for update"
            .formatted(String.join(", ", jobs.stream().map(job -> "?").toList()));
    Map<UUID, Long> versions = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      for (int i = 0; i < jobs.size(); i++) {
        statement.setObject(i + 1, UUID.fromString(jobs.get(i).id()));
      }
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          versions.put(row.getObject(1, UUID.class), row.getLong(2));
        }
      }
    }
    return versions;
  }

  private static void insert(Connection connection, List<JobRow> jobs) throws SQLException {
    batch(
        connection,
        "insert into callboard_job (version, job_type, state, created_at, ended_at, search, body, list_view, result, id) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        jobs,
        JobTable::set);
  }

  private static void update(Connection connection, List<JobRow> jobs) throws SQLException {
    batch(
        connection,
        "update callboard_job set version = ?, job_type = ?, state = ?, created_at = ?, ended_at = ?, search = ?, body = ?, list_view = ?, result = ? where id = ?",
        jobs,
        JobTable::set);
  }

  private static void set(PreparedStatement statement, JobRow job) throws SQLException {
    statement.setLong(1, job.version());
    statement.setString(2, clean(job.type()));
    statement.setString(3, job.state());
    statement.setObject(4, time(job.createdAt()));
    statement.setObject(5, time(job.endedAt()));
    statement.setString(6, clean(job.search()));
    statement.setString(7, clean(job.body()));
    statement.setString(8, clean(job.view()));
    statement.setString(9, clean(job.result()));
    statement.setObject(10, UUID.fromString(job.id()));
    statement.addBatch();
  }

  private static void forget(Connection connection, String table, List<JobRow> jobs)
      throws SQLException {
    batch(
        connection,
        "delete from %s where job_id = ?".formatted(table),
        jobs,
        (statement, job) -> {
          statement.setObject(1, UUID.fromString(job.id()));
          statement.addBatch();
        });
  }

  private static void labels(Connection connection, List<JobRow> jobs) throws SQLException {
    batch(
        connection,
        "insert into callboard_job_label (job_id, name, label_value) values (?, ?, ?)",
        jobs,
        (statement, job) -> {
          for (Map.Entry<String, String> label : job.labels().entrySet()) {
            statement.setObject(1, UUID.fromString(job.id()));
            statement.setString(2, cut(label.getKey(), MOST_NAME));
            statement.setString(3, cut(label.getValue(), MOST_VALUE));
            statement.addBatch();
          }
        });
  }

  private static void runs(Connection connection, List<JobRow> jobs) throws SQLException {
    batch(
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
            statement.setObject(6, time(run.startedAt()));
            statement.setObject(7, time(run.endedAt()));
            statement.setString(8, clean(run.error()));
            statement.setString(9, clean(run.logEnd()));
            statement.addBatch();
          }
        });
  }

  private static void events(Connection connection, List<JobRow> jobs) throws SQLException {
    batch(
        connection,
        "insert into callboard_job_event (job_id, event_number, happened_at, what) values (?, ?, ?, ?)",
        jobs,
        (statement, job) -> {
          for (int i = 0; i < job.events().size(); i++) {
            statement.setObject(1, UUID.fromString(job.id()));
            statement.setInt(2, i + 1);
            statement.setObject(3, time(job.events().get(i).at()));
            statement.setString(4, clean(job.events().get(i).what()));
            statement.addBatch();
          }
        });
  }

  /** Adds the parameters of one job to a batch. */
  @FunctionalInterface
  private interface Parameters {
    void add(PreparedStatement statement, JobRow job) throws SQLException;
  }

  private static void batch(
      Connection connection, String sql, List<JobRow> jobs, Parameters parameters)
      throws SQLException {
    if (jobs.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (JobRow job : jobs) {
        parameters.add(statement, job);
      }
      int[] unused = statement.executeBatch();
    }
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
      statement.setObject(next++, time(rows.before()));
      for (String type : types) {
        statement.setString(next++, type);
      }
      statement.setInt(next, most);
      return statement.executeUpdate();
    }
  }

  static @Nullable OffsetDateTime time(@Nullable Instant at) {
    return at == null ? null : OffsetDateTime.ofInstant(at, ZoneOffset.UTC);
  }

  private static String cut(String text, int most) {
    String clean = String.valueOf(clean(text));
    return clean.length() <= most ? clean : String.valueOf(clean(clean.substring(0, most)));
  }

  /** Returns the text with what no database takes replaced: NUL, and halves of characters. */
  private static @Nullable String clean(@Nullable String text) {
    return text == null
        ? null
        : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
            .replace('\0', '\uFFFD');
  }
}

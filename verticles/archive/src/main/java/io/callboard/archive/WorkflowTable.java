package io.callboard.archive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Tables of ended workflow instances. Each method is part of a transaction. */
final class WorkflowTable {
  private static final int MOST_NAME = 200;
  private static final int MOST_VALUE = 500;

  private WorkflowTable() {}

  /** Writes those that are not there in this version or a newer one; returns their number. */
  static int write(Connection connection, List<WorkflowRow> instances) throws SQLException {
    Map<UUID, Long> known =
        RowBatch.versions(
            connection, "callboard_workflow", instances.stream().map(WorkflowTable::id).toList());
    List<WorkflowRow> older = new ArrayList<>();
    List<WorkflowRow> all = new ArrayList<>();
    for (WorkflowRow instance : instances) {
      Long version = known.get(id(instance));
      if (version == null || version < instance.version()) {
        all.add(instance);
        if (version != null) {
          older.add(instance);
        }
      }
    }
    RowBatch.run(
        connection,
        "delete from callboard_workflow where id = ?",
        older,
        (statement, instance) -> {
          statement.setObject(1, id(instance));
          statement.addBatch();
        });
    instances(connection, all);
    labels(connection, all);
    steps(connection, all);
    events(connection, all);
    return all.size();
  }

  private static UUID id(WorkflowRow instance) {
    return UUID.fromString(instance.id());
  }

  private static void instances(Connection connection, List<WorkflowRow> instances)
      throws SQLException {
    RowBatch.run(
        connection,
        "insert into callboard_workflow (id, version, definition, definition_version, state, parent, created_at, ended_at, search, body, list_view) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        instances,
        (statement, instance) -> {
          statement.setObject(1, id(instance));
          statement.setLong(2, instance.version());
          statement.setString(3, RowBatch.clean(instance.definition()));
          statement.setString(4, RowBatch.clean(instance.definitionVersion()));
          statement.setString(5, instance.state());
          statement.setString(6, instance.parent());
          statement.setObject(7, RowBatch.time(instance.createdAt()));
          statement.setObject(8, RowBatch.time(instance.endedAt()));
          statement.setString(9, RowBatch.clean(instance.search()));
          statement.setString(10, RowBatch.clean(instance.body()));
          statement.setString(11, RowBatch.clean(instance.view()));
          statement.addBatch();
        });
  }

  private static void labels(Connection connection, List<WorkflowRow> instances)
      throws SQLException {
    RowBatch.run(
        connection,
        "insert into callboard_workflow_label (workflow_id, name, label_value) values (?, ?, ?)",
        instances,
        (statement, instance) -> {
          for (Map.Entry<String, String> label : instance.labels().entrySet()) {
            statement.setObject(1, id(instance));
            statement.setString(2, RowBatch.cut(label.getKey(), MOST_NAME));
            statement.setString(3, RowBatch.cut(label.getValue(), MOST_VALUE));
            statement.addBatch();
          }
        });
  }

  private static void steps(Connection connection, List<WorkflowRow> instances)
      throws SQLException {
    RowBatch.run(
        connection,
        "insert into callboard_workflow_step (workflow_id, step_number, step, state, attempts, started_at, ended_at, reason, output) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        instances,
        (statement, instance) -> {
          int number = 0;
          for (WorkflowRow.Step step : instance.steps()) {
            statement.setObject(1, id(instance));
            statement.setInt(2, ++number);
            statement.setString(3, RowBatch.clean(step.id()));
            statement.setString(4, step.state());
            statement.setInt(5, step.attempts());
            statement.setObject(6, RowBatch.time(step.startedAt()));
            statement.setObject(7, RowBatch.time(step.endedAt()));
            statement.setString(8, RowBatch.clean(step.reason()));
            statement.setString(9, RowBatch.clean(step.output()));
            statement.addBatch();
          }
        });
  }

  private static void events(Connection connection, List<WorkflowRow> instances)
      throws SQLException {
    RowBatch.run(
        connection,
        "insert into callboard_workflow_event (workflow_id, event_number, happened_at, step, what, detail) values (?, ?, ?, ?, ?, ?)",
        instances,
        (statement, instance) -> {
          int number = 0;
          for (WorkflowRow.Event event : instance.events()) {
            statement.setObject(1, id(instance));
            statement.setInt(2, ++number);
            statement.setObject(3, RowBatch.time(event.at()));
            statement.setString(4, RowBatch.clean(event.step()));
            statement.setString(5, RowBatch.clean(event.what()));
            statement.setString(6, RowBatch.clean(event.detail()));
            statement.addBatch();
          }
        });
  }

  static Optional<String> find(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select body from callboard_workflow where id = ?")) {
      statement.setObject(1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
      }
    }
  }

  static boolean delete(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("delete from callboard_workflow where id = ?")) {
      statement.setObject(1, id);
      return statement.executeUpdate() > 0;
    }
  }

  static int deleteEnded(Connection connection, String state, Instant before, int most)
      throws SQLException {
    String delete =
        "delete from callboard_workflow where id in (select id from callboard_workflow where state = ? and ended_at < ? order by ended_at limit ?)";
    try (PreparedStatement statement = connection.prepareStatement(delete)) {
      statement.setString(1, state);
      statement.setObject(2, RowBatch.time(before));
      statement.setInt(3, most);
      return statement.executeUpdate();
    }
  }
}

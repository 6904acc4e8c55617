package io.callboard.archive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Pages of ended jobs, by their ids. Each method is part of a transaction. */
final class JobPages {
  /**
   * Margin of the time in an id before the submission that the job itself recorded: two clocks, of
   * which one may be wrong.
   */
  private static final Duration CLOCKS = Duration.ofDays(1);

  private final List<String> conditions = new ArrayList<>();
  private final List<Object> parameters = new ArrayList<>();

  private JobPages() {}

  static List<String> read(Connection connection, JobRowQuery query) throws SQLException {
    JobPages page = new JobPages();
    page.add(query);
    String where =
        page.conditions.isEmpty() ? "" : "where " + String.join(" and ", page.conditions);
    String select =
        "select list_view from callboard_job j %s order by j.id %s limit ?"
            .formatted(where, query.ascending() ? "asc" : "desc");
    page.parameters.add(query.limit());
    List<String> bodies = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      for (int i = 0; i < page.parameters.size(); i++) {
        statement.setObject(i + 1, page.parameters.get(i));
      }
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          bodies.add(row.getString(1));
        }
      }
    }
    return bodies;
  }

  private void add(JobRowQuery query) {
    String after = query.after();
    if (after != null) {
      add(query.ascending() ? "j.id > ?" : "j.id < ?", UUID.fromString(after));
    }
    Instant created = query.createdAfter();
    if (created != null) {
      add("j.created_at > ?", OffsetDateTime.ofInstant(created, ZoneOffset.UTC));
      add("j.id >= ?", first(created.minus(CLOCKS)));
    }
    if (query.type() != null) {
      add("j.job_type = ?", query.type());
    }
    if (query.state() != null) {
      add("j.state = ?", query.state());
    }
    String text = query.text();
    if (text != null) {
      add("j.search like ? escape '!'", "%" + text.replaceAll("[!%_]", "!$0") + "%");
    }
    label(query);
  }

  private void label(JobRowQuery query) {
    String of = "exists (select 1 from callboard_job_label l where l.job_id = j.id and l.name = ?";
    if (query.label() != null && query.labelValue() != null) {
      add(of + " and l.label_value = ?)", query.label(), query.labelValue());
    } else if (query.label() != null) {
      add(of + ")", query.label());
    }
  }

  private void add(String condition, Object... values) {
    conditions.add(condition);
    parameters.addAll(List.of(values));
  }

  /** Returns the smallest id of that time. */
  private static UUID first(Instant at) {
    return new UUID(Math.max(0, at.toEpochMilli()) << 16, 0);
  }
}

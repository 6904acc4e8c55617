package io.callboard.workflows.internal.index;

import io.callboard.time.Machine;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.WorkflowQuery;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Filter and order of a list of instances. */
@Machine
final class RowFilter {
  private final WorkflowQuery query;
  private final @Nullable String text;

  RowFilter(WorkflowQuery query) {
    this.query = query;
    this.text = query.text() == null ? null : query.text().toLowerCase(Locale.ROOT);
  }

  /** Returns whether a row belongs to the list, after its cursor. */
  boolean matches(InstanceRow row) {
    return isBehindCursor(row.id())
        && (query.definition() == null || query.definition().equals(row.definition()))
        && (query.version() == null || query.version().equals(row.version()))
        && (query.state() == null || query.state() == row.state())
        && (query.createdAfter() == null || row.createdAt().isAfter(query.createdAfter()))
        && hasLabel(row)
        && hasText(row);
  }

  private boolean isBehindCursor(String id) {
    return query.cursor() == null
        || (query.ascending()
            ? id.compareTo(query.cursor()) > 0
            : id.compareTo(query.cursor()) < 0);
  }

  private boolean hasLabel(InstanceRow row) {
    if (query.label() == null) {
      return true;
    }
    String[] parts = query.label().split("=", 2);
    String value = row.labels().get(parts[0]);
    return value != null && (parts.length == 1 || value.equals(parts[1]));
  }

  private boolean hasText(InstanceRow row) {
    return text == null
        || row.id().contains(text)
        || contains(row.definition(), text)
        || row.labels().entrySet().stream()
            .map(Map.Entry::toString)
            .anyMatch(label -> contains(label, text));
  }

  private static boolean contains(String where, String what) {
    return where.toLowerCase(Locale.ROOT).contains(what);
  }

  /** Returns the order of the list: by id, which is by time of creation. */
  Comparator<InstanceRow> order() {
    Comparator<InstanceRow> byId = Comparator.comparing(InstanceRow::id);
    return query.ascending() ? byId : byId.reversed();
  }
}

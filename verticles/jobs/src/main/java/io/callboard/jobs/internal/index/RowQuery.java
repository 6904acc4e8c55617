package io.callboard.jobs.internal.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.callboard.jobs.model.JobQuery;
import io.callboard.time.Machine;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Filter and order of a list, prepared for many rows. */
@Machine
final class RowQuery {
  private static final String ID = "[0-9a-f-]*";

  private final JobQuery query;
  private final byte @Nullable [] label;
  private final byte @Nullable [] text;
  private final @Nullable String idPart;
  private final long createdAfterNs;
  private final long endedAfterNs;

  RowQuery(JobQuery query) {
    this.query = query;
    this.label = query.label() == null ? null : RowText.label(query.label());
    String asked = query.text();
    this.text = asked == null ? null : asked.getBytes(UTF_8);
    this.idPart = asked != null && asked.matches(ID) ? asked : null;
    this.createdAfterNs =
        query.createdAfter() == null ? Long.MIN_VALUE : IndexRow.nanos(query.createdAfter());
    this.endedAfterNs =
        query.endedAfter() == null ? IndexRow.NOT_ENDED : IndexRow.nanos(query.endedAfter());
  }

  /** Returns whether a row belongs to the list, on whichever page. */
  boolean matches(IndexRow row) {
    return (query.type() == null || query.type().equals(row.type))
        && (query.state() == null || query.state() == row.state)
        && row.createdNs > createdAfterNs
        && (endedAfterNs == IndexRow.NOT_ENDED || row.endedNs > endedAfterNs)
        && (label == null || RowText.contains(row.text, label))
        && hasText(row);
  }

  private boolean hasText(IndexRow row) {
    return text == null
        || RowText.contains(row.text, text)
        || (idPart != null && row.id().text().contains(idPart));
  }

  /** Returns the order of the list. */
  Comparator<IndexRow> order() {
    return query.ascending() ? Comparator.naturalOrder() : Comparator.reverseOrder();
  }

  /** Returns whether the oldest jobs come first. */
  boolean ascending() {
    return query.ascending();
  }

  /** Returns a row in whose place the page before ended; null for the first page. */
  @Nullable IndexRow after() {
    String cursor = query.cursor();
    return cursor == null ? null : JobId.parse(cursor).map(IndexRow::new).orElse(null);
  }
}

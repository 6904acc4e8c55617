package io.callboard.jobs.internal.index;

import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a partition as its next owner is handed them, page by page.
 *
 * @param rows rows of the epoch before that owner's
 * @param unsure jobs of which the store may have more than the rows say
 */
@Machine
record LeftRows(PartitionRows rows, List<String> unsure) {
  /** Maximum number of rows of a page, and of tombstones. */
  static final int MOST = 500;

  /** Bytes of texts after which a page takes no further row. */
  static final int MOST_BYTES = 1 << 20;

  /** Maximum number of jobs whose records are read one by one; with more of them all are read. */
  static final int MOST_UNSURE = 100;

  /**
   * Returns whether these rows and the records of the unsure jobs are all that the next owner
   * needs.
   */
  boolean isWhole() {
    return rows.isRead() && rows.isReadable() && unsure.size() <= MOST_UNSURE;
  }

  /** Returns the page after a job; the first one, with the unsure, if it is null. */
  IndexAnswer.HandedOver page(@Nullable JobId after) {
    List<IndexRow> some = rowsAfter(after);
    List<Entry<JobId, IndexTombstone>> tombs =
        rows.tombsAfter(after).entrySet().stream().limit(MOST).toList();
    IndexRow end = end(some, tombs);
    return new IndexAnswer.HandedOver(
        true,
        some.stream().filter(row -> isUpTo(end, row)).map(IndexRow::handed).toList(),
        tombs.stream()
            .filter(tomb -> isUpTo(end, new IndexRow(tomb.getKey())))
            .map(tomb -> tomb.getValue().handed(tomb.getKey()))
            .toList(),
        after == null ? unsure : List.of(),
        end == null ? null : end.id().text());
  }

  private List<IndexRow> rowsAfter(@Nullable JobId after) {
    List<IndexRow> some = new ArrayList<>();
    int bytes = 0;
    for (IndexRow row : rows.after(after)) {
      if (some.size() == MOST || bytes >= MOST_BYTES) {
        break;
      }
      some.add(row);
      bytes += row.text.length;
    }
    return some;
  }

  /** Returns the last row of the page; null if no more follow. */
  private @Nullable IndexRow end(List<IndexRow> some, List<Entry<JobId, IndexTombstone>> tombs) {
    List<JobId> ends = new ArrayList<>();
    if (!some.isEmpty()) {
      JobId last = some.get(some.size() - 1).id();
      if (!rows.after(last).isEmpty()) {
        ends.add(last);
      }
    }
    if (tombs.size() == MOST) {
      ends.add(tombs.get(MOST - 1).getKey());
    }
    return ends.stream().map(IndexRow::new).sorted().findFirst().orElse(null);
  }

  private static boolean isUpTo(@Nullable IndexRow end, IndexRow row) {
    return end == null || row.compareTo(end) <= 0;
  }
}

package io.callboard.archive;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What H2 finds when its process was killed right after a write was confirmed: the cell removes
 * what is archived, so nothing that was confirmed may be missing.
 */
class KilledH2Test {
  /** Number of confirmed writes; more of them take longer. */
  private static final int CONFIRMED = Integer.getInteger("callboard.archive.kills", 24);

  private static final int LARGE = 20;
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path directory;
  private final List<Confirmation> confirmations = new ArrayList<>();
  private Vertx vertx;

  /**
   * Confirmation of a page.
   *
   * @param writes number of writes to the file before it
   * @param ids ids of the rows
   */
  private record Confirmation(int writes, List<String> ids) {}

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    WrittenFiles.begin();
  }

  @AfterEach
  void stop() {
    await(vertx.close());
  }

  @Test
  void hasAllThatWasConfirmed() throws Exception {
    // what is free in the file is used again at once, not after 45 s as by default
    String url =
        "jdbc:h2:%s:%s;RETENTION_TIME=0"
            .formatted(WrittenFiles.SCHEME, directory.resolve("archive"));
    Archive archive = await(Archive.open(vertx, url));
    for (int page = 0; page < CONFIRMED; page++) {
      // pages of different sizes, so that not each is written where the one before expects it
      int size = page % 3 == 0 ? LARGE : 1;
      await(page % 2 == 0 ? writeWorkflows(archive, page, size) : writeJobs(archive, page, size));
    }
    List<WrittenFiles.Write> writes = WrittenFiles.writes();
    await(archive.close());

    assertKilled(writes);
    assertThat(rows(directory.resolve("archive"))).isEqualTo(ids(confirmations));
  }

  private Future<Void> writeWorkflows(Archive archive, int page, int size) {
    List<WorkflowRow> rows = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      rows.add(WorkflowHistoryCases.row(page * LARGE + i, 1, "SUCCEEDED", "wave", "w"));
    }
    return archive
        .workflows()
        .write(rows)
        .map(refused -> confirmed(refused, rows.stream().map(WorkflowRow::id).toList()));
  }

  private Future<Void> writeJobs(Archive archive, int page, int size) {
    List<JobRow> rows = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      rows.add(job(new UUID(page, i).toString()));
    }
    return archive
        .jobs()
        .write(rows)
        .map(refused -> confirmed(refused, rows.stream().map(JobRow::id).toList()));
  }

  private static JobRow job(String id) {
    return new JobRow(
        id,
        1,
        "process",
        "SUCCEEDED",
        BEGIN,
        BEGIN,
        Map.of("step", "a"),
        id,
        "x".repeat(2_000),
        id,
        null,
        List.of(),
        List.of(new JobRow.Event(BEGIN, "submitted")));
  }

  private @Nullable Void confirmed(Map<String, String> refused, List<String> ids) {
    assertThat(refused).isEmpty();
    confirmations.add(new Confirmation(WrittenFiles.count(), ids));
    return null;
  }

  private static Set<String> ids(List<Confirmation> confirmed) {
    Set<String> ids = new TreeSet<>();
    confirmed.forEach(each -> ids.addAll(each.ids()));
    return ids;
  }

  /** Opens the file as it was when the process had been killed at each of the confirmations. */
  private void assertKilled(List<WrittenFiles.Write> writes) throws Exception {
    Path file = directory.resolve("killed.mv.db");
    List<String> lost = new ArrayList<>();
    int repeated = 0;
    for (int i = 0; i < confirmations.size(); i++) {
      int last = confirmations.get(i).writes();
      repeat(writes.subList(repeated, last), file);
      repeated = last;
      Set<String> missing = ids(confirmations.subList(0, i + 1));
      missing.removeAll(rows(directory.resolve("killed")));
      if (!missing.isEmpty()) {
        lost.add("after confirmation %d: %d rows".formatted(i + 1, missing.size()));
      }
    }
    assertThat(lost)
        .as("what is lost by a kill after %d confirmations", confirmations.size())
        .isEmpty();
  }

  private static void repeat(List<WrittenFiles.Write> writes, Path to) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(to.toFile(), "rw")) {
      for (WrittenFiles.Write each : writes) {
        each.repeat(file);
      }
    }
  }

  private static Set<String> rows(Path database) throws SQLException {
    Set<String> ids = new TreeSet<>();
    try (Connection connection =
            DriverManager.getConnection("jdbc:h2:file:%s;ACCESS_MODE_DATA=r".formatted(database));
        Statement query = connection.createStatement();
        ResultSet row =
            query.executeQuery(
                "select id from callboard_workflow union all select id from callboard_job")) {
      while (row.next()) {
        ids.add(row.getString(1));
      }
    }
    return ids;
  }
}

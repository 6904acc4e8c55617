package io.callboard.jobs.internal.archiving;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.archive.EndedRows;
import io.callboard.archive.JobHistory;
import io.callboard.archive.JobRow;
import io.callboard.archive.JobRowQuery;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.MessageType;
import io.callboard.jobs.DamagedStore;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.actor.Tombstone;
import io.callboard.jobs.internal.index.EndedJob;
import io.callboard.jobs.internal.index.IndexCommand;
import io.callboard.jobs.internal.index.RowRef;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.store.ActorRecord;
import io.callboard.store.Limits;
import io.callboard.store.StoreException;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.store.StoredSnapshot;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.event.Level;

/** Pages of rows: in how many reads, what one that cannot be read does, how large they are. */
class RowWriterTest {
  private static final Instant NOW = Instant.parse("2026-11-28T00:00:00Z");

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final Map<ActorPath, StoredActor> stored = new HashMap<>();
  private final Map<ActorPath, String> damaged = new TreeMap<>();
  private final List<EndedJob> jobs = new ArrayList<>();
  private final List<Integer> reads = new ArrayList<>();
  private final List<List<JobRow>> pages = new ArrayList<>();
  private final List<String> deleted = new ArrayList<>();
  private final DamagedStore store = new DamagedStore();
  private boolean storeIsAway;
  private RowWriter rows;

  private final JobHistory history =
      new JobHistory() {
        @Override
        public Future<Map<String, String>> write(List<JobRow> written) {
          pages.add(List.copyOf(written));
          return Future.succeededFuture(Map.of());
        }

        @Override
        public Future<Optional<String>> find(String id) {
          throw new UnsupportedOperationException();
        }

        @Override
        public Future<List<String>> page(JobRowQuery query) {
          throw new UnsupportedOperationException();
        }

        @Override
        public Future<Boolean> delete(String id) {
          deleted.add(id);
          return Future.succeededFuture(true);
        }

        @Override
        public Future<Integer> deleteEnded(EndedRows ended, int most) {
          throw new UnsupportedOperationException();
        }

        @Override
        public Future<Void> sweepDeleted() {
          throw new UnsupportedOperationException();
        }
      };

  @BeforeEach
  void open() {
    Callboard node = nodes.open("h1", options -> options.store(() -> store.of(nodes.cell())));
    rows = new RowWriter(node, this::read, history);
  }

  private Future<StoredActors> read(List<ActorPath> paths) {
    if (storeIsAway) {
      return Future.failedFuture(StoreException.unavailable("the store is away", null));
    }
    reads.add(paths.size());
    Map<ActorPath, String> unreadable = new TreeMap<>(damaged);
    unreadable.keySet().retainAll(paths);
    List<StoredActor> readable =
        paths.stream().flatMap(path -> Optional.ofNullable(stored.get(path)).stream()).toList();
    return Future.succeededFuture(new StoredActors(readable, unreadable));
  }

  /** Adds a job that has ended, with a record in some state. */
  private void add(String id, JobState state, String argument) {
    EndedJob ended = new EndedJob(id, 2, "process", JobState.SUCCEEDED, NOW);
    JobData job =
        JobData.submitted(
                id,
                JobSpec.process("process", List.of("true", argument)),
                JobState.QUEUED,
                NOW,
                false,
                null)
            .to(state, NOW, "so it is");
    jobs.add(ended);
    store(id, StoredSnapshot.inPlace(1, new JobActor.Slot(job, null)));
  }

  private void store(String id, StoredSnapshot state) {
    ActorRecord record = new ActorRecord(1, 1, 0, 0, 0, List.of(state));
    stored.put(path(id), new StoredActor(path(id), path(id).partition(4), record, 0, NOW));
  }

  private static ActorPath path(String id) {
    return ActorPath.of(JobActor.path(id));
  }

  private static List<String> ids(List<JobRow> written) {
    return written.stream().map(JobRow::id).toList();
  }

  @Test
  void manyRecordsAreReadInFewRequestsAndWrittenInTheirOrder() {
    for (int i = 0; i < Archiver.LARGE_PAGE; i++) {
      add("j" + i, JobState.SUCCEEDED, "x");
    }
    IndexCommand.Archived done = await(rows.write(jobs, List.of()));
    int most = (Archiver.LARGE_PAGE + Limits.PAGE_ACTORS - 1) / Limits.PAGE_ACTORS;
    assertThat(reads).hasSizeLessThanOrEqualTo(most).allMatch(size -> size <= Limits.PAGE_ACTORS);
    assertThat(pages).hasSize(1);
    assertThat(ids(pages.get(0)))
        .containsExactlyElementsOf(jobs.stream().map(EndedJob::id).toList());
    assertThat(done.written()).hasSize(Archiver.LARGE_PAGE).contains(new RowRef("j7", 2));
    assertThat(done.refused()).isEmpty();
  }

  @Test
  void anUnreadableRecordStaysAndTheOthersAreWritten() {
    for (String id : List.of("a", "damaged", "b", "strange", "gone", "runs", "c")) {
      add(id, id.equals("runs") ? JobState.QUEUED : JobState.SUCCEEDED, "x");
    }
    stored.remove(path("damaged"));
    damaged.put(path("damaged"), "znode /a/x: no JSON");
    store(
        "strange",
        new StoredSnapshot(
            1,
            0,
            NOW,
            new MessageType("nonsense", 1),
            JsonNodeFactory.instance.textNode("?"),
            null));
    stored.remove(path("gone"));
    IndexCommand.Archived done = await(rows.write(jobs, List.of()));
    assertThat(ids(pages.get(0))).containsExactly("a", "b", "c");
    assertThat(done.refused()).extracting(RowRef::id).containsExactly("damaged", "strange");
    assertThat(done.written())
        .extracting(RowRef::id)
        .containsExactlyInAnyOrder("a", "b", "c", "gone", "runs");
  }

  /** Otherwise it would count as written, and be let go without a row. */
  @Test
  void anOutdatedRecordIsNeitherWrittenNorRefused() {
    add("behind", JobState.QUEUED, "x");
    add("a", JobState.SUCCEEDED, "x");
    EndedJob later = jobs.get(0);
    jobs.set(0, new EndedJob(later.id(), later.version() + 5, later.type(), later.state(), NOW));
    IndexCommand.Archived done = await(rows.write(jobs, List.of()));
    assertThat(ids(pages.get(0))).containsExactly("a");
    assertThat(done.written()).extracting(RowRef::id).containsExactly("a");
    assertThat(done.refused()).isEmpty();
  }

  @Test
  void anUnreachableDeletedJobDoesNotKeepOthersFromBeingWritten() {
    add("a", JobState.SUCCEEDED, "x");
    damaged.put(path("damaged"), "znode /a/x: no JSON");
    store.record(JobActor.path("damaged"));
    store.mailbox(JobActor.path("deaf"));
    Tombstone tombstone = new Tombstone(NOW, NOW, List.of(), null, true);
    store("deaf", StoredSnapshot.inPlace(1, new JobActor.Slot(null, tombstone)));
    try (LogCapture log = LogCapture.of(RowWriter.class)) {
      List<String> gone = List.of("damaged", "deaf", "other");
      IndexCommand.Archived done = await(rows.write(jobs, gone));
      assertThat(deleted).isEqualTo(gone);
      assertThat(done.cleared()).isEqualTo(gone);
      assertThat(ids(pages.get(0))).containsExactly("a");
      log.expect(Level.ERROR, "the tombstone of deleted job damaged cannot be read");
      log.expect(Level.WARN, "deleted job deaf has no row any more, and takes no message");
    }
  }

  @Test
  void aPageOfLargeRowsIsShorterAndTheNextContinues() {
    for (int i = 0; i < 50; i++) {
      add("j" + i, JobState.SUCCEEDED, "x".repeat(500_000));
    }
    IndexCommand.Archived done = await(rows.write(jobs, List.of()));
    List<JobRow> page = pages.get(0);
    long size = page.stream().mapToLong(row -> row.body().length()).sum();
    long last = page.get(page.size() - 1).body().length();
    assertThat(size).isGreaterThan(RowWriter.MOST_PAGE);
    assertThat(size - last).isLessThanOrEqualTo(RowWriter.MOST_PAGE);
    assertThat(reads).as("what is not written was not read").hasSize(1);
    assertThat(done.written()).hasSize(page.size());
    await(rows.write(jobs.subList(page.size(), jobs.size()), List.of()));
    assertThat(pages.get(1).get(0).id()).isEqualTo("j" + page.size());
  }

  @Test
  void noRowIsWrittenOrReportedWhileTheRecordsCannotBeRead() {
    add("a", JobState.SUCCEEDED, "x");
    storeIsAway = true;
    boolean failed =
        await(rows.write(jobs, List.of()).transform(done -> Future.succeededFuture(done.failed())));
    assertThat(failed).isTrue();
    assertThat(pages).isEmpty();
  }
}

package io.callboard.jobs.internal.index;

import io.callboard.codecs.ActorPath;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.actor.JobObserver;
import io.callboard.jobs.internal.actor.Tombstone;
import io.callboard.jobs.internal.index.IndexRow.Mark;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobQuery;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RunFigures;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Index of the jobs whose partitions this node owns. Thread-safe; a list is looked up one partition
 * after another, so that changes wait for one at most.
 */
@Machine
public final class JobIndex implements JobObserver {
  private static final String SPACE = ActorPath.of(JobActor.PREFIX).space();

  private final int partitions;
  private final Map<Integer, PartitionRows> owned = new TreeMap<>();
  private final RowCounts counts = new RowCounts();
  private final OpenChanges open = new OpenChanges();
  private final LostPartitions lost = new LostPartitions(LostPartitions.MOST_ROWS);
  private long handedPages;

  /**
   * Creates the index of a node, without any partition.
   *
   * @param partitions number of partitions of a space
   */
  public JobIndex(int partitions) {
    this.partitions = partitions;
  }

  /** Returns the space whose partitions hold jobs. */
  static String space() {
    return SPACE;
  }

  /** Returns the number of partitions of the space. */
  int partitions() {
    return partitions;
  }

  /** Returns the number of the partition of a job. */
  int partition(String id) {
    return ActorPath.of(JobActor.path(id)).partition(partitions).number();
  }

  // Partitions.

  /** Begins with a partition that this node owns; returns whether its records are to be read. */
  synchronized boolean gained(int partition, long epoch) {
    PartitionRows rows = owned.get(partition);
    if (rows != null && rows.epoch() >= epoch) {
      return false;
    }
    drop(partition);
    owned.put(partition, new PartitionRows(epoch, counts));
    return true;
  }

  /** Drops a partition, whose rows are kept for the next owner. */
  synchronized void lost(int partition) {
    drop(partition);
    open.forget(partition); // those that may have been committed are with the rows that are kept
  }

  private void drop(int partition) {
    PartitionRows rows = owned.remove(partition);
    if (rows != null) {
      rows.clear();
      counts.touch();
      if (!rows.isHandedOver()) {
        lost.add(partition, new LeftRows(rows, open.of(partition)));
      }
    }
  }

  /** Returns the epoch in which this node owns a partition; 0 if it does not. */
  synchronized long epoch(int partition) {
    PartitionRows rows = owned.get(partition);
    return rows == null ? 0 : rows.epoch();
  }

  /** Returns whether this node owns a partition in that epoch. */
  synchronized boolean has(int partition, long epoch) {
    PartitionRows rows = owned.get(partition);
    return rows != null && rows.epoch() == epoch;
  }

  /** Takes a job that was read from the store for a partition in that epoch. */
  synchronized void read(int partition, long epoch, Job job) {
    if (has(partition, epoch)) {
      of(job.id(), (id, rows) -> rows.put(id, job, false));
    }
  }

  /** Takes a tombstone that was read from the store for a partition in that epoch. */
  synchronized void read(int partition, long epoch, String job, Tombstone tombstone) {
    if (has(partition, epoch)) {
      of(job, (id, rows) -> rows.remains(id, new IndexTombstone(tombstone), false));
    }
  }

  /** Records that a record of a partition cannot be read in that epoch. */
  synchronized void unreadable(int partition, long epoch) {
    if (has(partition, epoch)) {
      rows(partition).unreadable();
    }
  }

  /** Adds the rows that the former owner of a partition had, in that epoch, except unsure ones. */
  synchronized void handed(
      int partition, long epoch, IndexAnswer.HandedOver page, Set<String> unsure) {
    if (has(partition, epoch)) {
      page.rows().stream()
          .filter(row -> !unsure.contains(row.id()))
          .forEach(row -> of(row.id(), (id, rows) -> rows.put(id, row)));
      page.tombs().stream()
          .filter(tomb -> !unsure.contains(tomb.id()))
          .forEach(
              tomb ->
                  of(tomb.id(), (id, rows) -> rows.remains(id, new IndexTombstone(tomb), false)));
    }
  }

  /** Records that all records of a partition were read in that epoch. */
  synchronized void allRead(int partition, long epoch) {
    if (has(partition, epoch)) {
      rows(partition).allRead();
      counts.touch();
    }
  }

  private PartitionRows rows(int partition) {
    PartitionRows rows = owned.get(partition);
    if (rows == null) {
      throw new IllegalStateException("partition " + partition + " is not this node's");
    }
    return rows;
  }

  /** Returns whether this node owns the partition of a job, which need not exist. */
  public synchronized boolean isOwned(String job) {
    return owned.containsKey(partition(job));
  }

  /** Returns the numbers of the partitions that this node owns. */
  public synchronized List<Integer> owned() {
    return List.copyOf(owned.keySet());
  }

  /** Returns the partitions for which this node can answer. */
  synchronized Coverage coverage() {
    Map<Integer, Long> epochs = new TreeMap<>();
    boolean reading = false;
    for (Map.Entry<Integer, PartitionRows> each : owned.entrySet()) {
      if (each.getValue().isRead()) {
        epochs.put(each.getKey(), each.getValue().epoch());
      } else {
        reading = true;
      }
    }
    return new Coverage(epochs, reading);
  }

  // Changes.

  /** Action on the rows of the partition of a job. */
  @FunctionalInterface
  private interface WithRows {
    void accept(JobId id, PartitionRows rows);
  }

  private void of(String job, WithRows what) {
    JobId id = JobId.parse(job).orElse(null);
    PartitionRows rows = id == null ? null : owned.get(partition(job));
    if (id != null && rows != null) {
      what.accept(id, rows);
    }
  }

  @Override
  public Runnable begins(String job) {
    JobId id = JobId.parse(job).orElse(null);
    if (id == null) {
      return () -> {}; // it has no row
    }
    int partition = partition(job);
    Object change = begin(partition, id);
    return () -> end(partition, id, change);
  }

  private synchronized Object begin(int partition, JobId job) {
    return open.begin(partition, job);
  }

  private synchronized void end(int partition, JobId job, Object change) {
    open.end(partition, job, change);
  }

  @Override
  public synchronized void is(Job job) {
    of(job.id(), (id, rows) -> rows.is(id, job));
  }

  @Override
  public synchronized void remains(String job, Tombstone tombstone) {
    of(job, (id, rows) -> rows.remains(id, new IndexTombstone(tombstone), true));
  }

  @Override
  public synchronized void gone(String job, long version) {
    of(job, (id, rows) -> rows.gone(id, version));
  }

  /**
   * Takes a job as its actor has answered it to this node, so that the caller finds it in lists,
   * though the report may come later. If no change of the job is open here, the report came before,
   * or goes to another node, and the job may be gone since: then this changes nothing.
   */
  public synchronized void answered(Job job) {
    ofOpen(job.id(), (id, rows) -> rows.put(id, job, true));
  }

  /** Hides a job whose actor has answered that it is deleted; see {@link #answered}. */
  public synchronized void deleted(String job) {
    ofOpen(job, (id, rows) -> rows.deleted(id));
  }

  private void ofOpen(String job, WithRows what) {
    of(
        job,
        (id, rows) -> {
          if (open.has(partition(job), id)) {
            what.accept(id, rows);
          }
        });
  }

  // Answers.

  /** Returns the first rows of a list, at most {@code most}. */
  List<RowRef> page(JobQuery query, int most) {
    RowQuery prepared = new RowQuery(query);
    NavigableSet<IndexRow> page = new TreeSet<>(prepared.order());
    for (int partition : owned()) {
      page(partition, prepared, most, page);
    }
    return page.stream().map(row -> new RowRef(row.id().text(), row.version)).toList();
  }

  private synchronized void page(
      int partition, RowQuery query, int most, NavigableSet<IndexRow> page) {
    PartitionRows rows = owned.get(partition);
    if (rows != null) {
      rows.page(query, most, page);
    }
  }

  /** Returns the ids of the jobs that have a record here, or were deleted. */
  synchronized List<String> known(Collection<String> jobs) {
    List<String> known = new ArrayList<>();
    for (String job : jobs) {
      of(
          job,
          (id, rows) -> {
            if (rows.knows(id)) {
              known.add(job);
            }
          });
    }
    return known;
  }

  /** Returns the state of a job that this node indexes. */
  synchronized Optional<JobState> state(String job) {
    List<JobState> found = new ArrayList<>();
    of(
        job,
        (id, rows) -> {
          IndexRow row = rows.get(id);
          if (row != null) {
            found.add(row.state);
          }
        });
    return found.stream().findFirst();
  }

  /** Returns the number of jobs. */
  synchronized int size() {
    return owned.values().stream().mapToInt(PartitionRows::size).sum();
  }

  /** Returns a number that grows with each change. */
  synchronized long changes() {
    return counts.changes();
  }

  /** Returns the number of jobs that wait for a run. */
  synchronized int waiting() {
    return counts.waiting();
  }

  /** Returns the counts to publish. */
  synchronized IndexTally tally(String node, String boot) {
    return counts.tally(node, boot, coverage().epochs());
  }

  /** Returns the figures of runs. */
  public synchronized RunFigures figures() {
    return counts.figures();
  }

  // For the next owners of partitions.

  /** Returns rows for the next owner of a partition, also while this node does not know of it. */
  synchronized IndexAnswer.HandedOver handOver(IndexCommand.HandOver asked) {
    int partition = asked.partition();
    LeftRows left =
        has(partition, asked.epoch())
            ? new LeftRows(rows(partition), open.of(partition))
            : lost.of(partition, asked.epoch());
    Optional<JobId> after = Optional.ofNullable(asked.after()).flatMap(JobId::parse);
    boolean isJob = asked.after() == null || after.isPresent();
    if (left == null || !left.isWhole() || !isJob || asked.format() != HandedRow.FORMAT) {
      return IndexAnswer.HandedOver.NOTHING;
    }
    IndexAnswer.HandedOver page = left.page(after.orElse(null));
    handedPages++;
    if (page.next() == null) {
      left.rows().handedOver();
      lost.forget(partition, asked.epoch());
    }
    return page;
  }

  /** Forgets the rows of a partition that was lost in that epoch, if they are still kept. */
  synchronized void forget(int partition, long epoch) {
    lost.forget(partition, epoch);
  }

  /** Returns the number of pages that were handed over. */
  synchronized long handedPages() {
    return handedPages;
  }

  /** Returns the number of lost partitions whose rows no next owner has completely. */
  synchronized int unhanded() {
    long own = owned.values().stream().filter(rows -> !rows.isHandedOver()).count();
    return (int) own + lost.count();
  }

  // For the archivist.

  /** Returns the oldest ended jobs. */
  synchronized IndexAnswer.Ended ended(IndexCommand.Ended asked) {
    int most = asked.most();
    boolean database = asked.database();
    Predicate<IndexRow> ready = row -> !database || row.mark == Mark.WRITTEN;
    Predicate<IndexRow> waits = row -> row.mark == Mark.NONE;
    List<EndedJob> waiting =
        database
            ? Stream.concat(oldest(true, most, waits), oldest(false, most, waits))
                .sorted(EndedJob.OLDEST_FIRST)
                .limit(most)
                .toList()
            : List.of();
    List<String> deleted =
        database
            ? owned.values().stream()
                .flatMap(rows -> rows.tombs().entrySet().stream())
                .filter(tomb -> tomb.getValue().isDeleted() && !tomb.getValue().cleared)
                .limit(IndexCommand.Ended.MOST_DELETED)
                .map(tomb -> tomb.getKey().text())
                .toList()
            : List.of();
    return new IndexAnswer.Ended(
        counts.ended(),
        database ? counts.written() : counts.ended(),
        database ? counts.ended() - counts.written() - counts.refused() : 0,
        waiting,
        oldest(true, most, ready).toList(),
        oldest(false, most, ready).toList(),
        old(asked, ready),
        deleted);
  }

  private List<EndedJob> old(IndexCommand.Ended asked, Predicate<IndexRow> ready) {
    EndCutoffs cutoffs = asked.cutoffs();
    long latestNs = IndexRow.nanos(cutoffs.latest());
    return owned.values().stream()
        .flatMap(
            rows ->
                rows
                    .endedBefore(
                        latestNs,
                        asked.most(),
                        row ->
                            ready.test(row)
                                && row.endedNs < IndexRow.nanos(cutoffs.of(row.type, row.state)))
                    .stream())
        .sorted(IndexRow.OLDEST_END_FIRST)
        .limit(asked.most())
        .map(JobIndex::ended)
        .toList();
  }

  private static EndedJob ended(IndexRow row) {
    return new EndedJob(row.id().text(), row.version, row.type, row.state, row.endedAt());
  }

  private Stream<EndedJob> oldest(boolean successes, int most, Predicate<IndexRow> condition) {
    return owned.values().stream()
        .flatMap(rows -> rows.oldest(successes, most, condition).stream())
        .sorted(IndexRow.OLDEST_END_FIRST)
        .limit(most)
        .map(JobIndex::ended);
  }

  /** Records what the archivist has done. */
  synchronized void archived(IndexCommand.Archived done) {
    done.written().forEach(each -> mark(each, Mark.WRITTEN));
    done.refused().forEach(each -> mark(each, Mark.REFUSED));
    for (String job : done.cleared()) {
      of(
          job,
          (id, rows) -> {
            IndexTombstone tomb = rows.tombs().get(id);
            if (tomb != null) {
              tomb.cleared = true;
            }
          });
    }
  }

  private void mark(RowRef job, Mark mark) {
    of(job.id(), (id, rows) -> rows.mark(id, job.version(), mark));
  }

  // Tombstones.

  /** Returns the jobs whose tombstones have expired, at most {@code most}, with their hosts. */
  synchronized Map<String, List<String>> expired(long nowMs, int most) {
    Map<String, List<String>> found = new TreeMap<>();
    tombs(tomb -> nowMs >= tomb.expiresMs, most, found);
    return found;
  }

  /** Returns the deleted jobs whose files a host still has, as far as is known. */
  synchronized List<String> filesAt(String host, int most) {
    Map<String, List<String>> found = new TreeMap<>();
    tombs(tomb -> tomb.hosts.contains(host), most, found);
    return List.copyOf(found.keySet());
  }

  private void tombs(Predicate<IndexTombstone> which, int most, Map<String, List<String>> found) {
    for (PartitionRows rows : owned.values()) {
      for (Map.Entry<JobId, IndexTombstone> each : rows.tombs().entrySet()) {
        if (found.size() == most) {
          return;
        } else if (which.test(each.getValue())) {
          found.put(each.getKey().text(), each.getValue().hosts);
        }
      }
    }
  }
}

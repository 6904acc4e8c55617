package io.callboard.workflows.work;

import io.callboard.workflows.protocol.StepRunKey;
import io.callboard.workflows.protocol.WorkerId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Worker as the desk knows it. Its credit is derived from the runs that it was given, never counted
 * up and down, so that no lost or repeated message can make it wrong. Belongs to its {@link
 * DeskWorkers}.
 */
final class DeskWorker {
  /** Order of workers with credit: the most first; changed only while it is in no set. */
  static final Comparator<DeskWorker> BY_CREDIT =
      Comparator.<DeskWorker>comparingInt(worker -> -worker.credit)
          .thenComparing(worker -> worker.id.node())
          .thenComparing(worker -> worker.id.boot());

  /** Which life of it was heard last. */
  WorkerId id;

  /** Types that it has reported. */
  Set<String> types = Set.of();

  /** Number of runs that it takes at once, as it has reported. */
  int slots;

  /** Whether it takes none because it is drained. */
  boolean draining;

  /** Whether its boot is durable, so that it may be given runs. */
  boolean enrolled;

  /** Number of its last news. */
  long seq;

  /** Whether another life of it has begun, of which nothing is known yet. */
  boolean restarted;

  /** Whether its news are being read. */
  boolean reports;

  /** When it was heard last. */
  long heardNs;

  /** Since when its node is no member; null while it is one. */
  @Nullable Long goneNs;

  /** Runs that it was given and that are not over. */
  final Map<StepRunKey, DeskRun> runs = new HashMap<>();

  /** Those of them that take a slot. */
  final Set<DeskRun> taking = new HashSet<>();

  /** Credit under which it is ordered in its pool; 0 while it is not there. */
  int credit;

  /** Workers of the same types; null before it has reported. */
  @Nullable WorkerPool pool;

  /** Creates a worker of which nothing else is known. */
  DeskWorker(WorkerId id, long nowNs) {
    this.id = id;
    this.heardNs = nowNs;
  }

  @Override
  public String toString() {
    return id + " " + taking.size() + "/" + slots;
  }
}

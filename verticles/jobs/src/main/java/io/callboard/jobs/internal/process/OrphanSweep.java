package io.callboard.jobs.internal.process;

import io.callboard.jobs.internal.files.BlockingIo;
import io.callboard.jobs.internal.files.ExitRecord;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Kill of the processes that earlier boots of this node left, before this one runs anything:
 * processes that bear this home and another boot whose node process has ended for certain, wherever
 * they went (a child may have left its group and its parent). Other processes that bear this home
 * belong to a node that may live, such as the original of a copied data directory: they are spared,
 * and reported. Never this process or one above it, never one without the mark. A process that
 * dropped or overwrote its environment, or belongs to a user whose processes this one may not read,
 * is not found.
 *
 * <p>A process that is killed here has no outcome, whatever its shim had the time to write: its run
 * is lost.
 */
public final class OrphanSweep {
  private static final int ROUNDS = 150;
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final RunHome home;
  private final ProcessTable table;
  private final Set<Long> ancestors = selfAndAncestors();
  private final Map<Long, OrphanProcess> spared = new LinkedHashMap<>();
  private final Set<RunKey> ended = new HashSet<>();
  private final Set<RunKey> lost = new HashSet<>();

  /**
   * Report of a sweep.
   *
   * @param killed processes that are certainly gone
   * @param survivors processes still there {@code 3} seconds after the kill
   * @param spared processes of a node that may be alive
   */
  public record Report(
      List<OrphanProcess> killed, List<OrphanProcess> survivors, List<OrphanProcess> spared) {}

  /** Creates a sweep of a home. */
  public OrphanSweep(RunHome home) {
    this(home, new ProcessTable());
  }

  OrphanSweep(RunHome home, ProcessTable table) {
    this.home = home;
    this.table = table;
  }

  /**
   * Runs the sweep. Blocks until the processes are gone, at most three seconds.
   *
   * @throws IllegalStateException on an event loop
   * @throws RunException of kind DIRECTORY if the files of a killed run cannot be used
   */
  public Report run() {
    BlockingIo.check();
    Map<Long, OrphanProcess> seen = new LinkedHashMap<>();
    Map<Long, OrphanProcess> present = Map.of();
    // again until a look finds none, as a process may fork during a look
    for (int round = 0; round < ROUNDS; round++) {
      present = kill();
      seen.putAll(present);
      if (present.isEmpty()) {
        break;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    lost.forEach(this::forgetOutcome);
    List<OrphanProcess> survivors = List.copyOf(present.values());
    List<OrphanProcess> killed = new ArrayList<>(seen.values());
    killed.removeAll(survivors);
    return new Report(List.copyOf(killed), survivors, List.copyOf(spared.values()));
  }

  private Map<Long, OrphanProcess> kill() {
    Map<Long, OrphanProcess> found = new LinkedHashMap<>();
    for (ProcessTable.Tagged process : table.tagged(home.homeId())) {
      long pid = process.handle().pid();
      ProcessMark processMark = process.tag();
      if (processMark.bootId().equals(home.bootId()) || ancestors.contains(pid)) {
        continue;
      }
      OrphanProcess orphan =
          new OrphanProcess(pid, processMark.jobId(), processMark.runId(), processMark.bootId());
      if (isLeft(processMark)) {
        processMark.run().ifPresent(this::noteOutcome);
        process.handle().destroyForcibly();
        found.put(pid, orphan);
      } else {
        spared.put(pid, orphan);
      }
    }
    return found;
  }

  /**
   * Returns whether the node that started a process has certainly ended; without the mark of the
   * node's process nothing is proved.
   */
  private boolean isLeft(ProcessMark processMark) {
    return ProcessIdentity.parse(processMark.node()).map(table::hasEnded).orElse(false);
  }

  /** Records before the first kill of a run whether it has an outcome, which then is its own. */
  private void noteOutcome(RunKey run) {
    if (ended.contains(run) || lost.contains(run)) {
      return;
    }
    try {
      (ExitRecord.read(home.control(run)).isPresent() ? ended : lost).add(run);
    } catch (IOException e) {
      throw RunException.directory("read", home.control(run), e);
    }
  }

  private void forgetOutcome(RunKey run) {
    try {
      ExitRecord.remove(home.control(run));
    } catch (IOException e) {
      throw RunException.directory("remove the outcome of a killed run in", home.control(run), e);
    }
  }

  // a job that restarts its node is an ancestor of the new one, and marked
  private static Set<Long> selfAndAncestors() {
    Set<Long> pids = new HashSet<>();
    Optional<ProcessHandle> process = Optional.of(ProcessHandle.current());
    while (process.isPresent() && pids.add(process.get().pid())) {
      process = process.get().parent();
    }
    return pids;
  }
}

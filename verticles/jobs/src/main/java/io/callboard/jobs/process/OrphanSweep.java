package io.callboard.jobs.process;

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
 * Kills what earlier boots of this node left running, before this one runs anything: processes that
 * bear this home and another boot, wherever they went (a child may have left its group and its
 * parent). Never this process or one above it, never one without the mark. A process that dropped
 * or overwrote its environment, or belongs to a user whose processes this one may not read, is not
 * found.
 */
public final class OrphanSweep {
  private static final int ROUNDS = 150;
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final RunHome home;
  private final ProcessTable table;

  /**
   * What a sweep did.
   *
   * @param killed gone for certain
   * @param survivors killed and still there after {@code 3} seconds
   */
  public record Report(List<Orphan> killed, List<Orphan> survivors) {}

  public OrphanSweep(RunHome home) {
    this(home, new ProcessTable());
  }

  OrphanSweep(RunHome home, ProcessTable table) {
    this.home = home;
    this.table = table;
  }

  /**
   * Blocks until they are gone, at most three seconds.
   *
   * @throws IllegalStateException on an event loop
   */
  public Report run() {
    Blocking.check();
    Set<Long> spared = selfAndAncestors();
    Map<Long, Orphan> seen = new LinkedHashMap<>();
    Map<Long, Orphan> present = Map.of();
    // again until a look finds none: a process may fork while it is looked for
    for (int round = 0; round < ROUNDS; round++) {
      present = kill(spared);
      seen.putAll(present);
      if (present.isEmpty()) {
        break;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    List<Orphan> survivors = List.copyOf(present.values());
    List<Orphan> killed = new ArrayList<>(seen.values());
    killed.removeAll(survivors);
    return new Report(List.copyOf(killed), survivors);
  }

  private Map<Long, Orphan> kill(Set<Long> spared) {
    Map<Long, Orphan> found = new LinkedHashMap<>();
    for (ProcessTable.Tagged process : table.tagged(home.homeId())) {
      long pid = process.handle().pid();
      Tag tag = process.tag();
      if (tag.bootId().equals(home.bootId()) || spared.contains(pid)) {
        continue;
      }
      process.handle().destroyForcibly();
      found.put(pid, new Orphan(pid, tag.jobId(), tag.runId(), tag.bootId()));
    }
    return found;
  }

  // a job that restarts its node is above the new one, and marked
  private static Set<Long> selfAndAncestors() {
    Set<Long> pids = new HashSet<>();
    Optional<ProcessHandle> process = Optional.of(ProcessHandle.current());
    while (process.isPresent() && pids.add(process.get().pid())) {
      process = process.get().parent();
    }
    return pids;
  }
}

package io.callboard.jobs.internal.index;

import io.callboard.jobs.internal.index.IndexRow.Mark;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RunFigures;
import io.callboard.time.Machine;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts of the rows of a node, kept with each change. Not thread-safe. */
@Machine
final class RowCounts {
  private static final JobState[] STATES = JobState.values();

  private final Map<String, TypeCounts> byType = new HashMap<>();
  private int ended;
  private int written;
  private int refused;
  private int waiting;
  private int deleted;
  private final RowTroubles troubles = new RowTroubles();
  private final RunMeter runs = new RunMeter();
  private long runsStarted;
  private long runsEnded;
  private long jobsEnded;
  private long changes;

  /** Counts of a type, whose name all its rows share. */
  private record TypeCounts(String name, int[] byState) {}

  /** Returns the one object for the name of a type. */
  String interned(String type) {
    return of(type).name();
  }

  private TypeCounts of(String type) {
    return byType.computeIfAbsent(type, name -> new TypeCounts(name, new int[STATES.length]));
  }

  /** Adds a row, or takes it away. */
  void add(IndexRow row, int sign) {
    changes++;
    of(row.type).byState()[row.state.ordinal()] += sign;
    waiting += row.waits() ? sign : 0;
    troubles.add(row, sign);
    if (row.hasEnded()) {
      ended += sign;
      written += row.mark == Mark.WRITTEN ? sign : 0;
      refused += row.mark == Mark.REFUSED ? sign : 0;
    }
  }

  /** Adds a tombstone, or takes it away. */
  void tomb(@Nullable IndexTombstone tomb, int sign) {
    if (tomb != null) {
      changes++;
      deleted += tomb.isDeleted() ? sign : 0;
    }
  }

  /** Counts what has just happened to a job. */
  void changed(@Nullable IndexRow before, IndexRow now, Job job) {
    runs.changed(before, now, job);
    runsStarted += now.hasStartedSince(before) ? 1 : 0;
    runsEnded += now.hasEndedSince(before) ? 1 : 0;
    jobsEnded += now.state.terminal() && before != null && !before.state.terminal() ? 1 : 0;
  }

  /** Records another change of what lists show. */
  void touch() {
    changes++;
  }

  /** Returns a number that grows with each change. */
  long changes() {
    return changes;
  }

  /** Returns the number of jobs that wait for a run. */
  int waiting() {
    return waiting;
  }

  /** Returns the number of deleted jobs that have a tombstone. */
  int deleted() {
    return deleted;
  }

  /** Returns the number of ended jobs. */
  int ended() {
    return ended;
  }

  /** Returns the number of ended jobs that the database has. */
  int written() {
    return written;
  }

  /** Returns the number of ended jobs that the database refuses. */
  int refused() {
    return refused;
  }

  /** Returns the figures of runs. */
  RunFigures figures() {
    return runs.figures();
  }

  /** Returns the counts that the node publishes. */
  IndexTally tally(String node, String boot, Map<Integer, Long> epochs) {
    Map<String, Map<JobState, Long>> types = new TreeMap<>();
    byType.forEach(
        (type, counts) -> {
          Map<JobState, Long> states = new EnumMap<>(JobState.class);
          for (JobState state : STATES) {
            long count = counts.byState()[state.ordinal()];
            if (count > 0) {
              states.put(state, count);
            }
          }
          if (!states.isEmpty()) {
            types.put(type, states);
          }
        });
    return new IndexTally(
        node,
        boot,
        types,
        deleted,
        runsStarted,
        runsEnded,
        jobsEnded,
        epochs,
        changes,
        troubles.killFailed(),
        troubles.first());
  }
}

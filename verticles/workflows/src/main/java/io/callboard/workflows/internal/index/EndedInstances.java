package io.callboard.workflows.internal.index;

import io.callboard.time.Machine;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import java.util.HashSet;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** Instances of one partition that have ended, by their ends. Not thread-safe. */
@Machine
final class EndedInstances {
  private final NavigableSet<EndedInstance> successes = new TreeSet<>(EndedOrder.OLDEST_FIRST);
  private final NavigableSet<EndedInstance> others = new TreeSet<>(EndedOrder.OLDEST_FIRST);

  /** Ended instances that do not go now. */
  private final Set<EndedInstance> held = new HashSet<>();

  private NavigableSet<EndedInstance> of(EndedInstance instance) {
    return instance.state() == InstanceState.SUCCEEDED ? successes : others;
  }

  /** Adds an instance, if it has ended. */
  void add(InstanceRow row) {
    if (EndedInstance.isEnded(row)) {
      EndedInstance instance = EndedInstance.of(row);
      of(instance).add(instance);
    }
  }

  /** Removes an instance as it was, if it had ended. */
  void remove(InstanceRow row) {
    if (EndedInstance.isEnded(row)) {
      EndedInstance instance = EndedInstance.of(row);
      of(instance).remove(instance);
      held.remove(instance);
    }
  }

  /** Returns the number of ended instances, held ones included. */
  int size() {
    return successes.size() + others.size();
  }

  /** Holds an instance, if it has not changed. */
  void hold(EndedInstance instance) {
    if (of(instance).contains(instance)) {
      held.add(instance);
    }
  }

  /** Releases all held instances. */
  void release() {
    held.clear();
  }

  /**
   * Adds the instances that are removed first to a page of at most {@code most} instances of
   * several partitions.
   */
  void first(int most, NavigableSet<EndedInstance> page) {
    first(successes, most, page);
    first(others, most, page);
  }

  /** The order of each set is that of the page, so the first one behind a full page ends it. */
  private void first(NavigableSet<EndedInstance> from, int most, NavigableSet<EndedInstance> page) {
    for (EndedInstance instance : from) {
      if (page.size() >= most
          && (most == 0 || page.comparator().compare(instance, page.last()) > 0)) {
        return;
      }
      if (!held.contains(instance) && page.add(instance) && page.size() > most) {
        page.pollLast();
      }
    }
  }
}

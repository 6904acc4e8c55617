package io.callboard.workflows.internal.dispatch;

import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Start of a desk: it assigns nothing until every worker that an earlier desk may have given runs
 * has reported what it holds, or its node has been no member of the cell for {@link
 * WorkMachine#DEATH_GRACE}.
 */
@Machine
final class DeskStart {
  /** Boots whose workers have not reported, with the names of their nodes. */
  private final Map<String, String> awaited;

  /** Since when such a boot is no member, if it is none. */
  private final Map<String, Long> goneNs = new TreeMap<>();

  private boolean sawMembers;

  /** Creates the start of a desk before which these boots were given runs, by boot id. */
  DeskStart(Map<String, String> boots) {
    awaited = new TreeMap<>(boots);
  }

  /** Returns whether no worker is awaited. */
  boolean isOver() {
    return sawMembers && awaited.isEmpty();
  }

  /** Records that a worker has reported, or certainly holds no run. */
  void reported(String boot) {
    awaited.remove(boot);
  }

  /** Takes the boots of the live nodes. */
  void members(Set<String> boots, long nowNs) {
    sawMembers = true;
    awaited
        .keySet()
        .forEach(
            boot -> {
              if (boots.contains(boot)) {
                goneNs.remove(boot);
              } else {
                goneNs.putIfAbsent(boot, nowNs);
              }
            });
  }

  /** Returns the boots that are given up now: they hold nothing any more. */
  List<String> giveUp(long nowNs) {
    List<String> gone = new ArrayList<>();
    for (String boot : List.copyOf(awaited.keySet())) {
      Long since = goneNs.get(boot);
      if (since != null && nowNs - since >= WorkMachine.DEATH_GRACE.toNanos()) {
        awaited.remove(boot);
        gone.add(boot);
      }
    }
    return gone;
  }

  /** Returns the names of the nodes whose workers are awaited. */
  List<String> awaits() {
    return awaited.values().stream().sorted().toList();
  }
}

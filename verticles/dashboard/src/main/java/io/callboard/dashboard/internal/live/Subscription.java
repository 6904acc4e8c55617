package io.callboard.dashboard.internal.live;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Pending changes of a view for one client: the last value of each row that changed. */
final class Subscription {
  /** Maximum number of changed rows kept; beyond, the client gets a gap and a new snap. */
  static final int MOST_CHANGES = 1_000;

  private final int id;
  private final View view;
  private final Map<String, String> up = new LinkedHashMap<>();
  private final Set<String> gone = new LinkedHashSet<>();
  private boolean snapDue = true;
  private boolean overflowed;
  private boolean failureTold;

  Subscription(int id, View view) {
    this.id = id;
    this.view = view;
  }

  View view() {
    return view;
  }

  void add(View.Change change) {
    if (snapDue) {
      return;
    }
    gone.removeAll(change.up().keySet());
    up.putAll(change.up());
    up.keySet().removeAll(change.gone());
    gone.addAll(change.gone());
    if (up.size() + gone.size() > MOST_CHANGES) {
      overflowed = true;
      restart();
    }
  }

  private void restart() {
    up.clear();
    gone.clear();
    snapDue = true;
  }

  /** Returns the due frames, which then count as sent. */
  List<String> frames() {
    if (!view.loaded()) {
      return failure();
    }
    failureTold = false;
    if (snapDue) {
      boolean gap = overflowed;
      snapDue = false;
      overflowed = false;
      String snap = Frames.snap(id, view.seq(), view.rows().values());
      return gap ? List.of(Frames.gap(id), snap) : List.of(snap);
    }
    if (up.isEmpty() && gone.isEmpty()) {
      return List.of();
    }
    String delta = Frames.delta(id, view.seq(), up, gone);
    up.clear();
    gone.clear();
    return List.of(delta);
  }

  /**
   * Returns the failure of the view: old rows are not sent as if they were current, and all rows
   * follow when they are known.
   */
  private List<String> failure() {
    View.Failure failure = view.failure();
    if (failure == null || failureTold) {
      return List.of();
    }
    failureTold = true;
    restart();
    return List.of(Frames.error(id, failure.code(), failure.detail()));
  }
}

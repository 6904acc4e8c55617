package io.callboard.workflows.internal.index;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Deletions by users of watched instances, so that the archive does not keep an instance that it
 * was about to write. Thread-safe.
 */
public final class RecentDeletions {
  private final Set<String> watched = new HashSet<>();
  private final Set<String> deleted = new HashSet<>();

  /** Watches these instances instead of others. */
  public synchronized void watch(Collection<String> ids) {
    watched.clear();
    watched.addAll(ids);
  }

  /** Records that a user has deleted an instance. */
  synchronized void add(String id) {
    if (watched.contains(id)) {
      deleted.add(id);
    }
  }

  /** Returns the deleted instances that the archive has not dealt with. */
  public synchronized List<String> deleted() {
    return List.copyOf(deleted);
  }

  /** Forgets a deletion that the archive has dealt with. */
  public synchronized void done(String id) {
    deleted.remove(id);
  }
}

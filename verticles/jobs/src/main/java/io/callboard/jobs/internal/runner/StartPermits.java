package io.callboard.jobs.internal.runner;

import java.util.HashSet;
import java.util.Set;

/**
 * Permits to start for the runs that were granted to this host. A run that was refused once, so
 * that others may count on it, never starts here, for whatever reason and however long its start
 * was delayed.
 *
 * <p>Refused runs are remembered by name within a <i>term</i>, and by the number of their term
 * afterwards: a grant names the term that its host reported last, and starts in no later one. A
 * term ends when the host has given up all its runs, or when there are too many names. Of an
 * earlier boot nothing starts anyway, so nothing of this is stored. Thread-safe.
 */
public final class StartPermits {
  /** Maximum number of names kept; one more ends the term. */
  public static final int MOST_REFUSED = 10_000;

  private final Set<RunKey> refused = new HashSet<>();
  private int term;

  /** Returns the term of this host; the first is 0. */
  public synchronized int term() {
    return term;
  }

  /**
   * Returns whether a run may start.
   *
   * @param granted term of its grant
   */
  public synchronized boolean admits(RunKey run, int granted) {
    return granted == term && !refused.contains(run);
  }

  /** Refuses {@code run} from now on. */
  public synchronized void refuse(RunKey run) {
    if (refused.size() >= MOST_REFUSED) {
      endTerm();
    }
    refused.add(run);
  }

  /** Refuses everything that was granted before. */
  public synchronized void endTerm() {
    term++;
    refused.clear();
  }
}

package io.callboard.examples.search;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Progress of one query: which shares have answered, and which tree is asked next for the others. A
 * machine without I/O; the time is an argument, in milliseconds of any clock.
 *
 * <p>The trees are asked in turn, each for the shares that are still missing, until all have
 * answered, the deadline is near or {@value #MAX_ATTEMPTS} attempts were made. An attempt has a
 * part of the time that is left if another tree can still be asked after it, else all of it.
 */
final class QueryProgress {
  static final int MAX_ATTEMPTS = 8;

  /** Margin before the deadline, so that what arrives in time is also sent in time. */
  private static final long MARGIN_MS = 20;

  private static final double PART_OF_THE_TIME = 0.6;
  private static final long PAUSE_MS = 20;
  private static final int LONGEST_PAUSE = 4;

  /** Step to take. */
  sealed interface Step {
    /** Ask a tree for shares. */
    record Ask(int attempt, String tree, List<Integer> shares, long deadline) implements Step {}

    /** Do nothing before then. */
    record Wait(long until) implements Step {}

    /** End of the query: nothing more will come. */
    record End() implements Step {}
  }

  private final int shares;
  private final List<String> trees;
  private final long begun;
  private final long deadline;
  private final TreeSet<Integer> open = new TreeSet<>();
  private int attempt;
  private long askedAt;
  private boolean asked;

  /**
   * Begins a query.
   *
   * @param trees trees in the order in which they are asked
   */
  QueryProgress(int shares, List<String> trees, long now, long deadline) {
    this.shares = shares;
    this.trees = List.copyOf(trees);
    this.begun = now;
    this.deadline = deadline;
    for (int share = 0; share < shares; share++) {
      open.add(share);
    }
  }

  /** Returns the next step, when no tree is being asked, or that attempt was given up. */
  Step next(long now) {
    asked = false;
    if (open.isEmpty() || attempt == MAX_ATTEMPTS || now >= deadline - MARGIN_MS) {
      return new Step.End();
    }
    // The first attempts go to a tree each; from then on each was asked before.
    int repeated = attempt - trees.size();
    long earliest = repeated < 0 ? now : askedAt + (PAUSE_MS << Math.min(repeated, LONGEST_PAUSE));
    if (now < earliest) {
      return new Step.Wait(Math.min(earliest, deadline - MARGIN_MS));
    }
    attempt++;
    askedAt = now;
    asked = true;
    return new Step.Ask(attempt, tree(), List.copyOf(open), attemptEnds(now));
  }

  private long attemptEnds(long now) {
    long end = deadline - MARGIN_MS;
    boolean mayAskAnother = trees.size() > 1 && attempt < MAX_ATTEMPTS;
    return mayAskAnother ? now + Math.round((end - now) * PART_OF_THE_TIME) : end;
  }

  /** Returns the tree that was asked last. */
  String tree() {
    return trees.get((attempt - 1) % trees.size());
  }

  /** Returns whether the attempt of that number is under way. */
  boolean awaits(int number) {
    return asked && number == attempt;
  }

  /** Returns whether an attempt is under way. */
  boolean isAsking() {
    return asked;
  }

  /** Records the answer of a share; returns false if it had answered before. */
  boolean answered(int share) {
    return open.remove(share);
  }

  int attempts() {
    return attempt;
  }

  int answeredShares() {
    return shares - open.size();
  }

  List<Integer> missing() {
    return new ArrayList<>(open);
  }

  boolean isPartial() {
    return !open.isEmpty();
  }

  long took(long now) {
    return now - begun;
  }
}

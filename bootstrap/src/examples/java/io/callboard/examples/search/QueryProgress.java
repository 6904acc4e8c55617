package io.callboard.examples.search;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * How far one query is: which shares have answered, and who is asked next for the others. A machine
 * without I/O; it takes the time as an argument, in milliseconds since 1970.
 *
 * <p>The tree that serves is asked first. If shares are missing in its answer, or it is no longer
 * up, the other tree is asked for those only, and so on in turn until all have answered, the
 * deadline is near or {@value #MAX_ATTEMPTS} attempts were made. An attempt has a part of the time
 * that is left if another tree could still be asked after it, else all of it.
 */
final class QueryProgress {
  static final int MAX_ATTEMPTS = 8;

  /** Before the deadline, so that what comes in time is also sent in time. */
  private static final long MARGIN_MS = 20;

  private static final double PART_OF_THE_TIME = 0.6;
  private static final long PAUSE_MS = 20;
  private static final int LONGEST_PAUSE = 4;

  /** What to do. */
  sealed interface Step {
    /** Ask a tree for shares. */
    record Ask(int attempt, String tree, List<Integer> shares, long deadline) implements Step {}

    /** Do nothing before then, or until other trees are up. */
    record Wait(long until) implements Step {}

    /** Nothing more will come. */
    record End() implements Step {}
  }

  private final int shares;
  private final long begun;
  private final long deadline;
  private final TreeSet<Integer> open = new TreeSet<>();
  private int attempt;
  private String tree = "";
  private long askedAt;
  private boolean asked;

  QueryProgress(int shares, long now, long deadline) {
    this.shares = shares;
    this.begun = now;
    this.deadline = deadline;
    for (int share = 0; share < shares; share++) {
      open.add(share);
    }
  }

  /** What to do now that nobody is asked, or who was asked is given up. */
  Step next(long now, Trees trees) {
    asked = false;
    if (open.isEmpty() || attempt == MAX_ATTEMPTS || now >= deadline - MARGIN_MS) {
      return new Step.End();
    }
    if (trees.up().isEmpty()) {
      return new Step.Wait(deadline - MARGIN_MS);
    }
    // The first two attempts go to two trees; from then on each was asked before.
    long earliest =
        attempt < 2 ? now : askedAt + (PAUSE_MS << Math.min(attempt - 2, LONGEST_PAUSE));
    if (now < earliest) {
      return new Step.Wait(Math.min(earliest, deadline - MARGIN_MS));
    }
    attempt++;
    tree = attempt == 1 ? trees.serving() : trees.after(tree);
    askedAt = now;
    asked = true;
    return new Step.Ask(attempt, tree, List.copyOf(open), attemptEnds(now, trees));
  }

  private long attemptEnds(long now, Trees trees) {
    long end = deadline - MARGIN_MS;
    boolean mayAskAnother = trees.up().size() > 1 && attempt < MAX_ATTEMPTS;
    return mayAskAnother ? now + Math.round((end - now) * PART_OF_THE_TIME) : end;
  }

  /** Whether the attempt of that number is the one under way. */
  boolean awaits(int number) {
    return asked && number == attempt;
  }

  /** Whether nobody is asked at the moment. */
  boolean isIdle() {
    return !asked;
  }

  /** Whether the tree that is asked is not up any more. */
  boolean lost(Trees trees) {
    return asked && !trees.isUp(tree);
  }

  /** A share has answered; false if it had before. */
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

package io.callboard.internal.rehearsal;

import io.callboard.DeliveryMode;
import io.callboard.codecs.ActorPath;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Sees every handling in a rehearsed world, also those whose node died or had lost its lease before
 * they were durable, and says at once if one breaks the promise of the delivery mode.
 */
final class Witness {
  private final DeliveryMode promise;
  private final boolean ordered;
  private final Map<String, NavigableSet<Long>> handled = new HashMap<>();
  private long repeated;
  private long skipped;
  private long pushed;
  private long putAside;
  private long direct;
  private long takenBack;

  /**
   * @param ordered whether messages are handled in the order in which they were sent
   */
  Witness(DeliveryMode promise, boolean ordered) {
    this.promise = promise;
    this.ordered = ordered;
  }

  /** Records a handled message; whether the turn becomes durable is another matter. */
  void sees(ActorPath receiver, Hop hop) {
    String pair = hop.from() + " to " + receiver;
    NavigableSet<Long> before = handled.computeIfAbsent(pair, p -> new TreeSet<>());
    long last = before.isEmpty() ? 0 : before.last();
    if (!before.add(hop.number())) {
      repeated++;
      never(DeliveryMode.AT_MOST_ONCE, "%s: %d is handled again", pair, hop.number());
    } else if (ordered && hop.number() > last + 1) {
      skipped++;
      never(DeliveryMode.AT_LEAST_ONCE, "%s: %d is handled after %d", pair, hop.number(), last);
      never(DeliveryMode.EXACTLY_ONCE, "%s: %d is handled after %d", pair, hop.number(), last);
    }
  }

  private void never(DeliveryMode in, String what, Object... about) {
    if (promise == in) {
      throw new AssertionError(in.key() + ", " + what.formatted(about));
    }
  }

  /** Handlings of a message that had been handled before, by then without a commit. */
  long repeated() {
    return repeated;
  }

  /** Times that a message came although some before it were never handled. */
  long skipped() {
    return skipped;
  }

  /** A message was put aside. */
  void putsAside() {
    putAside++;
  }

  /** Messages that were put aside. */
  long putAside() {
    return putAside;
  }

  /** A segment was taken from a push. */
  void takesPush() {
    pushed++;
  }

  /** Segments that were taken from pushes. */
  long pushed() {
    return pushed;
  }

  /** A turn found no room elsewhere, and its message goes into the mailbox. */
  void takesBack() {
    takenBack++;
  }

  /** Returns how many messages went into the mailbox because a turn found no room elsewhere. */
  long takenBack() {
    return takenBack;
  }

  /** Records that an actor takes a message that nobody has stored. */
  void takesDirect() {
    direct++;
  }

  /** Messages that an actor took before anybody stored them. */
  long direct() {
    return direct;
  }

  /** Messages that were handled. */
  long handled() {
    return handled.values().stream().mapToLong(NavigableSet::size).sum();
  }
}

package io.callboard.soak;

import io.callboard.codecs.ActorPath;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.SupervisionOptions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Actor of the tree: its specification, and observations of it. Used by any thread. */
final class Part {
  /** Role of an actor in the tree. */
  enum Role {
    VOLATILE,
    DURABLE,
    /** Starts children of its own. */
    PARENT,
    /** Child of a {@link #PARENT}. */
    KID
  }

  /** Result of the next starts. */
  enum NextStart {
    SUCCEEDS,
    FAILS,
    HANGS,
    BLOCKS
  }

  final ActorPath path;
  final Role role;
  final String zone;
  final SupervisionOptions options;
  private final Findings findings;

  private final AtomicInteger live = new AtomicInteger();
  private final AtomicInteger badStarts = new AtomicInteger();
  private volatile NextStart nextStart = NextStart.SUCCEEDS;
  private volatile boolean left;

  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong acceptedSum = new AtomicLong();
  private long handled;
  private long handledSum;
  private long last;
  private final Set<Long> fired = ConcurrentHashMap.newKeySet();

  Part(ActorPath path, Role role, String zone, SupervisionOptions options, Findings findings) {
    this.path = path;
    this.role = role;
    this.zone = zone;
    this.options = options;
    this.findings = findings;
  }

  // The object.

  void started() {
    int now = live.incrementAndGet();
    if (now != 1) {
      findings.add("%s has %d objects at once".formatted(path, now));
    }
  }

  void stopped() {
    int now = live.decrementAndGet();
    if (now != 0) {
      findings.add("%s stopped, and has %d objects".formatted(path, now));
    }
  }

  int live() {
    return live.get();
  }

  /** Sets the result of the next {@code count} starts. */
  void starts(NextStart how, int count) {
    nextStart = how;
    badStarts.set(count);
  }

  NextStart takeStart() {
    return badStarts.getAndUpdate(count -> Math.max(0, count - 1)) > 0
        ? nextStart
        : NextStart.SUCCEEDS;
  }

  /** Records that the actor stops itself, for good. */
  void leaves() {
    left = true;
  }

  /** Returns whether the specification lets it end; it is spawned again then. */
  boolean mayBeGone() {
    return left || options.kind() == ChildKind.TEMPORARY;
  }

  /**
   * Returns whether all its mail is counted; an actor that ends together with others loses waiting
   * mail.
   */
  boolean keepsMail() {
    return role != Role.KID && options.kind() != ChildKind.TEMPORARY;
  }

  // Its mail.

  void accepted(long number) {
    accepted.incrementAndGet();
    acceptedSum.addAndGet(number);
  }

  /** Records that a volatile actor begins to handle a message. */
  synchronized void handles(long number) {
    if (number <= last) {
      findings.add("%s handles %d after %d".formatted(path, number, last));
    }
    last = number;
    handled++;
    handledSum += number;
  }

  /** Returns whether a durable actor meets that fault for the first time. */
  boolean fires(long number) {
    return fired.add(number);
  }

  /** Records the messages that a durable actor has committed. */
  synchronized void committed(long count, long sum) {
    handled = count;
    handledSum = sum;
  }

  /** Records that the actor was spawned again; earlier messages do not count any more. */
  synchronized void anew() {
    left = false;
    badStarts.set(0);
    accepted.set(0);
    acceptedSum.set(0);
    handled = 0;
    handledSum = 0;
  }

  /** Returns whether all accepted messages were handled, once. */
  synchronized boolean isThrough() {
    return !keepsMail() || (handled == accepted.get() && handledSum == acceptedSum.get());
  }

  synchronized String mail() {
    return "%s accepted %d (sum %d) and handled %d (sum %d)"
        .formatted(path, accepted.get(), acceptedSum.get(), handled, handledSum);
  }
}

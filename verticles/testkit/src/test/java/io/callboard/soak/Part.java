package io.callboard.soak;

import io.callboard.codecs.ActorPath;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.SupervisionOptions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** One actor of the tree: what it is to be, and what was seen of it. Seen by any thread. */
final class Part {
  /** What an actor of the tree is. */
  enum Role {
    VOLATILE,
    DURABLE,
    /** Starts children of its own. */
    PARENT,
    /** One of those. */
    KID
  }

  /** What the next starts do. */
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

  /** The next {@code count} starts do that. */
  void starts(NextStart how, int count) {
    nextStart = how;
    badStarts.set(count);
  }

  NextStart takeStart() {
    return badStarts.getAndUpdate(count -> Math.max(0, count - 1)) > 0
        ? nextStart
        : NextStart.SUCCEEDS;
  }

  /** It stops itself, for good. */
  void leaves() {
    left = true;
  }

  /** Whether the specification lets it end: it is spawned again then. */
  boolean mayBeGone() {
    return left || options.kind() == ChildKind.TEMPORARY;
  }

  /** Whether all its mail is counted: who ends with others loses what waits. */
  boolean keepsMail() {
    return role != Role.KID && options.kind() != ChildKind.TEMPORARY;
  }

  // Its mail.

  void accepted(long number) {
    accepted.incrementAndGet();
    acceptedSum.addAndGet(number);
  }

  /** A volatile one begins to handle that. */
  synchronized void handles(long number) {
    if (number <= last) {
      findings.add("%s handles %d after %d".formatted(path, number, last));
    }
    last = number;
    handled++;
    handledSum += number;
  }

  /** Whether a durable one has not met that fault yet. */
  boolean fires(long number) {
    return fired.add(number);
  }

  /** A durable one committed these. */
  synchronized void committed(long count, long sum) {
    handled = count;
    handledSum = sum;
  }

  /** It has been spawned again; what it was told before is over. */
  synchronized void anew() {
    left = false;
    badStarts.set(0);
    accepted.set(0);
    acceptedSum.set(0);
    handled = 0;
    handledSum = 0;
  }

  /** All that was accepted was handled, once. */
  synchronized boolean isThrough() {
    return !keepsMail() || (handled == accepted.get() && handledSum == acceptedSum.get());
  }

  synchronized String mail() {
    return "%s accepted %d (sum %d) and handled %d (sum %d)"
        .formatted(path, accepted.get(), acceptedSum.get(), handled, handledSum);
  }
}

package io.callboard.internal.activation;

import io.callboard.internal.context.NodeContext;
import io.callboard.internal.turn.MailboxBypass;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Watchdog of the mailbox bypasses of a node: no message stays in one for long because a handler
 * holds its thread, or gets none. It waits for as long as two commits take, so that a busy node
 * does not write what would be handled in that time. Uses the system's time, like all that watches
 * threads. Every method is called on the durable context.
 */
final class BypassWatchdog {
  /** Least interval of the checks: after one to two of them a message goes into its mailbox. */
  private static final long LEAST_NANOS = 10_000_000L;

  /** Longest interval of the checks. */
  private static final long MOST_NANOS = 500_000_000L;

  /** Interval of the checks, in commits: on a busy node the mailbox would be slow, too. */
  private static final int COMMITS = 2;

  private final NodeContext node;
  private final LongSupplier commitNanos;
  private final Set<MailboxBypass> watched = new HashSet<>();
  private boolean looks;

  /**
   * Creates the watchdog of a node.
   *
   * @param commitNanos typical latency of a commit at present
   */
  BypassWatchdog(NodeContext node, LongSupplier commitNanos) {
    this.node = node;
    this.commitNanos = commitNanos;
  }

  /** Watches a bypass until it is empty. */
  void over(MailboxBypass mail) {
    boolean unused = watched.add(mail);
    if (!looks) {
      looks = true;
      later();
    }
  }

  private void later() {
    long nanos = intervalNanos(commitNanos.getAsLong());
    Time.Alarm unused =
        Time.SYSTEM.after(
            node.durableContext(),
            Duration.ofNanos(nanos),
            () -> node.onDurableContext(this::look));
  }

  /** Returns the interval of the checks while a commit takes that long. */
  static long intervalNanos(long commitNanos) {
    return Math.min(MOST_NANOS, Math.max(LEAST_NANOS, COMMITS * commitNanos));
  }

  private void look() {
    try {
      boolean unused = watched.removeIf(mail -> !mail.tick());
    } finally {
      looks = !watched.isEmpty();
      if (looks) {
        later();
      }
    }
  }
}

package io.callboard.internal.activation;

import io.callboard.internal.context.NodeContext;
import io.callboard.internal.turn.MailboxBypass;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Watchdog of the mailbox bypasses of a node: no message stays in one for long because a handler
 * holds its thread, or gets none. Uses the system's time, like all that watches threads. Every
 * method is called on the durable context.
 */
final class BypassWatchdog {
  /** Interval of the checks: after one to two of them a message goes into its mailbox. */
  private static final Duration LOOK = Duration.ofMillis(10);

  private final NodeContext node;
  private final Set<MailboxBypass> watched = new HashSet<>();
  private boolean looks;

  BypassWatchdog(NodeContext node) {
    this.node = node;
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
    Time.Alarm unused =
        Time.SYSTEM.after(node.durableContext(), LOOK, () -> node.onDurableContext(this::look));
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

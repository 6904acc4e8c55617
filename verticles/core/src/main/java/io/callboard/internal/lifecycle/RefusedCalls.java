package io.callboard.internal.lifecycle;

import io.callboard.internal.context.NodeContext;
import io.callboard.internal.messaging.DeadLetters.Brake;
import io.callboard.supervision.Causes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log of calls of actors that were refused because they belong to no turn or come from another
 * thread: their exceptions often end in callbacks where nobody sees them. The first of every ten
 * seconds are logged and noted in the actor's history; of the others the number is logged.
 * Thread-safe.
 */
public final class RefusedCalls {
  private static final Logger log = LoggerFactory.getLogger(RefusedCalls.class);

  private final NodeContext node;
  private final Brake brake = new Brake();

  public RefusedCalls(NodeContext node) {
    this.node = node;
  }

  /**
   * @param note adds the refusal to the actor's history
   */
  public void add(IllegalStateException refusal, Runnable note) {
    if (brake.mayWrite(
        node,
        count -> log.warn("{} more calls of actors were refused in the last seconds", count))) {
      log.warn("refused: {}", Causes.message(refusal));
      note.run();
    }
  }
}

package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.supervision.Causes;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reporter of the outcomes of messages to their callers: those of one caller that are settled
 * together by one task on its context, not one each. On the router's context.
 */
final class Settlements implements Link.Outcomes {
  private static final Logger log = LoggerFactory.getLogger(Settlements.class);

  private final ContextInternal outside;
  private final LinkMeter linkMeter;
  private final List<Settled> settled = new ArrayList<>();

  private record Settled(OutgoingMessage message, @Nullable CallboardException cause) {
    void report() {
      try {
        if (cause == null) {
          message.accepted();
        } else {
          message.refused(cause);
        }
      } catch (RuntimeException | Error e) {
        log.warn(
            "the listener for the outcome of a message of type {} failed",
            message.type().name(),
            Causes.readable(e));
      }
    }
  }

  /**
   * @param outside the context for callers without one
   */
  Settlements(ContextInternal outside, LinkMeter linkMeter) {
    this.outside = outside;
    this.linkMeter = linkMeter;
  }

  @Override
  public void accepted(OutgoingMessage outgoingMessage) {
    if (outgoingMessage.kind() != MessageKind.PUSH) { // nobody waits for what becomes of those
      settled.add(new Settled(outgoingMessage, null));
    }
  }

  @Override
  public void refused(OutgoingMessage outgoingMessage, CallboardException cause) {
    if (outgoingMessage.kind() == MessageKind.PUSH) {
      linkMeter.pushesDropped.increment();
      return;
    }
    settled.add(new Settled(outgoingMessage, cause));
  }

  private ContextInternal context(Settled one) {
    ContextInternal caller = one.message().caller();
    return caller == null ? outside : caller;
  }

  /** Reports the collected outcomes. */
  void flush() {
    int from = 0;
    while (from < settled.size()) {
      ContextInternal context = context(settled.get(from));
      int to = from + 1;
      while (to < settled.size() && context(settled.get(to)) == context) {
        to++;
      }
      List<Settled> batch = List.copyOf(settled.subList(from, to));
      run(context, () -> batch.forEach(Settled::report));
      from = to;
    }
    settled.clear();
  }

  /** Reports that the receiver of the message is durable. */
  void durable(OutgoingMessage outgoingMessage) {
    ContextInternal caller = outgoingMessage.caller();
    run(caller == null ? outside : caller, outgoingMessage::durable);
  }

  private static void run(ContextInternal context, Runnable task) {
    try {
      context.runOnContext(v -> task.run());
    } catch (RuntimeException e) {
      log.debug(
          "a caller has ended before the outcomes of its messages could be reported",
          Causes.readable(e));
    }
  }
}

package io.callboard.guard;

import io.callboard.codecs.ActorPath;
import io.callboard.guard.GuardStatus.State;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listeners of the changes of a guard's circuit, called in order. An exception of one is logged and
 * affects neither the others nor the guard.
 */
final class GuardListeners {
  private static final Logger log = LoggerFactory.getLogger(GuardListeners.class);

  private final ActorPath guard;
  private final List<Consumer<? super GuardStateChange>> listeners;

  GuardListeners(ActorPath guard, List<Consumer<? super GuardStateChange>> listeners) {
    this.guard = guard;
    this.listeners = List.copyOf(listeners);
  }

  /**
   * Reports a change of the circuit to the listeners.
   *
   * @param cause the last failure
   */
  void changed(List<Circuit.Change> changes, @Nullable Throwable cause) {
    for (Circuit.Change each : changes) {
      Throwable why = each.to() == State.CLOSED ? null : cause;
      GuardStateChange change =
          new GuardStateChange(guard, each.from(), each.to(), each.failures(), why);
      listeners.forEach(listener -> report(listener, change));
    }
  }

  private void report(Consumer<? super GuardStateChange> listener, GuardStateChange change) {
    try {
      listener.accept(change);
    } catch (RuntimeException | Error e) {
      log.warn("a listener of guard {} failed on its change to {}", guard, change.to(), e);
    }
  }
}

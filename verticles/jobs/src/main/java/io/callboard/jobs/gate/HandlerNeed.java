package io.callboard.jobs.gate;

import io.callboard.jobs.protocol.GateCommand;
import io.callboard.jobs.protocol.LabelText;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Handler that a run needs of its host, written as a label that the host must have, and boots of
 * hosts whose handlers cannot read its arguments, each as a label that the host must not be called
 * by. So a handler that no host offers, or that none offers which can read the arguments, holds
 * back its own runs only, as any other requirement does. No label of users begins like them.
 */
final class HandlerNeed {
  private static final String PREFIX = "@handler/";

  private static final String UNREADABLE = "@unreadable/";

  private HandlerNeed() {}

  /** Returns the label of hosts that offer a handler. */
  static String label(String handler) {
    return PREFIX + handler;
  }

  /** Returns the label of runs whose arguments a boot of a host cannot read. */
  static String unreadableAt(String boot) {
    return UNREADABLE + boot;
  }

  /** Returns whether a label is of runs whose arguments a host cannot read. */
  static boolean isUnreadable(String label) {
    return label.startsWith(UNREADABLE);
  }

  /** Returns whether requirements name hosts that cannot read the arguments. */
  static boolean areUnreadable(Map<String, String> requires) {
    return requires.keySet().stream().anyMatch(HandlerNeed::isUnreadable);
  }

  /** Returns requirements as if each host could read the arguments. */
  static Map<String, String> readable(Map<String, String> requires) {
    Map<String, String> others = new HashMap<>(requires);
    others.keySet().removeIf(HandlerNeed::isUnreadable);
    return others;
  }

  /**
   * Returns a run as it waits: if its type is of a handler, it requires that of its host, and a
   * host that may be able to read its arguments.
   */
  static GateCommand.Enqueue added(GateState state, GateCommand.Enqueue run) {
    String handler = state.handler(run.type());
    if (handler == null && run.unreadableAt() == null) {
      return run;
    }
    Map<String, String> requires = new HashMap<>();
    if (run.requires() != null) {
      requires.putAll(run.requires());
    }
    if (handler != null) {
      requires.put(label(handler), "");
    }
    if (run.unreadableAt() != null) {
      run.unreadableAt().forEach(boot -> requires.put(unreadableAt(boot), ""));
    }
    return new GateCommand.Enqueue(
        run.job(),
        run.runId(),
        run.type(),
        run.priority(),
        run.at(),
        run.notBefore(),
        run.expiresAt(),
        run.labels(),
        requires);
  }

  /** Returns requirements for people. */
  static String words(Map<String, String> requires) {
    Map<String, String> labels = readable(requires);
    Optional<String> needed = requires.keySet().stream().filter(HandlerNeed::isOne).findFirst();
    labels.keySet().removeIf(HandlerNeed::isOne);
    String handler =
        needed
            .map(label -> "the handler \"%s\"".formatted(label.substring(PREFIX.length())))
            .orElse("");
    return labels.isEmpty()
        ? handler
        : handler + (handler.isEmpty() ? "" : " with ") + LabelText.words(labels);
  }

  private static boolean isOne(String label) {
    return label.startsWith(PREFIX);
  }
}

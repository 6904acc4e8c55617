package io.callboard.jobs.gate;

import io.callboard.jobs.protocol.GateCommand;
import io.callboard.jobs.protocol.LabelText;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Handler that a run needs of its host, written as a label that the host must have. So a handler
 * that no host offers holds back its own runs only, as any other requirement does. No label of
 * users begins like it.
 */
final class HandlerNeed {
  private static final String PREFIX = "@handler/";

  private HandlerNeed() {}

  /** Returns the label of hosts that offer a handler. */
  static String label(String handler) {
    return PREFIX + handler;
  }

  /** Returns a run as it waits: if its type is of a handler, it requires that of its host. */
  static GateCommand.Enqueue added(GateState state, GateCommand.Enqueue run) {
    String handler = state.handler(run.type());
    if (handler == null) {
      return run;
    }
    Map<String, String> requires = new HashMap<>();
    if (run.requires() != null) {
      requires.putAll(run.requires());
    }
    requires.put(label(handler), "");
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
    Map<String, String> labels = new HashMap<>(requires);
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

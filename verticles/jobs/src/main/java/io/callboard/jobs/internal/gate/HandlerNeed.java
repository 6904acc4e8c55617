package io.callboard.jobs.internal.gate;

import io.callboard.codecs.internal.text.Digest;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.LabelText;
import io.callboard.jobs.internal.protocol.UnreadableArgs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Requirements of a run for the handlers of its host, written as labels: one names the handler that
 * the host must offer, another the boots of hosts whose handlers cannot read the run's arguments,
 * each by a short mark. So a handler that no host offers, or that none offers which can read the
 * arguments, holds back its own runs only, as any other requirement does. No label of users begins
 * like them.
 */
final class HandlerNeed {
  private static final String PREFIX = "@handler/";

  private static final String UNREADABLE = "@unreadable";

  /** Digits of a mark: thousands of runs with tens of marks are part of one state. */
  private static final int MARK = 10;

  private HandlerNeed() {}

  /** Returns the label of hosts that offer a handler. */
  static String label(String handler) {
    return PREFIX + handler;
  }

  /** Returns the mark of a boot of a host. */
  static String mark(String boot) {
    return Digest.of(boot).substring(0, MARK);
  }

  /** Returns whether a label has the marks of hosts that cannot read the arguments. */
  static boolean isUnreadable(String label) {
    return label.equals(UNREADABLE);
  }

  /** Returns whether requirements have marks of hosts that cannot read the arguments. */
  static boolean areUnreadable(Map<String, String> requires) {
    return requires.containsKey(UNREADABLE);
  }

  /** Returns the marks of hosts that cannot read the arguments. */
  static List<String> marks(Map<String, String> requires) {
    String marks = requires.get(UNREADABLE);
    return marks == null ? List.of() : List.of(marks.split("\\."));
  }

  /** Returns whether a run has the maximum number of marks; its job keeps no further ones. */
  static boolean isFull(Map<String, String> requires) {
    return marks(requires).size() >= UnreadableArgs.MOST;
  }

  /** Returns requirements as if each host could read the arguments. */
  static Map<String, String> readable(Map<String, String> requires) {
    Map<String, String> others = new HashMap<>(requires);
    others.remove(UNREADABLE);
    return others;
  }

  /**
   * Returns a run with the requirements for its handler: a host that offers it, and that is not
   * known to be unable to read the arguments.
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
      requires.put(
          UNREADABLE,
          run.unreadableAt().stream()
              .map(HandlerNeed::mark)
              .sorted()
              .collect(Collectors.joining(".")));
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

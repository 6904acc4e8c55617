package io.callboard.workflows;

import io.callboard.workflows.definition.StepRun;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** Handlers of steps that this node offers. Thread-safe. */
public final class Workers {
  private final Map<String, StepHandler> handlers = new ConcurrentHashMap<>();

  /** Creates it without handlers. */
  Workers() {}

  /**
   * Offers a handler, in place of an earlier one of that name and version.
   *
   * @param type {@code name} or {@code name@major}; steps that name no version may run on any
   * @throws IllegalArgumentException if that is no name of a handler
   */
  public void handle(String type, StepHandler handler) {
    String text = "handler:" + type;
    if (StepRun.of(text).isEmpty()) {
      throw new IllegalArgumentException(
          "\"%s\" is no name of a handler: give name or name@major, such as resize@1"
              .formatted(type));
    }
    handlers.put(text, handler);
  }

  /** Returns the types that are offered, as {@code handler:name@major}. */
  public Set<String> types() {
    return new TreeSet<>(handlers.keySet());
  }

  /** Returns the handler of a type; the one of the highest version if the type names none. */
  Optional<StepHandler> find(String type) {
    StepHandler exact = handlers.get(type);
    if (exact != null) {
      return Optional.of(exact);
    }
    StepRun wanted = StepRun.of(type).orElse(null);
    return wanted == null || wanted.major() > 0
        ? Optional.empty()
        : handlers.keySet().stream()
            .flatMap(each -> StepRun.of(each).stream())
            .filter(each -> each.name().equals(wanted.name()))
            .max(Comparator.comparingInt(StepRun::major))
            .map(each -> handlers.get(each.text()));
  }
}

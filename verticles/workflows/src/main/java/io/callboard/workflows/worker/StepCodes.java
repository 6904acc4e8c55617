package io.callboard.workflows.worker;

import io.callboard.workflows.definition.StepRun;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Codes that this node offers, by the type of their steps. Thread-safe. */
public final class StepCodes {
  /** Type of the code that every worker has. */
  public static final String HTTP = "http";

  private static final String HANDLER = "handler:";

  private final Map<String, AttemptCode> codes = new ConcurrentHashMap<>();

  /**
   * Adds a handler, in place of an earlier one of that name and version.
   *
   * @param name {@code name} or {@code name@major}
   * @throws IllegalArgumentException if that is no name of a handler
   */
  public void handler(String name, AttemptCode code) {
    StepRun run =
        StepRun.of(HANDLER + name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "\"%.120s\" is no name of a handler: give name or name@major, such as resize@1"
                            .formatted(name)));
    codes.put(run.text(), code);
  }

  /** Adds the code of {@code http} steps. */
  public void http(AttemptCode code) {
    codes.put(HTTP, code);
  }

  /** Returns what is offered, as requests name it, with the major version. */
  public Set<String> types() {
    return Set.copyOf(codes.keySet());
  }

  /** Returns the code of a type; of several versions of a handler the newest, if none is named. */
  Optional<AttemptCode> of(String type) {
    AttemptCode exact = codes.get(type);
    if (exact != null) {
      return Optional.of(exact);
    }
    return codes.keySet().stream()
        .filter(each -> each.startsWith(type + "@"))
        .max(Comparator.comparingInt(StepCodes::major))
        .map(codes::get);
  }

  private static int major(String type) {
    return Integer.parseInt(type.substring(type.indexOf('@') + 1));
  }
}

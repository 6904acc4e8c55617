package io.callboard.workflows.internal.worker;

import io.callboard.workflows.definition.StepRun;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Codes that this node offers, by the type of their steps. Thread-safe. */
public final class StepCodes {
  /** Type of the code that every worker has. */
  public static final String HTTP = "http";

  private static final String HANDLER = "handler:";

  private final Map<String, OfferedCode> codes = new ConcurrentHashMap<>();

  /**
   * Code with its zone.
   *
   * @param type type of its steps, with the major version
   * @param zone scheduling zone of its own; null for that of the steps
   */
  record OfferedCode(String type, AttemptCode code, @Nullable String zone) {}

  /**
   * Adds a handler.
   *
   * @param name {@code name} or {@code name@major}
   * @param zone scheduling zone in which it runs; null for that of the steps
   * @throws IllegalArgumentException if that is no name of a handler, or there is one of that name
   *     and version
   */
  public void handler(String name, @Nullable String zone, AttemptCode code) {
    StepRun run =
        StepRun.of(HANDLER + name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "\"%.120s\" is no name of a handler: give name or name@major, such as resize@1"
                            .formatted(name)));
    if (codes.putIfAbsent(run.text(), new OfferedCode(run.text(), code, zone)) != null) {
      throw new IllegalArgumentException(
          "this node has a handler %.120s already: give this one another name, or another version"
              .formatted(name));
    }
  }

  /** Adds the code of {@code http} steps. */
  public void http(AttemptCode code) {
    codes.put(HTTP, new OfferedCode(HTTP, code, null));
  }

  /** Returns the offered types, as requests name them, with their major versions. */
  public Set<String> types() {
    return Set.copyOf(codes.keySet());
  }

  /** Returns the types that run in zones of their own, by zone. */
  Map<String, Set<String>> zones() {
    Map<String, Set<String>> zones = new HashMap<>();
    for (OfferedCode each : codes.values()) {
      if (each.zone() != null) {
        zones.computeIfAbsent(each.zone(), zone -> new HashSet<>()).add(each.type());
      }
    }
    return zones;
  }

  /**
   * Returns the code of a type; of several versions of a handler, if none is named, the newest of
   * the zone to which the run was assigned, or else of all.
   *
   * @param zone that zone; null for that of the steps
   */
  Optional<OfferedCode> of(String type, @Nullable String zone) {
    OfferedCode exact = codes.get(type);
    if (exact != null) {
      return Optional.of(exact);
    }
    return codes.values().stream()
        .filter(each -> each.type().startsWith(type + "@"))
        .max(
            Comparator.<OfferedCode, Boolean>comparing(each -> Objects.equals(each.zone(), zone))
                .thenComparingInt(each -> major(each.type())));
  }

  private static int major(String type) {
    return Integer.parseInt(type.substring(type.indexOf('@') + 1));
  }
}

package io.callboard.workflows.internal.dispatch;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.protocol.StepRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Waiting runs by definition and type. O(log n) a change. */
@Machine
final class StepQueues {
  private final Map<String, Definition> definitions = new TreeMap<>();
  private final Map<String, Integer> byType = new HashMap<>();
  private Map<String, Integer> weights = Map.of();
  private int size;

  /** Waiting runs of one definition. */
  private static final class Definition {
    final Map<String, RunLanes> types = new TreeMap<>();
    int weight = 1;
  }

  /** Sets weights of definitions, which go before those of their requests. */
  void weigh(Map<String, Integer> given) {
    weights = Map.copyOf(given);
  }

  /** Returns the number of waiting runs. */
  int size() {
    return size;
  }

  /** Returns the number of waiting runs of a type. */
  int ofType(String type) {
    return byType.getOrDefault(type, 0);
  }

  /** Adds a run. */
  void add(DeskRun run) {
    StepRequest request = Objects.requireNonNull(run.request);
    Definition definition =
        definitions.computeIfAbsent(request.definition(), name -> new Definition());
    definition.weight = request.weight();
    definition.types.computeIfAbsent(request.type(), type -> new RunLanes()).add(run);
    byType.merge(request.type(), 1, Integer::sum);
    size++;
  }

  /** Removes a run, which must be there. */
  void remove(DeskRun run) {
    StepRequest request = Objects.requireNonNull(run.request);
    Definition definition = Objects.requireNonNull(definitions.get(request.definition()));
    RunLanes lanes = Objects.requireNonNull(definition.types.get(request.type()));
    lanes.remove(run);
    if (lanes.size() == 0) {
      definition.types.remove(request.type());
      if (definition.types.isEmpty()) {
        definitions.remove(request.definition());
      }
    }
    byType.merge(request.type(), -1, Integer::sum);
    byType.remove(request.type(), 0);
    size--;
  }

  /** Returns the weight of a definition that waits. */
  int weight(String definition) {
    Definition known = definitions.get(definition);
    Integer given = weights.get(definition);
    return given != null ? given : known == null ? 1 : known.weight;
  }

  /** Returns whether a definition waits for one of these types. O(types of the definition). */
  boolean waits(String definition, Set<String> types) {
    Definition known = definitions.get(definition);
    return known != null && known.types.keySet().stream().anyMatch(types::contains);
  }

  /** Returns the next run of a definition among these types; null if there is none. */
  @Nullable DeskRun next(String definition, Set<String> types, long nowNs) {
    Definition known = definitions.get(definition);
    DeskRun best = null;
    if (known != null) {
      for (Map.Entry<String, RunLanes> of : known.types.entrySet()) {
        DeskRun run = types.contains(of.getKey()) ? of.getValue().first(nowNs) : null;
        if (run != null && (best == null || RunLanes.goesBefore(run, best, nowNs))) {
          best = run;
        }
      }
    }
    return best;
  }

  /** Calls {@code each} with each definition that waits, and what it waits for. */
  void forEach(BiConsumer<String, Map<String, RunLanes>> each) {
    definitions.forEach((name, definition) -> each.accept(name, definition.types));
  }

  /** Returns the lanes of a waiting run. */
  RunLanes lanes(DeskRun run) {
    StepRequest request = Objects.requireNonNull(run.request);
    return Objects.requireNonNull(
        Objects.requireNonNull(definitions.get(request.definition())).types.get(request.type()));
  }
}

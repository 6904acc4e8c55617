package io.callboard.part;

import io.callboard.supervision.Causes;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Order in which the parts of a node start. */
@Machine
public final class PartOrder {
  private final Map<Class<?>, NodePart<?>> byType = new HashMap<>();
  private final Set<Class<?>> given;
  private final Map<String, NodePart<?>> ordered = new LinkedHashMap<>();
  private final Set<String> open = new LinkedHashSet<>();

  private PartOrder(Set<Class<?>> given) {
    this.given = given;
  }

  /**
   * Returns the parts in the order of their start: each after those that it needs or uses, else in
   * the order given.
   *
   * @param given types of what the node has without a part
   * @throws IllegalArgumentException if two parts give the same type or have the same name, one
   *     needs a part that is not there, or some need each other
   */
  public static List<NodePart<?>> of(List<NodePart<?>> parts, Set<Class<?>> given) {
    PartOrder order = new PartOrder(given);
    Map<String, NodePart<?>> names = new HashMap<>();
    for (NodePart<?> part : parts) {
      checkSays(part);
      NodePart<?> other = order.byType.put(part.type(), part);
      if (given.contains(part.type()) || other != null) {
        throw new IllegalArgumentException(
            "two parts give a %s, %sleave one out"
                .formatted(
                    part.type().getSimpleName(),
                    other == null
                        ? "the node and %s: ".formatted(named(part))
                        : "%s and %s: ".formatted(named(other), named(part))));
      }
      NodePart<?> namesake = names.put(part.name(), part);
      if (namesake != null) {
        throw new IllegalArgumentException(
            "two parts are called %s, of %s and %s: give them different names"
                .formatted(part.name(), namesake.getClass().getName(), part.getClass().getName()));
      }
    }
    parts.forEach(order::add);
    return new ArrayList<>(order.ordered.values());
  }

  /** Refuses a part that does not say what it is, by the name of its class. */
  private static void checkSays(NodePart<?> part) {
    String lacks;
    try {
      lacks =
          part.name() == null || part.name().isBlank()
              ? "has no name"
              : part.type() == null
                  ? "gives no type"
                  : part.type() == Void.class
                      ? "gives Void, which others cannot get: let it give itself, or what it has started"
                      : part.needs() == null ? "gives no list of needs, not even an empty one" : "";
    } catch (RuntimeException | LinkageError e) {
      throw new IllegalArgumentException(
          "the part %s does not say its name, type or needs: %s"
              .formatted(part.getClass().getName(), Causes.text(e)),
          e);
    }
    if (!lacks.isEmpty()) {
      throw new IllegalArgumentException(
          "the part %s %s".formatted(part.getClass().getName(), lacks));
    }
  }

  private static String named(NodePart<?> part) {
    return "%s (%s)".formatted(part.name(), part.getClass().getName());
  }

  private void add(NodePart<?> part) {
    if (ordered.containsKey(part.name())) {
      return;
    }
    if (!open.add(part.name())) {
      throw new IllegalArgumentException("parts need each other: " + String.join(", ", open));
    }
    for (PartNeed need : part.needs()) {
      NodePart<?> needed = byType.get(need.type());
      if (needed != null) {
        add(needed);
      } else if (need.remedy() != null && !given.contains(need.type())) {
        throw new IllegalArgumentException(
            "%s: it needs %s, which this node lacks: %s"
                .formatted(part.name(), need.type().getSimpleName(), need.remedy()));
      }
    }
    open.remove(part.name());
    ordered.put(part.name(), part);
  }
}

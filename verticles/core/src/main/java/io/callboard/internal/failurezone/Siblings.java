package io.callboard.internal.failurezone;

import io.callboard.supervision.Strategy;
import io.callboard.time.Machine;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Children of a {@link FailureZoneMachine}, with their dependencies by strategy. Not thread-safe.
 */
@Machine
final class Siblings {
  static final Comparator<Child> ORDER = Comparator.comparingLong(child -> child.place);

  private Strategy strategy;
  private final Map<String, Child> children = new LinkedHashMap<>();
  private final TreeSet<Child> resting = new TreeSet<>(ORDER);

  Siblings(Strategy strategy) {
    this.strategy = strategy;
  }

  /** Changes the strategy, and so the dependencies. */
  void strategy(Strategy next) {
    strategy = next;
  }

  /**
   * @throws IllegalArgumentException if there is a child of that name
   */
  void add(Child child) {
    if (children.putIfAbsent(child.name, child) != null) {
      throw new IllegalArgumentException("there is a child \"%s\" already".formatted(child.name));
    }
  }

  /**
   * @throws IllegalArgumentException if there is none of that name
   */
  Child get(String name) {
    Child child = children.get(name);
    if (child == null) {
      throw new IllegalArgumentException("there is no child \"%s\"".formatted(name));
    }
    return child;
  }

  void remove(Child child) {
    children.remove(child.name);
    resting.remove(child);
  }

  Collection<Child> all() {
    return children.values();
  }

  /** Marks the child as resting, so that neither it nor children that need it run. */
  void rests(Child child) {
    resting.add(child);
  }

  void restsNoMore(Child child) {
    resting.remove(child);
  }

  boolean someRest() {
    return !resting.isEmpty();
  }

  /** Returns whether children do not depend on each other. */
  boolean areIndependent() {
    return strategy == Strategy.ONE_FOR_ONE;
  }

  /** Returns a resting child that {@code child} needs; null if there is none. */
  @Nullable Child resting(Child child) {
    if (resting.isEmpty() || areIndependent()) {
      return null;
    }
    Child first = resting.first();
    return strategy == Strategy.ALL_FOR_ONE || first.place < child.place ? first : null;
  }

  /**
   * Returns the children started before {@code child}, which it may need; none if they are
   * independent.
   */
  List<Child> before(Child child) {
    return areIndependent()
        ? List.of()
        : children.values().stream().filter(each -> each.place < child.place).toList();
  }

  /** Returns the other children that are restarted with {@code failed}. */
  List<Child> with(Child failed) {
    return switch (strategy) {
      case ONE_FOR_ONE -> List.of();
      case ALL_FOR_ONE -> children.values().stream().filter(each -> each != failed).toList();
      case REST_FOR_ONE ->
          children.values().stream().filter(each -> each.place > failed.place).toList();
    };
  }
}

package io.callboard.pollers.poll;

import static io.callboard.pollers.poll.PollerRehearsal.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What the messages of a rehearsal start: each attempt once, by its key. */
final class RehearsedIntake {
  private final SplittableRandom random;
  private final Map<String, Plan> plans = new HashMap<>();
  private final Map<String, Map<Integer, Attempt>> attempts = new HashMap<>();

  /**
   * What becomes of a message.
   *
   * @param failures attempts that fail
   * @param hopeless whether no attempt helps
   */
  private record Plan(int failures, boolean hopeless) {}

  /** Attempt of a message, durable. */
  static final class Attempt {
    private final String id;
    private final int number;
    private final Outcome end;
    private boolean ended;

    Attempt(String id, int number, Outcome end) {
      this.id = id;
      this.number = number;
      this.end = end;
    }

    String id() {
      return id;
    }

    int number() {
      return number;
    }

    void end() {
      ended = true;
    }

    Outcome outcome() {
      return ended ? end : new Outcome.Begun(id + "#" + number, true);
    }

    boolean is(Class<? extends Outcome> kind) {
      return kind.isInstance(outcome());
    }

    @Override
    public String toString() {
      return outcome().toString();
    }
  }

  RehearsedIntake(SplittableRandom random) {
    this.random = random;
  }

  void plan(String id) {
    plans.put(
        id, new Plan(random.nextInt(3) == 0 ? random.nextInt(5) : 0, random.nextInt(12) == 0));
  }

  /** Returns the attempt, which begins if it is new. */
  Attempt submit(String id, int number, Consumer<Attempt> begun) {
    Map<Integer, Attempt> its = attempts.computeIfAbsent(id, any -> new TreeMap<>());
    Attempt known = its.get(number);
    if (known != null) {
      return known;
    }
    rule(
        its.values().stream().noneMatch(each -> each.is(Outcome.Succeeded.class)),
        "P3: %s begins again after its success",
        id);
    Plan plan = plans.get(id);
    Outcome end =
        plan.hopeless()
            ? new Outcome.Hopeless("it was cancelled")
            : number <= plan.failures()
                ? new Outcome.Failed("failure " + number)
                : new Outcome.Succeeded("i", "SUCCEEDED");
    Attempt made = new Attempt(id, number, end);
    its.put(number, made);
    begun.accept(made);
    return made;
  }

  private boolean any(String id, Predicate<Attempt> which) {
    return attempts.getOrDefault(id, Map.of()).values().stream().anyMatch(which);
  }

  boolean hasFailed(String id, int number) {
    return any(id, each -> each.number == number && each.is(Outcome.Failed.class));
  }

  boolean hasSucceeded(String id) {
    return any(id, each -> each.is(Outcome.Succeeded.class));
  }

  boolean isDurable(String id) {
    return any(id, each -> true);
  }

  boolean hasFailed(String id) {
    return any(id, each -> each.is(Outcome.Failed.class));
  }

  boolean endsWell(String id, int most) {
    Plan plan = plans.get(id);
    return !plan.hopeless() && plan.failures() < most;
  }

  List<Attempt> all(String id) {
    return new ArrayList<>(attempts.getOrDefault(id, Map.of()).values());
  }
}

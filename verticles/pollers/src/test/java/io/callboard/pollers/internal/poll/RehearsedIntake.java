package io.callboard.pollers.internal.poll;

import static io.callboard.pollers.internal.poll.PollerRehearsal.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What the messages of a rehearsal start: each attempt once, by its key. */
final class RehearsedIntake {
  private final SplittableRandom random;
  private final Map<String, Plan> plans = new HashMap<>();
  private final Map<String, Map<Integer, Attempt>> attempts = new HashMap<>();
  private final Map<String, Set<Integer>> forgotten = new HashMap<>();
  private final Map<String, Integer> looks = new HashMap<>();

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
    looks.put(id, random.nextInt(3));
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
        forgotten.containsKey(id) // a first attempt that is forgotten is a new one
            || its.values().stream().noneMatch(each -> each.is(Outcome.Succeeded.class)),
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

  /** The keys of attempts that failed are kept for a time only. */
  void forget(String id) {
    Map<Integer, Attempt> its = attempts.getOrDefault(id, new TreeMap<>());
    for (Attempt each : List.copyOf(its.values())) {
      if (each.is(Outcome.Failed.class)) {
        forgotten.computeIfAbsent(id, any -> new HashSet<>()).add(each.number);
        its.remove(each.number);
      }
    }
  }

  /** Returns what is known of a message that is accepted: after some looks, whether it starts. */
  Outcome accepted(String id) {
    int left = looks.merge(id, -1, Integer::sum);
    if (left >= 0) {
      return new Outcome.Undecided("nobody has decided yet", false);
    }
    return isAccepted(id)
        ? new Outcome.Begun("i", false)
        : new Outcome.Hopeless("it does not match");
  }

  boolean isDecided(String id) {
    return looks.getOrDefault(id, 0) < 0;
  }

  boolean isAccepted(String id) {
    return !plans.get(id).hopeless();
  }

  private boolean any(String id, Predicate<Attempt> which) {
    return attempts.getOrDefault(id, Map.of()).values().stream().anyMatch(which);
  }

  boolean hasFailed(String id, int number) {
    return forgotten.getOrDefault(id, Set.of()).contains(number)
        || any(id, each -> each.number == number && each.is(Outcome.Failed.class));
  }

  boolean hasSucceeded(String id) {
    return any(id, each -> each.is(Outcome.Succeeded.class));
  }

  boolean hasFailed(String id) {
    return !forgotten.getOrDefault(id, Set.of()).isEmpty()
        || any(id, each -> each.is(Outcome.Failed.class));
  }

  boolean endsWell(String id, int most) {
    Plan plan = plans.get(id);
    return !plan.hopeless() && plan.failures() < most;
  }

  List<Attempt> all(String id) {
    return new ArrayList<>(attempts.getOrDefault(id, Map.of()).values());
  }
}

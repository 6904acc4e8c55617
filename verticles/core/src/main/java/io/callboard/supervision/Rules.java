package io.callboard.supervision;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which failure has which {@link Directive}: the first rule that fits, in the order in which they
 * were given; {@link Directive#RESTART} where none does. Immutable.
 */
public final class Rules {
  /** Every failure is answered by a restart. */
  public static final Rules RESTART = new Rules(List.of());

  private final List<Rule> rules;

  private record Rule(Predicate<Throwable> fits, Directive directive) {}

  private Rules(List<Rule> rules) {
    this.rules = rules;
  }

  /** Also for causes of that type. The cause itself counts, not what caused it. */
  public Rules on(Class<? extends Throwable> type, Directive directive) {
    Objects.requireNonNull(type, "type is null: give a class of failures");
    return when(type::isInstance, directive);
  }

  /** Also for failures of which {@code fits} says so; one that throws does not fit. */
  public Rules when(Predicate<Throwable> fits, Directive directive) {
    Objects.requireNonNull(fits, "fits is null: give what says which failures the rule is for");
    Objects.requireNonNull(
        directive, "directive is null: choose RESUME, RESTART, STOP, ESCALATE or PARK");
    List<Rule> more = new ArrayList<>(rules);
    more.add(new Rule(fits, directive));
    return new Rules(List.copyOf(more));
  }

  /** What these say, or else {@code others}. Any thread. */
  public Directive decide(Throwable cause, Rules others) {
    return first(cause).or(() -> others.first(cause)).orElse(Directive.RESTART);
  }

  private Optional<Directive> first(Throwable cause) {
    for (Rule rule : rules) {
      if (fits(rule, cause)) {
        return Optional.of(rule.directive());
      }
    }
    return Optional.empty();
  }

  private static boolean fits(Rule rule, Throwable cause) {
    try {
      return rule.fits().test(cause);
    } catch (RuntimeException | Error e) {
      cause.addSuppressed(e);
      return false;
    }
  }
}

package io.callboard.supervision;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Ordered rules that map a failure's cause to a {@link Directive}: the first matching rule decides;
 * {@link Directive#RESTART} if none matches. Immutable.
 */
public final class Rules {
  /** Rules without any entry: every failure leads to a restart. */
  public static final Rules RESTART = new Rules(List.of());

  /** Limit of the failures of predicates that a cause keeps: it may come again and again. */
  private static final int MOST_SUPPRESSED = 10;

  private final List<Rule> rules;

  private record Rule(Predicate<Throwable> fits, Directive directive) {}

  private Rules(List<Rule> rules) {
    this.rules = rules;
  }

  /** Adds a rule for causes of that type; the causes of the cause are not considered. */
  public Rules on(Class<? extends Throwable> type, Directive directive) {
    Objects.requireNonNull(type, "type is null: give a class of failures");
    return when(type::isInstance, directive);
  }

  /** Adds a rule for causes that {@code fits} accepts; if it throws, the rule does not match. */
  public Rules when(Predicate<Throwable> fits, Directive directive) {
    Objects.requireNonNull(
        fits, "fits is null: give a predicate of the failures that the rule is for");
    Objects.requireNonNull(
        directive, "directive is null: choose RESUME, RESTART, STOP, ESCALATE or PARK");
    List<Rule> more = new ArrayList<>(rules);
    more.add(new Rule(fits, directive));
    return new Rules(List.copyOf(more));
  }

  /**
   * Returns the directive of the first matching rule of this, or else of {@code others}. May be
   * called from any thread.
   */
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
      if (e != cause && cause.getSuppressed().length < MOST_SUPPRESSED) {
        cause.addSuppressed(e);
      }
      return false;
    }
  }
}

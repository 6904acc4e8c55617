package io.callboard.dashboard.internal.attention;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong now.
 *
 * @param id what stays the same while it is wrong
 * @param rule rule that found it
 * @param severity how urgent it is
 * @param subject what it is about
 * @param since since when, as far as that is known; else when this node saw it first
 * @param seen whether {@code since} is only when this node saw it first, while it was being asked
 * @param cause why, in words
 * @param action the one thing to do
 */
public record Trouble(
    String id,
    Rule rule,
    Severity severity,
    Subject subject,
    @Nullable Instant since,
    boolean seen,
    String cause,
    Action action) {
  /** Bounds the cause, of which others wrote a part. */
  public Trouble {
    cause = OneLine.of(cause);
  }

  static Trouble of(
      Rule rule,
      Severity severity,
      Subject subject,
      @Nullable Instant since,
      String cause,
      Action action) {
    String where = subject.node() == null ? "" : " on " + subject.node();
    String id = rule + " " + subject.kind() + " " + subject.name() + where;
    return new Trouble(id, rule, severity, subject, since, false, cause, action);
  }

  /** Returns the trouble as one of several of the same rule and subject. */
  Trouble of(String which) {
    return new Trouble(id + " " + which, rule, severity, subject, since, seen, cause, action);
  }

  /** Returns the trouble with the time at which this node saw it first. */
  Trouble firstSeen(Instant at) {
    return new Trouble(id, rule, severity, subject, at, true, cause, action);
  }
}

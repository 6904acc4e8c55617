package io.callboard.supervision;

import java.time.Instant;

/**
 * Streak of failures of an actor or failure zone, in which it has not run well: it is over once a
 * life has lasted for {@link SupervisionOptions#resetAfter()} and has done work, so that its
 * backoff begins anew, and when an operator restarts it.
 *
 * @param since time of the first failure
 * @param failures number of them, those after which it was restarted
 */
public record FailureStreak(Instant since, long failures) {}

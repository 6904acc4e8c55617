package io.callboard.jobs.internal.transition;

import java.util.function.Predicate;

/** Condition of a row. */
enum JobCondition {
  ALWAYS("", facts -> true),
  STALE("about another run", facts -> !facts.current()),
  OTHER_VERSION("about another version", facts -> !facts.current()),
  LATER("due later", JobFacts::later),
  DUE("due", facts -> !facts.later()),
  SUCCEEDED("exit code 0", JobFacts::succeeded),
  RETRIES("an attempt is left, in time", JobFacts::retries),
  TOTAL_ELAPSED("the total timeout has elapsed", JobFacts::totalElapsed),
  GIVEN_UP("too many lost runs, or `onLost: fail`", JobFacts::givenUp),
  HOLDS("`onLost: hold`", JobFacts::holdsWhenLost),
  SUSPECTED("its host may have died of it", JobFacts::suspected),
  TRIED("it has run before", JobFacts::tried),
  STARTED("the process has started", JobFacts::started),
  STALLED("the run makes no progress", JobFacts::stalled);

  private final String words;
  private final Predicate<JobFacts> test;

  JobCondition(String words, Predicate<JobFacts> test) {
    this.words = words;
    this.test = test;
  }

  String words() {
    return words;
  }

  boolean holds(JobFacts facts) {
    return test.test(facts);
  }
}

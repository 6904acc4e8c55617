package io.callboard.jobs.internal.transition;

import java.util.function.Predicate;

/** Condition of a row of runs. */
enum RunCondition {
  ALWAYS("", facts -> true),
  SUCCEEDED("exit code 0", RunFacts::succeeded),
  CANCELLING("its job is being cancelled", RunFacts::cancelling);

  private final String words;
  private final Predicate<RunFacts> test;

  RunCondition(String words, Predicate<RunFacts> test) {
    this.words = words;
    this.test = test;
  }

  String words() {
    return words;
  }

  boolean holds(RunFacts facts) {
    return test.test(facts);
  }
}

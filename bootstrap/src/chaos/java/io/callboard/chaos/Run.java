package io.callboard.chaos;

import io.callboard.chaos.hosts.Await;
import io.callboard.chaos.hosts.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Run of a scenario: the load works, faults strike at seeded times, then everything settles and is
 * judged.
 */
final class Run {
  private static final long LOOKS_NS = TimeUnit.SECONDS.toNanos(1);

  private final RunOptions options;
  private final Random random;
  private final Cluster cluster;
  private final History history;
  private int struck;

  Run(RunOptions options, Cluster cluster, History history) {
    this.options = options;
    this.random = new Random(options.seed());
    this.cluster = cluster;
    this.history = history;
  }

  /**
   * Runs the scenario.
   *
   * @return the last line, and whether all is well
   */
  Outcome run() throws Exception {
    Verdict verdict = new Verdict(history);
    if (options.scenario() == Scenario.SOURCES) {
      cluster.addSources();
    } else if (options.scenario() == Scenario.WORKFLOWS) {
      cluster.keepInstances(Chaos.MOST_INSTANCES);
    }
    cluster.start();
    Trial trial = trial();
    try (trial) {
      trial.begin();
      Progress.say("everything works: " + (options.faults() ? "the faults begin" : "no faults"));
      if (options.faults()) {
        strike(trial, verdict);
      }
      ended(verdict);
      trial.judge(verdict);
      ended(verdict);
    }
    cluster.stop();
    trial.judgeLogs(cluster.servers().logs(), verdict);
    return new Outcome(verdict.line(struck, trial.accepted()), verdict.isClean());
  }

  private Trial trial() throws Exception {
    return switch (options.scenario()) {
      case JOBS -> new JobTrial(cluster, history, options.seed());
      case SOURCES -> new SourceTrial(cluster, cluster.sources().orElseThrow());
      case WORKFLOWS -> new WorkflowTrial(cluster, history, options.instances(), options.faults());
      default -> new ActorTrial(cluster, history, options.seed());
    };
  }

  record Outcome(String line, boolean clean) {}

  /**
   * Strikes with each fault in turn, in an order determined by the seed; all of them at least once
   * if time allows.
   */
  private void strike(Trial trial, Verdict verdict) throws Exception {
    long end = System.nanoTime() + options.time().toNanos();
    List<Fault> left = new ArrayList<>();
    while (System.nanoTime() - end < 0 && !passed(trial)) {
      if (left.isEmpty()) {
        left.addAll(options.scenario().faults(cluster, new Operators(cluster)));
        left.addAll(trial.faults());
        Collections.shuffle(left, random);
      }
      ended(verdict);
      if (!strike(left.remove(left.size() - 1), verdict)) {
        cluster.revive();
      }
    }
  }

  /** Waits for the pause before a fault; returns whether the trial was over before its end. */
  private boolean passed(Trial trial) throws Exception {
    long end = System.nanoTime() + options.pause(random).toNanos();
    while (!trial.isOver()) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      Await.pass(Duration.ofNanos(Math.min(left, LOOKS_NS)));
    }
    return true;
  }

  /** Checks that no process ended except by a fault. */
  private void ended(Verdict verdict) throws Exception {
    List<String> ended = cluster.ended();
    verdict.found(Verdict.Kind.STUCK, ended.size(), String.join(", ", ended));
    if (!ended.isEmpty()) {
      cluster.revive();
    }
  }

  private boolean strike(Fault fault, Verdict verdict) throws InterruptedException {
    long begun = System.nanoTime();
    String what;
    boolean done = false;
    try {
      what = fault.strike().on(random);
      struck++;
      done = true;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      what = e.toString();
      verdict.found(Verdict.Kind.STUCK, 1, "%s: %s".formatted(fault.name(), e));
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    history.note("fault", "name", fault.name(), "of", what, "ended after ms", millis);
    Progress.say("%s: %s (%d ms)".formatted(fault.name(), what, millis));
    return done;
  }
}

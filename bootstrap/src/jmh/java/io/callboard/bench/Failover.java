package io.callboard.bench;

import io.callboard.ActorRef;
import io.callboard.bench.Candidate.Answer;
import io.callboard.bench.Candidate.Question;
import io.callboard.bench.Case.Better;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.grid.RoleStatus;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Row of the time for which a role does not answer when its holder ends: three candidates, each a
 * JVM, and one node that asks. A question is asked when the holder is ended; the time until another
 * holder answers it is measured. Peer: Pekko's cluster singleton with its defaults and its split
 * brain resolver, until the next one has started.
 */
final class Failover implements Row {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String PEKKO = "Pekko cluster singleton";

  /** Number of runs of each of ours. */
  private static final int RUNS = 100;

  private static final int QUICK_RUNS = 2;
  private static final int QUICK_HAND_OVERS = 10;
  private static final int CANDIDATES = 3;
  private static final int PEKKO_RUNS = 3;

  private final Map<String, Child> candidates = new HashMap<>();
  private int named;

  /** End of a holder. */
  private enum End {
    KILLED("holder killed (SIGKILL)"),
    SILENT("holder silent (SIGSTOP)"),
    STOPPED("holder stopped in order (SIGTERM)");

    private final String label;

    End(String label) {
      this.label = label;
    }
  }

  @Override
  public String name() {
    return "failover";
  }

  @Override
  public String about() {
    return "how long a role does not answer when its holder ends; peer: Pekko cluster singleton";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    List<Case> cases = new ArrayList<>();
    try (Servers server = Servers.here(stage);
        Node asker = Node.clustered(server.connectString())) {
      Grid grid = Node.await(Grid.start(asker.callboard(), GridOptions.DEFAULT));
      ActorRef<Question> role = grid.roleRef(Candidate.ROLE, Question.class);
      try {
        Map<End, List<Double>> taken = new HashMap<>();
        for (End end : End.values()) {
          int runs = stage.quick() ? QUICK_RUNS : RUNS;
          for (int run = 0; run < runs; run++) {
            fill(server.connectString(), role, grid);
            double millis = once(role, end);
            taken.computeIfAbsent(end, e -> new ArrayList<>()).add(millis);
            Progress.say("%s: %.0f ms".formatted(end.label, millis));
          }
        }
        fill(server.connectString(), role, grid);
        cases.add(handedOver(role, grid, stage.quick() ? QUICK_HAND_OVERS : RUNS));
        for (End end : End.values()) {
          cases.addAll(cases(stage, end, Objects.requireNonNull(taken.get(end))));
        }
      } finally {
        candidates.values().forEach(Child::close);
      }
    }
    return cases;
  }

  /** Starts candidates until there are as many as there should be, and one of them answers. */
  private void fill(String servers, ActorRef<Question> role, Grid grid) throws Exception {
    while (candidates.size() < CANDIDATES) {
      String name = "candidate-" + ++named;
      Child child = Child.start(Candidate.class, List.of("-Xmx256m"), servers, name);
      candidates.put(name, child);
      var unused = child.expect("ready");
    }
    Load.await("three candidates and a holder", PATIENCE, () -> isComplete(grid));
    var unused = Node.await(role.ask(new Question(), Answer.class, PATIENCE));
    TimeUnit.MILLISECONDS.sleep(500); // every node has heard every other
  }

  private boolean isComplete(Grid grid) {
    return grid.roles().await().stream()
        .anyMatch(
            role ->
                role.holder().isPresent() && role.candidates().containsAll(candidates.keySet()));
  }

  private double once(ActorRef<Question> role, End end) throws Exception {
    String holder = Node.await(role.ask(new Question(), Answer.class, PATIENCE)).node();
    Child child = Objects.requireNonNull(candidates.remove(holder));
    long begunNs = System.nanoTime();
    switch (end) {
      case KILLED -> child.kill();
      case SILENT -> child.stop();
      case STOPPED -> child.terminate();
    }
    Answer answer;
    do {
      // one that is stopped in order answers until it has handed over
      Future<Answer> asked = role.ask(new Question(), Answer.class, PATIENCE);
      answer = Node.await(asked);
    } while (answer.node().equals(holder));
    double millis = (System.nanoTime() - begunNs) / 1e6;
    child.close();
    return millis;
  }

  /**
   * Measures hand-overs between candidates that run for a while, from the history, by the clocks of
   * both.
   */
  private static Case handedOver(ActorRef<Question> role, Grid grid, int runs) throws Exception {
    List<Double> gaps = new ArrayList<>();
    for (int run = -1; run < runs; run++) {
      long epoch = status(grid).epoch();
      Node.await(grid.failover(Candidate.ROLE));
      Load.await("the next holder's record", PATIENCE, () -> isOnRecord(grid, epoch + 1));
      var unused = Node.await(role.ask(new Question(), Answer.class, PATIENCE));
      var failovers = status(grid).failovers();
      Duration gap = failovers.get(failovers.size() - 1).gap().orElseThrow();
      if (run >= 0) {
        gaps.add(gap.toNanos() / 1e6);
      }
    }
    return new Case(
        "handed over when asked: nobody holds it",
        "ms",
        Better.LOWER,
        Measurement.of(gaps),
        Map.of());
  }

  private static boolean isOnRecord(Grid grid, long epoch) {
    return status(grid).failovers().stream().anyMatch(failover -> failover.epoch() == epoch);
  }

  private static RoleStatus status(Grid grid) {
    return grid.roles().await().stream()
        .filter(role -> role.name().equals(Candidate.ROLE))
        .findFirst()
        .orElseThrow();
  }

  private static List<Case> cases(Stage stage, End end, List<Double> taken) {
    Map<String, Measurement> peers = new HashMap<>();
    if (end == End.KILLED && !stage.quick()) { // it takes three quarters of a minute
      peers.put(PEKKO, PekkoSingleton.measure(true, PEKKO_RUNS));
    } else if (end == End.STOPPED) {
      peers.put(PEKKO, PekkoSingleton.measure(false, stage.quick() ? 1 : PEKKO_RUNS));
    }
    List<Double> sorted = taken.stream().sorted().toList();
    double p99 = sorted.get((int) Math.ceil(sorted.size() * 0.99) - 1);
    return List.of(
        new Case(end.label, "ms", Better.LOWER, Measurement.of(taken), peers),
        new Case(end.label + ", p99", "ms", Better.LOWER, Measurement.of(List.of(p99)), peers));
  }
}

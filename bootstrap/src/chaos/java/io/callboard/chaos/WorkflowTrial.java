package io.callboard.chaos;

import io.callboard.chaos.Verdict.Kind;
import io.callboard.chaos.runs.LoadedSteps;
import io.callboard.chaos.runs.StepJudge;
import io.callboard.chaos.runs.StepLine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** Trial of the workflow engine: a {@link WorkflowLoad}, judged by {@link StepJudge}. */
final class WorkflowTrial implements Trial {
  private static final Duration WORKS = Duration.ofSeconds(180);
  private static final Duration SETTLE = Duration.ofSeconds(180);
  private static final Duration LISTED = Duration.ofSeconds(30);
  private static final Set<String> OPEN = Set.of("RUNNING", "CANCELLING", "");
  private static final Duration LOOKS = Duration.ofSeconds(1);

  private static final String DESK = "workflow-workers";
  private static final int HAND_OVERS = 2;

  /** Longest time of a step where nodes are killed, so that kills meet running steps. */
  private static final int MILLIS = 20;

  private static final List<String> COUNTERS =
      List.of("turns_total", "commits_total", "commit_operations_total");

  private final Cluster cluster;
  private final WorkflowLoad load;
  private final boolean faults;
  private long begunNs;
  private long transactionsBefore;

  /**
   * Creates the trial.
   *
   * @param instances number of instances
   * @param faults whether nodes die
   */
  WorkflowTrial(Cluster cluster, History history, int instances, boolean faults) {
    this.cluster = cluster;
    this.load = new WorkflowLoad(cluster, history, instances, faults ? MILLIS : 0);
    this.faults = faults;
  }

  @Override
  public void begin() throws Exception {
    transactionsBefore = cluster.servers().transactions();
    begunNs = System.nanoTime();
    load.begin();
    Await.until("an instance is at its end", WORKS, () -> load.reachedEnd() > 0);
  }

  @Override
  public List<Fault> faults() {
    return List.of(new Fault("cut-desk-then-hand-over", this::cutDesk));
  }

  /**
   * Cuts the node with the desk from the ensemble for longer than its session, and hands the desk
   * over twice once it is back: what the node kept meanwhile must not run again.
   */
  private String cutDesk(Random random) throws Exception {
    Operators operators = new Operators(cluster);
    Member desk = operators.holder(DESK);
    cluster.network().cut(cluster.waysToServers(desk.number()));
    try {
      Await.pass(Cluster.SESSION.plus(NodeFaults.between(random, 2_000, 6_000)));
    } finally {
      cluster.network().heal();
    }
    for (int i = 0; i < HAND_OVERS; i++) {
      Await.pass(NodeFaults.between(random, 500, 3_000));
      var unused = operators.failover(DESK);
    }
    return desk.name();
  }

  @Override
  public boolean isOver() throws IOException {
    return load.isOver();
  }

  @Override
  public void judge(Verdict verdict) throws Exception {
    awaitEnds();
    load.end();
    double seconds = (System.nanoTime() - begunNs) / 1e9;
    if (!Await.holds(SETTLE, () -> open().isEmpty())) {
      List<String> open = open();
      verdict.found(Kind.STUCK, open.size(), "instances that have not ended: " + open);
    }
    if (!Await.holds(LISTED, () -> partial().isEmpty())) {
      List<String> partial = partial();
      verdict.found(Kind.STUCK, partial.size(), "lists of instances stay partial at " + partial);
    }
    List<StepLine> lines = load.lines();
    StepJudge.judge(LoadedSteps.sources(), lines, states(lines), !faults)
        .forEach(finding -> verdict.found(Kind.valueOf(finding.kind().name()), 1, finding.what()));
    report(lines, seconds);
  }

  /** Waits until all instances are at their end, or none has come there for a while. */
  private void awaitEnds() throws Exception {
    int before = load.reachedEnd();
    long changed = System.nanoTime();
    while (!load.isOver() && System.nanoTime() - changed < SETTLE.toNanos()) {
      Await.pass(LOOKS);
      int now = load.reachedEnd();
      if (now > before) {
        before = now;
        changed = System.nanoTime();
      }
    }
  }

  /** Returns the nodes whose lists of instances are not whole. */
  private List<String> partial() throws Exception {
    List<String> partial = new ArrayList<>();
    for (Member member : cluster.members()) {
      if (!load.isListWhole(member)) {
        partial.add(member.name());
      }
    }
    return partial;
  }

  private Map<String, String> states(List<StepLine> lines) throws Exception {
    return load.states(lines.stream().map(StepLine::instance).collect(Collectors.toSet()));
  }

  /** Returns the accepted instances that have not ended, each with its state. */
  private List<String> open() throws Exception {
    return load.states(Set.of()).entrySet().stream()
        .filter(each -> OPEN.contains(each.getValue()))
        .map(each -> "%s=%s".formatted(each.getKey(), each.getValue()))
        .toList();
  }

  /** Prints how much was written for a step; the nodes' own counters begin at 0 with each start. */
  private void report(List<StepLine> lines, double seconds) throws Exception {
    long steps = (long) load.accepted() * LoadedSteps.COUNT;
    long begun = lines.stream().filter(line -> line.what().equals("begin")).count();
    long transactions = cluster.servers().transactions() - transactionsBefore;
    Progress.say(
        "%d instances in %.0f s (%.1f/s); %d runs of %d steps; %.2f ZooKeeper transactions a step"
            .formatted(
                load.accepted(),
                seconds,
                load.accepted() / seconds,
                begun,
                steps,
                (double) transactions / steps));
    if (!faults) {
      for (String counter : COUNTERS) {
        Progress.say("%s: %.2f a step".formatted(counter, (double) sum(counter) / steps));
      }
    }
  }

  private long sum(String counter) throws Exception {
    long sum = 0;
    for (Member member : cluster.members()) {
      String prefix = "callboard_" + counter + " ";
      sum +=
          member
              .get("/metrics")
              .body()
              .lines()
              .filter(line -> line.startsWith(prefix))
              .mapToLong(line -> (long) Double.parseDouble(line.substring(prefix.length())))
              .sum();
    }
    return sum;
  }

  @Override
  public long accepted() {
    return load.accepted();
  }

  @Override
  public void judgeLogs(List<Path> servers, Verdict verdict) throws IOException {
    Complaints.judge(cluster, verdict);
    var unused = LogJudge.judge(LogJudge.ROOT, servers, verdict);
  }

  @Override
  public void close() throws InterruptedException {
    load.end();
  }
}

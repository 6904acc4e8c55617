package io.callboard.chaos;

import io.callboard.chaos.Verdict.Kind;
import io.callboard.chaos.evidence.Records;
import io.callboard.chaos.hosts.Await;
import io.callboard.chaos.hosts.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Judge of a run: compares the state after the faults with what was accepted. */
final class Judge {
  private static final Duration SETTLE = Duration.ofSeconds(90);

  private final Cluster cluster;
  private final Driver driver;
  private final Verdict verdict;

  Judge(Cluster cluster, Driver driver, Verdict verdict) {
    this.cluster = cluster;
    this.driver = driver;
    this.verdict = verdict;
  }

  /** Judges while the nodes run: the load still works, and then all of it ends. */
  void judge() throws Exception {
    settle("nodes that are not ready", this::notReady);
    goesOn();
    driver.end();
    try (Records records = new Records(cluster.servers().connectString(), Cluster.CELL)) {
      settle("tells under way", this::underWay);
      settle("mail that waits", () -> mail(records));
      settle("jobs that have not succeeded", () -> List.copyOf(jobs().entrySet()));
      settle("processes that have ended", () -> driver.jobs().alive(), Kind.ORPHANS);
      settle("partitions of nobody", () -> unowned(records));
      compared(new Comparison(driver, records));
      Progress.say("late calls: " + lateCalls(records));
      jobRuns();
      verdict.found(Kind.LOST, records.parked().size(), "parked messages " + records.parked());
      Progress.say("partitions: " + balance(records.owners()));
    }
    Progress.say("unknown: " + unknown());
  }

  /** Compares repeatedly, as tells and their effects may not be read at the same moment. */
  private void compared(Comparison comparison) throws Exception {
    boolean same = Await.holds(SETTLE, () -> comparison.differences().isEmpty());
    for (Comparison.Difference each :
        same ? List.<Comparison.Difference>of() : comparison.differences()) {
      verdict.found(each.kind(), each.count(), each.what());
    }
    verdict.found(
        Kind.DOUBLE_OWNER,
        driver.questions().contradictions(),
        "answers of the role that do not count on");
  }

  /** A cell that refuses everything loses nothing. */
  private void goesOn() throws Exception {
    Map<Tells<?>, Long> before = new HashMap<>();
    driver.tells().forEach(each -> before.put(each, each.accepted()));
    long answered = driver.questions().answered();
    int done = driver.jobs().said("done").size();
    settle(
        "tells that are not accepted any more",
        () ->
            driver.tells().stream()
                .filter(each -> each.accepted() <= before.get(each))
                .map(Tells::name)
                .toList());
    settle(
        "roles that do not answer",
        () -> driver.questions().answered() > answered + 1 ? List.of() : List.of(Workload.ROLE));
    settle(
        "jobs that are not run any more",
        () -> driver.jobs().said("done").size() > done ? List.of() : List.of("all"));
  }

  private static List<String> lateCalls(Records records) throws Exception {
    List<String> calls = new ArrayList<>();
    for (int i = 0; i < LateClerk.CLERKS; i++) {
      calls.add(records.state(LateClerk.path(i)).path("count").toString());
    }
    return calls;
  }

  private long unknown() {
    return driver.tells().stream().mapToLong(Tells::unknown).sum();
  }

  private interface Left {
    List<?> now() throws Exception;
  }

  private void settle(String what, Left left) throws Exception {
    settle(what, left, Kind.STUCK);
  }

  private void settle(String what, Left left, Kind kind) throws Exception {
    if (!Await.holds(SETTLE, () -> left.now().isEmpty())) {
      List<?> now = left.now();
      verdict.found(kind, now.size(), "%s: %s".formatted(what, now));
    }
  }

  private List<String> notReady() {
    return cluster.members().stream()
        .filter(member -> !Await.holds(Duration.ZERO, member::isReady))
        .map(Member::name)
        .toList();
  }

  private List<String> underWay() {
    return driver.tells().stream().filter(each -> each.underWay() > 0).map(Tells::name).toList();
  }

  /** Returns the waiting mail of the load; the nodes' own actors continue to exchange messages. */
  private static List<String> mail(Records records) throws Exception {
    return records.waiting().stream()
        .filter(box -> box.matches("(orders|counts|bank|post|late):.*"))
        .toList();
  }

  private Map<String, String> jobs() throws Exception {
    return driver.jobs().open(new Operators(cluster).anyReady());
  }

  private List<String> unowned(Records records) throws Exception {
    List<String> names = cluster.members().stream().map(Member::name).toList();
    return records.owners().entrySet().stream()
        .filter(entry -> !names.contains(entry.getValue()))
        .map(Object::toString)
        .toList();
  }

  private static Map<String, Long> balance(Map<String, String> owners) {
    return owners.values().stream()
        .collect(Collectors.groupingBy(owner -> owner, TreeMap::new, Collectors.counting()));
  }

  private void jobRuns() throws Exception {
    List<String> dead = driver.jobs().in("DEAD", new Operators(cluster).anyReady());
    verdict.found(Kind.LOST, dead.size(), "jobs that are dead: " + dead);
    List<String> over = new ArrayList<>(driver.jobs().said("over"));
    over.addAll(driver.jobs().said("twice"));
    verdict.found(Kind.OVER_LIMIT, over.size(), over.toString());
    List<String> twice = driver.jobs().doneTwice();
    verdict.found(Kind.DUPLICATED, twice.size(), "runs that ended twice: " + twice);
    List<String> never = driver.jobs().neverDone();
    verdict.found(Kind.LOST, never.size(), "jobs that never came to their end: " + never);
  }
}

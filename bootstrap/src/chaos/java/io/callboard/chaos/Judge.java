package io.callboard.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.chaos.Verdict.Kind;
import io.callboard.chaos.Workload.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Judges what is there when the faults are over against what was accepted. */
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

  /** While the nodes run. */
  void judge() throws Exception {
    try (Records records = new Records(cluster.servers().connectString(), Cluster.CELL)) {
      settle("nodes that are not ready", () -> notReady());
      settle("tells under way", () -> underWay());
      settle("mail that waits", () -> mail(records));
      settle("jobs that have not succeeded", () -> List.copyOf(jobs().entrySet()));
      settle("processes that have ended", () -> driver.jobs().alive(), Kind.ORPHANS);
      settle("partitions of nobody", () -> unowned(records));
      answers();
      orders(records);
      transfers(records);
      jobRuns();
      verdict.found(Kind.LOST, records.parked().size(), "dead letters " + records.parked());
      Progress.say("partitions: " + balance(records.owners()));
    }
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
    List<Tells<?>> all = new ArrayList<>(driver.orders());
    all.addAll(driver.transfers());
    return all.stream().filter(each -> each.underWay() > 0).map(Tells::name).toList();
  }

  /** Of the load; the nodes' own actors talk on. */
  private static List<String> mail(Records records) throws Exception {
    return records.waiting().stream()
        .filter(box -> box.matches("(orders|counts|bank):.*"))
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

  private void answers() {
    long before = driver.questions().answered();
    boolean answers = Await.holds(SETTLE, () -> driver.questions().answered() > before + 1);
    verdict.found(Kind.STUCK, answers ? 0 : 1, "the role does not answer");
    verdict.found(
        Kind.DOUBLE_OWNER,
        driver.questions().contradictions(),
        "answers of the role that do not count on");
  }

  private void orders(Records records) throws Exception {
    for (Tells<Order> sender : driver.orders()) {
      counted(records, sender.name(), sender.accepted(), sender.unknown());
      counted(
          records,
          Workload.echo(sender.name()),
          sender.accepted(Order::echoes),
          sender.unknown(Order::echoes));
    }
    for (int i = 0; i < Workload.COUNTERS; i++) {
      JsonNode seen = records.state("/counts/counter/c" + i);
      String wrong = seen.path("wrong").toString();
      verdict.found(Kind.DUPLICATED, seen.path("repeated").asLong(), wrong);
      verdict.found(Kind.REORDERED, seen.path("back").asLong(), wrong);
    }
  }

  private void counted(Records records, String sender, long accepted, long unknown)
      throws Exception {
    long count = records.state(Workload.counter(sender)).path("count").path(sender).asLong();
    compare("orders of " + sender, count, accepted, unknown);
  }

  private void compare(String what, long count, long accepted, long unknown) {
    String figures = "%s: %d of %d, %d unknown".formatted(what, count, accepted, unknown);
    verdict.found(Kind.LOST, accepted - count, figures);
    verdict.found(Kind.DUPLICATED, count - accepted - unknown, figures);
  }

  private void transfers(Records records) throws Exception {
    long amount = 0;
    long sent = 0;
    long received = 0;
    for (int i = 0; i < Workload.ACCOUNTS; i++) {
      JsonNode balance = records.state(Workload.account(i));
      amount += balance.path("amount").asLong();
      sent += balance.path("sent").asLong();
      received += balance.path("received").asLong();
      Tells<?> from = driver.transfers().get(i);
      compare(
          "transfers of " + from.name(),
          balance.path("sent").asLong(),
          from.accepted(),
          from.unknown());
    }
    compare("transfers that arrived", received, sent, 0);
    verdict.found(Kind.LOST, amount < 0 ? 1 : 0, "money: %d is missing".formatted(-amount));
    verdict.found(Kind.DUPLICATED, amount > 0 ? 1 : 0, "money: %d too much".formatted(amount));
  }

  private void jobRuns() throws Exception {
    List<String> over = new ArrayList<>(driver.jobs().said("over"));
    over.addAll(driver.jobs().said("twice"));
    verdict.found(Kind.OVER_LIMIT, over.size(), over.toString());
    List<String> never = driver.jobs().neverDone();
    verdict.found(Kind.LOST, never.size(), "jobs that never came to their end: " + never);
  }
}

package io.callboard.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.chaos.Verdict.Kind;
import io.callboard.chaos.Workload.Order;
import io.callboard.chaos.evidence.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/** Comparison of what was accepted with the records of the actors. */
final class Comparison {
  private final Driver driver;
  private final Records records;

  /** Difference between the two. */
  record Difference(Kind kind, long count, String what) {}

  Comparison(Driver driver, Records records) {
    this.driver = driver;
    this.records = records;
  }

  /** Returns the current differences; empty if all is well. */
  List<Difference> differences() throws Exception {
    List<Difference> found = new ArrayList<>();
    for (Tells<Order> sender : driver.orders()) {
      orders(sender, found);
      long echoes = counted(Workload.echo(sender.name()));
      compare(
          "echoes of " + sender.name(),
          echoes,
          sender.accepted(Order::echoes),
          sender.unknown(Order::echoes),
          found);
    }
    for (int i = 0; i < Workload.COUNTERS; i++) {
      JsonNode seen = records.state("/counts/counter/c" + i);
      String wrong = seen.path("wrong").toString();
      add(found, Kind.DUPLICATED, seen.path("repeated").asLong(), wrong);
      add(found, Kind.REORDERED, seen.path("back").asLong(), wrong);
      add(found, Kind.LOST, seen.path("miscounted").asLong(), "the forwarder's count: " + wrong);
    }
    transfers(found);
    letters(found);
    clerks(found);
    role(found);
    return found;
  }

  private static void add(List<Difference> found, Kind kind, long count, String what) {
    if (count > 0) {
      found.add(new Difference(kind, count, what));
    }
  }

  private static void compare(
      String what, long count, long accepted, long unknown, List<Difference> found) {
    String figures = "%s: %d of %d, %d unknown".formatted(what, count, accepted, unknown);
    add(found, Kind.LOST, accepted - count, figures);
    add(found, Kind.DUPLICATED, count - accepted - unknown, figures);
  }

  private long counted(String sender) throws Exception {
    return records.state(Workload.counter(sender)).path("count").path(sender).asLong();
  }

  /** Checks that each accepted order has arrived, and none that was not told. */
  private void orders(Tells<Order> sender, List<Difference> found) throws Exception {
    String name = sender.name();
    compare("orders of " + name, counted(name), sender.accepted(), sender.unknown(), found);
    JsonNode seen = records.state(Workload.counter(name));
    List<Long> lost = new ArrayList<>();
    seen.path("skipped")
        .path(name)
        .forEach(
            n -> {
              if (sender.isAccepted(n.asLong())) {
                lost.add(n.asLong());
              }
            });
    long last = seen.path("last").path(name).asLong();
    long behind = sender.accepted(n -> n > last);
    add(found, Kind.LOST, lost.size(), "orders of %s: %s".formatted(name, lost));
    add(found, Kind.LOST, behind, "orders of %s after %d".formatted(name, last));
  }

  private void transfers(List<Difference> found) throws Exception {
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
          from.unknown(),
          found);
    }
    compare("transfers that arrived", received, sent, 0, found);
    add(found, Kind.LOST, amount < 0 ? 1 : 0, "money: %d is missing".formatted(-amount));
    add(found, Kind.DUPLICATED, amount > 0 ? 1 : 0, "money: %d too much".formatted(amount));
  }

  private void letters(List<Difference> found) throws Exception {
    Tells<?> post = driver.letters();
    for (int i = 0; i < Workload.LETTER_BOXES; i++) {
      String box = Workload.letterBox(i);
      LongPredicate here = n -> Workload.letterBox(n).equals(box);
      long count = records.state(box).path("count").asLong();
      compare("letters of " + box, count, post.accepted(here), post.unknown(here), found);
    }
  }

  /** Checks that the clerks did their work correctly, and that no late call had an effect. */
  private void clerks(List<Difference> found) throws Exception {
    long asked = 0;
    for (int i = 0; i < LateClerk.CLERKS; i++) {
      JsonNode count = records.state(LateClerk.path(i)).path("count");
      Tells<?> from = driver.errands().get(i);
      long done = count.path(LateClerk.DONE).asLong();
      compare("errands of " + from.name(), done, from.accepted(), from.unknown(), found);
      asked += count.path(LateClerk.ASKED).asLong();
      count
          .fields()
          .forEachRemaining(
              each -> {
                if (each.getKey().startsWith(LateClerk.LATE)) {
                  add(found, Kind.LATE, each.getValue().asLong(), each.getKey());
                }
              });
      if (count.path(LateClerk.REFUSED).asLong() == 0) {
        add(found, Kind.STUCK, 1, "no late call of %s was refused".formatted(from.name()));
      }
    }
    Receipts receipts = driver.receipts();
    String figures =
        "receipts: %d of %d asked for, %d came"
            .formatted(asked, receipts.asked(), receipts.answered());
    add(found, Kind.LOST, receipts.answered() - asked, figures);
    add(found, Kind.DUPLICATED, asked - receipts.asked(), figures);
    add(found, Kind.LATE, receipts.wrong(), "receipts that were meant for somebody else");
  }

  /**
   * Checks the role, which is still being asked: its record may be ahead of the answers, never
   * behind them.
   */
  private void role(List<Difference> found) throws Exception {
    long answered = driver.questions().answered();
    long count = records.state("/roles/" + Workload.ROLE).path("count").asLong();
    add(
        found,
        Kind.LOST,
        answered - count,
        "answers of the role: %d of %d".formatted(count, answered));
    long most = driver.questions().asked();
    add(found, Kind.DUPLICATED, count - most, "questions: %d of %d".formatted(count, most));
  }
}

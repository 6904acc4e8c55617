package io.callboard.audit;

import io.callboard.audit.Operation.Check;
import io.callboard.audit.Operation.Create;
import io.callboard.audit.Operation.Delete;
import io.callboard.audit.Operation.Write;
import io.callboard.audit.Violation.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** Rules of fences and sessions: who may change durable state. */
final class CommitRules {
  private static final Set<String> ACTORS = Set.of("a", "m", "j", "d", "x");

  private final Znodes znodes;
  private final Map<String, Long> sessions = new HashMap<>();

  CommitRules(Znodes znodes) {
    this.znodes = znodes;
  }

  void look(Transaction transaction, BiConsumer<Rule, String> wrong) {
    if (transaction.operations().stream().anyMatch(op -> isCommit(transaction, op))) {
      commit(transaction, wrong);
    }
    transaction
        .operations()
        .forEach(
            operation -> {
              if (operation.writes() && operation.path().startsWith("/i/")) {
                sessions.put(operation.path().substring(3), transaction.session());
              }
            });
  }

  /**
   * Returns whether an operation changes durable state of an actor, other than by creating its
   * empty record, its mailbox or parents.
   */
  private static boolean isCommit(Transaction transaction, Operation operation) {
    String[] path = operation.path().split("/", -1);
    if (!operation.writes() || !ACTORS.contains(path[1])) {
      return false;
    }
    boolean birth = operation instanceof Create && path.length <= (path[1].equals("d") ? 3 : 4);
    boolean empty =
        !path[1].equals("a")
            || path.length < 4
            || (operation instanceof Create create
                && Znodes.json(create.path(), create.data()).path("turn").asLong(-1) == 0);
    boolean alone = !transaction.multi() || isBirthOfMailbox(transaction);
    return !(alone && birth && empty);
  }

  /**
   * Returns whether the transaction creates a mailbox, beside a check of the record that states its
   * generation.
   */
  private static boolean isBirthOfMailbox(Transaction transaction) {
    List<Operation> operations = transaction.operations();
    if (operations.size() != 2 || !(operations.get(1) instanceof Create made)) {
      return false;
    }
    String[] path = made.path().split("/", -1);
    return path.length == 4
        && path[1].equals("m")
        && transaction.checks(
            "/a/%s/%s".formatted(path[2], path[3].substring(0, path[3].lastIndexOf('~'))));
  }

  /**
   * Returns whether the transaction removes an actor of which nothing is left; it has no number.
   */
  private static boolean isRemoval(Transaction transaction) {
    return transaction.operations().stream()
            .filter(Operation::writes)
            .allMatch(Delete.class::isInstance)
        && transaction
            .all(Delete.class)
            .anyMatch(delete -> delete.path().matches("/a/[^/]+/[^/]+"));
  }

  private static List<String> named(String parent, Stream<? extends Operation> operations) {
    return operations
        .map(Operation::path)
        .filter(path -> path.startsWith(parent))
        .map(path -> path.substring(parent.length()))
        .toList();
  }

  private void commit(Transaction transaction, BiConsumer<Rule, String> wrong) {
    List<String> nodes =
        isRemoval(transaction)
            ? named("/i/", transaction.all(Check.class))
            : named("/s/", transaction.all(Write.class));
    if (nodes.size() != 1 || !transaction.multi()) {
      wrong.accept(Rule.COMMITTER, "nodes " + nodes + " commit");
      return;
    }
    String node = nodes.get(0);
    if (!transaction.checks("/i/" + node)) {
      wrong.accept(Rule.INCARNATION, node + " does not check it");
    }
    if (sessions.getOrDefault(node, 0L) != transaction.session()) {
      wrong.accept(
          Rule.SESSION,
          "session 0x%x has the incarnation of %s".formatted(sessions.get(node), node));
    }
    for (String partition : partitions(transaction)) {
      lease(transaction, node, partition, wrong);
    }
  }

  /** Returns the partitions that only their owner may change so, unlike by sending or unparking. */
  private static Set<String> partitions(Transaction transaction) {
    Set<String> partitions = new TreeSet<>();
    for (Operation operation : transaction.operations()) {
      String[] path = operation.path().split("/", -1);
      boolean sends = path[1].equals("m") && operation instanceof Create;
      boolean unparks = path[1].equals("d") && operation instanceof Delete;
      boolean byAnyone = sends || unparks;
      if (operation.writes() && ACTORS.contains(path[1]) && !byAnyone) {
        partitions.add(path[2]);
      }
    }
    return partitions;
  }

  private void lease(
      Transaction transaction, String node, String partition, BiConsumer<Rule, String> wrong) {
    String lease = "/o/" + partition;
    if (!transaction.checks(lease)) {
      wrong.accept(Rule.LEASE, "no check of " + lease);
    }
    var held = znodes.json(lease);
    String boot = znodes.json("/i/" + node).path("boot").asText();
    if (!held.path("owner").asText().equals(node) || !held.path("boot").asText().equals(boot)) {
      wrong.accept(Rule.OWNER, "%s, boot %s, commits under %s".formatted(node, boot, held));
    }
    for (Operation operation : transaction.operations()) {
      if (operation.path().startsWith("/a/" + partition + "/")
          && operation instanceof Write write
          && Znodes.json(write.path(), write.data()).path("epoch").asLong()
              != held.path("epoch").asLong()) {
        wrong.accept(Rule.OWNER, "%s has not the epoch of %s".formatted(write.path(), held));
      }
    }
  }
}

package io.callboard.zookeeper.faults;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.OutboxEntry;
import io.callboard.codecs.Segment;
import io.callboard.zookeeper.faults.Operation.Create;
import io.callboard.zookeeper.faults.Operation.Write;
import io.callboard.zookeeper.faults.Violation.Rule;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What an actor counts as sent is in mailboxes or in its outbox, and what leaves its outbox is in
 * mailboxes.
 */
final class SentRules {
  private final Znodes znodes;

  SentRules(Znodes znodes) {
    this.znodes = znodes;
  }

  /** The sender of a record's path. */
  static String sender(String record) {
    return ActorPath.fromNodeName(record.substring(record.lastIndexOf('/') + 1)).toString();
  }

  /** {@code /x/<partition>/<actor>/<number>}. */
  static boolean isEntry(Operation operation) {
    String path = operation.path();
    return operation.writes() && path.startsWith("/x/") && path.split("/", -1).length == 5;
  }

  /** The path of the record that the outbox of an entry belongs to. */
  static String record(Operation entry) {
    return "/a/" + entry.path().substring(3, entry.path().lastIndexOf('/'));
  }

  /** Whether something leaves the outbox that belongs to that record. */
  static boolean relays(Transaction transaction, String record) {
    return transaction.operations().stream()
        .anyMatch(
            operation ->
                !(operation instanceof Create)
                    && isEntry(operation)
                    && record(operation).equals(record));
  }

  void look(
      Transaction transaction,
      String record,
      long before,
      long after,
      BiConsumer<Rule, String> wrong) {
    Set<Long> due =
        LongStream.rangeClosed(before + 1, after)
            .boxed()
            .collect(Collectors.toCollection(TreeSet::new));
    Set<Long> sent = mailed(transaction, sender(record));
    for (Operation operation : transaction.operations()) {
      if (isEntry(operation) && record(operation).equals(record)) {
        Set<Long> was = numbers(operation.path(), znodes.data(operation.path()));
        Set<Long> is = numbers(operation.path(), data(operation));
        is.stream().filter(number -> !was.contains(number)).forEach(sent::add);
        was.stream().filter(number -> !is.contains(number)).forEach(due::add);
      }
    }
    if (!sent.equals(due)) {
      wrong.accept(
          Rule.SENT, "%s counts or relays %s and sends %s".formatted(sender(record), due, sent));
    }
  }

  private static Set<Long> mailed(Transaction transaction, String sender) {
    return transaction
        .all(Create.class)
        .filter(create -> MailRules.isSegment(create.path()))
        .flatMap(create -> Segment.decode(create.path(), create.data()).stream())
        .map(Envelope::id)
        .filter(id -> id.sender().equals(sender))
        .map(id -> id.number())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static byte[] data(Operation operation) {
    if (operation instanceof Create create) {
      return create.data();
    }
    return operation instanceof Write write ? write.data() : new byte[0];
  }

  private static Set<Long> numbers(String path, byte[] entry) {
    return entry.length == 0
        ? Set.of()
        : OutboxEntry.decode(path, entry).values().stream()
            .flatMap(mail -> mail.stream())
            .map(envelope -> envelope.id().number())
            .collect(Collectors.toSet());
  }
}

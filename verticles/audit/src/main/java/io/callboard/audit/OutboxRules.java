package io.callboard.audit;

import io.callboard.audit.Operation.Create;
import io.callboard.audit.Operation.Delete;
import io.callboard.audit.Operation.Write;
import io.callboard.audit.Violation.Rule;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.OutboxEntry;
import io.callboard.codecs.Segment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** Rules of outboxes: what leaves an outbox is stored in mailboxes by the same transaction. */
final class OutboxRules {
  private final Map<String, Set<MessageId>> entries = new HashMap<>();
  private final Set<String> changed = new TreeSet<>();
  private final Set<MessageId> added = new HashSet<>();
  private final Set<MessageId> moved = new HashSet<>();
  private int relayed;

  /** Evaluates a transaction; called before the other rules, which ask for the result. */
  void look(Transaction transaction, BiConsumer<Rule, String> wrong) {
    changed.clear();
    added.clear();
    moved.clear();
    for (Operation operation : transaction.operations()) {
      if (operation.path().startsWith("/x/") && operation.path().split("/", -1).length == 5) {
        change(operation, wrong);
      }
    }
    if (changed.isEmpty()) {
      return;
    }
    Set<MessageId> stored = new HashSet<>();
    transaction
        .all(Create.class)
        .filter(create -> MailRules.isSegment(create.path()))
        .flatMap(create -> Segment.decode(create.path(), create.data()).stream())
        .forEach(envelope -> stored.add(envelope.id()));
    for (MessageId id : moved) {
      if (!stored.contains(id)) {
        wrong.accept(Rule.OUTBOX, id + " leaves its outbox for no mailbox");
      }
    }
    relayed += moved.size();
  }

  private void change(Operation operation, BiConsumer<Rule, String> wrong) {
    String path = operation.path();
    changed.add(path.substring(3, path.lastIndexOf('/')));
    Set<MessageId> before = entries.getOrDefault(path, Set.of());
    Set<MessageId> after = new HashSet<>();
    if (operation instanceof Create create) {
      after = ids(path, create.data());
      added.addAll(after);
    } else if (operation instanceof Write write) {
      after = ids(path, write.data());
      if (!before.containsAll(after)) {
        wrong.accept(Rule.OUTBOX, path + " gets messages that it did not hold");
      }
    } else if (!(operation instanceof Delete)) {
      return;
    }
    String sender = ActorPath.fromNodeName(path.split("/", -1)[3]).toString();
    for (MessageId id : after) {
      if (!id.sender().equals(sender)) {
        wrong.accept(Rule.OUTBOX, "%s holds %s".formatted(path, id));
      }
    }
    Set<MessageId> gone = new HashSet<>(before);
    gone.removeAll(after);
    moved.addAll(gone);
    entries.put(path, after);
  }

  private static Set<MessageId> ids(String path, byte[] data) {
    Set<MessageId> ids = new HashSet<>();
    for (List<Envelope> mail : OutboxEntry.decode(path, data).values()) {
      mail.forEach(envelope -> ids.add(envelope.id()));
    }
    return ids;
  }

  /** Returns whether the transaction changed the outbox of {@code <partition>/<actor>}. */
  boolean changes(String actor) {
    return changed.contains(actor);
  }

  /** Returns the messages that the transaction put into outboxes. */
  Set<MessageId> added() {
    return added;
  }

  /** Returns the messages that it moved from outboxes to mailboxes. */
  Set<MessageId> moved() {
    return moved;
  }

  /** Returns the number of messages relayed in all. */
  int relayed() {
    return relayed;
  }

  /** Returns the number of messages in outboxes at the end. */
  int waiting() {
    return entries.values().stream().mapToInt(Set::size).sum();
  }
}

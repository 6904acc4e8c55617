package io.callboard.zookeeper.faults;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Segment;
import io.callboard.zookeeper.faults.Operation.Create;
import io.callboard.zookeeper.faults.Operation.Delete;
import io.callboard.zookeeper.faults.Operation.Write;
import io.callboard.zookeeper.faults.Violation.Rule;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** An actor's turn is one with what it consumes, sends, parks and notes. */
final class ActorRules {
  private final Znodes znodes;
  private final MailRules mail;
  private final SentRules sent;
  private int parked;

  /** How far an actor has read its mail. */
  private record Cursor(long next, int offset) {
    static Cursor of(JsonNode record) {
      return new Cursor(record.path("next").asLong(), record.path("offset").asInt());
    }

    boolean isAfter(Cursor other) {
      return next > other.next || (next == other.next && offset > other.offset);
    }
  }

  /** What a transaction made of a record: by several turns, if it writes it several times. */
  private record Change(JsonNode before, JsonNode after, Set<Long> turns) {}

  ActorRules(Znodes znodes, MailRules mail) {
    this.znodes = znodes;
    this.mail = mail;
    this.sent = new SentRules(znodes);
  }

  void look(Transaction transaction, BiConsumer<Rule, String> wrong) {
    Map<String, Change> changes = new LinkedHashMap<>();
    for (Operation operation : transaction.operations()) {
      if (operation.path().startsWith("/a/") && operation.path().split("/", -1).length == 4) {
        if (operation instanceof Create create) {
          turn(create.path(), create.data(), transaction.multi(), changes, wrong);
        } else if (operation instanceof Write write) {
          boolean counts = !SentRules.relays(transaction, write.path());
          turn(write.path(), write.data(), counts, changes, wrong);
        }
      }
    }
    changes.forEach(
        (path, change) -> {
          consumes(transaction, path.substring(3), change, wrong);
          sent.look(
              transaction,
              path,
              change.before().path("sent").asLong(),
              change.after().path("sent").asLong(),
              wrong);
        });
    others(transaction, changes, wrong);
  }

  private void turn(
      String path,
      byte[] data,
      boolean counts,
      Map<String, Change> changes,
      BiConsumer<Rule, String> wrong) {
    Change earlier = changes.get(path);
    JsonNode before = earlier == null ? znodes.json(path) : earlier.after();
    JsonNode after = Znodes.json(path, data);
    long turn = after.path("turn").asLong(-1);
    if (turn != before.path("turn").asLong() + (counts ? 1 : 0)) {
      wrong.accept(
          Rule.TURN, "%s goes from turn %s to %d".formatted(path, before.path("turn"), turn));
    }
    if (Cursor.of(before).isAfter(Cursor.of(after))) {
      wrong.accept(Rule.CURSOR, path + " goes back in its mail");
    }
    Set<Long> turns = earlier == null ? new TreeSet<>() : earlier.turns();
    turns.add(turn);
    changes.put(path, new Change(earlier == null ? before : earlier.before(), after, turns));
  }

  private void consumes(
      Transaction transaction, String mailbox, Change change, BiConsumer<Rule, String> wrong) {
    Cursor from = Cursor.of(change.before());
    Cursor to = Cursor.of(change.after());
    Set<Long> passed = LongStream.range(from.next(), to.next()).boxed().collect(Collectors.toSet());
    Set<Long> deleted = deleted(transaction, mailbox);
    if (!passed.equals(deleted)) {
      wrong.accept(
          Rule.CURSOR, "%s passes segments %s and deletes %s".formatted(mailbox, passed, deleted));
    }
    int messages = to.offset() - from.offset();
    for (long segment : passed) {
      int size = mail.messages(mailbox, segment).size();
      if (size == 0) {
        wrong.accept(
            Rule.CURSOR, "%s passes segment %d, which never was".formatted(mailbox, segment));
      }
      messages += size;
    }
    if (to.offset() > 0 && to.offset() >= mail.messages(mailbox, to.next()).size()) {
      wrong.accept(Rule.CURSOR, "%s is beyond its segment %d".formatted(mailbox, to.next()));
    }
    mail.consumed(messages);
  }

  private static Set<Long> deleted(Transaction transaction, String mailbox) {
    return transaction
        .all(Delete.class)
        .map(Delete::path)
        .filter(path -> MailRules.isSegment(path) && MailRules.mailbox(path).equals(mailbox))
        .map(MailRules::sequence)
        .collect(Collectors.toSet());
  }

  /** What must come with a record: consumed and sent mail, parked messages, journal entries. */
  private void others(
      Transaction transaction, Map<String, Change> changes, BiConsumer<Rule, String> wrong) {
    Set<String> senders =
        changes.keySet().stream().map(SentRules::sender).collect(Collectors.toSet());
    for (Operation operation : transaction.operations()) {
      String path = operation.path();
      String[] part = path.split("/", -1);
      if (operation instanceof Delete && MailRules.isSegment(path)) {
        if (!changes.containsKey("/a/" + MailRules.mailbox(path))) {
          wrong.accept(Rule.CURSOR, path + " is deleted without a turn");
        }
      } else if (operation instanceof Create create && MailRules.isSegment(path)) {
        for (Envelope envelope : Segment.decode(path, create.data())) {
          String sender = envelope.id().sender();
          if (sender.startsWith("/") && !senders.contains(sender)) {
            wrong.accept(Rule.SENT, envelope.id() + " is sent without a turn");
          }
        }
      } else if (operation.writes()
          && !(operation instanceof Delete) // an operator's
          && part[1].equals("d")
          && part.length == 4) {
        parks(operation, changes.get("/a/" + path.substring(3, path.lastIndexOf('~'))), wrong);
      } else if (SentRules.isEntry(operation)
          && !changes.containsKey(SentRules.record(operation))) {
        wrong.accept(Rule.SENT, path + " changes without its actor");
      } else if (operation instanceof Create && part[1].equals("j") && part.length == 5) {
        Change change = changes.get("/a/" + part[2] + "/" + part[3]);
        if (change == null || !change.turns().contains(Long.parseLong(part[4]))) {
          wrong.accept(Rule.JOURNAL, path + " belongs to no turn");
        }
      }
    }
  }

  /** A parked message is {@code ~<segment>-<index>}. */
  private void parks(
      Operation operation,
      @org.jspecify.annotations.Nullable Change change,
      BiConsumer<Rule, String> wrong) {
    String path = operation.path();
    String[] id = path.substring(path.lastIndexOf('~') + 1).split("-", -1);
    Cursor message = new Cursor(Long.parseLong(id[0]), Integer.parseInt(id[1]));
    boolean waited =
        change != null
            && !Cursor.of(change.before()).isAfter(message)
            && Cursor.of(change.after()).isAfter(message);
    if (!(operation instanceof Create) || !waited) {
      wrong.accept(Rule.PARKED, path + " was not waiting");
    }
    parked++;
  }

  int parked() {
    return parked;
  }
}

package io.callboard.audit;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.audit.Operation.Create;
import io.callboard.audit.Operation.Delete;
import io.callboard.audit.Operation.Write;
import io.callboard.audit.Violation.Rule;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Segment;
import io.callboard.codecs.TimerEntry;
import io.callboard.store.Consumed;
import io.callboard.store.Consumed.Stretch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Rules of actors: a turn commits together with what it consumes, sends, parks and journals. */
final class ActorRules {
  private final Znodes znodes;
  private final MailRules mail;
  private final OutboxRules outboxes;
  private int parked;

  /** Returns what an actor has consumed of its mail. */
  private static Consumed consumed(JsonNode record) {
    List<Stretch> beyond = new ArrayList<>();
    for (JsonNode each : record.path("beyond")) {
      beyond.add(
          new Stretch(
              each.get(0).asLong(),
              each.get(1).asInt(),
              each.get(2).asLong(),
              each.get(3).asInt()));
    }
    return new Consumed(record.path("next").asLong(), record.path("offset").asInt(), beyond);
  }

  /** Change of a record by one transaction, which may write it for several turns. */
  private record Change(JsonNode before, JsonNode after, Set<Long> turns) {}

  ActorRules(Znodes znodes, MailRules mail, OutboxRules outboxes) {
    this.outboxes = outboxes;
    this.znodes = znodes;
    this.mail = mail;
  }

  void look(Transaction transaction, BiConsumer<Rule, String> wrong) {
    Map<String, Change> changes = new LinkedHashMap<>();
    for (Operation operation : transaction.operations()) {
      if (operation.path().startsWith("/a/") && operation.path().split("/", -1).length == 4) {
        if (operation instanceof Create create) {
          turn(create.path(), create.data(), transaction.multi(), changes, wrong);
        } else if (operation instanceof Write write) {
          turn(write.path(), write.data(), true, changes, wrong);
        }
      }
    }
    changes.forEach(
        (path, change) -> {
          consumes(transaction, path.substring(3), change, wrong);
          sends(transaction, path, change, wrong);
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
    long same = before.path("turn").asLong();
    boolean relay = turn == same && outboxes.changes(path.substring(3));
    if (!relay && turn != same + (counts ? 1 : 0)) {
      wrong.accept(
          Rule.TURN, "%s goes from turn %s to %d".formatted(path, before.path("turn"), turn));
    }
    Set<Long> turns = earlier == null ? new TreeSet<>() : earlier.turns();
    turns.add(turn);
    changes.put(path, new Change(earlier == null ? before : earlier.before(), after, turns));
  }

  private void consumes(
      Transaction transaction, String mailbox, Change change, BiConsumer<Rule, String> wrong) {
    Consumed from = consumed(change.before());
    Consumed to = consumed(change.after());
    Set<Long> passed = new TreeSet<>();
    int messages = 0;
    for (long segment = Math.min(from.next(), to.next()); segment <= last(from, to); segment++) {
      int size = mail.messages(mailbox, segment).size();
      if (to.containsAll(segment) && !from.containsAll(segment)) {
        passed.add(segment);
        if (size == 0) {
          wrong.accept(
              Rule.CURSOR, "%s passes segment %d, which never was".formatted(mailbox, segment));
        }
      } else if (!to.containsAll(segment) && isBeyond(to, segment, size)) {
        wrong.accept(Rule.CURSOR, "%s is beyond its segment %d".formatted(mailbox, segment));
      }
      for (int i = 0; i < size; i++) {
        boolean now = to.contains(segment, i);
        if (from.contains(segment, i) && !now) {
          wrong.accept(Rule.CURSOR, mailbox + " goes back in its mail");
        } else if (now && !from.contains(segment, i)) {
          messages++;
        }
      }
    }
    Set<Long> deleted = deleted(transaction, mailbox);
    if (!passed.equals(deleted)) {
      wrong.accept(
          Rule.CURSOR, "%s passes segments %s and deletes %s".formatted(mailbox, passed, deleted));
    }
    mail.consumed(messages);
  }

  /**
   * Returns whether the consumption exceeds a segment: all of it, or messages that it does not
   * have.
   */
  private static boolean isBeyond(Consumed consumed, long segment, int size) {
    return IntStream.range(0, Math.max(1, size)).allMatch(i -> consumed.contains(segment, i));
  }

  private static long last(Consumed from, Consumed to) {
    long last = Math.max(from.next(), to.next());
    for (Stretch stretch : from.beyond()) {
      last = Math.max(last, stretch.to());
    }
    for (Stretch stretch : to.beyond()) {
      last = Math.max(last, stretch.to());
    }
    return last;
  }

  private static Set<Long> deleted(Transaction transaction, String mailbox) {
    return transaction
        .all(Delete.class)
        .map(Delete::path)
        .filter(path -> MailRules.isSegment(path) && MailRules.mailbox(path).equals(mailbox))
        .map(MailRules::sequence)
        .collect(Collectors.toSet());
  }

  private void sends(
      Transaction transaction, String path, Change change, BiConsumer<Rule, String> wrong) {
    String sender = sender(path);
    Set<Long> counted =
        LongStream.rangeClosed(
                change.before().path("sent").asLong() + 1, change.after().path("sent").asLong())
            .boxed()
            .collect(Collectors.toCollection(TreeSet::new));
    Set<Long> sent = new TreeSet<>();
    transaction
        .all(Create.class)
        .filter(create -> MailRules.isSegment(create.path()))
        .flatMap(create -> Segment.decode(create.path(), create.data()).stream())
        .map(Envelope::id)
        .filter(id -> id.sender().equals(sender) && !outboxes.moved().contains(id))
        .forEach(id -> sent.add(id.number()));
    outboxes.added().stream()
        .filter(id -> id.sender().equals(sender))
        .forEach(id -> sent.add(id.number()));
    if (!sent.equals(counted)) {
      wrong.accept(Rule.SENT, "%s counts %s and sends %s".formatted(sender, counted, sent));
    }
  }

  private static String sender(String record) {
    return ActorPath.fromNodeName(record.substring(record.lastIndexOf('/') + 1)).toString();
  }

  /**
   * Checks what must commit with a record: consumed and sent mail, parked messages, journal
   * entries.
   */
  private void others(
      Transaction transaction, Map<String, Change> changes, BiConsumer<Rule, String> wrong) {
    Set<String> senders =
        changes.keySet().stream().map(ActorRules::sender).collect(Collectors.toSet());
    for (Operation operation : transaction.operations()) {
      String path = operation.path();
      String[] part = path.split("/", -1);
      if (operation instanceof Delete && MailRules.isSegment(path)) {
        if (!changes.containsKey("/a/" + MailRules.mailbox(path))) {
          wrong.accept(Rule.CURSOR, path + " is deleted without a turn");
        }
      } else if (operation instanceof Create create && MailRules.isSegment(path)) {
        for (Envelope envelope : Segment.decode(path, create.data())) {
          long timer = envelope.handling().timer();
          String id = envelope.id().sender();
          String sender = timer > 0 ? id.substring(0, id.indexOf('~')) : id;
          if (sender.startsWith("/") && !senders.contains(sender)) {
            wrong.accept(Rule.SENT, envelope.id() + " is sent without a turn");
          } else if (timer > 0 && !fires(transaction, path, timer)) {
            wrong.accept(Rule.OUTBOX, envelope.id() + " comes without its timer");
          }
        }
      } else if (operation.writes()
          && !(operation instanceof Delete) // of an operator
          && part[1].equals("d")
          && part.length == 4) {
        parks(operation, changes.get("/a/" + path.substring(3, path.lastIndexOf('~'))), wrong);
      } else if (operation instanceof Create && part[1].equals("j") && part.length == 5) {
        Change change = changes.get("/a/" + part[2] + "/" + part[3]);
        if (change == null || !change.turns().contains(Long.parseLong(part[4].split("\\.")[0]))) {
          wrong.accept(Rule.JOURNAL, path + " belongs to no turn");
        }
      }
    }
  }

  /**
   * Returns whether the transaction that stores the timer's message also marks the timer's entry as
   * fired.
   */
  private static boolean fires(Transaction transaction, String segment, long timer) {
    String entry = "/x/%s/%d".formatted(MailRules.mailbox(segment), timer);
    return transaction
        .all(Write.class)
        .filter(write -> write.path().equals(entry))
        .anyMatch(write -> TimerEntry.decode(entry, write.data()).fired());
  }

  /** Checks a parked message, whose name is {@code ~<segment>-<index>}. */
  private void parks(
      Operation operation,
      @org.jspecify.annotations.Nullable Change change,
      BiConsumer<Rule, String> wrong) {
    String path = operation.path();
    String[] id = path.substring(path.lastIndexOf('~') + 1).split("-", -1);
    long segment = Long.parseLong(id[0]);
    int index = Integer.parseInt(id[1]);
    boolean waited =
        change != null
            && !consumed(change.before()).contains(segment, index)
            && consumed(change.after()).contains(segment, index);
    if (!(operation instanceof Create) || !waited) {
      wrong.accept(Rule.PARKED, path + " was not waiting");
    }
    parked++;
  }

  int parked() {
    return parked;
  }
}

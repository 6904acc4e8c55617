package io.callboard.audit;

import io.callboard.audit.Operation.Create;
import io.callboard.audit.Violation.Rule;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.Segment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Rules of mailboxes. */
final class MailRules {
  private final Map<String, TreeMap<Long, List<MessageId>>> segments = new HashMap<>();
  private final Set<MessageId> known = new HashSet<>();
  private final Map<String, Long> latest = new HashMap<>();
  private int consumed;

  /** Returns the number of a segment, from the end of its name. */
  static long sequence(String path) {
    return Long.parseLong(path.substring(path.lastIndexOf('-') + 1));
  }

  static boolean isSegment(String path) {
    return path.startsWith("/m/") && path.split("/", -1).length == 5;
  }

  /** Returns {@code <partition>/<actor>} for {@code /m/<partition>/<actor>~<generation>/…}. */
  static String mailbox(String path) {
    return path.substring(3, path.lastIndexOf('~'));
  }

  void look(Transaction transaction, BiConsumer<Rule, String> wrong) {
    transaction
        .all(Create.class)
        .filter(create -> isSegment(create.path()))
        .forEach(create -> stored(create, wrong));
  }

  private void stored(Create create, BiConsumer<Rule, String> wrong) {
    String mailbox = mailbox(create.path());
    TreeMap<Long, List<MessageId>> there =
        segments.computeIfAbsent(mailbox, key -> new TreeMap<>());
    long next = there.isEmpty() ? 0 : there.lastKey() + 1;
    long sequence = sequence(create.path());
    if (sequence != next) {
      wrong.accept(
          Rule.GAP, "segment %d of %s where %d must follow".formatted(sequence, mailbox, next));
    }
    List<MessageId> ids =
        Segment.decode(create.path(), create.data()).stream().map(Envelope::id).toList();
    there.put(sequence, ids);
    for (MessageId id : ids) {
      if (!known.add(id)) {
        wrong.accept(Rule.UNIQUE, id + " is stored again");
      }
      long before = latest.merge(mailbox + " " + id.sender(), id.number(), Math::max);
      if (before != id.number()) {
        wrong.accept(Rule.ORDER, "%s comes after number %d".formatted(id, before));
      }
    }
  }

  /**
   * Returns the messages of one segment of {@code <partition>/<actor>}; empty if it never existed.
   */
  List<MessageId> messages(String mailbox, long sequence) {
    return segments.getOrDefault(mailbox, new TreeMap<>()).getOrDefault(sequence, List.of());
  }

  void consumed(int messages) {
    consumed += messages;
  }

  int stored() {
    return known.size();
  }

  int consumed() {
    return consumed;
  }
}

package io.callboard.zookeeper.faults;

import io.callboard.zookeeper.faults.Violation.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Replays the transaction log of a cell and tells which transaction breaks which {@link Rule}. An
 * oracle that is independent of the code under test: it knows the layout of the znodes, and the
 * codec of what is in a segment.
 */
final class TxnLogHistory {
  private static final Set<String> KINDS = Set.of("i", "s", "o", "a", "m", "j", "d", "b", "x");
  private static final int MOST_VIOLATIONS = 10;

  private final String root;
  private final Znodes znodes = new Znodes();
  private final CommitRules commits = new CommitRules(znodes);
  private final OwnerRules owners = new OwnerRules(znodes);
  private final MailRules mail = new MailRules();
  private final OutboxRules outboxes = new OutboxRules();
  private final ActorRules actors = new ActorRules(znodes, mail, outboxes);
  private final BlobRules blobs = new BlobRules(znodes);
  private final List<Violation> violations = new ArrayList<>();
  private long last;
  private int multis;
  private int refused;

  /** What was seen. */
  record Figures(int multis, int refused, int stored, int consumed, int parked, int relayed) {}

  /**
   * @param root of the cell
   */
  TxnLogHistory(String root) {
    this.root = root;
  }

  /**
   * What stopped servers agreed on. A member that was away may be sent a snapshot instead of what
   * it missed, so its own log may have a gap; what was agreed on is in the logs of most of them.
   *
   * @param directories of the log of each
   */
  static TxnLogHistory of(String root, List<Path> directories) throws IOException {
    NavigableMap<Long, List<Transaction>> logged = new TreeMap<>();
    TxnLogHistory history = new TxnLogHistory(root);
    for (Path directory : directories) {
      history.inOrder(TxnLogs.read(directory), logged);
    }
    logged.values().stream()
        .filter(each -> each.size() > directories.size() / 2)
        .forEach(each -> history.add(each.get(0)));
    return history;
  }

  private void inOrder(List<Transaction> log, Map<Long, List<Transaction>> logged) {
    long before = 0;
    for (Transaction each : log) {
      List<Transaction> same = logged.computeIfAbsent(each.zxid(), zxid -> new ArrayList<>());
      if (each.zxid() <= before) {
        violated(Rule.WHOLE, each, "it comes after 0x%x".formatted(before));
      } else if (!same.isEmpty() && !same.get(0).equals(each)) {
        violated(Rule.WHOLE, each, "another member has %s here".formatted(same.get(0)));
      }
      before = each.zxid();
      same.add(each);
    }
  }

  void add(Transaction whole) {
    contiguous(whole.zxid());
    if (whole.multi() && whole.operations().isEmpty()) {
      refused++;
      return;
    }
    Transaction transaction = whole.below(root);
    List<Operation> ours =
        transaction.operations().stream()
            .filter(operation -> KINDS.contains(operation.path().split("/", 3)[1]))
            .toList();
    if (ours.isEmpty()) {
      return;
    }
    multis += whole.multi() ? 1 : 0;
    Transaction seen = new Transaction(whole.zxid(), whole.session(), whole.multi(), ours);
    BiConsumer<Rule, String> wrong = (rule, what) -> violated(rule, seen, what);
    outboxes.look(seen, wrong);
    commits.look(seen, wrong);
    owners.look(seen, wrong);
    mail.look(seen, wrong);
    actors.look(seen, wrong);
    blobs.look(seen, wrong);
    seen.operations().forEach(operation -> znodes.apply(operation, wrong));
  }

  /** A server logs every zxid of an epoch; the first of the next epoch follows any. */
  private void contiguous(long zxid) {
    boolean newEpoch = zxid >>> 32 > last >>> 32 && (zxid & 0xffffffffL) <= 1;
    if (zxid != last + 1 && !newEpoch) {
      violations.add(new Violation(Rule.WHOLE, zxid, "it follows 0x%x".formatted(last)));
    }
    last = zxid;
  }

  private void violated(Rule rule, Transaction transaction, String what) {
    if (violations.size() < MOST_VIOLATIONS) {
      violations.add(new Violation(rule, transaction.zxid(), what + " in " + transaction));
    }
  }

  List<Violation> violations() {
    return violations;
  }

  /** Messages that wait in mailboxes and outboxes at the end. */
  int waiting() {
    return mail.stored() - mail.consumed() + outboxes.waiting();
  }

  BlobRules blobs() {
    return blobs;
  }

  Figures figures() {
    return new Figures(
        multis, refused, mail.stored(), mail.consumed(), actors.parked(), outboxes.relayed());
  }
}

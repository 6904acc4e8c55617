package io.callboard.audit;

import io.callboard.audit.Violation.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Check of the transaction log of a cell against each {@link Rule}. An oracle independent of the
 * code under test: it knows only the layout of the znodes, and the codec of segments. Not
 * thread-safe.
 */
public final class TxnLogHistory {
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

  /**
   * Figures of a history.
   *
   * @param multis multis that were applied
   * @param refused multis that were refused because a check failed
   * @param stored messages put into mailboxes
   * @param consumed messages consumed from them
   * @param parked messages parked as dead letters
   * @param relayed messages moved from outboxes to mailboxes
   */
  public record Figures(
      int multis, int refused, int stored, int consumed, int parked, int relayed) {}

  /**
   * Creates an empty history.
   *
   * @param root root znode of the cell
   */
  TxnLogHistory(String root) {
    this.root = root;
  }

  /**
   * Returns the history on which stopped servers agreed; see {@link AgreedLog}.
   *
   * @param root root znode of the cell, for example {@code /callboard/main}
   * @param directories directory of each server's log, with all files {@code log.<zxid>} since the
   *     first
   * @throws IOException if a log cannot be read
   */
  public static TxnLogHistory of(String root, List<Path> directories) throws IOException {
    TxnLogHistory history = new TxnLogHistory(root);
    List<TxnLogs> logs = new ArrayList<>();
    try {
      for (Path directory : directories) {
        logs.add(TxnLogs.open(directory));
      }
      AgreedLog agreed = new AgreedLog(logs);
      for (var next = agreed.next(); next.isPresent(); next = agreed.next()) {
        history.add(next.get());
      }
    } finally {
      for (TxnLogs log : logs) {
        log.close();
      }
    }
    return history;
  }

  private void add(AgreedLog.Agreed next) {
    for (Transaction other : next.others()) {
      violated(Rule.WHOLE, next.one(), "another member has %s".formatted(other));
    }
    add(next.one());
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

  /**
   * Checks that a zxid follows the one before: within an epoch without a gap, while a new epoch may
   * begin anywhere.
   */
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

  /** Returns the first violations that were found; empty if the history is sound. */
  public List<Violation> violations() {
    return violations;
  }

  /** Returns the number of messages in mailboxes and outboxes at the end. */
  public int waiting() {
    return mail.stored() - mail.consumed() + outboxes.waiting();
  }

  /** Returns the number of blobs that a message ever named. */
  public int blobs() {
    return blobs.named();
  }

  /** Returns the blobs that outlived the message that named them. */
  public Set<String> blobsLeft() {
    return blobs.left();
  }

  /** Returns the extent of the history. */
  public Figures figures() {
    return new Figures(
        multis, refused, mail.stored(), mail.consumed(), actors.parked(), outboxes.relayed());
  }
}

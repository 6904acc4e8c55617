package io.callboard.chaos;

import io.callboard.audit.TxnLogHistory;
import io.callboard.audit.Violation;
import io.callboard.audit.Violation.Rule;
import io.callboard.chaos.Verdict.Kind;
import io.callboard.chaos.hosts.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Judge of ZooKeeper's transaction log, after the servers have stopped. */
final class LogJudge {
  /** Root of the nodes' cell. */
  static final String ROOT = "/callboard/" + Cluster.CELL;

  private LogJudge() {}

  /** Judges, and returns what it has read. */
  static TxnLogHistory judge(String root, List<Path> logs, Verdict verdict) throws IOException {
    TxnLogHistory history = TxnLogHistory.of(root, logs);
    for (Violation violation : history.violations()) {
      verdict.found(kind(violation.rule()), 1, violation.toString());
    }
    verdict.found(
        Kind.STUCK,
        history.blobsLeft().size(),
        "blobs that outlived their message: " + history.blobsLeft());
    Progress.say("transaction log: " + history.figures());
    TxnLogHistory.Figures seen = history.figures();
    if (seen.stored() == 0 || seen.consumed() == 0) {
      throw new IOException(
          "the transaction log of %s lacks what was done: %s".formatted(root, seen));
    }
    return history;
  }

  private static Kind kind(Rule rule) {
    return switch (rule) {
      case WHOLE, VERSION, GAP, SENT, BLOB, JOURNAL, CURSOR, PARKED -> Kind.LOST;
      case UNIQUE, TURN, OUTBOX -> Kind.DUPLICATED;
      case ORDER -> Kind.REORDERED;
      case EPOCH, NUMBER -> Kind.DOUBLE_OWNER;
      case COMMITTER, INCARNATION, SESSION, LEASE, OWNER -> Kind.FENCED_WRITES;
    };
  }
}

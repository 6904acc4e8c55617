package io.callboard.zookeeper.internal.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.jute.Record;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.MultiTxn;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.Txn;
import org.jspecify.annotations.Nullable;

/**
 * Server database whose committed log is bounded by bytes. ZooKeeper keeps the last 500 requests in
 * memory, for followers that missed some, whatever their size: with the largest permitted records
 * that is more than 1 GiB, and cannot be configured lower. A follower that needs older ones gets
 * them from the transaction log on disk, or a snapshot.
 */
public final class BoundedDatabase extends ZKDatabase {
  /** Estimate for a request without data: its objects, paths and header. */
  private static final int REQUEST_BYTES = 1 << 10;

  private final long mostBytes;
  // guarded by logLock, as the committed log is
  private final Deque<Long> sizes = new ArrayDeque<>();
  private long bytes;

  /**
   * Creates a database whose committed log is bounded.
   *
   * @param mostBytes of the transactions in the committed log; the last one always stays. The heap
   *     holds up to four times as much: of each also the request, and what the collector rounds up.
   */
  public BoundedDatabase(FileTxnSnapLog files, long mostBytes) {
    super(files);
    this.mostBytes = mostBytes;
  }

  @Override
  public void addCommittedProposal(Request request) {
    logLock.writeLock().lock();
    try {
      long newest = maxCommittedLog;
      boolean empty = committedLog.isEmpty();
      super.addCommittedProposal(request);
      if (empty || maxCommittedLog != newest) {
        added(REQUEST_BYTES + bytes(request.getTxn()));
      }
    } finally {
      logLock.writeLock().unlock();
    }
  }

  private void added(long size) {
    sizes.addLast(size);
    bytes += size;
    while (sizes.size() > committedLog.size()) {
      bytes -= sizes.removeFirst(); // super has taken away what is over its count
    }
    while (bytes > mostBytes && committedLog.size() > 1) {
      var unused = committedLog.remove();
      bytes -= sizes.removeFirst();
      minCommittedLog = committedLog.element().getZxid();
    }
  }

  @Override
  public void clear() {
    logLock.writeLock().lock();
    try {
      super.clear();
      sizes.clear();
      bytes = 0;
    } finally {
      logLock.writeLock().unlock();
    }
  }

  private static long bytes(@Nullable Record transaction) {
    if (transaction instanceof MultiTxn multi) {
      return multi.getTxns().stream().map(Txn::getData).mapToLong(BoundedDatabase::length).sum();
    } else if (transaction instanceof SetDataTxn set) {
      return length(set.getData());
    } else if (transaction instanceof CreateTxn create) {
      return length(create.getData());
    }
    return 0;
  }

  private static long length(byte @Nullable [] data) {
    return data == null ? 0 : data.length;
  }
}

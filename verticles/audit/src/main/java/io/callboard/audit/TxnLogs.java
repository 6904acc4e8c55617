package io.callboard.audit;

import io.callboard.audit.Operation.Check;
import io.callboard.audit.Operation.Create;
import io.callboard.audit.Operation.Delete;
import io.callboard.audit.Operation.Write;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.ByteBufferInputStream;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.TxnLog.TxnIterator;
import org.apache.zookeeper.txn.CheckVersionTxn;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.DeleteTxn;
import org.apache.zookeeper.txn.MultiTxn;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.Txn;

/** Transaction log of a stopped server, oldest first. */
final class TxnLogs implements MemberLog, AutoCloseable {
  private final Path directory;
  private final FileTxnLog log;
  private final TxnIterator at;
  private boolean has;

  private TxnLogs(Path directory) throws IOException {
    this.directory = directory;
    log = new FileTxnLog(directory.toFile());
    at = log.read(0);
    has = at.getHeader() != null;
  }

  /**
   * Opens a log.
   *
   * @param directory directory with the files {@code log.<zxid>}
   */
  static TxnLogs open(Path directory) throws IOException {
    return new TxnLogs(directory);
  }

  @Override
  public boolean has() {
    return has;
  }

  @Override
  public long zxid() {
    return at.getHeader().getZxid();
  }

  @Override
  public Transaction take() throws IOException {
    Transaction next = transaction(at);
    has = at.next();
    return next;
  }

  @Override
  public void close() throws IOException {
    at.close();
    log.close();
  }

  @Override
  public String toString() {
    return "the log in " + directory;
  }

  private static Transaction transaction(TxnIterator at) throws IOException {
    List<Operation> operations = new ArrayList<>();
    Record body = at.getTxn();
    boolean multi = body instanceof MultiTxn;
    if (body instanceof MultiTxn several) {
      // a refused multi is logged, too: as an error in place of the refused operation and all later
      // ones
      if (several.getTxns().stream().noneMatch(one -> one.getType() == OpCode.error)) {
        for (Txn one : several.getTxns()) {
          operation(decode(one)).ifPresent(operations::add);
        }
      }
    } else {
      operation(body).ifPresent(operations::add);
    }
    return new Transaction(
        at.getHeader().getZxid(), at.getHeader().getClientId(), multi, operations);
  }

  private static Record decode(Txn part) throws IOException {
    Record record =
        switch (part.getType()) {
          case OpCode.create, OpCode.create2 -> new CreateTxn();
          case OpCode.setData -> new SetDataTxn();
          case OpCode.delete -> new DeleteTxn();
          case OpCode.check -> new CheckVersionTxn();
          default -> throw new IOException("a multi holds an operation " + part.getType());
        };
    ByteBufferInputStream.byteBuffer2Record(ByteBuffer.wrap(part.getData()), record);
    return record;
  }

  private static Optional<Operation> operation(Record record) {
    if (record instanceof CreateTxn create) {
      byte[] data = create.getData();
      return Optional.of(new Create(create.getPath(), data == null ? new byte[0] : data));
    } else if (record instanceof SetDataTxn set) {
      byte[] data = set.getData();
      return Optional.of(
          new Write(set.getPath(), data == null ? new byte[0] : data, set.getVersion()));
    } else if (record instanceof DeleteTxn delete) {
      return Optional.of(new Delete(delete.getPath()));
    } else if (record instanceof CheckVersionTxn check) {
      // the server logs the version to which a write would have led
      return Optional.of(new Check(check.getPath(), check.getVersion() - 1));
    }
    return Optional.empty();
  }
}

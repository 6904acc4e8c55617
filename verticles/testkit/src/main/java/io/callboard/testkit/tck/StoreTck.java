package io.callboard.testkit.tck;

import io.callboard.store.Limits;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Conformance test of the contract of {@link io.callboard.store.Store}. Extend it once for each
 * store; the cases are inherited.
 */
public abstract class StoreTck
    implements SessionCases,
        LeaseCases,
        CommitCases,
        ParkedCases,
        OutboxCases,
        RefusalCases,
        ReadingCases,
        BlobCases,
        JournalCases,
        FailureCases,
        DocumentCases,
        FaultCases {
  private final List<TckCell> cells = new ArrayList<>();
  private final List<TckNode> nodes = new ArrayList<>();
  private TckCell cell;

  /**
   * Creates an empty cell.
   *
   * @param mailboxLimit number of messages waiting in one mailbox from which on senders are refused
   */
  protected abstract TckCell newCell(int mailboxLimit);

  @BeforeEach
  final void openCell() {
    freshCell(Limits.MAILBOX_MESSAGES);
  }

  @AfterEach
  final void closeCell() {
    List<Future<Void>> closed = nodes.stream().map(node -> node.store().close()).toList();
    closed.forEach(TckNode::await);
    cells.forEach(TckCell::close);
  }

  @Override
  public final TckCell cell() {
    return cell;
  }

  @Override
  public final void freshCell(int mailboxLimit) {
    cell = newCell(mailboxLimit);
    cells.add(cell);
  }

  @Override
  public final TckNode node() {
    TckNode node = new TckNode(cell.newStore());
    nodes.add(node);
    return node;
  }
}

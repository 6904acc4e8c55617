package io.callboard.internal.node;

import io.callboard.cell.CellListener;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.link.NodeRouter;
import io.callboard.store.Member;
import io.callboard.store.Store;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * Reads the live nodes of the cell for the router, which broadcasts to them and does not wait for
 * those that are gone. Safe for use by many threads.
 */
final class LiveNodes implements CellListener {
  private static final long READ_AGAIN_MS = 1_000;

  private final NodeContext node;
  private final Store store;
  private final NodeRouter router;
  private final AtomicBoolean readingAgain = new AtomicBoolean();

  LiveNodes(NodeContext node, Store store, NodeRouter router) {
    this.node = node;
    this.store = store;
    this.router = router;
  }

  @Override
  public void membersChanged() {
    store
        .members()
        .onFailure(this::readAgain)
        .onSuccess(
            members ->
                router.members(
                    members.stream().map(Member::bootId).collect(Collectors.toUnmodifiableSet())));
  }

  /**
   * Reads the members again after a failure, so that a node that came meanwhile gets broadcasts.
   */
  private void readAgain(Throwable cause) {
    NodeContext.reportedElsewhere(cause);
    if (readingAgain.compareAndSet(false, true)) {
      node.afterMillis(
          READ_AGAIN_MS,
          () -> {
            readingAgain.set(false);
            if (!node.isClosing()) {
              membersChanged();
            }
          });
    }
  }
}

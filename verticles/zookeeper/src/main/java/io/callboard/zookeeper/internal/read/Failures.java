package io.callboard.zookeeper.internal.read;

import io.callboard.codecs.ActorPath;
import io.callboard.store.Lease;
import io.callboard.store.StoredFailures;
import io.callboard.supervision.Failure;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.session.NodeSession;
import io.vertx.core.Future;
import java.util.List;

/**
 * Stored failures of actors: one znode for each actor that failed, written by the owner of its
 * partition. It is no part of any commit, and no watch covers it.
 */
public final class Failures {
  private final NodeSession session;

  /** Creates the stored failures of a cell. */
  public Failures(NodeSession session) {
    this.session = session;
  }

  /**
   * Completes with the failures of an actor, including all that any node wrote before this read.
   */
  public Future<List<Failure>> read(ActorPath actor) {
    Handle handle = session.handle();
    Layout layout = session.layout();
    String path = layout.failures(actor);
    return handle
        .sync(layout.root())
        .compose(synced -> handle.get(path))
        .map(
            found ->
                found
                    .map(node -> StoredFailures.decode("znode " + path, node.data()))
                    .orElse(List.of()));
  }

  /** Writes the failures of an actor, if {@code lease} is still the present one. */
  public Future<Void> write(ActorPath actor, Lease lease, List<Failure> failures) {
    Layout layout = session.layout();
    return new FencedZnode(
            session, lease, layout.failures(actor), layout.failuresOf(lease.partition()))
        .write(StoredFailures.encode(failures));
  }
}

package io.callboard.zookeeper.internal.read;

import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.session.NodeSession;
import io.vertx.core.Future;
import java.util.Optional;

/** Documents of roles: one znode of each role that has one, written by its holder. */
public final class Documents {
  private final NodeSession session;

  /** Creates the documents of a cell. */
  public Documents(NodeSession session) {
    this.session = session;
  }

  /** Completes with the document of a role, after all that any node wrote before this read. */
  public Future<Optional<byte[]>> read(Partition role) {
    Handle handle = session.handle();
    return handle
        .sync(session.layout().root())
        .compose(synced -> handle.get(session.layout().document(role)))
        .map(found -> found.map(Handle.Node::data));
  }

  /** Writes the document of a role, if {@code lease} is still the present one. */
  public Future<Void> write(Lease lease, byte[] document) {
    Limits.checkDocument(document);
    String path = session.layout().document(lease.partition());
    return new FencedZnode(session, lease, path, session.layout().top("e")).write(document);
  }
}

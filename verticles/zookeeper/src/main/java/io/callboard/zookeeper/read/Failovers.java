package io.callboard.zookeeper.read;

import io.callboard.store.Failover;
import io.callboard.store.Lease;
import io.callboard.store.StoredFailovers;
import io.callboard.zookeeper.client.BulkReads;
import io.callboard.zookeeper.client.Handle;
import io.callboard.zookeeper.layout.Layout;
import io.callboard.zookeeper.session.NodeSession;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** History of the holders of roles: one znode of each role, written by its holder. */
public final class Failovers {
  private final NodeSession session;

  /** Creates the histories of a cell. */
  public Failovers(NodeSession session) {
    this.session = session;
  }

  /** Histories of all roles that were ever held. */
  public Future<Map<String, List<Failover>>> read() {
    Handle handle = session.handle();
    String top = session.layout().top("t");
    return handle
        .children(top)
        .compose(
            names ->
                BulkReads.large(
                    handle, names.orElse(List.of()).stream().map(n -> top + "/" + n).toList()))
        .map(
            nodes -> {
              Map<String, List<Failover>> found = new TreeMap<>();
              nodes.forEach(
                  (path, node) -> {
                    StoredFailovers stored = StoredFailovers.decode("znode " + path, node.data());
                    found.put(stored.role(), stored.failovers());
                  });
              return found;
            });
  }

  /** Writes the failovers of a role, if {@code lease} is still the present one. */
  public Future<Void> write(Lease lease, String role, List<Failover> all) {
    Layout layout = session.layout();
    return new FencedZnode(session, lease, layout.failovers(lease.partition()), layout.top("t"))
        .write(StoredFailovers.encode(role, all));
  }
}

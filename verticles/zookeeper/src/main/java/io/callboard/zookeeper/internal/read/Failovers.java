package io.callboard.zookeeper.internal.read;

import io.callboard.codecs.CodecException;
import io.callboard.store.Failover;
import io.callboard.store.Lease;
import io.callboard.store.StoreException;
import io.callboard.store.StoredFailovers;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.session.NodeSession;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** History of the holders of roles: one znode of each role, written by its holder. */
public final class Failovers {
  private static final Logger log = LoggerFactory.getLogger(Failovers.class);

  private final NodeSession session;

  /** Histories that the last read could not decode, with the cause. */
  private volatile Map<String, String> unreadable = Map.of();

  /** Creates the histories of a cell. */
  public Failovers(NodeSession session) {
    this.session = session;
  }

  /**
   * Histories of all roles that were ever held; one that cannot be read is left out, which is
   * logged once.
   */
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
              Map<String, String> damaged = new TreeMap<>();
              nodes.forEach(
                  (path, node) -> {
                    try {
                      StoredFailovers stored = StoredFailovers.decode("znode " + path, node.data());
                      found.put(stored.role(), stored.failovers());
                    } catch (CodecException | StoreException e) {
                      damaged.put(path, String.valueOf(e.getMessage()));
                    }
                  });
              damaged(damaged);
              return found;
            });
  }

  private void damaged(Map<String, String> now) {
    Map<String, String> before = unreadable;
    unreadable = now;
    now.forEach(
        (path, why) -> {
          if (!why.equals(before.get(path))) {
            log.error("the failovers of a role cannot be read and are not shown: {}", why);
          }
        });
  }

  /**
   * Writes the failovers of a role, if {@code lease} is still the present one; never over some that
   * the last read could not decode: a newer node may have written them.
   */
  public Future<Void> write(Lease lease, String role, List<Failover> all) {
    Layout layout = session.layout();
    String path = layout.failovers(lease.partition());
    String damage = unreadable.get(path);
    if (damage != null) {
      return Future.failedFuture(StoreException.corrupt(damage));
    }
    return new FencedZnode(session, lease, path, layout.top("t"))
        .write(StoredFailovers.encode(role, all));
  }
}

package io.callboard.zookeeper.internal.read;

import io.callboard.store.Lease;
import io.callboard.store.StoreException;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.session.NodeSession;
import io.vertx.core.Future;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * Znode that only the owner of a partition writes, outside of commits: each write is one multi with
 * a check of the lease.
 *
 * @param lease the fence
 * @param path the znode, made by the first write
 * @param parent its parent, made if it is not there
 */
record FencedZnode(NodeSession session, Lease lease, String path, String parent) {
  private static final int ATTEMPTS = 3;

  /** Replaces its content, if the lease is still the present one; else fails as a conflict. */
  Future<Void> write(byte[] bytes) {
    return set(bytes, 1);
  }

  private Future<Void> set(byte[] bytes, int attempt) {
    return fenced(Op.setData(path, bytes, -1)) // the lease is the fence
        .recover(
            cause ->
                isRefused(cause, Code.NONODE) && attempt <= ATTEMPTS
                    ? create(bytes, attempt)
                    : failed(cause));
  }

  private Future<Void> create(byte[] bytes, int attempt) {
    Handle handle = session.handle();
    Op write = Op.create(path, bytes, handle.acl(), CreateMode.PERSISTENT);
    return handle
        .ensure(parent, new byte[0])
        .compose(there -> fenced(write))
        .recover(
            cause -> isRefused(cause, Code.NODEEXISTS) ? set(bytes, attempt + 1) : failed(cause));
  }

  private Future<Void> fenced(Op write) {
    Op fence = Op.check(session.layout().lease(lease.partition()), lease.version());
    return session.handle().multi(List.of(fence, write)).mapEmpty();
  }

  private static boolean isRefused(Throwable cause, Code code) {
    return cause instanceof Handle.Refused refused
        && refused.culprit() == 1
        && refused.code(1) == code;
  }

  private Future<Void> failed(Throwable cause) {
    if (!(cause instanceof Handle.Refused refused) || refused.culprit() < 0) {
      return Future.failedFuture(cause);
    } else if (refused.culprit() == 0) {
      return Future.failedFuture(
          StoreException.conflict("partition %s has another owner".formatted(lease.partition())));
    }
    return Future.failedFuture(KeeperException.create(refused.code(1), path));
  }
}

package io.callboard.zookeeper.read;

import io.callboard.codecs.ActorPath;
import io.callboard.store.Lease;
import io.callboard.store.StoreException;
import io.callboard.store.StoredFailures;
import io.callboard.supervision.Failure;
import io.callboard.zookeeper.client.Handle;
import io.callboard.zookeeper.layout.Layout;
import io.callboard.zookeeper.session.NodeSession;
import io.vertx.core.Future;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * Stored failures of actors: one znode for each actor that failed, written by the owner of its
 * partition. It is no part of any commit, and no watch covers it.
 */
public final class Failures {
  private static final int ATTEMPTS = 3;

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
    return set(actor, lease, StoredFailures.encode(failures), 1);
  }

  private Future<Void> set(ActorPath actor, Lease lease, byte[] bytes, int attempt) {
    Op write = Op.setData(session.layout().failures(actor), bytes, -1); // the lease is the fence
    return fenced(lease, write)
        .recover(
            cause ->
                isRefused(cause, Code.NONODE) && attempt <= ATTEMPTS
                    ? create(actor, lease, bytes, attempt)
                    : failed(actor, lease, cause));
  }

  private Future<Void> create(ActorPath actor, Lease lease, byte[] bytes, int attempt) {
    Handle handle = session.handle();
    Op write =
        Op.create(session.layout().failures(actor), bytes, handle.acl(), CreateMode.PERSISTENT);
    return handle
        .ensure(session.layout().failuresOf(lease.partition()), new byte[0])
        .compose(v -> fenced(lease, write))
        .recover(
            cause ->
                isRefused(cause, Code.NODEEXISTS)
                    ? set(actor, lease, bytes, attempt + 1)
                    : failed(actor, lease, cause));
  }

  private Future<Void> fenced(Lease lease, Op write) {
    Op fence = Op.check(session.layout().lease(lease.partition()), lease.version());
    return session.handle().multi(List.of(fence, write)).mapEmpty();
  }

  private static boolean isRefused(Throwable cause, Code code) {
    return cause instanceof Handle.Refused refused
        && refused.culprit() == 1
        && refused.code(1) == code;
  }

  private Future<Void> failed(ActorPath actor, Lease lease, Throwable cause) {
    if (!(cause instanceof Handle.Refused refused) || refused.culprit() < 0) {
      return Future.failedFuture(cause);
    } else if (refused.culprit() == 0) {
      return Future.failedFuture(
          StoreException.conflict("partition %s has another owner".formatted(lease.partition())));
    }
    return Future.failedFuture(
        KeeperException.create(refused.code(1), session.layout().failures(actor)));
  }
}

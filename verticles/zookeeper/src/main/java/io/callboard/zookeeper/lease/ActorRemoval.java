package io.callboard.zookeeper.lease;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.Generation;
import io.callboard.store.Lease;
import io.callboard.store.StoreException;
import io.callboard.store.StoredRecord;
import io.callboard.zookeeper.client.Handle;
import io.callboard.zookeeper.layout.Layout;
import io.callboard.zookeeper.session.NodeSession;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;

/**
 * Removal of a deleted actor, in one multi under its lease and the node's incarnation: record,
 * mailbox and the parents of its entries go together, and only if they are empty.
 */
public final class ActorRemoval {
  private final NodeSession session;

  /** Creates a remover of actors. */
  public ActorRemoval(NodeSession session) {
    this.session = session;
  }

  /**
   * Removes an actor; fails with a {@code CONFLICT} if it has mail or entries left, or has changed,
   * {@code UNAVAILABLE} if this node has begun another incarnation meanwhile.
   *
   * @param lease under which this node owns its partition
   * @param record the last record that was read
   */
  public Future<Void> remove(ActorPath actor, Lease lease, StoredRecord record) {
    if (Generation.number(record.record().next()) >= Generation.LAST_NUMBER) {
      return Future.failedFuture(
          StoreException.conflict(
              "the mailbox of %s is at the end of a generation and may have a successor"
                  .formatted(actor)));
    }
    Handle handle = session.handle();
    Layout layout = session.layout();
    Partition partition = lease.partition();
    Op alive = Op.check(layout.incarnation(session.identity().name()), session.incarnation());
    List<String> optional =
        List.of(layout.journal(actor), layout.outbox(actor), layout.failures(actor));
    return handle
        .children(layout.parkedOf(partition))
        .compose(parked -> there(handle, optional, isParked(parked.orElse(List.of()), actor)))
        .compose(
            there -> {
              List<Op> operations = new ArrayList<>();
              operations.add(alive);
              operations.add(Op.check(layout.lease(partition), lease.version()));
              operations.add(Op.delete(layout.record(actor), record.version()));
              long generation = Generation.of(record.record().next());
              operations.add(Op.delete(layout.mailbox(actor, generation), -1));
              there.forEach(path -> operations.add(Op.delete(path, -1)));
              return handle.multi(operations);
            })
        .<Void>mapEmpty()
        .recover(cause -> Future.failedFuture(failure(actor, cause)));
  }

  private static Throwable failure(ActorPath actor, Throwable cause) {
    if (!(cause instanceof Handle.Refused refused)) {
      return cause;
    }
    return refused.culprit() == 0
        ? StoreException.unavailable(
            "this node began another incarnation as %s was to be removed".formatted(actor), cause)
        : StoreException.conflict(
            "%s is not empty, or its partition has another owner: operation %d of its removal was refused"
                .formatted(actor, refused.culprit()));
  }

  private static boolean isParked(List<String> parked, ActorPath actor) {
    return parked.stream().anyMatch(name -> name.startsWith(actor.toNodeName() + "~"));
  }

  /** Returns those of {@code paths} that exist; fails if the actor has parked messages. */
  private static Future<List<String>> there(Handle handle, List<String> paths, boolean isParked) {
    if (isParked) {
      return Future.failedFuture(
          StoreException.conflict("it has parked messages: replay or discard them first"));
    }
    List<Future<Optional<Stat>>> looks =
        paths.stream().map(path -> handle.exists(path, null)).toList();
    return Future.all(looks)
        .map(
            all -> {
              List<String> there = new ArrayList<>();
              for (int i = 0; i < paths.size(); i++) {
                if (looks.get(i).result().isPresent()) {
                  there.add(paths.get(i));
                }
              }
              return there;
            });
  }
}

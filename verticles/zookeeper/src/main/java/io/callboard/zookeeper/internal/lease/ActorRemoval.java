package io.callboard.zookeeper.internal.lease;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.Generation;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.StoreException;
import io.callboard.store.StoredRecord;
import io.callboard.zookeeper.internal.client.Errors;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.client.RequestPermits;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.session.NodeSession;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * Removal of deleted actors of a partition, in one multi under its lease and the node's
 * incarnation: record, mailbox and the parents of entries of each go together, and only if they are
 * empty. If the multi is refused because of an actor, each goes in a multi of its own.
 */
public final class ActorRemoval {
  /** Removals that are under way at once: commits need the connection too. */
  private static final int AT_ONCE = 4;

  /** Znodes of an actor that may be missing. */
  private static final int OPTIONAL = 3;

  private final NodeSession session;
  private final RequestPermits permits = new RequestPermits(AT_ONCE);

  /** Actor that may go, with the deletions of its znodes. */
  private record Removable(ActorPath actor, List<Op> deletes) {}

  /** Checks with which each multi begins: that of the incarnation, and that of the lease. */
  private record Fences(Partition partition, Op alive, Op owned) {
    List<Op> before(List<Removable> actors) {
      List<Op> operations = new ArrayList<>(List.of(alive, owned));
      actors.forEach(each -> operations.addAll(each.deletes()));
      return operations;
    }

    /** Returns the failure that a refused check means for all actors of a multi. */
    Throwable failure(Handle.Refused refused) {
      return refused.culprit() == 0
          ? StoreException.unavailable(
              "this node began another incarnation as deleted actors of partition %s were to be removed"
                  .formatted(partition),
              refused)
          : StoreException.conflict("partition %s has another owner".formatted(partition));
    }
  }

  /** Creates a remover of actors. */
  public ActorRemoval(NodeSession session) {
    this.session = session;
  }

  /**
   * Removes actors; see {@link io.callboard.store.Store#remove(Lease, Map)}.
   *
   * @param lease under which this node owns their partition
   * @param records the last record that was read of each
   * @return those that stay, each with the failure
   */
  public Future<Map<ActorPath, Throwable>> remove(
      Lease lease, Map<ActorPath, StoredRecord> records) {
    Limits.checkActors(records.size(), Limits.REMOVED_ACTORS);
    if (records.isEmpty()) {
      return Future.succeededFuture(Map.of());
    }
    Layout layout = session.layout();
    Fences fences = // of this moment: a removal that waits for a permit may outlive its incarnation
        new Fences(
            lease.partition(),
            Op.check(layout.incarnation(session.identity().name()), session.incarnation()),
            Op.check(layout.lease(lease.partition()), lease.version()));
    return permits.pass(() -> remove(session.handle(), fences, records));
  }

  /** Looks at what there is of the actors, and removes those of which no more is left. */
  private Future<Map<ActorPath, Throwable>> remove(
      Handle handle, Fences fences, Map<ActorPath, StoredRecord> records) {
    Future<Set<String>> parked =
        handle
            .children(session.layout().parkedOf(fences.partition()))
            .map(names -> actors(names.orElse(List.of())));
    Future<List<OpResult>> looks =
        handle.readAll(records.keySet().stream().flatMap(this::looks).toList());
    return Future.all(parked, looks)
        .compose(
            both -> {
              Map<ActorPath, Throwable> stay = new LinkedHashMap<>();
              List<Removable> go = new ArrayList<>();
              int next = 0;
              for (Map.Entry<ActorPath, StoredRecord> each : records.entrySet()) {
                ActorPath actor = each.getKey();
                StoredRecord record = each.getValue();
                List<OpResult> there = looks.result().subList(next, next + OPTIONAL);
                next += OPTIONAL;
                if (isAtItsEnd(record)) {
                  stay.put(
                      actor,
                      StoreException.conflict(
                          "the mailbox of %s is at the end of a generation and may have a successor"
                              .formatted(actor)));
                } else if (parked.result().contains(actor.toNodeName())) {
                  stay.put(
                      actor,
                      StoreException.conflict(
                          "it has parked messages: replay or discard them first"));
                } else {
                  go.add(new Removable(actor, deletes(actor, record, there)));
                }
              }
              return together(handle, fences, go, stay);
            });
  }

  private Future<Map<ActorPath, Throwable>> together(
      Handle handle, Fences fences, List<Removable> go, Map<ActorPath, Throwable> stay) {
    if (go.isEmpty()) {
      return Future.succeededFuture(stay);
    }
    return handle
        .multi(fences.before(go))
        .map(stay)
        .recover(
            cause -> {
              if (!(cause instanceof Handle.Refused refused)) {
                return Future.failedFuture(cause); // it is unknown what was removed
              } else if (isOfAll(refused)) {
                return Future.failedFuture(fences.failure(refused));
              } else if (go.size() == 1) {
                stay.put(go.get(0).actor(), failure(go.get(0).actor(), fences, cause));
                return Future.succeededFuture(stay);
              }
              return apart(handle, fences, go, stay);
            });
  }

  /** Removes each actor in a multi of its own, all under way at once. */
  private static Future<Map<ActorPath, Throwable>> apart(
      Handle handle, Fences fences, List<Removable> go, Map<ActorPath, Throwable> stay) {
    List<Future<List<OpResult>>> all =
        go.stream().map(each -> handle.multi(fences.before(List.of(each)))).toList();
    return Future.join(all)
        .transform(
            done -> {
              for (int i = 0; i < go.size(); i++) {
                if (all.get(i).failed()) {
                  ActorPath actor = go.get(i).actor();
                  stay.put(actor, failure(actor, fences, all.get(i).cause()));
                }
              }
              return Future.succeededFuture(stay);
            });
  }

  /** Returns the failure for one actor, which alone was in the multi. */
  private static Throwable failure(ActorPath actor, Fences fences, Throwable cause) {
    if (!(cause instanceof Handle.Refused refused)) {
      return Errors.toStore(actor + " cannot be removed", cause);
    }
    return isOfAll(refused)
        ? fences.failure(refused)
        : StoreException.conflict(
            "%s is not empty, or has changed: operation %d of its removal was refused"
                .formatted(actor, refused.culprit()));
  }

  /** Returns whether one of the {@link Fences} was refused. */
  private static boolean isOfAll(Handle.Refused refused) {
    return refused.culprit() == 0 || refused.culprit() == 1;
  }

  private static boolean isAtItsEnd(StoredRecord record) {
    return Generation.number(record.record().next()) >= Generation.LAST_NUMBER;
  }

  /** Returns the node names of the actors of parked messages. */
  private static Set<String> actors(List<String> parked) {
    return parked.stream()
        .filter(name -> name.indexOf('~') > 0)
        .map(name -> name.substring(0, name.indexOf('~')))
        .collect(Collectors.toSet());
  }

  /**
   * Returns looks at the znodes of an actor that may be missing. Each answer is small: the first
   * two hold no data, and may have many children; it is the other way round with the third.
   */
  private Stream<Op> looks(ActorPath actor) {
    Layout layout = session.layout();
    return Stream.of(
        Op.getData(layout.journal(actor)),
        Op.getData(layout.outbox(actor)),
        Op.getChildren(layout.failures(actor)));
  }

  /** Returns the deletions of an actor's znodes, of which some may be missing. */
  private List<Op> deletes(ActorPath actor, StoredRecord record, List<OpResult> looks) {
    Layout layout = session.layout();
    List<Op> deletes = new ArrayList<>();
    deletes.add(Op.delete(layout.record(actor), record.version()));
    long generation = Generation.of(record.record().next());
    deletes.add(Op.delete(layout.mailbox(actor, generation), -1));
    List<String> optional =
        List.of(layout.journal(actor), layout.outbox(actor), layout.failures(actor));
    for (int i = 0; i < OPTIONAL; i++) {
      if (!(looks.get(i) instanceof OpResult.ErrorResult)) {
        deletes.add(Op.delete(optional.get(i), -1));
      }
    }
    return deletes;
  }
}

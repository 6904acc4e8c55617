package io.callboard.workflows.internal.index;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Partition;
import io.callboard.grid.internal.index.PartitionReader;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reader of the instances of the partitions that this node gains, once it hosts instances. */
final class InstanceReader extends PartitionReader {
  private static final Logger log = LoggerFactory.getLogger(InstanceReader.class);

  /** Maximum number of instances that are woken at the same time. */
  private static final int MOST_WAKING = 16;

  private final InstanceIndex index;
  private final InstanceRecords records;

  InstanceReader(Callboard callboard, InstanceIndex index, InstanceRecords records) {
    super(callboard, index, "workflow instances", 1);
    this.index = index;
    this.records = records;
  }

  @Override
  protected boolean isIndexed(Partition partition) {
    return partition.space().equals(index.prefix().space());
  }

  @Override
  protected Future<Void> read(Part part) {
    List<ActorPath> unknown = new ArrayList<>();
    return tasks.blocking( // decoding many records would block an event loop
        () ->
            callboard
                .leases()
                .actors(part.partition(), index.prefix(), page -> page(part, page, unknown))
                .compose(w -> wake(part, new ArrayDeque<>(unknown))));
  }

  private void page(Part part, StoredActors page, List<ActorPath> unknown) {
    checkOwned(part);
    for (StoredActor actor : page.readable()) {
      try {
        records
            .row(actor)
            .ifPresentOrElse(
                row -> index.read(part.number(), part.epoch(), row),
                () -> unknown.add(actor.path()));
      } catch (CodecException e) {
        unreadable(actor.path(), String.valueOf(e.getMessage()));
      }
    }
    page.unreadable().forEach(InstanceReader::unreadable);
  }

  /** Wakes the instances that have not reported themselves meanwhile, some at a time. */
  private Future<Void> wake(Part part, Queue<ActorPath> unknown) {
    List<Future<?>> some = new ArrayList<>();
    while (some.size() < MOST_WAKING && !unknown.isEmpty() && isOwned(part) && !tasks.isClosed()) {
      ActorPath path = unknown.remove();
      if (!index.knows(path.name())) {
        some.add(
            records
                .wake(path)
                .onFailure(cause -> unreadable(path, cause.toString()))
                .otherwiseEmpty());
      }
    }
    return some.isEmpty()
        ? Future.succeededFuture()
        : Future.join(some).transform(done -> wake(part, unknown));
  }

  private static void unreadable(ActorPath path, String why) {
    log.error("the workflow instance {} cannot be read and is missing from lists: {}", path, why);
  }
}

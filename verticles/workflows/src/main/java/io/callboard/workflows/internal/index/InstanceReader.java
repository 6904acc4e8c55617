package io.callboard.workflows.internal.index;

import io.callboard.Callboard;
import io.callboard.cell.LeaseListener;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Partition;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.task.BackgroundTasks;
import io.callboard.time.Time.Alarm;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reader of the partitions that this node gains, into the index; one after another. One that cannot
 * be read is tried again as long as the node owns it.
 */
final class InstanceReader {
  private static final Logger log = LoggerFactory.getLogger(InstanceReader.class);

  /** Maximum number of instances that are woken at the same time. */
  private static final int MOST_WAKING = 16;

  private static final ExponentialBackoff AGAIN =
      Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(30));

  private final Callboard callboard;
  private final InstanceIndex index;
  private final InstanceRecords records;

  private final BackgroundTasks tasks;

  /** Partitions to be read. On the context. */
  private final Queue<Part> waiting = new ArrayDeque<>();

  /** Whether this node hosts instances, so that they can be woken. On the context. */
  private boolean hosted;

  private boolean reading;

  /** Partition to be read, in the epoch in which this node owns it. */
  private record Part(Partition partition, long epoch, int failures) {}

  InstanceReader(Callboard callboard, InstanceIndex index, InstanceRecords records) {
    this.callboard = callboard;
    this.index = index;
    this.records = records;
    this.tasks = callboard.tasks("the reader of the index of workflow instances");
  }

  /** Begins to follow the partitions of this node. */
  void start() {
    callboard
        .leases()
        .listen(
            new LeaseListener() {
              @Override
              public void held(List<Lease> leases) {
                leases.forEach(InstanceReader.this::gained);
              }

              @Override
              public void gained(Lease lease, Claim claim) {
                InstanceReader.this.gained(lease);
              }

              @Override
              public void lost(Partition partition) {
                if (isOfInstances(partition)) {
                  index.lost(partition.number());
                }
              }
            });
  }

  /** Begins to read, as this node hosts instances. */
  void hosted() {
    tasks.run(
        () -> {
          hosted = true;
          next();
        });
  }

  private boolean isOfInstances(Partition partition) {
    return partition.space().equals(index.prefix().space());
  }

  private void gained(Lease lease) {
    Partition partition = lease.partition();
    if (!tasks.isClosed()
        && isOfInstances(partition)
        && index.gained(partition.number(), lease.epoch())) {
      tasks.run(() -> add(new Part(partition, lease.epoch(), 0)));
    }
  }

  private void add(Part part) {
    waiting.add(part);
    next();
  }

  private void next() {
    while (!tasks.isClosed() && hosted && !reading && !waiting.isEmpty()) {
      Part part = waiting.remove();
      if (isOwned(part)) {
        reading = true;
        read(part);
      }
    }
  }

  private boolean isOwned(Part part) {
    return index.has(part.partition().number(), part.epoch());
  }

  private void read(Part part) {
    List<ActorPath> unknown = new ArrayList<>();
    tasks
        .blocking( // decoding many records would block an event loop
            () ->
                callboard
                    .leases()
                    .actors(part.partition(), index.prefix(), page -> page(part, page, unknown))
                    .compose(w -> wake(part, new ArrayDeque<>(unknown))))
        .onComplete(done -> ended(part, done));
  }

  private void ended(Part part, AsyncResult<Void> done) {
    reading = false;
    if (done.succeeded()) {
      index.allRead(part.partition().number(), part.epoch());
    } else {
      failed(part, done.cause());
    }
    next();
  }

  private void failed(Part part, Throwable cause) {
    if (tasks.isClosed() || !isOwned(part)) {
      return;
    }
    int failures = part.failures() + 1;
    if (failures == 1) {
      log.warn(
          "the workflow instances of partition {} cannot be read, lists are partial until they are; this is tried again: {}",
          part.partition(),
          cause.toString());
    }
    Alarm unused =
        tasks.after(
            AGAIN.delay(failures, callboard.random()),
            () -> add(new Part(part.partition(), part.epoch(), failures)));
  }

  private void page(Part part, StoredActors page, List<ActorPath> unknown) {
    if (tasks.isClosed() || !isOwned(part)) {
      throw new IllegalStateException("partition " + part.partition() + " is not owned any more");
    }
    for (StoredActor actor : page.readable()) {
      try {
        records
            .row(actor)
            .ifPresentOrElse(
                row -> index.read(part.partition().number(), part.epoch(), row),
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

  /** Ends the reading. */
  void close() {
    tasks.close();
  }
}

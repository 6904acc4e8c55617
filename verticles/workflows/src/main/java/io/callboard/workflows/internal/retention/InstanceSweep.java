package io.callboard.workflows.internal.retention;

import io.callboard.Callboard;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.Repetition;
import io.callboard.workflows.internal.index.EndedInstance;
import io.callboard.workflows.internal.index.EndedOrder;
import io.callboard.workflows.internal.index.InstanceIndex;
import io.callboard.workflows.internal.index.InstancePeers;
import io.callboard.workflows.model.InstanceArchiveStatus;
import io.callboard.workflows.model.WorkflowRetention;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes ended instances of this node's partitions that are beyond the retention, a page at a
 * time; with an archive, each after it was written there. Runs on a context of its own.
 */
public final class InstanceSweep {
  /** Maximum number of instances of one page. */
  static final int PAGE = 200;

  /** Maximum number of instances that are woken at the same time. */
  static final int AWAKE = 16;

  /** Time until the next pass if more is to be done. */
  private static final Duration SOON = Duration.ofMillis(10);

  /** Passes in whose time an instance that could not go is not tried again. */
  private static final int HELD = 3;

  private static final Logger log = LoggerFactory.getLogger(InstanceSweep.class);

  private final Callboard callboard;
  private final InstanceIndex index;
  private final InstancePeers peers;
  private final WorkflowRetention retention;
  private final EndedArchive archive;
  private final EndedRemoval removal;
  private final BackgroundTasks tasks;
  private Instant released = Instant.EPOCH;
  private int failures;
  private volatile @Nullable Instant awaySince;
  private volatile @Nullable String cause;

  /**
   * Creates the sweep of a node.
   *
   * @param index index of the node
   * @param peers indexes of all nodes
   * @param archive where instances go before they are removed
   */
  public InstanceSweep(
      Callboard callboard,
      InstanceIndex index,
      InstancePeers peers,
      WorkflowRetention retention,
      EndedArchive archive,
      EndedRemoval removal) {
    this.callboard = callboard;
    this.index = index;
    this.peers = peers;
    this.retention = retention;
    this.archive = archive;
    this.removal = removal;
    this.tasks = callboard.tasks("the sweep of workflow instances");
  }

  /** Begins with the passes. */
  public void start() {
    tasks.repeat(
        Repetition.every(retention.every()).soon(SOON).backoff(WorkflowRetention.LONGEST_PAUSE),
        this::pass,
        this::report);
  }

  /** Ends the passes. */
  public void close() {
    tasks.close();
  }

  /** Logs the first failure of a row of them, and their end. */
  private void report(@Nullable Throwable failure) {
    if (failure == null) {
      if (failures > 0) {
        log.info("ended workflow instances are archived and removed again");
      }
      failures = 0;
      awaySince = null;
      cause = null;
      return;
    }
    if (failures++ == 0) {
      awaySince = callboard.time().clock().instant();
      log.warn(
          "ended workflow instances cannot be archived and removed now; they stay in the cell, this is tried again and nothing is lost: {}",
          failure.toString());
    }
    cause = String.valueOf(failure.getMessage());
  }

  /** Returns the progress of the sweep. Any thread. */
  public InstanceArchiveStatus status() {
    int ended =
        index.ended(0, new EndedOrder(Instant.EPOCH)).counts().values().stream()
            .mapToInt(each -> each)
            .sum();
    return new InstanceArchiveStatus(ended, awaySince, cause);
  }

  /**
   * Removes a page of instances from the cell and a page of old rows from the archive; completes
   * with whether there is more.
   */
  Future<Boolean> pass() {
    return inCell().compose(more -> archive.tidy().map(old -> more || old));
  }

  private Future<Boolean> inCell() {
    Instant now = callboard.time().clock().instant();
    if (!released.plus(retention.every().multipliedBy(HELD)).isAfter(now)) {
      released = now;
      index.release();
    }
    EndedOrder order = new EndedOrder(now.minus(retention.age()));
    List<EndedInstance> old =
        index.ended(PAGE, order).first().stream().filter(order::isTooOld).toList();
    return go(old).compose(v -> old.size() == PAGE ? Future.succeededFuture(true) : byCount(order));
  }

  private Future<Boolean> byCount(EndedOrder order) {
    boolean none = index.ended(0, order).counts().values().stream().allMatch(each -> each == 0);
    if (none || tasks.isClosed()) {
      return Future.succeededFuture(false);
    }
    return peers
        .ended(0, order)
        .compose(
            all -> {
              long excess = all.count() - retention.instances();
              return all.complete() && excess > 0
                  ? remove(excess, order)
                  : Future.succeededFuture(false);
            });
  }

  /** Removes those of this node of the first ones that are too many. */
  private Future<Boolean> remove(long excess, EndedOrder order) {
    int most = (int) Math.min(excess, PAGE);
    return peers
        .ended(most, order)
        .compose(
            all -> {
              List<EndedInstance> own =
                  all.first().stream().filter(each -> index.isOwned(each.id())).toList();
              return all.complete()
                  ? go(own).map(v -> !own.isEmpty() && excess > PAGE)
                  : Future.succeededFuture(false);
            });
  }

  /**
   * Archives and removes instances whose parents do not run; holds the others, and what does not
   * go.
   */
  private Future<Void> go(List<EndedInstance> instances) {
    Set<String> parents = new HashSet<>();
    instances.stream().map(EndedInstance::parent).filter(Objects::nonNull).forEach(parents::add);
    Future<Set<String>> running =
        parents.isEmpty() ? Future.succeededFuture(Set.of()) : peers.mayRun(parents);
    return running.compose(
        run -> {
          Queue<EndedInstance> left = new ArrayDeque<>();
          for (EndedInstance each : instances) {
            if (each.parent() != null && run.contains(each.parent())) {
              index.hold(each);
            } else {
              left.add(each);
            }
          }
          return archived(left);
        });
  }

  private Future<Void> archived(Queue<EndedInstance> instances) {
    if (instances.isEmpty()) {
      return Future.succeededFuture();
    }
    return archive
        .write(List.copyOf(instances))
        .compose(
            safe -> {
              instances.stream().filter(each -> !safe.contains(each)).forEach(index::hold);
              instances.removeIf(each -> !safe.contains(each));
              return some(instances);
            });
  }

  private Future<Void> some(Queue<EndedInstance> left) {
    List<Future<Boolean>> some = new ArrayList<>();
    while (some.size() < AWAKE && !left.isEmpty() && !tasks.isClosed()) {
      some.add(remove(left.remove()));
    }
    return some.isEmpty()
        ? Future.succeededFuture()
        : Future.join(some).compose(done -> some(left));
  }

  private Future<Boolean> remove(EndedInstance instance) {
    return removal
        .remove(instance)
        .recover(
            cause -> {
              log.debug("the instance {} cannot be removed now", instance.id(), cause);
              return Future.succeededFuture(false);
            })
        .onSuccess(
            gone -> {
              if (gone) {
                index.gone(instance.id(), instance.change() + 1);
              } else {
                index.hold(instance);
              }
            });
  }
}

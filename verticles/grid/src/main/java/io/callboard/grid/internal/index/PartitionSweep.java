package io.callboard.grid.internal.index;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Partition;
import io.callboard.store.StoredActor;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.Repetition;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweep of stored actors below a prefix, each by the node that owns it, about once an hour: reads
 * their records and removes those that have expired. (A timer for each would hold all of them in
 * memory.) One that cannot be read is logged and kept.
 *
 * @param <T> what is known of an expired actor
 */
public abstract class PartitionSweep<T> {
  /** Pause between two sweeps, on average; at random up to twice that. */
  public static final Duration EVERY = Duration.ofHours(1);

  private static final Logger log = LoggerFactory.getLogger(PartitionSweep.class);

  private final Callboard callboard;
  private final ActorPath prefix;
  private final Supplier<Collection<Integer>> owned;
  private final int most;
  private final String what;
  private final BackgroundTasks tasks;

  /**
   * Creates the sweep of a node.
   *
   * @param owned returns the numbers of the partitions that this node owns
   * @param most actors of one sweep; the next takes the rest
   * @param what the expired actors, as a plural, for logs
   */
  protected PartitionSweep(
      Callboard callboard,
      String prefix,
      Supplier<Collection<Integer>> owned,
      int most,
      String what) {
    this.callboard = callboard;
    this.prefix = ActorPath.of(prefix);
    this.owned = owned;
    this.most = most;
    this.what = what;
    this.tasks = callboard.tasks("the sweep of " + what);
  }

  /**
   * Returns the data of an actor that may have expired; empty for others.
   *
   * @throws CodecException if its state cannot be read
   */
  protected abstract Optional<T> expired(StoredActor actor);

  /** Removes an actor, if it has expired. */
  protected abstract Future<Void> remove(T expired);

  /** Starts to sweep, first after a random time. */
  public final void start() {
    tasks.repeat(
        Repetition.every(EVERY).spread(1),
        () -> sweep().map(false),
        failure -> {
          if (failure != null) {
            log.info(
                "{} could not be removed; the next sweep tries again: {}",
                what,
                failure.toString());
          }
        });
  }

  /** Sweeps once; fails with the first failure after all actors were tried. */
  public final Future<Void> sweep() {
    List<T> expired = new ArrayList<>();
    Future<Void> read = Future.succeededFuture();
    for (int number : owned.get()) {
      Partition partition = new Partition(prefix.space(), number);
      read =
          read.compose(
              before ->
                  callboard
                      .leases()
                      .actors(
                          partition,
                          prefix,
                          page ->
                              page.readable().stream()
                                  .flatMap(actor -> read(actor).stream())
                                  .limit(most - expired.size())
                                  .forEach(expired::add)));
    }
    return read.compose(all -> OneByOne.all(expired, this::remove));
  }

  private Optional<T> read(StoredActor actor) {
    try {
      return expired(actor);
    } catch (CodecException e) {
      log.warn("{} cannot be read and is kept: {}", actor.path(), e.getMessage());
      return Optional.empty();
    }
  }

  /** Ends the sweeps. */
  public final void close() {
    tasks.close();
  }
}

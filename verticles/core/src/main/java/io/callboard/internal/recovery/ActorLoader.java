package io.callboard.internal.recovery;

import io.callboard.CallboardException;
import io.callboard.admin.RecoveryStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.TransientFailure;
import io.callboard.internal.context.WeightedLimiter;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.Store;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Loader of one durable actor: reads its stored record for a start, with one of the node's permits
 * for recoveries, which is held until its state is recovered. Called on the durable context, which
 * owns its state, unless a method says otherwise; its futures complete on any thread.
 */
public final class ActorLoader {
  private final NodeContext node;
  private final Store store;
  private final WeightedLimiter recoveries;
  private final ActorPath path;
  private final StopMark stop;
  private final boolean hosted;

  /**
   * Recovery permit of this start, completed to let another actor be read; null if none is held.
   */
  private @Nullable Promise<Void> permit;

  /** Asks for the permit of this start once more, before those that nobody waits for. */
  private @Nullable Runnable sooner;

  private boolean behind;

  private volatile @Nullable ActorRecovery recovery;

  /**
   * @param recoveries permits for actors that are read at the same time
   * @param hosted whether the actor is not stored before its first commit; one that was spawned is,
   *     so that it is found before it has handled anything
   */
  public ActorLoader(
      NodeContext node,
      Store store,
      WeightedLimiter recoveries,
      ActorPath path,
      StopMark stop,
      boolean hosted) {
    this.node = node;
    this.store = store;
    this.recoveries = recoveries;
    this.path = path;
    this.stop = stop;
    this.hosted = hosted;
  }

  /** Puts the next start behind those that somebody waits for. */
  public void behind() {
    behind = true;
  }

  /** Reports that somebody waits for the start: it is behind no others. */
  public void soon() {
    behind = false;
    Runnable now = sooner;
    sooner = null;
    if (now != null) {
      now.run();
    }
  }

  /**
   * Reads the actor, once a recovery permit is free; creates the mailbox of one that was spawned
   * and has none.
   *
   * @param wanted whether it is still to be read then
   */
  public Future<Loaded> load(Lease owned, BooleanSupplier wanted) {
    doneReading();
    Promise<Void> may = Promise.promise();
    Promise<Void> mine = Promise.promise();
    permit = mine;
    Supplier<Future<Void>> turn = () -> // of one that has asked twice, the first
        mine.future().isComplete() || !may.tryComplete() ? Future.succeededFuture() : mine.future();
    var unused = behind ? recoveries.runBehind(1, turn) : recoveries.run(1, turn);
    sooner = behind ? () -> ask(turn) : null;
    behind = false;
    Runnable done = doneReadingThis();
    return may.future()
        .compose(
            v ->
                wanted.getAsBoolean()
                    ? read(owned)
                    : Future.failedFuture(CallboardException.stopped("actor " + path)))
        .onFailure(cause -> done.run());
  }

  private void ask(Supplier<Future<Void>> turn) {
    var unused = recoveries.run(1, turn);
  }

  private Future<Loaded> read(Lease owned) {
    return store
        .load(path, owned)
        .compose(
            loaded ->
                hosted || loaded.record().isPresent()
                    ? Future.succeededFuture(loaded)
                    : store.createMailbox(path).compose(v -> store.load(path, owned)))
        .compose(loaded -> stop.check(loaded, owned, () -> store.load(path, owned)))
        .recover(cause -> Future.failedFuture(TransientFailure.of(cause)));
  }

  /** Sets the recovery that goes on with what was read. */
  public void recovers(ActorRecovery under) {
    recovery = under;
  }

  /** Progress of the recovery; null if there is none. Any thread. */
  public @Nullable RecoveryStatus recovering() {
    ActorRecovery now = recovery;
    return now == null ? null : now.progress();
  }

  /** Releases the permit: the stored data is read, or will not be. */
  public void doneReading() {
    recovery = null;
    sooner = null;
    if (permit != null) {
      permit.tryComplete();
      permit = null;
    }
  }

  /** {@link #doneReading()} for the present start only; may be run on any thread. */
  public Runnable doneReadingThis() {
    Promise<Void> mine = permit;
    return () ->
        node.onDurableContext(
            () -> {
              if (mine == permit) {
                doneReading();
              }
            });
  }
}

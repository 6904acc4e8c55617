package io.callboard.internal.recovery;

import io.callboard.admin.RecoveryStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.WrittenEvent;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.TransientFailure;
import io.callboard.internal.lifecycle.ActorHistory;
import io.callboard.internal.messaging.BlobTransfers;
import io.callboard.internal.unit.ActorJournal;
import io.callboard.journal.EventHistory;
import io.callboard.journal.NewerFields;
import io.callboard.journal.Recovery;
import io.callboard.journal.Redo;
import io.callboard.store.BlobKey;
import io.callboard.store.JournalKey;
import io.callboard.store.Loaded;
import io.callboard.store.Store;
import io.callboard.store.StoredSnapshot;
import io.callboard.supervision.Causes;
import io.callboard.supervision.Failure.Kind;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovery of the state of one life of a durable actor: from its snapshot and events, or as an
 * operator wants it made again. Used on the actor's context unless a method says otherwise.
 */
public final class ActorRecovery implements Recovery {
  private static final Logger log = LoggerFactory.getLogger(ActorRecovery.class);

  private final NodeContext node;
  private final Store store;
  private final BlobTransfers blobs;
  private final ActorPath path;
  private Loaded loaded;
  private final ActorHistory history;
  private final Runnable whenRead;
  private final BooleanSupplier over;
  private final long begunNanos;
  private Consumer<Runnable> yield = Runnable::run;
  private final List<StoredSnapshot> unreadable = new ArrayList<>(0);
  private final List<StoredSnapshot> retired = new ArrayList<>(0);
  private volatile @Nullable RecoveryStatus progress;
  private @Nullable Object state;
  private volatile @Nullable PendingRedo pendingRedo;
  private @Nullable FirstSnapshot first;
  private @Nullable WrittenEvent correction;
  private NewerFields newer = NewerFields.NONE;
  private long last;

  /**
   * @param whenRead called once when nothing more is read; any thread
   */
  public ActorRecovery(
      NodeContext node,
      Store store,
      BlobTransfers blobs,
      ActorPath path,
      Loaded loaded,
      ActorHistory history,
      Runnable whenRead,
      BooleanSupplier over) {
    this.node = node;
    this.store = store;
    this.blobs = blobs;
    this.path = path;
    this.loaded = loaded;
    this.history = history;
    this.whenRead = whenRead;
    this.over = over;
    this.begunNanos = node.nanoTime();
  }

  @Override
  public Loaded loaded() {
    return loaded;
  }

  /**
   * Returns whether there is more to read or replay than was loaded.
   *
   * @param fold the version of {@code apply}: if the snapshot has a lower one, the archive is read
   */
  public boolean isLong(IntSupplier fold) {
    return !loaded.journal().isEmpty()
        || pendingRedo != null
        || loaded
            .record()
            .flatMap(found -> found.record().newest())
            .filter(newest -> newest.blob() != null || newest.fold() < fold.getAsInt())
            .isPresent();
  }

  @Override
  public Future<byte[]> snapshot(BlobRef blob) {
    Promise<byte[]> read = Promise.promise();
    node.onDurableContext(read, () -> blobs.fetch(new BlobKey(path, blob)).onComplete(read));
    return here(read.future());
  }

  @Override
  public Future<List<byte[]>> entries(List<JournalKey> keys) {
    return here(store.entries(path, keys));
  }

  /**
   * Port that makes the snapshot of a state that was replayed from all events, before the actor
   * begins.
   */
  public interface FirstSnapshot {
    /**
     * Called on any thread; completes there.
     *
     * @param state as of the last stored event
     */
    Future<Void> make(Object state, long lastEvent);
  }

  /**
   * Makes the state again as an operator wants it; called before the recovery begins.
   *
   * @param snapshot makes the snapshot that replaces the events; else the next life would go on
   *     from an old one
   */
  public void redo(PendingRedo wanted, FirstSnapshot snapshot) {
    pendingRedo = wanted;
    first = snapshot;
  }

  @Override
  public @Nullable Redo redo() {
    return pendingRedo == null ? null : pendingRedo.redo();
  }

  @Override
  public @Nullable EventHistory history() {
    return node.options().history();
  }

  @Override
  public <T> Future<T> here(Future<T> future) {
    Context here = node.vertx().getOrCreateContext();
    Promise<T> promise = Promise.promise();
    future.onComplete(
        done ->
            here.runOnContext(
                v ->
                    promise.handle(
                        done.succeeded()
                            ? done
                            : Future.failedFuture(TransientFailure.of(done.cause())))));
    return promise.future();
  }

  /** Sets how the recovery yields to other actors. */
  public void yields(Consumer<Runnable> way) {
    yield = way;
  }

  @Override
  public void goOn(Runnable task) {
    yield.accept(task);
  }

  @Override
  public boolean isOver() {
    return over.getAsBoolean();
  }

  @Override
  public @Nullable String late() {
    Duration limit = node.options().recoveryTimeout();
    return node.nanoTime() - begunNanos <= limit.toNanos()
        ? null
        : "the recovery timeout of %s is exceeded".formatted(limit);
  }

  @Override
  public void progress(long events, long of) {
    progress = new RecoveryStatus(events, of);
  }

  /** Progress of the replay; null if nothing was replayed yet. Any thread. */
  public @Nullable RecoveryStatus progress() {
    return progress;
  }

  @Override
  public void unreadable(StoredSnapshot snapshot, Throwable cause) {
    unreadable.add(snapshot);
    log.error(
        "the snapshot of {} as of its event {} cannot be read; it recovers "
            + "from the snapshot before it or from its events",
        path,
        snapshot.event(),
        Causes.readable(cause));
    node.onDurableContext(() -> history.noted(Kind.SNAPSHOT, cause));
  }

  @Override
  public void retired(StoredSnapshot snapshot) {
    retired.add(snapshot);
  }

  @Override
  public Future<Void> recovered(Object made, long lastEvent, NewerFields fields) {
    PendingRedo wanted = pendingRedo;
    correction = wanted == null ? null : wanted.event(made, fields);
    state = made;
    last = lastEvent;
    newer = fields;
    if (!retired.isEmpty() && wanted == null) {
      log.info(
          "the state of {} was corrected retroactively: the foldVersion of its "
              + "apply is higher, so all {} events were applied again",
          path,
          lastEvent);
    }
    if (!fields.inState().lost().isEmpty()) {
      log.warn(
          "the state of {} was written by a newer version; fields that this "
              + "version does not know are within lists and are lost when it writes "
              + "the state: {}",
          path,
          fields.inState().lost());
    }
    whenRead.run();
    FirstSnapshot snapshot = first;
    return snapshot == null || wanted == null || wanted.redo().event() != null
        ? Future.succeededFuture()
        : here(snapshot.make(made, lastEvent));
  }

  // After the start.

  /** Returns the unknown fields of newer code that were read. */
  public NewerFields newer() {
    return newer;
  }

  /**
   * Passes the result to the actor's journal, and releases it.
   *
   * @return the recovered state; null if there is none
   */
  public @Nullable Object passTo(ActorJournal journal) {
    Object made = state;
    journal.replayed(last, List.copyOf(unreadable), List.copyOf(retired), !newer.isEmpty());
    PendingRedo wanted = pendingRedo;
    WrittenEvent written = correction;
    if (wanted != null && written != null) {
      journal.correct(written, wanted::committed);
    }
    loaded = Loaded.NOTHING;
    state = null;
    unreadable.clear();
    retired.clear();
    return made;
  }
}

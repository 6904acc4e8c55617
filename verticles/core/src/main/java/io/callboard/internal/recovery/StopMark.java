package io.callboard.internal.recovery;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.commit.CommitFailures;
import io.callboard.internal.commit.PendingUnit;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.TransientFailure;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.JournalChange;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoredRecord;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Causes;
import io.callboard.supervision.ExponentialBackoff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mark in the record of a durable actor that an operator stopped it: so it stays stopped wherever
 * its partition goes, until it is resumed. It is written when the stopped life has ended, and
 * removed before the next one begins; if the owner dies before it is written, the next owner runs
 * the actor. On the durable context; its futures complete anywhere.
 */
public final class StopMark {
  private static final Logger log = LoggerFactory.getLogger(StopMark.class);
  private static final ExponentialBackoff AGAIN =
      Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(30));

  private final NodeContext node;
  private final Store store;
  private final Consumer<PendingUnit> submit;
  private final Consumer<ActorPath> onFenced;
  private final ActorPath path;
  private boolean isStored;
  private boolean lifted;

  /** Failure of a start whose actor was stopped by an operator. */
  public static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Stopped(ActorPath path) {
      super("%s was stopped by an operator".formatted(path), null, false, false);
    }
  }

  /**
   * @param submit submits a unit to the group commit
   * @param onFenced called with the path when a refused write shows that another node owns it
   */
  public StopMark(
      NodeContext node,
      Store store,
      Consumer<PendingUnit> submit,
      Consumer<ActorPath> onFenced,
      ActorPath path) {
    this.node = node;
    this.store = store;
    this.submit = submit;
    this.onFenced = onFenced;
    this.path = path;
  }

  /** Lifts the mark: an operator wants the actor to run, so it is removed before the next life. */
  public void lift() {
    lifted = true;
  }

  /** Returns whether the next life begins although the actor was stopped. */
  public boolean isLifted() {
    return lifted;
  }

  /** Cancels an earlier {@link #lift()}: an operator has stopped the actor again. */
  public void lower() {
    lifted = false;
  }

  /** Records that a life has begun, and so that the record has no mark. */
  public void began() {
    isStored = false;
    lifted = false;
  }

  /** Forgets what is known of the record, which another node may write from now on. */
  public void forget() {
    isStored = false;
    lifted = false;
  }

  /**
   * Checks whether a life may begin on the loaded record.
   *
   * @param again reads it anew, if the mark had to be removed
   * @return fails with {@link Stopped} if the life must not begin
   */
  Future<Loaded> check(Loaded loaded, Lease lease, Reader again) {
    StoredRecord stored = loaded.record().orElse(null);
    if (stored == null || !stored.record().stopped()) {
      return Future.succeededFuture(loaded);
    }
    return node.fromDurableContext(
        Promise.promise(),
        () -> {
          if (!lifted) {
            isStored = true;
            return Future.failedFuture(new Stopped(path));
          }
          return write(stored, lease, false)
              .compose(
                  v -> {
                    isStored = false;
                    lifted = false;
                    return again.read();
                  });
        });
  }

  /** Port that reads the actor. */
  interface Reader {
    Future<Loaded> read();
  }

  /**
   * Writes the mark. While the store is unavailable it is tried again, with a pause that grows to
   * 30 s; a write that the store denies or cannot hold is not.
   *
   * @param owned whether {@code lease} is still held
   * @param wanted whether the actor is still to be stopped
   * @return completes when the mark is durable, or is not to be written any more; never fails
   */
  public Future<Void> store(Lease lease, BooleanSupplier owned, BooleanSupplier wanted) {
    Promise<Void> done = Promise.promise();
    attempt(lease, owned, wanted, 0, done);
    return done.future();
  }

  private void attempt(
      Lease lease, BooleanSupplier owned, BooleanSupplier wanted, int failed, Promise<Void> done) {
    if (isStored || !wanted.getAsBoolean()) {
      done.complete();
      return;
    } else if (!owned.getAsBoolean()) {
      log.warn(
          "{} was stopped by an operator, but another node took over its "
              + "partition before the stop was stored: it may run there; stop it again",
          path);
      done.complete();
      return;
    }
    read(lease)
        .compose(
            stored ->
                stored.record().stopped()
                    ? Future.succeededFuture()
                    : node.fromDurableContext(Promise.promise(), () -> write(stored, lease, true)))
        .onComplete(
            written ->
                node.onDurableContext(
                    () -> {
                      if (written.succeeded()) {
                        isStored = owned.getAsBoolean();
                        done.complete();
                        return;
                      }
                      boolean passes =
                          TransientFailure.of(written.cause()) instanceof TransientFailure;
                      if (!passes && owned.getAsBoolean() && wanted.getAsBoolean()) {
                        log.error(
                            "the stop of {} by an operator cannot be stored: it stays stopped on "
                                + "this node, but runs on any node that takes over its partition. When "
                                + "the cause is gone, resume it and stop it again",
                            path,
                            written.cause());
                        done.complete();
                        return;
                      } else if (failed == 0) {
                        log.warn(
                            "the stop of {} by an operator could not be stored yet, and will be: {}",
                            path,
                            Causes.message(written.cause()));
                      }
                      Duration pause = AGAIN.delay(failed + 1, node.random());
                      var unused =
                          node.after(pause, () -> attempt(lease, owned, wanted, failed + 1, done));
                    }));
  }

  private Future<StoredRecord> read(Lease lease) {
    return store
        .createMailbox(path)
        .compose(v -> store.load(path, lease))
        .map(
            loaded ->
                loaded
                    .record()
                    .orElseThrow(() -> StoreException.conflict(path + " was removed meanwhile")));
  }

  private Future<Void> write(StoredRecord stored, Lease lease, boolean stops) {
    ActorRecord record = stored.record().stopped(stops, lease.epoch());
    Write write =
        new Write(path, stored.version(), record, List.of(), JournalChange.NONE, Map.of(), null);
    Promise<Void> done = Promise.promise();
    submit.accept(
        new PendingUnit(
            new CommitUnit(Optional.of(write), Map.of()),
            Optional.of(lease),
            result -> settle(result, done)));
    return done.future();
  }

  private void settle(Result result, Promise<Void> done) {
    if (result instanceof Result.Committed) {
      done.complete();
    } else if (result instanceof Result.Failed failed) {
      Throwable cause = CommitFailures.cause("the stop of " + path, failed);
      boolean unused = CommitFailures.givesUp(onFenced, path, failed);
      done.fail(cause);
    } else {
      done.fail(
          TransientFailure.of(
              StoreException.conflict(
                  "it is unknown whether the stop of " + path + " was stored")));
    }
  }
}

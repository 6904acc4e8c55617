package io.callboard.internal.messaging;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Envelope;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.WeightedLimiter;
import io.callboard.internal.mailbox.Envelopes;
import io.callboard.internal.metrics.BlobMeter;
import io.callboard.internal.turn.Turn;
import io.callboard.store.BlobKey;
import io.callboard.store.BlobStore;
import io.callboard.store.Limits;
import io.callboard.store.StoreException;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Causes;
import io.callboard.supervision.ExponentialBackoff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transfers of large messages and states between this node and the blob log, and of the contents
 * that actors keep. Messages under way are bounded by their bytes in each direction, and so are
 * contents, which no message waits for; states under way by their number. Further ones wait in
 * order. While the store is unavailable, writes wait, as commits do, and all that concerns kept
 * contents. Used on the durable context, where every future completes.
 */
public final class BlobTransfers implements TellSequencer.Bodies {
  /** Limit of the bytes being written, and of those being fetched; see also the turn loop. */
  static final long MOST_UNDER_WAY = 64 << 20;

  /** Limit of the bytes of kept contents being written and read. */
  private static final long MOST_KEPT = 32 << 20;

  /** Limit of the states being written. */
  private static final int MOST_STATES = 4;

  private static final Logger log = LoggerFactory.getLogger(BlobTransfers.class);
  private static final ExponentialBackoff PAUSE =
      Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(2));

  private final NodeContext node;
  private final BlobMeter meter;
  private final BlobStore blobs;
  private final WeightedLimiter writing = new WeightedLimiter(MOST_UNDER_WAY);
  private final WeightedLimiter fetching = new WeightedLimiter(MOST_UNDER_WAY);
  private final WeightedLimiter states = new WeightedLimiter(MOST_STATES);
  private final WeightedLimiter contents = new WeightedLimiter(MOST_KEPT);

  /** True if a failing transfer has been logged since the last successful one. */
  private final AtomicBoolean warned = new AtomicBoolean();

  private boolean closed;

  public BlobTransfers(NodeContext node, BlobMeter meter, BlobStore blobs) {
    this.node = node;
    this.meter = meter;
    this.blobs = blobs;
  }

  /** Returns the bytes of messages being written or waiting to be. */
  @Override
  public long unwritten() {
    return writing.weight();
  }

  /**
   * Stores the body in the blob log if it is large.
   *
   * @return the envelope with a reference to its body, or unchanged and complete if it is small
   */
  @Override
  public Future<Envelope> write(ActorPath to, Envelope envelope) {
    return Envelopes.isLarge(envelope)
        ? store(to, envelope.body()).map(envelope::in)
        : Future.succeededFuture(envelope);
  }

  private Future<BlobRef> store(ActorPath to, byte[] body) {
    return writing.run(body.length, () -> patiently(to, () -> written(blobs.write(to, body))));
  }

  private Future<BlobRef> written(Future<BlobRef> write) {
    return write.onSuccess(blob -> meter.written(blob.bytes()));
  }

  /** Stores a content for {@code owner} to keep. */
  public Future<BlobRef> keep(ActorPath owner, byte[] content) {
    return contents.run(
        content.length, () -> patiently(owner, () -> written(blobs.keep(owner, content))));
  }

  /** Reads a kept content; fails with {@code CORRUPT} if it is not there as it was written. */
  public Future<byte[]> kept(BlobKey key) {
    return contents.run(
        key.blob().bytes(),
        () ->
            patiently(key.receiver(), () -> blobs.read(key))
                .onSuccess(content -> meter.fetched(content.length))
                .onFailure(cause -> meter.fetchFailed()));
  }

  /** Removes a kept content, unless it is gone. */
  public Future<Void> remove(BlobKey key) {
    return patiently(
        key.receiver(),
        () ->
            blobs
                .forsake(key)
                .recover(
                    cause ->
                        isOf(StoreException.Kind.CONFLICT, cause)
                            ? Future.succeededFuture()
                            : Future.failedFuture(cause)));
  }

  /** Removes all that {@code owner} keeps; completes with how many. */
  public Future<Integer> release(ActorPath owner) {
    return patiently(owner, () -> blobs.release(owner));
  }

  /**
   * Makes a state's bytes and stores them in the blob log, unless they are small; a few actors at a
   * time, so that no heap is full of states that wait, and beside the messages, which do not wait
   * for them.
   *
   * @param make gives the bytes, or fails
   * @return bytes that are small, or where they are; no commit names it yet
   */
  public Future<StoredState> storeState(ActorPath of, Supplier<Future<byte[]>> make) {
    return states.run(
        1,
        () ->
            make.get()
                .compose(
                    bytes ->
                        bytes.length <= Limits.INLINE_SNAPSHOT_BYTES
                            ? Future.succeededFuture(new StoredState(bytes, null))
                            : patiently(of, () -> written(blobs.write(of, bytes)))
                                .map(blob -> new StoredState(null, blob))));
  }

  /**
   * State as a commit can name it: its bytes, or a reference to its blob.
   *
   * @param bytes if it is small; else null
   * @param blob where it is; null if it is small
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record StoredState(byte @Nullable [] bytes, @Nullable BlobRef blob) {}

  /** Does it again and again while the store is unavailable. */
  private <T> Future<T> patiently(ActorPath of, Supplier<Future<T>> task) {
    return attempt(of, task, 1);
  }

  private <T> Future<T> attempt(ActorPath of, Supplier<Future<T>> task, int attempt) {
    return here(task.get())
        .onSuccess(done -> warned.set(false))
        .recover(
            cause -> {
              if (!isOf(StoreException.Kind.UNAVAILABLE, cause) || closed) {
                return Future.failedFuture(cause);
              }
              if (warned.compareAndSet(false, true)) {
                log.warn(
                    "large messages, states and contents wait until the blob log is available; "
                        + "the first is of {}: {}",
                    of,
                    Causes.message(cause));
              }
              log.debug("attempt {} at a blob of {} failed", attempt, of, Causes.readable(cause));
              return pause(attempt).compose(v -> attempt(of, task, attempt + 1));
            });
  }

  private static boolean isOf(StoreException.Kind kind, Throwable cause) {
    return cause instanceof StoreException failure && failure.kind() == kind;
  }

  private Future<Void> pause(int attempt) {
    Promise<Void> over = Promise.promise();
    var unused = node.after(PAUSE.delay(attempt, node.random()), over::complete);
    return over.future();
  }

  /**
   * Writes the large bodies of {@code turns}, which hold references to them after that. If a write
   * fails, the blobs written for these turns are forsaken.
   */
  public Future<Void> write(List<Turn> turns) {
    List<Future<Void>> writes = new ArrayList<>();
    for (Turn turn : turns) {
      for (int i = 0; i < turn.outgoing().size(); i++) {
        Turn.Outgoing outgoing = turn.outgoing().get(i);
        int index = i;
        if (Envelopes.isLarge(outgoing.envelope())) {
          writes.add(
              write(outgoing.receiver(), outgoing.envelope())
                  .map(
                      written -> {
                        turn.written(index, written);
                        return null;
                      }));
        }
      }
    }
    return writes.isEmpty()
        ? Future.succeededFuture()
        : Future.join(writes).<Void>mapEmpty().onFailure(cause -> forsake(turns));
  }

  /** Forsakes the blobs of turns that will not be committed. */
  public void forsake(List<Turn> turns) {
    for (Turn turn : turns) {
      turn.outgoing().forEach(outgoing -> forsake(outgoing.receiver(), outgoing.envelope()));
    }
  }

  /**
   * Forsakes the blob of a message that was certainly not sent, unless the cause is that the node
   * stops.
   */
  public void forsake(ActorPath to, Envelope envelope, Throwable cause) {
    if (!(cause instanceof CallboardException ours) || ours.code() != Code.STOPPED) {
      forsake(to, envelope);
    }
  }

  /**
   * Forsakes the blob of a message that will not be sent. If it cannot be removed now, it is found
   * by its age.
   */
  @Override
  public void forsake(ActorPath to, Envelope envelope) {
    BlobRef blob = envelope.blob();
    if (blob != null) {
      forsake(new BlobKey(to, blob));
    }
  }

  /** Removes a blob that no commit will name. */
  public void forsake(BlobKey key) {
    blobs
        .forsake(key)
        .onSuccess(gone -> meter.forsaken(key.blob().bytes()))
        .onFailure(
            cause ->
                log.info(
                    "{} could not be removed and is left to fsck: {}", key, Causes.message(cause)));
  }

  /** Reads a blob; fails with {@code CORRUPT} if the body is not there as it was written. */
  public Future<byte[]> fetch(BlobKey key) {
    return fetching
        .run(key.blob().bytes(), () -> here(blobs.read(key)))
        .onSuccess(body -> meter.fetched(body.length))
        .onFailure(cause -> meter.fetchFailed());
  }

  public Future<Boolean> isWhole(BlobKey key) {
    return here(blobs.isWhole(key));
  }

  private <T> Future<T> here(Future<T> future) {
    Promise<T> promise = Promise.promise();
    future.onComplete(done -> node.onDurableContext(() -> promise.handle(done)));
    return promise.future();
  }

  /** Fails further transfers that the store is unavailable for, instead of repeating them. */
  public void close() {
    closed = true;
  }
}

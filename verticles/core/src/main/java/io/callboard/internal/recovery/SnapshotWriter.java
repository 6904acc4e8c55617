package io.callboard.internal.recovery;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.UnknownFields;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.lifecycle.ActorHistory;
import io.callboard.internal.messaging.BlobTransfers;
import io.callboard.internal.messaging.BlobTransfers.StoredState;
import io.callboard.internal.unit.ActorJournal;
import io.callboard.internal.unit.NewerState;
import io.callboard.store.ActorRecord;
import io.callboard.store.BlobKey;
import io.callboard.store.Limits;
import io.callboard.store.StoredSnapshot;
import io.callboard.supervision.Causes;
import io.callboard.supervision.Failure.Kind;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writer of the snapshots of one life of a persistent actor, in parallel to its turns: a state is
 * immutable, so it is written as JSON on a worker thread, and to the blob log if it is large, while
 * the actor goes on. Every method is called on the durable context.
 */
public final class SnapshotWriter {
  private static final Logger log = LoggerFactory.getLogger(SnapshotWriter.class);

  private final NodeContext node;
  private final BlobTransfers blobs;
  private final ActorPath path;
  private final ActorJournal journal;
  private final ActorHistory history;
  private final Runnable goOn;
  private final NewerState newer;
  private int fold = StoredSnapshot.FIRST_FOLD;
  private @Nullable Object state;
  private boolean over;

  /**
   * @param goOn called when a snapshot waits for a commit
   */
  public SnapshotWriter(
      NodeContext node,
      BlobTransfers blobs,
      ActorPath path,
      ActorJournal journal,
      ActorHistory history,
      Runnable goOn) {
    this.node = node;
    this.blobs = blobs;
    this.path = path;
    this.journal = journal;
    this.history = history;
    this.goOn = goOn;
    this.newer = new NewerState(path);
  }

  /**
   * Begins a life.
   *
   * @param fields the unknown fields that its snapshots keep
   * @param version the version of {@code apply} that makes them
   */
  public void begin(UnknownFields fields, int version) {
    newer.begin(fields);
    fold = version;
  }

  /**
   * Reports that the actor was read, or a turn is durable.
   *
   * @param record as it is stored
   * @param now the state as of that record; null if it has not changed
   */
  public void committed(ActorRecord record, @Nullable Object now) {
    state = now == null ? state : now;
    Object present = state;
    Instant at = node.clock().instant();
    if (present != null && journal.isDue(at)) {
      make(present, record.turn(), journal.lastEvent(), at);
    }
  }

  private void make(Object present, long turn, long event, Instant at) {
    journal.making(at);
    if (journal.isPoorer()) {
      log.warn(
          "{} has events or a state of a newer version and {} journal entries: a "
              + "snapshot is taken of what this version understands, and the entries "
              + "are deleted; fields that it does not know are lost",
          path,
          ActorJournal.CROWDED);
    }
    store(present, turn, event, at).onComplete(stored -> stored(stored, event));
  }

  /**
   * Makes a snapshot of the state that the actor is to begin with, before its first commit, which
   * names it.
   *
   * @param event the number of the last stored event
   * @return fails if it cannot be made, and no start is tried again for that
   */
  public Future<Void> first(Object present, long event) {
    return store(present, journal.lastTurn(), event, node.clock().instant())
        .compose(
            snapshot -> {
              if (over) {
                forsake(snapshot);
                return Future.failedFuture(CallboardException.stopped("actor " + path));
              }
              journal.made(snapshot);
              return Future.succeededFuture();
            });
  }

  private Future<StoredSnapshot> store(Object present, long turn, long event, Instant at) {
    MessageType type = MessageType.of(present.getClass());
    return blobs
        .storeState(path, () -> json(present, type))
        .map(stored -> snapshot(stored, turn, event, at, type));
  }

  /** Encodes a state; on the durable context. */
  private Future<byte[]> json(Object present, MessageType type) {
    Promise<byte[]> made = Promise.promise();
    if (over) {
      made.fail(CallboardException.stopped("actor " + path));
      return made.future();
    }
    String what = "state \"%s\" of %s".formatted(type.name(), path);
    node.onWorker(() -> checked(bytes(what, present)))
        .onComplete(json -> node.onDurableContext(made, () -> made.handle(json)));
    return made.future();
  }

  /** Encodes a state; on the worker, which makes one snapshot of a life at a time. */
  private byte[] bytes(String what, Object present) {
    return newer.isEmpty()
        ? Json.readable("state", present)
        : Json.bytes(what, newer.write(present));
  }

  private byte[] checked(byte[] bytes) {
    if (bytes.length > Limits.MESSAGE_BYTES) {
      throw CallboardException.tooLarge(
          "the state of %s as JSON".formatted(path), bytes.length, Limits.MESSAGE_BYTES);
    }
    return bytes;
  }

  private StoredSnapshot snapshot(
      StoredState stored, long turn, long event, Instant at, MessageType type) {
    byte[] bytes = stored.bytes();
    JsonNode state = bytes == null ? null : Json.parse("a state of " + path, bytes);
    return new StoredSnapshot(turn, event, at, type, state, stored.blob(), fold);
  }

  private void stored(AsyncResult<StoredSnapshot> stored, long event) {
    if (stored.failed()) {
      notMade(event, stored.cause());
    } else {
      made(stored.result());
    }
  }

  private void made(StoredSnapshot snapshot) {
    if (over) {
      forsake(snapshot);
      return;
    }
    journal.made(snapshot);
    goOn.run();
  }

  private void notMade(long event, Throwable cause) {
    if (over) {
      return;
    }
    journal.notMade();
    log.error("the snapshot of {} as of its event {} failed", path, event, Causes.readable(cause));
    history.noted(Kind.SNAPSHOT, cause);
  }

  /**
   * Ends this life.
   *
   * @param commitUnderWay whether a commit may name the snapshot that waits for one
   */
  public void end(boolean commitUnderWay) {
    StoredSnapshot waiting = journal.made();
    if (!over && !commitUnderWay && waiting != null) {
      forsake(waiting);
    }
    over = true;
    state = null;
  }

  /** Removes the blob of a snapshot that no commit will name. */
  private void forsake(StoredSnapshot snapshot) {
    BlobRef blob = snapshot.blob();
    if (blob != null) {
      blobs.forsake(new BlobKey(path, blob));
    }
  }
}

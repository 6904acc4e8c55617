package io.callboard.testkit.internal.world;

import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.journal.EventHistory;
import io.callboard.journal.NewerFields;
import io.callboard.journal.Recovery;
import io.callboard.journal.Redo;
import io.callboard.store.ActorRecord;
import io.callboard.store.JournalKey;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSnapshot;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Recovery of a durable actor of a world from its committed state, through its stored form.
 *
 * @param state null if nothing is stored
 * @param events number of events that are in the state
 */
record WorldRecovery(@Nullable Object state, long events) implements Recovery {
  @Override
  public Loaded loaded() {
    if (state == null) {
      return Loaded.NOTHING;
    }
    ActorRecord record = new ActorRecord(1, 1, 0, 0, 0, List.of(stored(state)));
    return new Loaded(
        Optional.of(new StoredRecord(record, 1)),
        List.of(),
        StoredMail.NONE,
        MailboxHeader.NEW,
        List.of());
  }

  private StoredSnapshot stored(Object its) {
    return new StoredSnapshot(
        1, events, Instant.EPOCH, MessageType.of(its.getClass()), Json.tree(its), null);
  }

  @Override
  public Future<byte[]> snapshot(BlobRef blob) {
    throw WorldContext.missing();
  }

  @Override
  public Future<List<byte[]>> entries(List<JournalKey> keys) {
    return Future.succeededFuture(List.of());
  }

  @Override
  public void goOn(Runnable task) {
    task.run();
  }

  @Override
  public boolean isOver() {
    return false;
  }

  @Override
  public @Nullable String late() {
    return null;
  }

  @Override
  public void progress(long events, long of) {}

  @Override
  public @Nullable Redo redo() {
    return null;
  }

  @Override
  public @Nullable EventHistory history() {
    return null;
  }

  @Override
  public <T> Future<T> here(Future<T> future) {
    return future;
  }

  @Override
  public void retired(StoredSnapshot snapshot) {
    throw new AssertionError("a snapshot is retired");
  }

  @Override
  public void unreadable(StoredSnapshot snapshot, Throwable cause) {
    throw new AssertionError("a state cannot be read back", cause);
  }

  @Override
  public Future<Void> recovered(Object recovered, long last, NewerFields newer) {
    return Future.succeededFuture();
  }
}

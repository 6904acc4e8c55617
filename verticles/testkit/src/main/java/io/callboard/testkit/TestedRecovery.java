package io.callboard.testkit;

import io.callboard.codecs.BlobRef;
import io.callboard.journal.Recovery;
import io.callboard.store.JournalKey;
import io.callboard.store.Loaded;
import io.callboard.store.StoredSnapshot;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an object of a tested actor begins from: all of it is there at once. */
final class TestedRecovery implements Recovery {
  private final Loaded loaded;
  private final Map<JournalKey, byte[]> entries;

  TestedRecovery(Loaded loaded, Map<JournalKey, byte[]> entries) {
    this.loaded = loaded;
    this.entries = entries;
  }

  @Override
  public Loaded loaded() {
    return loaded;
  }

  @Override
  public Future<byte[]> snapshot(BlobRef blob) {
    throw new IllegalStateException("a tested actor has its state in its record");
  }

  @Override
  public Future<List<byte[]>> entries(List<JournalKey> keys) {
    return Future.succeededFuture(keys.stream().map(entries::get).toList());
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
  public void unreadable(StoredSnapshot snapshot, Throwable cause) {
    throw new AssertionError("the state that the test began with cannot be read", cause);
  }

  @Override
  public void recovered(Object state, long last) {}
}

package io.callboard.testkit;

import io.callboard.Actor;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Journal;
import io.callboard.codecs.JournalReader;
import io.callboard.journal.EventHistory;
import io.callboard.journal.NewerFields;
import io.callboard.journal.Recovery;
import io.callboard.journal.Redo;
import io.callboard.store.JournalKey;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredSnapshot;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an object of a tested actor begins from: all of it is there at once. */
final class TestedRecovery implements Recovery {
  private final Loaded loaded;
  private final Map<JournalKey, byte[]> entries;
  private @Nullable Object state;

  TestedRecovery(Loaded loaded, Map<JournalKey, byte[]> entries) {
    this.loaded = loaded;
    this.entries = entries;
  }

  /** Of an actor with these entries in its journal, and no snapshot. */
  static TestedRecovery of(List<String> texts) {
    Map<JournalKey, byte[]> entries = new LinkedHashMap<>();
    for (String text : texts) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      JournalReader reader = Journal.read("an entry", bytes, 1);
      entries.put(new JournalKey(reader.turn(), reader.count(), bytes.length), bytes);
    }
    Loaded loaded =
        new Loaded(
            Optional.empty(),
            List.copyOf(entries.keySet()),
            StoredMail.NONE,
            MailboxHeader.NEW,
            List.of());
    return new TestedRecovery(loaded, entries);
  }

  /**
   * The state to which it leads.
   *
   * @throws RuntimeException if it leads to none
   */
  Object replayed(Actor<?> actor) {
    ActorPath path = ActorPath.of("/tested");
    TestedDeliveries none = new TestedDeliveries();
    actor.attach(
        new TestedContext(path, true, true, this, new TestedStash(), Map.of(), none, null));
    Future<?> started = actor.start();
    if (started.failed()) {
      throw started.cause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(started.cause());
    }
    return Objects.requireNonNull(state, "the start of an actor waits for something");
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
    throw new AssertionError("the state that the test began with is of a lower foldVersion");
  }

  @Override
  public void unreadable(StoredSnapshot snapshot, Throwable cause) {
    throw new AssertionError("the state that the test began with cannot be read", cause);
  }

  @Override
  public Future<Void> recovered(Object made, long last, NewerFields newer) {
    state = made;
    return Future.succeededFuture();
  }
}

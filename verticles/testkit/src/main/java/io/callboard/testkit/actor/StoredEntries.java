package io.callboard.testkit.actor;

import io.callboard.codecs.ActorPath;
import io.callboard.store.Commit;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.StoredSnapshot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Entries of one actor's journal, read from the commits that reach the store. Thread-safe. */
final class StoredEntries {
  private final ActorPath actor;
  private final List<Entry> entries = new ArrayList<>();

  private long changed;

  private record Entry(long turn, String text) {}

  StoredEntries(ActorPath actor) {
    this.actor = actor;
  }

  synchronized void committed(Commit commit) {
    for (CommitUnit unit : commit.units()) {
      unit.write().filter(write -> write.actor().equals(actor)).ifPresent(this::written);
    }
  }

  private void written(Write write) {
    long begun = write.record().begun(); // turn of its deletion
    entries.removeIf(entry -> entry.turn() <= begun);
    long state = write.record().newest().map(StoredSnapshot::turn).orElse(0L);
    changed = Math.max(changed, Math.max(begun, state));
    byte[] entry = write.journal().entry();
    if (entry != null && write.record().turn() > begun) {
      changed = write.record().turn();
      entries.add(new Entry(write.record().turn(), new String(entry, StandardCharsets.UTF_8)));
    }
  }

  /** Returns the last turn that changed the state; 0 if none did. */
  synchronized long changed() {
    return changed;
  }

  /** Returns the entries as they are stored, in order. */
  synchronized List<String> texts() {
    return entries.stream().map(Entry::text).toList();
  }
}

package io.callboard.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Actor;
import io.callboard.DurableActor;
import io.callboard.PersistentActor;
import io.callboard.codecs.Journal;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.WrittenEvent;
import io.callboard.journal.Recovery;
import io.callboard.store.ActorRecord;
import io.callboard.store.JournalKey;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSnapshot;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is stored of a tested actor: the state it began with or has, and the events since. */
final class TestedState {
  private final Map<JournalKey, byte[]> journal = new LinkedHashMap<>();
  private @Nullable Object stored;
  private @Nullable StoredSnapshot snapshot;
  private @Nullable Object now;
  private long turn;
  private long event;

  /**
   * @param stored null if nothing is yet
   */
  TestedState(@Nullable Object stored) {
    this.stored = stored;
    this.now = stored;
  }

  /** As a store would give it to an object of that class. */
  Recovery recovery(Actor<?> actor) {
    if (!(actor instanceof DurableActor<?, ?> durable) || (stored == null && journal.isEmpty())) {
      return new TestedRecovery(Loaded.NOTHING, Map.of());
    }
    if (stored != null && snapshot == null) {
      store(durable, stored, 0);
    }
    List<StoredSnapshot> snapshots = snapshot == null ? List.of() : List.of(snapshot);
    ActorRecord record = new ActorRecord(turn, 0, 0, 0, 0, snapshots);
    Loaded loaded =
        new Loaded(
            Optional.of(new StoredRecord(record, 0)),
            List.copyOf(journal.keySet()),
            StoredMail.NONE,
            MailboxHeader.NEW,
            List.of());
    return new TestedRecovery(loaded, journal);
  }

  private void store(DurableActor<?, ?> actor, Object state, long asOf) {
    JsonNode json = RoundTrip.checkStored("a state", actor.stateType(), state);
    MessageType type = MessageType.of(state.getClass());
    int fold =
        actor instanceof PersistentActor<?, ?, ?> persistent
            ? persistent.foldVersion()
            : StoredSnapshot.FIRST_FOLD;
    snapshot = new StoredSnapshot(asOf, 0, Instant.EPOCH, type, json, null, fold);
  }

  /** A turn is committed. */
  void commit(DurableActor<?, ?> actor, List<Effect> effects) {
    List<Object> events = new ArrayList<>();
    Object state = null;
    for (Effect effect : effects) {
      if (effect instanceof Effect.Updated updated) {
        state = updated.state();
      } else if (effect instanceof Effect.Persisted persisted) {
        events.add(persisted.event());
      }
    }
    if (effects.contains(new Effect.Deleted())) {
      clear();
      return;
    } else if (state == null) {
      return;
    }
    turn++;
    now = state;
    if (actor instanceof PersistentActor<?, ?, ?> persistent) {
      events.forEach(each -> check("an event", persistent.eventType(), each));
      check("a state", actor.stateType(), state); // as a snapshot of it
      if (!events.isEmpty()) {
        List<WrittenEvent> written = events.stream().map(WrittenEvent::of).toList();
        byte[] entry = Journal.encode(turn, event + 1, Instant.EPOCH, written);
        journal.put(new JournalKey(turn, written.size(), entry.length), entry);
        event += written.size();
      }
    } else {
      stored = state;
      store(actor, state, turn);
    }
  }

  private void clear() {
    turn++;
    event = 0;
    journal.clear();
    stored = null;
    snapshot = null;
    now = null;
  }

  private static void check(String kind, Class<?> protocol, Object value) {
    var unused = RoundTrip.checkStored(kind, protocol, value);
  }

  /** Of the journal, in order. */
  List<String> entries() {
    return journal.values().stream()
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .toList();
  }

  /** As of the last turn. */
  Object now() {
    return Objects.requireNonNull(now, "no turn has changed the state yet");
  }

  boolean isThere() {
    return now != null;
  }
}

package io.callboard.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Actor;
import io.callboard.DurableActor;
import io.callboard.PersistentActor;
import io.callboard.codecs.Journal;
import io.callboard.codecs.MessageType;
import io.callboard.store.ActorRecord;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is stored of a tested actor: the state it began with or has, and the events since. */
final class TestedState {
  private final List<byte[]> journal = new ArrayList<>();
  private @Nullable Object stored;
  private @Nullable MessageType type;
  private @Nullable JsonNode json;
  private @Nullable Object now;
  private long turn;

  /**
   * @param stored null if nothing is yet
   */
  TestedState(@Nullable Object stored) {
    this.stored = stored;
    this.now = stored;
  }

  /** As a store would give it to an object of that class. */
  Loaded loaded(Actor<?> actor) {
    if (!(actor instanceof DurableActor<?, ?> durable) || (stored == null && journal.isEmpty())) {
      return Loaded.NOTHING;
    }
    if (stored != null && json == null) {
      store(durable, stored);
    }
    ActorRecord record = new ActorRecord(turn, 0, 0, 0, 0, 0, type, json);
    return new Loaded(
        Optional.of(new StoredRecord(record, 0)),
        journal,
        StoredMail.NONE,
        MailboxHeader.NEW,
        List.of());
  }

  private void store(DurableActor<?, ?> actor, Object state) {
    json = RoundTrip.checkStored("a state", actor.stateType(), state);
    type = MessageType.of(state.getClass());
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
    if (state == null) {
      return;
    }
    turn++;
    now = state;
    if (actor instanceof PersistentActor<?, ?, ?> persistent) {
      events.forEach(event -> check("an event", persistent.eventType(), event));
      check("a state", actor.stateType(), state); // as a snapshot of it
      journal.add(Journal.encode(turn, events));
    } else {
      stored = state;
      store(actor, state);
    }
  }

  private static void check(String kind, Class<?> protocol, Object value) {
    var unused = RoundTrip.checkStored(kind, protocol, value);
  }

  /** As of the last turn. */
  Object now() {
    return Objects.requireNonNull(now, "no turn has changed the state yet");
  }

  boolean isThere() {
    return now != null;
  }
}

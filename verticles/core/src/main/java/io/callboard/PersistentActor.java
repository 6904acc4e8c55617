package io.callboard;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Journal;
import io.callboard.codecs.ProtocolCodec;
import java.util.Objects;

/**
 * A durable actor that writes events; its state is what they add up to.
 *
 * <p>Events are written with the turn that persists them. Every {@link
 * ActorOptions#snapshotEvery()} entries the state is written too, and the entries before it go.
 *
 * @param <E> the events: a sealed interface of records, or one record
 */
public abstract non-sealed class PersistentActor<M, E, S> extends DurableActor<M, S> {
  /** The root type of the events; read from the class's type argument unless overridden. */
  @SuppressWarnings("unchecked")
  public Class<E> eventType() {
    return (Class<E>) TypeArguments.find(getClass(), PersistentActor.class, 1, "eventType");
  }

  /** What {@code state} becomes by {@code event}. Pure: it runs again at each replay. */
  protected abstract S apply(S state, E event);

  /** {@code event} has happened, durable with the turn; {@link #state()} tells it already. */
  protected final void persist(E event) {
    Objects.requireNonNull(event, "event is null: give an object of the event type");
    scope().event(event);
    changeTo(apply(state(), event));
  }

  @Override
  final S replay(S from, JsonNode journalEntry) {
    S state = from;
    ProtocolCodec<E> codec = ProtocolCodec.of(eventType());
    for (E event : Journal.decode("a journal entry of " + path(), journalEntry, codec)) {
      state = apply(state, event);
    }
    return state;
  }
}

package io.callboard;

import io.callboard.codecs.ProtocolCodec;
import io.callboard.journal.NewerFields;
import io.callboard.journal.Recovery;
import io.callboard.store.ActorRecord;
import io.callboard.store.StoredRecord;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.Optional;

/**
 * A durable actor whose state is overwritten in place by each turn that changes it. For states of
 * up to some kilobytes; a {@link PersistentActor} writes only events.
 *
 * <pre>{@code
 * public final class Counter extends DurableStateActor<Add, Total> {
 *   @Override protected Total initial() { return new Total(0); }
 *   @Override protected void protocol(Protocol<Add> on) {
 *     on.message(Add.class, add -> {
 *       update(new Total(state().value() + add.amount()));
 *       reply(state());
 *     });
 *   }
 * }
 * }</pre>
 */
public abstract non-sealed class DurableStateActor<M, S> extends DurableActor<M, S> {
  /**
   * Replaces the state; {@link #state()} returns {@code next} at once, and it is durable with the
   * turn.
   */
  protected final void update(S next) {
    changeTo(
        Objects.requireNonNull(next, "the next state is null: give an object of the state type"));
  }

  @Override
  final Future<S> recover(Recovery from) {
    Optional<ActorRecord> record = from.loaded().record().map(StoredRecord::record);
    long superfluous = record.map(ActorRecord::superfluousTo).orElse(0L);
    if (from.loaded().journal().stream().anyMatch(entry -> entry.turn() > superfluous)) {
      throw new IllegalStateException(
          "%s wrote its journal as a PersistentActor and cannot be read as a DurableStateActor: let its class extend PersistentActor again"
              .formatted(path()));
    }
    if (record.flatMap(ActorRecord::newest).filter(stored -> stored.event() > 0).isPresent()) {
      throw new IllegalStateException(
          "%s wrote its state as a PersistentActor and cannot be read as a DurableStateActor: let its class extend PersistentActor again"
              .formatted(path()));
    }
    Optional<ProtocolCodec.Read<S>> stored = record.flatMap(found -> found.read(stateType()));
    S state = stored.map(ProtocolCodec.Read::value).orElseGet(this::begin);
    return from.recovered(
            state,
            0,
            stored.map(read -> new NewerFields(read.unknown(), false)).orElse(NewerFields.NONE))
        .map(state);
  }
}

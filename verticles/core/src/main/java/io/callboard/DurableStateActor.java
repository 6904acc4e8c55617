package io.callboard;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;

/**
 * A durable actor whose state is written in place by each turn that changes it. For small states,
 * up to some kilobytes; {@link PersistentActor} writes only what happened.
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
  /** The state is {@code next} from now on, durable with the turn. */
  protected final void update(S next) {
    changeTo(
        Objects.requireNonNull(next, "the next state is null: give an object of the state type"));
  }

  @Override
  final S replay(S from, JsonNode journalEntry) {
    throw new IllegalStateException(
        "%s was a persistent actor when it wrote its journal".formatted(path()));
  }
}

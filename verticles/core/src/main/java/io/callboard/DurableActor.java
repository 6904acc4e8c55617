package io.callboard;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.journal.Recovery;
import io.callboard.store.MailPlace;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What {@link DurableStateActor} and {@link PersistentActor} share: a durable mailbox and a durable
 * state, changed together by the turn.
 *
 * <p>A handler may run again if its node dies before the commit; then nothing of its first run
 * exists (but its effects, if it is at-least-once: {@link DeliveryMode}). So its only effects on
 * the world should be {@code reply}, {@code tell}, the state and {@link #afterCommit}.
 *
 * @param <S> the state: an immutable record, or a sealed interface of them
 */
public abstract sealed class DurableActor<M, S> extends Actor<M>
    permits DurableStateActor, PersistentActor {
  private final Map<Class<?>, Protocol<M>> behaviours = new HashMap<>(2);
  private @Nullable S state;

  /** The state of an actor that has none yet. */
  protected abstract S initial();

  /** The root type of the state; read from the class's type argument unless overridden. */
  @SuppressWarnings("unchecked")
  public Class<S> stateType() {
    return (Class<S>) TypeArguments.find(getClass(), DurableActor.class, 1, "stateType");
  }

  /** The state as of the messages handled so far, this turn's changes included. */
  protected final S state() {
    if (state == null) {
      throw new IllegalStateException(getClass().getName() + " has not been started");
    }
    return state;
  }

  final void changeTo(S next) {
    scope().state(next); // outside of a turn that is refused, and nothing has changed
    S last = state;
    state = next;
    if (last == null || last.getClass() != next.getClass()) {
      handlers(behaviour());
    }
  }

  /**
   * Sends {@code message} to this actor after the delay, as a part of the turn: it survives
   * restarts and its node, and is handled exactly once, with attempts like any other message. It
   * replaces the timer of that key. One that was due while the actor ran nowhere is due at once.
   *
   * <p>An actor has up to 1,000 of them, each with a message of up to 32 KiB, and stays in memory
   * as long as it has one. They go by the wall clocks of the nodes, to the millisecond; a commit
   * comes before the message is handled.
   *
   * @param key of up to 200 characters
   * @param delay not negative, and {@link Time#LONGEST} at most
   * @throws IllegalStateException outside of a handler, or if there are too many
   * @throws UnsupportedOperationException if the actor is at-most-once; one that has timers of
   *     another mode does not start at-most-once
   */
  protected final void startDurableTimer(String key, Duration delay, M message) {
    scope().startDurableTimer(key, Delays.timer(path(), key, delay), message, false);
  }

  /**
   * The same again and again, at multiples of {@code every} from now on, until it is cancelled.
   * Times that pass while its last message is not handled yet, or while the actor runs nowhere, are
   * one.
   *
   * @param every at least a millisecond, and {@link Time#LONGEST} at most
   */
  protected final void startPeriodicDurableTimer(String key, Duration every, M message) {
    scope().startDurableTimer(key, Delays.period(path(), key, every), message, true);
  }

  /**
   * With the turn: its message is not handled any more, also if it waits in the mailbox already.
   */
  protected final void cancelDurableTimer(String key) {
    Delays.requireKey(path(), key);
    scope().cancelDurableTimer(key);
  }

  /**
   * Tells a volatile actor a message again and again, as a part of the turn, until it is
   * {@linkplain #confirm confirmed}: at least once, over restarts of either side and of their
   * nodes. For what acts upon the world; a durable actor is told a message once and has it exactly
   * once.
   *
   * <p>The first attempt leaves with the commit, the others follow {@link
   * ActorOptions#redelivery()}, and may be handled twice or in another order. An answer of the
   * destination is told to this actor, durably. What is not confirmed after the last attempt is
   * parked with its cause, and may be replayed: then it is delivered again.
   *
   * <p>An actor has up to 1,000 of them that are not confirmed, of 4 MiB in all and up to 32 KiB
   * each, and stays in memory as long as it has one.
   *
   * @param message given the id, which it should tell: who answers names it, and a service outside
   *     can take it, with the path of this actor, as the key of an idempotent request
   * @return the id: positive, below 2⁵³, and not given again to a later delivery of that path
   * @throws IllegalArgumentException if the destination is durable
   * @throws IllegalStateException outside of a handler, or if there are too many
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE} or {@code BAD_MESSAGE}
   */
  @CanIgnoreReturnValue
  protected final <T> long deliver(ActorRef<T> destination, LongFunction<? extends T> message) {
    return scope().deliver(destination, message);
  }

  /**
   * What was delivered under that id is done: it is not told again, with the turn.
   *
   * @return false if it is not open: confirmed before, or parked
   * @throws IllegalStateException outside of a handler
   */
  @CanIgnoreReturnValue
  protected final boolean confirm(long id) {
    return scope().confirm(id);
  }

  /**
   * Hands {@code work} to {@link #flush} with all that other turns of the same commit enlist: for
   * effects that are to be there before the commit, and are cheaper together.
   *
   * @throws IllegalStateException outside of a handler
   */
  protected final void enlist(Object work) {
    scope().enlist(work);
  }

  /**
   * Does what the turns of one commit have {@linkplain #enlist enlisted}, before they commit. It
   * may be done, and the commit fail: then the turns are handled again, and enlist it again. So it
   * is at least once. Called on the actor's context, while no handler runs; its future has the turn
   * timeout ({@link ActorOptions#turnTimeout()}).
   *
   * @param work not empty, in the order of the turns
   * @return when it is done; a failure with a {@link io.callboard.store.StoreException} of kind
   *     {@code UNAVAILABLE} interrupts the actor: it is tried again for as long as it takes, and no
   *     attempt is counted; any other is a failure of the commit
   */
  protected Future<?> flush(List<Object> work) {
    throw new UnsupportedOperationException(
        getClass().getName() + " enlists work and does not override flush");
  }

  /**
   * Where the message being handled is in the actor's mailbox: a key of what is done for it
   * elsewhere, the same however often it is handled. Only in an at-least-once actor is every told
   * message in the mailbox before it is handled; what the actor tells itself in memory is in none.
   *
   * @throws IllegalStateException outside of a handler, or if the message is in no mailbox
   */
  protected final MailPlace place() {
    return scope().place();
  }

  /** {@link #flush}, for the toolkit. */
  public final Future<?> flushed(List<Object> work) {
    return flush(work);
  }

  /** How many deliveries are neither confirmed nor parked. */
  protected final int unconfirmed() {
    return scope().unconfirmed();
  }

  /**
   * Nothing of this actor is left after this turn: state, events, snapshots, durable timers and
   * deliveries that are not confirmed (which are dead letters then) go with it, in one commit; what
   * the turn sends is sent. Mail that waits, or comes later, is handled by one that begins anew,
   * with {@link #initial()}, as is a spawned actor at once. What is parked stays.
   *
   * @throws IllegalStateException outside of a handler
   * @throws UnsupportedOperationException if the actor is at-most-once
   */
  protected final void deleteSelf() {
    scope().delete();
  }

  /**
   * Names the handlers of an actor whose state is of that class; by default {@link #protocol} for
   * every state. A finite state machine has a sealed state with one class for each of its states,
   * and overrides this. Called once for each class of state in each life of the actor; {@link
   * #protocol(Protocol)} is called too, for its adapters.
   */
  protected void protocol(S state, Protocol<M> on) {
    protocol(on);
  }

  @Override
  final Protocol<M> behaviour(Protocol<M> declared) {
    return behaviour();
  }

  private Protocol<M> behaviour() {
    S now = state();
    return behaviours.computeIfAbsent(now.getClass(), type -> checked(on -> protocol(now, on)));
  }

  @Override
  final @Nullable Future<?> restore(ActorContext given) {
    return recover(given.recovery())
        .map(
            restored -> {
              state = restored;
              given.restored(restored);
              return restored;
            });
  }

  /** Makes the state again; at once if there is nothing to wait for. */
  abstract Future<S> recover(Recovery from);

  /** {@link #initial()}, checked. */
  final S begin() {
    S first = initial();
    if (first == null) {
      throw new IllegalStateException(
          "initial() of %s returned null".formatted(getClass().getName()));
    }
    return first;
  }
}

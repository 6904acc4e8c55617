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
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * An actor with a durable mailbox and a durable state, which a turn changes in one commit; base
 * class of {@link DurableStateActor} and {@link PersistentActor}.
 *
 * <p>A handler may run again if its node dies before the commit; then nothing of its first run
 * remains (except its effects, in an at-least-once actor: {@link DeliveryMode}). So its only
 * effects should be {@code reply}, {@code tell}, the state and {@link #afterCommit}.
 *
 * @param <S> the state: an immutable record, or a sealed interface of them
 */
public abstract sealed class DurableActor<M, S> extends Actor<M>
    permits DurableStateActor, PersistentActor {
  private final Map<Class<?>, Protocol<M>> behaviours = new HashMap<>(2);
  private @Nullable S state;

  /** Returns the initial state of an actor that has none stored. */
  protected abstract S initial();

  /** Returns the root type of the state; read from the class's type argument unless overridden. */
  @SuppressWarnings("unchecked")
  public Class<S> stateType() {
    return (Class<S>) TypeArguments.find(getClass(), DurableActor.class, 1, "stateType");
  }

  /** Returns the state as of the messages handled so far, this turn's changes included. */
  protected final S state() {
    if (state == null) {
      throw new IllegalStateException(getClass().getName() + " has not been started");
    }
    return state;
  }

  final void changeTo(S next) {
    durable().state(next); // outside of a turn that is refused, and nothing has changed
    S last = state;
    state = next;
    if (last == null || last.getClass() != next.getClass()) {
      behaviour().change(ofState());
    }
  }

  /**
   * Starts a durable timer, as a part of the turn: it sends {@code message} to this actor once,
   * after the delay. It survives restarts and the loss of its node, and its message is handled
   * exactly once, with attempts like any other. It replaces the timer of the same key. A timer that
   * became due while the actor ran nowhere fires as soon as it runs.
   *
   * <p>An actor may have up to 1,000 durable timers, each with a message of up to 32 KiB, and stays
   * in memory as long as it has one. They follow the wall clocks of the nodes, to the millisecond;
   * a commit precedes the handling of the message.
   *
   * @param key up to 200 characters
   * @param delay not negative, and {@link Time#LONGEST} at most
   * @throws IllegalStateException outside of a handler, or if there are too many
   * @throws UnsupportedOperationException if the actor is at-most-once; one that has timers of
   *     another mode does not start at-most-once
   */
  protected final void startDurableTimer(String key, Duration delay, M message) {
    durable().startDurableTimer(key, Delays.timer(path(), key, delay), message, false);
  }

  /**
   * Starts a periodic durable timer, as a part of the turn: it sends {@code message} to this actor
   * at multiples of {@code every} from now on, until it is cancelled; otherwise as {@link
   * #startDurableTimer}. Periods that pass while its last message is not handled yet, or while the
   * actor runs nowhere, count as one.
   *
   * @param every at least a millisecond, and {@link Time#LONGEST} at most
   */
  protected final void startPeriodicDurableTimer(String key, Duration every, M message) {
    durable().startDurableTimer(key, Delays.period(path(), key, every), message, true);
  }

  /**
   * Cancels the durable timer of that key, as a part of the turn: its message is not handled any
   * more, even if it waits in the mailbox already.
   */
  protected final void cancelDurableTimer(String key) {
    Delays.requireKey(path(), key);
    durable().cancelDurableTimer(key);
  }

  /**
   * Delivers a message to a volatile actor at least once, as a part of the turn: it is repeated
   * until {@linkplain #confirm confirmed}, across restarts of both actors and of their nodes. For
   * actors that have effects on the outside world; a durable actor needs no redelivery, because it
   * gets each message that it is sent exactly once.
   *
   * <p>The first attempt leaves with the commit, the others follow {@link
   * ActorOptions#redelivery()}; a delivery may be handled twice, or out of order. The destination's
   * answer is told to this actor, durably. A delivery that is not confirmed after the last attempt
   * is parked with its cause, and delivered again if it is replayed.
   *
   * <p>An actor may have up to 1,000 unconfirmed deliveries, of 32 KiB each and 4 MiB in all, and
   * stays in memory as long as it has one.
   *
   * @param message makes the message of the id, which it should contain: the answer names it, and
   *     an outside service can use it, with the path of this actor, as an idempotency key
   * @return the id: positive, below 2⁵³, and never reused for a later delivery of this path
   * @throws IllegalArgumentException if the destination is durable
   * @throws IllegalStateException outside of a handler, or if there are too many
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE} or {@code BAD_MESSAGE}
   */
  @CanIgnoreReturnValue
  protected final <T> long deliver(ActorRef<T> destination, LongFunction<? extends T> message) {
    return durable().deliver(destination, message);
  }

  /**
   * Confirms the delivery with that id, as a part of the turn: it is not repeated any more.
   *
   * @return false if there is no such unconfirmed delivery: it was confirmed before, or parked
   * @throws IllegalStateException outside of a handler
   */
  @CanIgnoreReturnValue
  protected final boolean confirm(long id) {
    return durable().confirm(id);
  }

  /**
   * Enlists {@code work} for {@link #flush}, which gets it together with that of the other turns of
   * the same commit: for effects that must precede the commit and are cheaper in a batch.
   *
   * @throws IllegalStateException outside of a handler
   */
  protected final void enlist(Object work) {
    durable().enlist(work);
  }

  /**
   * Performs the work that the turns of one commit have {@linkplain #enlist enlisted}, before they
   * commit. If the commit fails afterwards, the turns are handled again and enlist it again: so it
   * is performed at least once. Called on the actor's context, while no handler runs; its future is
   * limited by the turn timeout ({@link ActorOptions#turnTimeout()}).
   *
   * @param work not empty, in the order of the turns
   * @return completes when the work is done; a failure with a {@link
   *     io.callboard.store.StoreException} of kind {@code UNAVAILABLE} interrupts the actor: the
   *     work is retried without limit, and no attempt is counted; any other failure fails the
   *     commit
   */
  protected Future<?> flush(List<Object> work) {
    throw new UnsupportedOperationException(
        getClass().getName() + " enlists work but does not override flush(work)");
  }

  /**
   * Returns the position in the actor's mailbox of the message being handled: an idempotency key
   * for its effects elsewhere, the same each time it is handled. Only an at-least-once actor has
   * every message in its mailbox before it is handled; messages that the actor sends to itself in
   * memory are in none.
   *
   * @throws IllegalStateException outside of a handler, or if the message is in no mailbox
   */
  protected final MailPlace place() {
    return durable().place();
  }

  /**
   * Returns the failure of the attempt before, if this attempt at the message that is being handled
   * is its last: if it fails, too, the message is parked, and whoever waits for what would come of
   * it waits on. A handler can settle that now instead of trying once more: tell them that it
   * failed, with this cause, and end well. Empty at an earlier attempt, with {@code attempts(1)},
   * and for messages that are in no mailbox.
   *
   * <p>An attempt fails also if the turn cannot be committed, for example as it is too large. The
   * attempts begin anew when another node runs the actor.
   *
   * @throws IllegalStateException outside of a handler
   */
  protected final Optional<Throwable> beforeLastAttempt() {
    return durable().beforeLastAttempt();
  }

  /** Calls {@link #flush}; for the toolkit. */
  public final Future<?> flushed(List<Object> work) {
    return flush(work);
  }

  /** Returns the number of deliveries that are neither confirmed nor parked. */
  protected final int unconfirmed() {
    return durable().unconfirmed();
  }

  /**
   * Deletes this actor with this turn: its state, events, snapshots, durable timers and unconfirmed
   * deliveries (which become dead letters) are removed in one commit; messages of the turn are
   * sent. Mail that waits or comes later starts a new actor at this path, with {@link #initial()};
   * a spawned actor is started anew at once. Parked messages stay.
   *
   * @throws IllegalStateException outside of a handler
   * @throws UnsupportedOperationException if the actor is at-most-once
   */
  protected final void deleteSelf() {
    durable().delete();
  }

  /**
   * Declares the handlers for states of the class of {@code state}; by default those of {@link
   * #protocol} for every state. A finite state machine overrides this, with a sealed state type
   * that has one class for each of its states. Called once for each class of state in each life of
   * the actor; {@link #protocol(Protocol)} is called too, for its adapters.
   */
  protected void protocol(S state, Protocol<M> on) {
    protocol(on);
  }

  @Override
  final void declareFirst(Protocol<M> on) {
    protocol(initial(), on);
  }

  @Override
  final Protocol<M> first(Behaviour<M> of) {
    return ofState();
  }

  private Protocol<M> ofState() {
    S now = state();
    return behaviours.computeIfAbsent(
        now.getClass(), type -> behaviour().later(on -> protocol(now, on)));
  }

  final DurableContext durable() {
    return (DurableContext) actorContext();
  }

  @Override
  final @Nullable Future<?> restore() {
    DurableContext here = durable();
    return recover(here.recovery())
        .map(
            restored -> {
              state = restored;
              here.restored(restored);
              return restored;
            });
  }

  /** Recovers the state; completes at once if there is nothing to wait for. */
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

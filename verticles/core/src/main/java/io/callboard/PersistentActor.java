package io.callboard;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.EventUpcaster;
import io.callboard.codecs.JournalReader;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.OldEvent;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.journal.Correction;
import io.callboard.journal.EventReader;
import io.callboard.journal.Recovery;
import io.callboard.journal.Replay;
import io.callboard.journal.StateFold;
import io.callboard.store.StoredSnapshot;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An event-sourced durable actor: its turns persist events, and its state is the fold of them.
 *
 * <pre>{@code
 * public final class Account extends PersistentActor<Command, Event, Balance> {
 *   @Override protected Balance initial() { return new Balance(0); }
 *   @Override protected Balance apply(Balance balance, Event event) {
 *     return switch (event) { ... };
 *   }
 *   @Override protected void protocol(Protocol<Command> on) {
 *     on.message(Deposit.class, deposit -> {
 *       persist(new Deposited(deposit.cents()));
 *       reply(state());
 *     });
 *   }
 * }
 * }</pre>
 *
 * <p>Events are committed with the turn that persists them. From time to time a snapshot of the
 * state is written ({@link ActorOptions#snapshots()}), after which older events are deleted. When
 * the actor starts, on whichever node, its state is recovered from the newest snapshot and the
 * events after it.
 *
 * @param <E> the events: a sealed interface of records, or one record
 */
public abstract non-sealed class PersistentActor<M, E, S> extends DurableActor<M, S>
    implements EventReader<E> {
  /** Returns the root type of the events; read from the class's type argument unless overridden. */
  @SuppressWarnings("unchecked")
  public Class<E> eventType() {
    return (Class<E>) TypeArguments.find(getClass(), PersistentActor.class, 1, "eventType");
  }

  /**
   * Returns the state that follows {@code state} by {@code event}. Must be a pure function: it runs
   * again at each replay.
   */
  protected abstract S apply(S state, E event);

  /**
   * Returns the version of {@link #apply}, at least 1. Raise it when a correction of {@code apply}
   * changes the states that stored events lead to: snapshots of a lower version are ignored from
   * then on, and each actor's state is rebuilt from all of its events at its next start. Events
   * that its journal no longer has come from the archive ({@link CallboardOptions#history()});
   * without them the start fails with a {@link io.callboard.journal.ReplayException} that says why.
   * Older code uses snapshots of a higher version and writes none meanwhile.
   */
  public int foldVersion() {
    return StoredSnapshot.FIRST_FOLD;
  }

  /**
   * Persists an event with the turn; {@link #state()} includes it at once. A turn may persist
   * several events, of up to 900 KiB as JSON together; one with {@link #tags} counts once more for
   * each tag.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be written as JSON, or could not be
   *     read back
   * @throws IllegalArgumentException for a tag that is not a valid name
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE} for an event with tags that is over its
   *     limit
   */
  protected final void persist(E event) {
    Objects.requireNonNull(event, "event is null: give an object of the event type");
    S next = apply(state(), event);
    if (next == null) {
      throw new IllegalStateException(
          "apply of %s returned null for %s: return the next state"
              .formatted(getClass().getName(), event));
    }
    DurableContext turn = durable();
    turn.event(event, tags(event)); // what apply refuses never happened
    changeTo(next);
    if (snapshotWhen(next, event)) {
      turn.wishSnapshot();
    }
  }

  /**
   * Persists an event without waiting for the commit: the next messages are handled while it is in
   * flight, on the state that the event leads to. They commit after it, so that nothing that
   * follows from an event leaves the actor before the event is durable; if the commit fails, they
   * are handled again. A handler's own effects on the world may then rest on an event that never
   * became durable: use {@link #afterCommit} for them. In an at-most-once actor this is {@link
   * #persist(Object)}.
   */
  protected final void persistAsync(E event) {
    persist(event);
    durable().goOn();
  }

  /** Persists several events, in order; see {@link #persist(Object)}. */
  protected final void persistAll(List<? extends E> events) {
    Objects.requireNonNull(events, "events is null: give the events in their order");
    events.forEach(this::persist);
  }

  /**
   * Returns whether {@code state} is to be snapshotted once the turn is committed, in addition to
   * {@link ActorOptions#snapshots()}; by default never.
   *
   * @param event the event that led to it
   */
  protected boolean snapshotWhen(S state, E event) {
    return false;
  }

  /**
   * Returns the state with which the actor goes on after an operator has restored it ({@link
   * io.callboard.admin.CallboardAdmin#restore}); by default {@code state}. It is recorded with the
   * restoration, so this is not called at a replay, and may read the clock. Others know of what the
   * actor did since that event: if it numbers what it asks of them, this is where it keeps from
   * using a number twice.
   *
   * @param state that after the event
   * @param event the number of that event; 0 for the state before the first
   * @param last the number of its last event: those between do not count any more
   * @throws RuntimeException if it cannot go on from there: it goes on as before, and the operator
   *     gets the message
   */
  protected S restored(S state, long event, long last) {
    return state;
  }

  /**
   * Returns the tags of {@code event}: it goes to the feed of each with its commit ({@link
   * io.callboard.feed.Feed}), for other actors and for projections; by default none. An event with
   * tags may have up to 30 KiB as JSON, and is stored once more for each tag until it has passed
   * the feed.
   *
   * @return names of letters, digits and {@code - _ . @ + =}
   */
  protected Set<String> tags(E event) {
    return Set.of();
  }

  /**
   * Returns the upcaster that turns events of older versions into current ones; by default none. It
   * is created anew for each replay.
   */
  protected Optional<EventUpcaster> upcaster() {
    return Optional.empty();
  }

  @Override
  final Future<S> recover(Recovery from) {
    return new Replay<>(path(), new Fold(), from).run();
  }

  /**
   * Returns a fold of events that are stored outside of the journal to a state. This object need
   * not be started. For archives and tests.
   *
   * @param actor the actor whose events they are, for error messages
   */
  public final StateFold<S> retell(ActorPath actor) {
    return new StateFold<>(actor, new Fold());
  }

  /**
   * Returns the logical names of removed event types, which only the upcaster reads ({@link
   * EventUpcaster#gone()}).
   */
  public final Set<String> goneEvents() {
    return upcaster().map(EventUpcaster::gone).orElse(Set.of());
  }

  /**
   * Returns the current events that a stored event stands for, by {@link #upcaster} and the
   * upcasting steps of their types. This object need not be started. For readers of events outside
   * of the actor, such as {@link io.callboard.journal.FeedEvent#events}.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be read
   */
  @Override
  public final List<E> today(OldEvent event) {
    ProtocolCodec<E> codec = ProtocolCodec.of(eventType());
    List<E> made = new ArrayList<>(1);
    Consumer<OldEvent> next = old -> made.add(codec.decode("event", old.type(), old.body()));
    EventUpcaster upcaster = upcaster().orElse(null);
    if (upcaster == null) {
      next.accept(event);
    } else {
      upcaster.upcast(event, next);
      upcaster.end(next);
    }
    return List.copyOf(made);
  }

  /** Fold of stored snapshots and events: decodes them and applies the events. */
  private final class Fold implements Replay.Subject<S>, StateFold.Fold<S> {
    private final ProtocolCodec<E> codec = ProtocolCodec.of(eventType());
    private final @Nullable EventUpcaster upcaster = upcaster().orElse(null);
    private boolean sawNewer;

    @Override
    public S initial() {
      return begin();
    }

    @Override
    public ProtocolCodec.Read<S> read(MessageType type, byte[] json) {
      return ProtocolCodec.of(stateType()).read("state", type, json, 0, json.length);
    }

    @Override
    public S apply(S state, JournalReader at) {
      return upcaster == null && !OldEvent.isOwn(at.type().name())
          ? PersistentActor.this.apply(state, today(at.read(codec)))
          : apply(state, at.old());
    }

    private E today(ProtocolCodec.Read<E> read) {
      sawNewer |= !read.unknown().isEmpty();
      return read.value();
    }

    @Override
    public int foldVersion() {
      return PersistentActor.this.foldVersion();
    }

    @Override
    public boolean sawNewerEvents() {
      return sawNewer;
    }

    @Override
    public S apply(S state, OldEvent event) {
      if (OldEvent.isOwn(event.type().name())) {
        return Correction.apply(
            state,
            event,
            (type, json) -> ProtocolCodec.of(stateType()).decode("state", type, json));
      }
      Upcasting upcasting = new Upcasting(state);
      if (upcaster == null) {
        upcasting.accept(event);
      } else {
        upcaster.upcast(event, upcasting);
      }
      return upcasting.now;
    }

    @Override
    public S restored(S state, long event, long last) {
      S restored = PersistentActor.this.restored(state, event, last);
      if (restored == null) {
        throw new IllegalStateException(
            "restored of %s returned null: return the state to go on with"
                .formatted(PersistentActor.this.getClass().getName()));
      }
      return restored;
    }

    @Override
    public S end(S state) {
      Upcasting upcasting = new Upcasting(state);
      if (upcaster != null) {
        upcaster.end(upcasting);
      }
      return upcasting.now;
    }

    /** Consumer that applies the events that an upcaster emits. */
    private final class Upcasting implements Consumer<OldEvent> {
      private S now;

      Upcasting(S before) {
        now = before;
      }

      @Override
      public void accept(OldEvent made) {
        now = PersistentActor.this.apply(now, today(codec.read("event", made.type(), made.body())));
      }
    }
  }
}

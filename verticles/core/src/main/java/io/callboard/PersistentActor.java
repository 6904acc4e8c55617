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
 * A durable actor that writes events; its state is what they add up to.
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
 * <p>Events are written with the turn that persists them, and a snapshot of the state from time to
 * time ({@link ActorOptions#snapshots()}), after which older events go. When the actor starts
 * somewhere, its state is made again of the newest snapshot and the events after it.
 *
 * @param <E> the events: a sealed interface of records, or one record
 */
public abstract non-sealed class PersistentActor<M, E, S> extends DurableActor<M, S>
    implements EventReader<E> {
  /** The root type of the events; read from the class's type argument unless overridden. */
  @SuppressWarnings("unchecked")
  public Class<E> eventType() {
    return (Class<E>) TypeArguments.find(getClass(), PersistentActor.class, 1, "eventType");
  }

  /** What {@code state} becomes by {@code event}. Pure: it runs again at each replay. */
  protected abstract S apply(S state, E event);

  /**
   * The version of {@link #apply}, at least 1. Who changes what it makes of events that are stored
   * already, because it was wrong, raises it: snapshots of a lower version do not count any more,
   * and each actor's state is made again of all of its events when it starts next. What its journal
   * has no more comes from the archive ({@link CallboardOptions#history()}); where that cannot be,
   * the start fails with a {@link io.callboard.journal.ReplayException} that says why. Older code
   * uses the snapshots of a higher one and makes none meanwhile.
   */
  public int foldVersion() {
    return StoredSnapshot.FIRST_FOLD;
  }

  /**
   * {@code event} has happened, durable with the turn; {@link #state()} tells it already. A turn
   * may have several, of 900 KiB as JSON together; one with {@link #tags} counts once more for
   * each.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be written, or not be read back then
   * @throws IllegalArgumentException for a tag that is no name
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE} for one with tags that is
   */
  protected final void persist(E event) {
    Objects.requireNonNull(event, "event is null: give an object of the event type");
    S next = apply(state(), event);
    if (next == null) {
      throw new IllegalStateException(
          "apply of %s made null of %s: give it the next state"
              .formatted(getClass().getName(), event));
    }
    ActorContext turn = scope();
    turn.event(event, tags(event)); // what apply refuses never happened
    changeTo(next);
    if (snapshotWhen(next, event)) {
      turn.wishSnapshot();
    }
  }

  /**
   * {@link #persist(Object)} without a wait: the next messages are handled while the turn's commit
   * is under way, on the state that it leads to. They commit after it, so that nothing that follows
   * from an event leaves the actor before the event is durable; if the commit fails, they are
   * handled again. What a handler does to the world by itself may then be based on an event that
   * never was: use {@link #afterCommit} for it. In an at-most-once actor it is {@link
   * #persist(Object)}.
   */
  protected final void persistAsync(E event) {
    persist(event);
    scope().goOn();
  }

  /** {@link #persist(Object)} with each of them, in order. */
  protected final void persistAll(List<? extends E> events) {
    Objects.requireNonNull(events, "events is null: give the events in their order");
    events.forEach(this::persist);
  }

  /**
   * Whether a snapshot is to be made of {@code state} once the turn is committed, besides those of
   * {@link ActorOptions#snapshots()}; by default never.
   *
   * @param event that led to it
   */
  protected boolean snapshotWhen(S state, E event) {
    return false;
  }

  /**
   * The feeds that {@code event} goes to with its commit ({@link io.callboard.feed.Feed}), for
   * other actors and for tables; by default none. An event with tags has up to 30 KiB as JSON, and
   * is stored once more for each of them until it has passed its feed.
   *
   * @return names of letters, digits and {@code - _ . @ + =}
   */
  protected Set<String> tags(E event) {
    return Set.of();
  }

  /**
   * What makes today's events of those that were written long ago; by default none is needed. A new
   * one is asked for at each replay.
   */
  protected Optional<EventUpcaster> upcaster() {
    return Optional.empty();
  }

  @Override
  final Future<S> recover(Recovery from) {
    return new Replay<>(path(), new Fold(), from).run();
  }

  /**
   * Makes a state of events that are kept elsewhere, by an object that need not be started. For
   * archives and tests.
   *
   * @param actor whose events they are, for errors
   */
  public final StateFold<S> retell(ActorPath actor) {
    return new StateFold<>(actor, new Fold());
  }

  /** The logical names of events that only its upcaster reads ({@link EventUpcaster#gone()}). */
  public final Set<String> goneEvents() {
    return upcaster().map(EventUpcaster::gone).orElse(Set.of());
  }

  /**
   * What an event that was written once is today, by {@link #upcaster} and the steps of the types;
   * by an object that need not be started. For what reads events elsewhere, such as {@link
   * io.callboard.journal.Tagged#events}.
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

  /** Reads and applies what is stored. */
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
    public S end(S state) {
      Upcasting upcasting = new Upcasting(state);
      if (upcaster != null) {
        upcaster.end(upcasting);
      }
      return upcasting.now;
    }

    /** Applies what an upcaster makes. */
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

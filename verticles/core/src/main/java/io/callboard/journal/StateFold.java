package io.callboard.journal;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.OldEvent;
import io.callboard.supervision.Causes;
import org.jspecify.annotations.Nullable;

/**
 * Fold of an actor's events, which are stored outside of its journal, to a state: all of them, in
 * order. Created by {@link io.callboard.PersistentActor#retell}. Not thread-safe.
 */
public final class StateFold<S> {
  private final ActorPath actor;
  private final Fold<S> fold;
  private S state;
  private long last;

  /** Application of the events of one actor to its state. */
  public interface Fold<S> {
    /** Returns the state before the first event. */
    S initial();

    /** Returns the state after {@code event}. */
    S apply(S state, OldEvent event);

    /** Returns the state after the last event. */
    S end(S state);
  }

  /**
   * Creates a fold that has no event yet.
   *
   * @param actor whose events they are, for failures
   * @param fold called on the thread that calls {@link #add} and {@link #end}
   */
  public StateFold(ActorPath actor, Fold<S> fold) {
    this.actor = actor;
    this.fold = fold;
    this.state = fold.initial();
  }

  /**
   * Applies the next event.
   *
   * @throws ReplayException if it does not follow the one before, or cannot be read or applied
   */
  public void add(OldEvent event) {
    if (event.number() != last + 1) {
      throw failure(event, "the event before it is number %d".formatted(last), null);
    }
    try {
      state = fold.apply(state, event);
    } catch (RuntimeException e) {
      throw failure(event, Causes.message(e), e);
    }
    last = event.number();
  }

  private ReplayException failure(OldEvent event, String why, @Nullable Throwable cause) {
    return new ReplayException(actor, event.number(), event.type(), why, cause);
  }

  /** Returns the resulting state; no event may be added afterwards. */
  public S end() {
    state = fold.end(state);
    return state;
  }
}

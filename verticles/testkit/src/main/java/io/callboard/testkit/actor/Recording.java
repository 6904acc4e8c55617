package io.callboard.testkit.actor;

import io.callboard.ActorContext;
import io.callboard.ActorRef;
import io.callboard.Interceptor;
import io.callboard.Terminated;
import io.callboard.codecs.RawMessage;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Record of the effects of the successive objects of one tested actor, in total and by turn: an
 * interceptor around the actor in a real node, which performs them. Thread-safe.
 */
final class Recording implements Interceptor {
  /** Maximum number of turns caused by one action of the test; with more, they would never end. */
  private static final int MOST_TURNS = 10_000;

  private final TestedNode node;
  private final boolean byReference;
  private final Class<?> stateType;
  private final @Nullable Recording first;
  private final RecordedTimers timers;
  private final List<Effect> done = new ArrayList<>();
  private final List<RecordedTurn> turns = new ArrayList<>();
  private final List<OpenAsk> startAsks = new ArrayList<>();
  private final List<OpenAsk> asks = new ArrayList<>();
  private final Map<String, Function<Terminated, ?>> watches = new HashMap<>();
  private @Nullable RecordingContext context;
  private @Nullable RecordedTurn open;
  private @Nullable Object state;
  private @Nullable Object restored;
  private @Nullable Throwable failure;
  private @Nullable IllegalStateException refused;
  private int aside;
  private boolean stopping;

  /**
   * Creates the record of one object.
   *
   * @param state stored state; null if none is
   * @param first record with which this one is compared; null if this is the first
   */
  Recording(
      TestedNode node,
      boolean byReference,
      Class<?> stateType,
      @Nullable Object state,
      @Nullable Recording first) {
    this.node = node;
    this.byReference = byReference;
    this.stateType = stateType;
    this.state = state;
    this.first = first;
    this.timers = new RecordedTimers(node.time());
  }

  // Interceptor of the actor.

  @Override
  public synchronized ActorContext context(ActorContext given) {
    RecordingContext next = new RecordingContext(given, this, node);
    context = next;
    open = null;
    aside = 0;
    timers.restarted();
    watches.clear();
    startAsks.clear();
    return next;
  }

  @Override
  public @Nullable Future<?> receive(ActorRef<?> self, Object message, Next next) {
    RecordedTurn turn = begin(self, message);
    Future<?> result;
    try {
      result = next.receive(message);
    } catch (RuntimeException | Error e) {
      end(turn, e);
      throw e;
    }
    if (result == null) {
      end(turn, null);
    } else {
      var unused = result.onComplete(outcome -> end(turn, outcome.cause()));
    }
    return result;
  }

  private synchronized RecordedTurn begin(ActorRef<?> self, Object message) {
    if (turns.size() >= MOST_TURNS) {
      throw new AssertionError("%s keeps sending messages to itself".formatted(self));
    }
    RecordedTurn turn = new RecordedTurn(message, state, node.entries().changed());
    turns.add(turn);
    open = turn;
    return turn;
  }

  private synchronized void end(RecordedTurn turn, @Nullable Throwable cause) {
    turn.end(cause);
    if (open == turn) {
      open = null;
    }
  }

  /** Records that the last turn or the start failed: its effects are dropped. */
  synchronized void failed(Throwable cause) {
    RecordedTurn last = turns.isEmpty() ? null : turns.get(turns.size() - 1);
    if (last != null && last.failure() == null) {
      last.end(cause);
    }
    if (last != null && last.changed() == node.entries().changed()) {
      state = last.before();
    }
    open = null;
    stopping = false;
    failure = cause instanceof TestedRun.Crash ? null : cause;
    done.clear();
  }

  /** Records that a call of the actor was refused, as the caller may have dropped the exception. */
  synchronized void refused(IllegalStateException cause) {
    refused = cause;
  }

  // Effects of the actor.

  synchronized void did(RecordingContext by, Effect effect) {
    if (by == context) {
      did(effect);
    }
  }

  synchronized void did(Effect effect) {
    done.add(effect);
    if (open != null) {
      open.effects().add(effect);
    }
    timers.did(effect);
    if (effect instanceof Effect.Updated updated) {
      state = updated.state();
    } else if (effect instanceof Effect.Deleted) {
      state = null;
    } else if (effect instanceof Effect.Stashed) {
      aside++;
    } else if (effect instanceof Effect.Unstashed takenUp) {
      aside -= takenUp.messages();
    } else if (effect instanceof Effect.Stopped) {
      stopping = true;
    }
  }

  /** Records that stashed messages were discarded. */
  synchronized void cleared(int messages) {
    aside -= messages;
  }

  /** Returns the number of stashed messages. */
  synchronized int aside() {
    return aside;
  }

  /** Returns the message being handled; null between turns. */
  synchronized @Nullable Object atHand() {
    return open == null ? null : open.message();
  }

  synchronized void watches(String actor, Function<Terminated, ?> message) {
    watches.put(actor, message);
  }

  synchronized void watchesNoMore(String actor) {
    watches.remove(actor);
  }

  synchronized <R> Future<R> ask(ActorRef<?> to, Object message, Class<R> answer) {
    check("a message to " + to, message);
    did(new Effect.Asked(to.path().toString(), message));
    List<OpenAsk> mine = open == null ? startAsks : open.asks();
    OpenAsk ask = inFirst(mine.size()).orElseGet(() -> new OpenAsk(to.path().toString(), answer));
    mine.add(ask);
    asks.add(ask);
    return ask.await(answer);
  }

  /** Returns the ask of the first object at the same place of the same turn. */
  private Optional<OpenAsk> inFirst(int place) {
    return first == null
        ? Optional.empty()
        : first.ask(open == null ? -1 : turns.indexOf(open), place);
  }

  private synchronized Optional<OpenAsk> ask(int turn, int place) {
    if (turn >= turns.size()) {
      return Optional.empty();
    }
    List<OpenAsk> its = turn < 0 ? startAsks : turns.get(turn).asks();
    return place < its.size() ? Optional.of(its.get(place)) : Optional.empty();
  }

  // Refs and checks.

  /** Returns a ref to another actor that records its messages. */
  ActorRef<?> ref(ActorRef<?> any) {
    return any instanceof RecordedRef<?> || isSelf(any) ? any : new RecordedRef<>(any, this);
  }

  private boolean isSelf(ActorRef<?> any) {
    return any.path().equals(node.actor());
  }

  /**
   * Returns the receiver in the node: durable mail is stored, while the test stands for volatile
   * actors.
   */
  ActorRef<?> receiver(ActorRef<?> to, @Nullable Object message) {
    ActorRef<?> real = RecordedRef.real(to);
    return message == null || real.durable() || isSelf(real) ? real : node.others();
  }

  void check(String kind, @Nullable Object value) {
    if (!byReference && value != null) {
      var unused = RoundTrip.check(kind, value);
    }
  }

  void checkState(Object next) {
    var unused = RoundTrip.checkStored("a state", stateType, next);
  }

  void checkSent(ActorRef<?> receiver, @Nullable Object message) {
    if (message == null || message instanceof RawMessage) {
      return; // the node refuses null; what is raw was written already
    } else if (receiver.durable()) {
      var unused = RoundTrip.checkStored("a message to " + receiver, message.getClass(), message);
    } else {
      check("a message to " + receiver, message);
    }
  }

  // Access of the test.

  synchronized Optional<Function<Terminated, ?>> takeWatch(String actor) {
    return Optional.ofNullable(watches.remove(actor));
  }

  /** Returns the unanswered asks of the start and of all turns of this object, oldest first. */
  synchronized List<OpenAsk> openAsks() {
    asks.removeIf(ask -> !ask.isOpen());
    return List.copyOf(asks);
  }

  RecordedTimers timers() {
    return timers;
  }

  synchronized @Nullable Object state() {
    return state;
  }

  /** Records the state with which the object begins. */
  synchronized void restored(Object begins) {
    restored = begins;
  }

  synchronized @Nullable Object restored() {
    return restored;
  }

  /** Drops all effects, as another object begins. */
  synchronized void forget() {
    turns.clear();
    done.clear();
    failure = null;
    refused = null;
  }

  synchronized boolean isStopping() {
    return stopping;
  }

  synchronized boolean isInTurn() {
    return open != null;
  }

  /** Runs a task on the context of the current object. */
  void onContext(Consumer<ActorContext> task) {
    RecordingContext now;
    synchronized (this) {
      now = context;
    }
    if (now != null) {
      now.run(task);
    }
  }

  /** Removes and returns the failure since the last call; null if there was none. */
  synchronized @Nullable Throwable takeFailure() {
    Throwable taken = failure;
    failure = null;
    return taken;
  }

  synchronized @Nullable IllegalStateException takeRefused() {
    IllegalStateException taken = refused;
    refused = null;
    return taken;
  }

  /** Removes and returns the effects since the last call. */
  synchronized List<Effect> takeDone() {
    List<Effect> taken = List.copyOf(done);
    done.clear();
    return taken;
  }

  synchronized List<RecordedTurn> turns() {
    return List.copyOf(turns);
  }

  /** Drops the turns that have ended. */
  synchronized void forgetTurns() {
    turns.removeIf(turn -> turn != open);
  }
}

package io.callboard.testkit;

import io.callboard.Actor;
import io.callboard.ActorContext;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.HeldMessage;
import io.callboard.TellOptions;
import io.callboard.Terminated;
import io.callboard.codecs.ActorPath;
import io.callboard.feed.Feeds;
import io.callboard.journal.Recovery;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What one object of a tested actor is given: it writes down what the object does. */
final class TestedContext implements ActorContext {
  private final ActorPath path;
  private final boolean durable;
  private final Recovery recovery;
  private final TestedStash stash;
  private final boolean byReference;
  private final @Nullable TestedContext first;
  private final Callboard callboard = TestedNode.of(this);
  private final List<Effect> effects = new ArrayList<>();
  private final List<Runnable> afterCommit = new ArrayList<>();
  private final List<Object> toSelf = new ArrayList<>();
  private final Map<String, Effect.TimerStarted> timers = new HashMap<>();
  private final Map<String, Effect.TimerStarted> durableTimers;
  private final TestedDeliveries deliveries;
  private final Map<String, Function<Terminated, ?>> watches = new HashMap<>();
  private final List<OpenAsk> earlier = new ArrayList<>();
  private List<OpenAsk> asks = new ArrayList<>();
  private final List<OpenAsk> startAsks = asks;
  private Effect.@Nullable IdleTimerStarted idle;
  private boolean aside;
  private boolean stopping;
  private boolean over;
  private boolean readOnly;
  private final TestedTurn turn;

  /** A message, who wants to be told the answer, and whose timer's it is. */
  record Letter(Object message, @Nullable ActorRef<?> replyTo, @Nullable Ticket ticket) {
    Letter(Object message, @Nullable ActorRef<?> replyTo) {
      this(message, replyTo, null);
    }

    boolean isOf(Effect.TimerStarted timer) {
      return ticket != null && ticket.timer() == timer;
    }
  }

  /** A timer that has fired. */
  record Ticket(Effect.TimerStarted timer, boolean durable) {}

  /**
   * @param durableTimers as of the last turn
   * @param deliveries as of the last turn
   * @param first the object whose asks this one's are compared with and answered like; null if this
   *     is the first
   */
  TestedContext(
      ActorPath path,
      boolean durable,
      boolean byReference,
      Recovery recovery,
      TestedStash stash,
      Map<String, Effect.TimerStarted> durableTimers,
      TestedDeliveries deliveries,
      @Nullable TestedContext first) {
    this.path = path;
    this.turn = new TestedTurn(path);
    this.durable = durable;
    this.byReference = byReference;
    this.recovery = recovery;
    this.stash = stash;
    this.first = first;
    this.durableTimers = new HashMap<>(durableTimers);
    this.deliveries = deliveries.copy();
  }

  void begin(Letter letter) {
    turn.begin(letter);
    aside = false;
    List<OpenAsk> open = openAsks();
    earlier.clear();
    earlier.addAll(open);
    asks = new ArrayList<>();
  }

  void end() {
    turn.end();
  }

  /** Which of its calls belong to the turn that is open. */
  TestedTurn turn() {
    return turn;
  }

  /** What comes of it any more is of no interest. */
  void close() {
    over = true;
    turn.close();
  }

  /** What it did since this was asked last. */
  List<Effect> take() {
    List<Effect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  List<Object> takeToSelf() {
    List<Object> taken = List.copyOf(toSelf);
    toSelf.clear();
    return taken;
  }

  List<Runnable> takeAfterCommit() {
    List<Runnable> taken = List.copyOf(afterCommit);
    afterCommit.clear();
    return taken;
  }

  boolean isStopping() {
    return stopping;
  }

  Optional<Effect.TimerStarted> timer(String key) {
    return Optional.ofNullable(timers.getOrDefault(key, durableTimers.get(key)));
  }

  Map<String, Effect.TimerStarted> durableTimers() {
    return durableTimers;
  }

  TestedDeliveries deliveries() {
    return deliveries;
  }

  Optional<Effect.IdleTimerStarted> idle() {
    return Optional.ofNullable(idle);
  }

  /** The watch is over with this. */
  Optional<Function<Terminated, ?>> takeWatch(String actor) {
    return Optional.ofNullable(watches.remove(actor));
  }

  /** Of the start and all turns of this object that have no answer yet, the oldest first. */
  List<OpenAsk> openAsks() {
    return Stream.concat(earlier.stream(), asks.stream()).filter(OpenAsk::isOpen).toList();
  }

  private void did(Effect effect) {
    if (readOnly && durable) {
      throw new IllegalStateException("a query only reads, and this one did " + effect);
    }
    if (!over) {
      effects.add(effect);
    }
  }

  private void check(String kind, Object value) {
    if (!byReference) {
      var unused = RoundTrip.check(kind, value);
    }
  }

  private void checkSent(ActorRef<?> receiver, Object message) {
    String kind = "a message to " + receiver;
    if (durable && receiver.durable()) {
      var unused = RoundTrip.checkStored(kind, message.getClass(), message);
    } else {
      check(kind, message);
    }
  }

  /** For what a durable actor does with its turn, and a volatile one at once. */
  private void needTurnIfDurable(String what) {
    if (durable) {
      turn.needTurn(what);
    } else {
      turn.needActor(what);
    }
  }

  <R> Future<R> ask(ActorRef<?> to, Object message, Class<R> answer) {
    check("a message to " + to, message);
    did(new Effect.Asked(to.path().toString(), message));
    OpenAsk ask = new OpenAsk(to.path().toString(), answer);
    int place = asks.size();
    asks.add(ask);
    Letter asker = turn.atHand();
    return same(place).orElse(ask).await(answer, callbacks -> turn.answered(asker, callbacks));
  }

  /** Of the first object, in the same place of the same turn. */
  private Optional<OpenAsk> same(int place) {
    if (first == null) {
      return Optional.empty();
    }
    List<OpenAsk> its = turn.atHand() == null ? first.startAsks : first.asks;
    return place < its.size() ? Optional.of(its.get(place)) : Optional.empty();
  }

  @Override
  public Callboard callboard() {
    return callboard;
  }

  @Override
  public ActorRef<?> self() {
    return new TestedRef<>(path, durable, () -> this);
  }

  @Override
  public Recovery recovery() {
    return recovery;
  }

  @Override
  public void reply(Object answer) {
    turn.needTurn("reply");
    check("an answer of " + path, answer);
    did(new Effect.Answered(answer));
  }

  @Override
  public void readOnly(boolean now) {
    readOnly = now;
  }

  @Override
  public void afterCommit(Runnable effect) {
    turn.needTurn("afterCommit");
    did(new Effect.AfterCommit());
    if (durable) {
      afterCommit.add(effect);
    } else {
      effect.run();
    }
  }

  @Override
  public void state(Object state) {
    turn.needTurn("update");
    did(new Effect.Updated(state));
  }

  @Override
  public void event(Object event, Set<String> tags) {
    turn.needTurn("persist");
    for (String tag : tags) {
      ActorPath unused = Feeds.path(tag);
    }
    did(new Effect.Persisted(event));
    tags.stream().sorted().forEach(tag -> did(new Effect.Fed(tag, event)));
  }

  @Override
  public void enlist(Object work) {
    turn.needTurn("enlist");
    did(new Effect.Enlisted(work));
  }

  @Override
  public void delete() {
    turn.needTurn("deleteSelf");
    durableTimers.clear();
    deliveries.clear();
    did(new Effect.Deleted());
  }

  /** A tested actor commits at once. */
  @Override
  public void goOn() {}

  /** Whether there is one changes nothing that a test of one actor sees. */
  @Override
  public void wishSnapshot() {}

  @Override
  public void tell(ActorRef<?> receiver, Object message, TellOptions options) {
    needTurnIfDurable("tell");
    checkSent(receiver, message);
    did(new Effect.Sent(receiver.path().toString(), message, options));
  }

  @Override
  public void forward(ActorRef<?> receiver, Object message) {
    turn.needTurn("forward");
    checkSent(receiver, message);
    did(new Effect.Forwarded(receiver.path().toString(), message));
  }

  @Override
  public void forward(ActorRef<?> receiver, Object message, Runnable done) {
    needVolatile("forward(…, over)");
    forward(receiver, message);
    done.run();
  }

  @Override
  public void forwardAll(Collection<? extends ActorRef<?>> receivers, Object message) {
    needVolatile("forwardAll");
    receivers.forEach(receiver -> forward(receiver, message));
  }

  @Override
  public void replyWhen(Future<?> answer) {
    needVolatile("replyWhen");
    turn.needTurn("replyWhen");
    answer
        .onSuccess(value -> did(new Effect.Answered(value)))
        .onFailure(cause -> did(new Effect.Refused(answer, String.valueOf(cause.getMessage()))));
  }

  @Override
  public <M> HeldMessage<M> keep(M message) {
    throw needsNode("keep");
  }

  @Override
  public Time time() {
    throw needsNode("time");
  }

  @Override
  public RandomGenerator random() {
    throw needsNode("random");
  }

  private UnsupportedOperationException needsNode(String what) {
    return new UnsupportedOperationException(
        "%s of %s needs a node, which a tested actor has not: test this with CallboardExtension"
            .formatted(what, path));
  }

  private void needVolatile(String what) {
    if (durable) {
      throw new UnsupportedOperationException("%s is durable: no %s".formatted(path, what));
    }
  }

  @Override
  public void refuse(Object message, CallboardException cause) {
    turn.needTurn("refuse");
    did(new Effect.Refused(message, String.valueOf(cause.getMessage())));
  }

  @Override
  public Optional<ActorRef<?>> replyTo() {
    turn.needTurn("replyTo");
    Letter letter = turn.atHand();
    return letter == null ? Optional.empty() : Optional.ofNullable(letter.replyTo());
  }

  @Override
  public void became() {
    turn.needActor("become");
    did(new Effect.Became());
  }

  @Override
  public void stash() {
    turn.needTurn("stash");
    Letter current = Objects.requireNonNull(turn.atHand(), "a turn has a message");
    if (aside) {
      throw new IllegalStateException(path + " has put this message aside already");
    }
    aside = true;
    if (current.ticket() != null) {
      Effect.TimerStarted timer = current.ticket().timer();
      var unused = timersOf(current.ticket()).putIfAbsent(timer.key(), timer);
    }
    if (first == null) {
      stash.add(current);
    }
    did(new Effect.Stashed(current.message()));
  }

  @Override
  public void unstashAll() {
    needTurnIfDurable("unstashAll");
    did(new Effect.Unstashed(first == null ? stash.release() : stash.released()));
  }

  @Override
  public <T> long deliver(ActorRef<T> destination, LongFunction<? extends T> message) {
    turn.needTurn("deliver");
    if (destination.durable()) {
      throw new IllegalArgumentException(
          "%s is durable: tell it the message".formatted(destination));
    }
    long id = deliveries.begin();
    T made = message.apply(id);
    var unused = RoundTrip.checkStored("what " + path + " delivers", made.getClass(), made);
    did(new Effect.Delivered(id, destination.path().toString(), made));
    return id;
  }

  @Override
  public boolean confirm(long id) {
    turn.needTurn("confirm");
    boolean confirmed = deliveries.confirm(id);
    if (confirmed) {
      did(new Effect.Confirmed(id));
    }
    return confirmed;
  }

  @Override
  public int unconfirmed() {
    return deliveries.size();
  }

  @Override
  public void startDurableTimer(String key, Duration delay, Object message, boolean periodic) {
    needDurable();
    turn.needTurn("startDurableTimer");
    var unused =
        RoundTrip.checkStored(
            "the message of a durable timer of " + path, message.getClass(), message);
    durableTimers.put(key, new Effect.TimerStarted(key, delay, message, periodic));
    did(new Effect.DurableTimerStarted(key, delay, message, periodic));
  }

  @Override
  public void cancelDurableTimer(String key) {
    needDurable();
    turn.needTurn("cancelDurableTimer");
    if (durableTimers.remove(key) != null) {
      did(new Effect.DurableTimerCancelled(key));
    }
  }

  private void needDurable() {
    if (!durable) {
      throw new IllegalStateException(path + " is volatile and has no durable timers");
    }
  }

  @Override
  public void startTimer(String key, Duration delay, Object message, boolean periodic) {
    turn.needActor("startTimer");
    Effect.TimerStarted timer = new Effect.TimerStarted(key, delay, message, periodic);
    timers.put(key, timer);
    did(timer);
  }

  @Override
  public void cancelTimer(String key) {
    turn.needActor("cancelTimer");
    timers.remove(key);
    did(new Effect.TimerCancelled(key));
  }

  /** The message of a timer. */
  Letter fired(Effect.TimerStarted timer) {
    return new Letter(timer.message(), null, new Ticket(timer, timers.get(timer.key()) != timer));
  }

  private Map<String, Effect.TimerStarted> timersOf(Ticket ticket) {
    return ticket.durable() ? durableTimers : timers;
  }

  /**
   * Whether the message is to be handled: its timer was not cancelled or started again. A timer
   * that fires once is over with that.
   */
  boolean redeem(Letter letter) {
    Ticket ticket = letter.ticket();
    if (ticket == null) {
      return true;
    }
    Effect.TimerStarted timer = ticket.timer();
    boolean holds = timersOf(ticket).get(timer.key()) == timer;
    if (holds && !timer.periodic()) {
      timersOf(ticket).remove(timer.key());
    }
    return holds;
  }

  /** What becomes of a message that was put aside when this object ends. */
  Optional<Letter> outlives(Letter letter) {
    if (letter.ticket() == null || letter.ticket().durable()) {
      return Optional.of(letter);
    }
    return redeem(letter)
        ? Optional.of(new Letter(letter.message(), letter.replyTo()))
        : Optional.empty();
  }

  @Override
  public void receiveTimeout(Duration limit, Object message) {
    turn.needActor("receiveTimeout");
    idle = new Effect.IdleTimerStarted(limit, message);
    did(idle);
  }

  @Override
  public void cancelReceiveTimeout() {
    turn.needActor("cancelReceiveTimeout");
    idle = null;
    did(new Effect.IdleTimerCancelled());
  }

  @Override
  public void piped(Future<?> future) {
    turn.needActor("pipeToSelf");
  }

  @Override
  public void tellSelf(Object message) {
    if (!over) {
      did(new Effect.ToldSelf(message));
      toSelf.add(message);
    }
  }

  @Override
  public <T> Future<T> inTurn(Future<T> future) {
    turn.needTurn("inTurn");
    return future;
  }

  @Override
  public void watch(ActorRef<?> actor, Function<Terminated, ?> message) {
    if (actor.durable()) {
      throw new IllegalArgumentException(
          "%s is durable: it has no end that could be watched".formatted(actor.path()));
    }
    turn.needActor("watch");
    watches.put(actor.path().toString(), message);
    did(new Effect.Watched(actor.path().toString()));
  }

  @Override
  public void unwatch(ActorRef<?> actor) {
    turn.needActor("unwatch");
    watches.remove(actor.path().toString());
    did(new Effect.Unwatched(actor.path().toString()));
  }

  @Override
  public boolean isOver() {
    return false; // a tested actor has one life, which the test ends
  }

  @Override
  public void stopSelf() {
    turn.needActor("stopSelf");
    stopping = true;
    did(new Effect.Stopped());
  }

  @Override
  public <T> Future<ActorRef<T>> spawnChild(
      String name, Supplier<? extends Actor<T>> factory, ActorOptions options) {
    turn.needActor("spawnChild");
    ActorPath child = path.child(name);
    did(new Effect.Spawned(child.toString(), factory.get().getClass()));
    return Future.succeededFuture(new TestedRef<>(child, false, () -> this));
  }
}

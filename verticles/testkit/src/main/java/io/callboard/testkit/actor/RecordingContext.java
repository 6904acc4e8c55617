package io.callboard.testkit.actor;

import io.callboard.Actor;
import io.callboard.ActorContext;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.DurableContext;
import io.callboard.HeldMessage;
import io.callboard.StashView;
import io.callboard.TellOptions;
import io.callboard.Terminated;
import io.callboard.VolatileContext;
import io.callboard.codecs.TraceContext;
import io.callboard.journal.Recovery;
import io.callboard.store.MailPlace;
import io.callboard.testkit.actor.Effect.Answered;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Context of one object of a tested actor: records all effects and delegates them to its node. The
 * test stands for all other volatile actors, so messages to them, watches and starts are only
 * recorded: one actor of the node receives in place of all. The class implements the contexts of
 * both kinds of actors; its actor, and the context to which it delegates, is of one kind.
 */
final class RecordingContext implements VolatileContext, DurableContext {
  private final ActorContext real;
  private final Recording recording;
  private final TestedNode node;
  private final Callboard callboard;
  private final Context context;

  /** Creates the context; called on that of the actor. */
  RecordingContext(ActorContext real, Recording recording, TestedNode node) {
    this.real = real;
    this.recording = recording;
    this.node = node;
    this.callboard = RecordedRef.callboard(real.callboard(), recording);
    this.context = Objects.requireNonNull(Vertx.currentContext(), "an actor starts on a context");
  }

  /** Runs a task on the actor's context, with the context that the node gave it. */
  void run(Consumer<ActorContext> task) {
    context.runOnContext(v -> task.accept(real));
  }

  private DurableContext asDurable() {
    return (DurableContext) real;
  }

  private VolatileContext asVolatile() {
    return (VolatileContext) real;
  }

  private <T> T call(Supplier<T> act) {
    try {
      return act.get();
    } catch (IllegalStateException refused) {
      recording.refused(refused);
      throw refused;
    }
  }

  private void call(Runnable act) {
    Object unused =
        call(
            () -> {
              act.run();
              return this;
            });
  }

  private void did(Runnable act, Effect effect) {
    call(act);
    recording.did(this, effect);
  }

  @Override
  public Callboard callboard() {
    return callboard;
  }

  @Override
  public ActorRef<?> self() {
    return real.self();
  }

  @Override
  public Recovery recovery() {
    return asDurable().recovery();
  }

  @Override
  public void reply(Object answer) {
    recording.check("an answer of " + self(), answer);
    did(() -> real.reply(answer), new Answered(answer));
  }

  @Override
  public void readOnly(boolean now) {
    real.readOnly(now);
  }

  /** Registers the action only for the first object: the compared one does not appear to commit. */
  @Override
  public void afterCommit(Runnable effect) {
    Runnable once = node.isSecond() ? () -> {} : effect;
    call(() -> real.afterCommit(once));
    recording.did(this, new Effect.AfterCommit());
  }

  @Override
  public void restored(Object state) {
    asDurable().restored(state);
    recording.restored(state);
  }

  @Override
  public void state(Object state) {
    call(() -> asDurable().state(state));
    recording.checkState(state);
    recording.did(this, new Effect.Updated(state));
  }

  @Override
  public void event(Object event, Set<String> tags) {
    call(() -> asDurable().event(event, tags));
    var unused = RoundTrip.checkStored("an event", event.getClass(), event);
    recording.did(this, new Effect.Persisted(event));
    tags.stream().sorted().forEach(tag -> recording.did(this, new Effect.Fed(tag, event)));
  }

  @Override
  public MailPlace place() {
    return call(asDurable()::place);
  }

  @Override
  public Optional<Throwable> beforeLastAttempt() {
    return call(asDurable()::beforeLastAttempt);
  }

  @Override
  public void enlist(Object work) {
    if (!node.isSecond()) {
      call(() -> asDurable().enlist(work));
    }
    recording.did(this, new Effect.Enlisted(work));
  }

  @Override
  public void delete() {
    did(asDurable()::delete, new Effect.Deleted());
  }

  @Override
  public void goOn() {
    call(asDurable()::goOn);
  }

  @Override
  public void wishSnapshot() {
    call(asDurable()::wishSnapshot);
  }

  @Override
  public void tell(ActorRef<?> receiver, Object message, TellOptions options) {
    ActorRef<?> replyTo = options.replyTo();
    TellOptions given = replyTo == null ? options : options.withReplyTo(RecordedRef.real(replyTo));
    call(() -> real.tell(recording.receiver(receiver, message), message, given));
    recording.checkSent(receiver, message);
    recording.did(this, new Effect.Sent(receiver.path().toString(), message, options));
  }

  /** Tells each receiver in turn, so that each message is recorded. */
  @Override
  public void tellAll(Collection<? extends ActorRef<?>> receivers, Object message) {
    receivers.forEach(receiver -> tell(receiver, message, TellOptions.NONE));
  }

  @Override
  public void forward(ActorRef<?> receiver, Object message) {
    call(() -> real.forward(recording.receiver(receiver, message), message));
    forwarded(receiver, message);
  }

  @Override
  public void forward(ActorRef<?> receiver, Object message, Runnable over) {
    call(() -> asVolatile().forward(recording.receiver(receiver, message), message, over));
    forwarded(receiver, message);
  }

  @Override
  public void forwardAll(Collection<? extends ActorRef<?>> receivers, Object message) {
    List<? extends ActorRef<?>> taken =
        receivers.stream().map(each -> recording.receiver(each, message)).toList();
    call(() -> asVolatile().forwardAll(taken, message));
    receivers.forEach(each -> forwarded(each, message));
  }

  private void forwarded(ActorRef<?> receiver, Object message) {
    recording.checkSent(receiver, message);
    recording.did(this, new Effect.Forwarded(receiver.path().toString(), message));
  }

  @Override
  public void replyWhen(Future<?> answer) {
    call(() -> asVolatile().replyWhen(answer));
    var unused =
        answer
            .onSuccess(value -> recording.did(this, new Answered(value)))
            .onFailure(cause -> recording.did(this, refused(answer, cause)));
  }

  private static Effect refused(Object message, Throwable cause) {
    return new Effect.Refused(message, String.valueOf(cause.getMessage()));
  }

  @Override
  public void refuse(Object message, CallboardException cause) {
    did(() -> real.refuse(message, cause), refused(message, cause));
  }

  @Override
  public <M> HeldMessage<M> hold(M message) {
    throw new UnsupportedOperationException(
        "TestedActor does not show what happens to messages that %s holds: test it with CallboardExtension"
            .formatted(self()));
  }

  @Override
  public Time time() {
    return real.time();
  }

  @Override
  public RandomGenerator random() {
    return real.random();
  }

  @Override
  public Optional<ActorRef<?>> replyTo() {
    Optional<ActorRef<?>> to = call(real::replyTo);
    return to.map(recording::ref);
  }

  @Override
  public void became() {
    did(real::became, new Effect.Became());
  }

  @Override
  public @Nullable Future<?> waits(Supplier<? extends @Nullable Future<?>> handle) {
    return real.waits(handle);
  }

  @Override
  public <T> Future<T> inTurn(Future<T> future) {
    return call(() -> real.inTurn(future));
  }

  @Override
  public void stash() {
    Object message = recording.atHand();
    call(real::stash);
    recording.did(
        this, new Effect.Stashed(Objects.requireNonNull(message, "a turn has a message")));
  }

  @Override
  public void unstashAll() {
    call(real::unstashAll);
    recording.did(this, new Effect.Unstashed(recording.aside()));
  }

  @Override
  public void unstash(int most) {
    call(() -> real.unstash(most));
    recording.did(this, new Effect.Unstashed(Math.min(most, recording.aside())));
  }

  @Override
  public StashView<Object> stashed() {
    return new RecordedStash(real.stashed(), recording);
  }

  @Override
  public void startTimer(String key, Duration delay, Object message, boolean periodic) {
    did(
        () -> real.startTimer(key, delay, message, periodic),
        new Effect.TimerStarted(key, delay, message, periodic));
  }

  @Override
  public void cancelTimer(String key) {
    did(() -> real.cancelTimer(key), new Effect.TimerCancelled(key));
  }

  @Override
  public void startDurableTimer(String key, Duration delay, Object message, boolean periodic) {
    did(
        () -> asDurable().startDurableTimer(key, delay, message, periodic),
        new Effect.DurableTimerStarted(key, delay, message, periodic));
  }

  @Override
  public void cancelDurableTimer(String key) {
    call(() -> asDurable().cancelDurableTimer(key));
    if (recording.timers().isDurable(key)) {
      recording.did(this, new Effect.DurableTimerCancelled(key));
    }
  }

  @Override
  public <T> long deliver(ActorRef<T> destination, LongFunction<? extends T> message) {
    AtomicReference<@Nullable T> made = new AtomicReference<>();
    LongFunction<T> makes =
        id -> {
          T value = message.apply(id);
          made.set(value);
          return value;
        };
    long id = call(() -> delivered(destination, makes));
    T value = Objects.requireNonNull(made.get(), "a delivery has a message");
    var unused =
        RoundTrip.checkStored("what %s delivers".formatted(self()), value.getClass(), value);
    recording.did(this, new Effect.Delivered(id, destination.path().toString(), value));
    return id;
  }

  @SuppressWarnings("unchecked")
  private <T> long delivered(ActorRef<T> destination, LongFunction<T> makes) {
    return asDurable().deliver((ActorRef<T>) recording.receiver(destination, makes), makes);
  }

  @Override
  public boolean confirm(long id) {
    boolean confirmed = call(() -> asDurable().confirm(id));
    if (confirmed) {
      recording.did(this, new Effect.Confirmed(id));
    }
    return confirmed;
  }

  @Override
  public int unconfirmed() {
    return asDurable().unconfirmed();
  }

  @Override
  public void receiveTimeout(Duration idle, Object message) {
    did(() -> real.receiveTimeout(idle, message), new Effect.IdleTimerStarted(idle, message));
  }

  @Override
  public void cancelReceiveTimeout() {
    did(real::cancelReceiveTimeout, new Effect.IdleTimerCancelled());
  }

  @Override
  public void tellSelf(Object message) {
    did(() -> real.tellSelf(message), new Effect.ToldSelf(message));
  }

  @Override
  public void tellSelf(Object message, @Nullable TraceContext trace) {
    did(() -> real.tellSelf(message, trace), new Effect.ToldSelf(message));
  }

  @Override
  public Optional<TraceContext> trace() {
    return real.trace();
  }

  @Override
  public void piped(Future<?> future) {
    call(() -> real.piped(future));
  }

  @Override
  public void watch(ActorRef<?> actor, Function<Terminated, ?> message) {
    String path = actor.path().toString();
    call(() -> real.watch(recording.receiver(actor, message), message));
    recording.watches(path, message);
    recording.did(this, new Effect.Watched(path));
  }

  @Override
  public void unwatch(ActorRef<?> actor) {
    String path = actor.path().toString();
    call(() -> real.unwatch(recording.receiver(actor, this)));
    recording.watchesNoMore(path);
    recording.did(this, new Effect.Unwatched(path));
  }

  @Override
  public void stopSelf() {
    did(real::stopSelf, new Effect.Stopped());
  }

  @Override
  public void resetBackoff() {
    call(real::resetBackoff);
  }

  @Override
  public boolean isOver() {
    return real.isOver();
  }

  /** Starts a stand-in without options in place of the child. */
  @Override
  public <T> Future<ActorRef<T>> spawnChild(
      String name, Supplier<? extends Actor<T>> factory, ActorOptions options) {
    Class<?> type = factory.get().getClass();
    Future<ActorRef<Object>> child =
        call(() -> real.spawnChild(name, StandIn::new, new ActorOptions()));
    recording.did(this, new Effect.Spawned(self().path().child(name).toString(), type));
    return child.map(this::recorded);
  }

  @SuppressWarnings("unchecked")
  private <T> ActorRef<T> recorded(ActorRef<Object> child) {
    return (ActorRef<T>) recording.ref(child);
  }
}

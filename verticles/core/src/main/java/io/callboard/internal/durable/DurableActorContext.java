package io.callboard.internal.durable;

import static io.callboard.DeliveryMode.AT_MOST_ONCE;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.DurableContext;
import io.callboard.PersistentActor;
import io.callboard.StashView;
import io.callboard.TellOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.DeliveryEntry;
import io.callboard.codecs.Handling;
import io.callboard.feed.Feeds;
import io.callboard.internal.lifecycle.ActorHistory;
import io.callboard.internal.lifecycle.BaseActorContext;
import io.callboard.internal.lifecycle.ContextOwner;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.messaging.MessageHeaders;
import io.callboard.internal.messaging.MessageSender;
import io.callboard.internal.outbox.ActorDeliveries;
import io.callboard.internal.outbox.DurableTimers;
import io.callboard.internal.outbox.OutboxEntryIds;
import io.callboard.internal.recovery.ActorRecovery;
import io.callboard.internal.turn.Turn;
import io.callboard.store.Loaded;
import io.callboard.store.MailPlace;
import io.callboard.store.StoredSnapshot;
import io.callboard.supervision.Failure.Kind;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Context of a durable actor: its effects are part of the turn, or leave with its commit. */
final class DurableActorContext extends BaseActorContext implements DurableContext {
  private final DurableEnvironment durable;
  private final ActorRecovery recovery;
  private final int mostAside;
  private final DurableTimers timers;
  private final ActorDeliveries deliveries;
  private final boolean atMostOnce;
  private final boolean archived;
  private @Nullable Turn turn;
  private int stashRoom = -1;
  private int lyingAside;
  private @Nullable MailPlace place;
  private @Nullable Throwable beforeLast;
  private volatile @Nullable Object message; // atHand is read by any thread

  /** Owner of the context of a durable actor. */
  private record Owner(DurableEnvironment durable, ActorHistory history, Consumer<Delivery> toSelf)
      implements ContextOwner {
    @Override
    public void offerOwn(Delivery own) {
      toSelf.accept(own);
    }

    @Override
    public void refusedCall(IllegalStateException cause) {
      durable.actors().refusedCalls().add(cause, () -> history.noted(Kind.OUTSIDE, cause));
    }
  }

  /**
   * @param whenRead called when nothing more of the actor is read; any thread
   * @param mostAside the most stashed messages
   * @throws io.callboard.codecs.CodecException if a durable timer or a delivery cannot be read
   */
  DurableActorContext(
      DurableEnvironment durable,
      ActorRefImpl<?> self,
      Loaded loaded,
      ActorHistory history,
      Runnable whenRead,
      int mostAside,
      ActorOptions options,
      Consumer<Delivery> toSelf) {
    super(durable.actors(), self, new Owner(durable, history, toSelf));
    this.durable = durable;
    this.recovery =
        new ActorRecovery(
            durable.node(),
            durable.store(),
            durable.blobs(),
            self.path(),
            loaded,
            history,
            whenRead,
            this::isOver);
    this.mostAside = mostAside;
    this.atMostOnce = options.delivery().filter(AT_MOST_ONCE::equals).isPresent();
    this.archived = options.archived();
    LongSupplier nowMs = durable.node().clock()::millis;
    OutboxEntryIds numbers = new OutboxEntryIds(loaded, nowMs.getAsLong());
    this.timers = new DurableTimers(self.path(), loaded, numbers, nowMs);
    this.deliveries =
        new ActorDeliveries(self, loaded, numbers, options.redelivery(), nowMs, random());
  }

  DurableTimers timers() {
    return timers;
  }

  ActorDeliveries deliveries() {
    return deliveries;
  }

  @Override
  public <T> long deliver(ActorRef<T> destination, LongFunction<? extends T> message) {
    Turn open = needTurn("deliver");
    if (ActorRefImpl.isForeign(sender(), destination)) {
      throw ActorRefImpl.foreign(
          destination, "tell it the message, deliver works only within the cell");
    }
    return deliveries.deliver(open, destination, message);
  }

  @Override
  public boolean confirm(long id) {
    return deliveries.confirm(needTurn("confirm"), id);
  }

  @Override
  public int unconfirmed() {
    return deliveries.size();
  }

  @Override
  public void startDurableTimer(String key, Duration delay, Object message, boolean periodic) {
    if (atMostOnce) {
      throw new UnsupportedOperationException(
          "%s is at-most-once and cannot have durable timers: they need at-least-once or exactly-once"
              .formatted(self().path()));
    }
    MessageSender.requireMessage(self().path(), message);
    timers.start(needTurn("startDurableTimer"), key, delay, message, periodic);
  }

  @Override
  public void cancelDurableTimer(String key) {
    timers.cancel(needTurn("cancelDurableTimer"), key);
  }

  /**
   * Begins a turn.
   *
   * @param room messages that may still be stashed; negative if this one cannot be
   */
  void begin(Turn next, int room) {
    turn = next;
    lyingAside = room < 0 ? lyingAside : mostAside - room;
    stashRoom = room;
    begin(next.reply(), next.trace());
  }

  /**
   * Sets the position of the turn's message in the mailbox; null if it is in none.
   *
   * @param failed the failure of the attempt before, if this one is the last; null otherwise
   */
  void handles(@Nullable MailPlace where, @Nullable Throwable failed) {
    place = where;
    beforeLast = failed;
  }

  @Override
  public Optional<Throwable> beforeLastAttempt() {
    guard().needTurn("beforeLastAttempt");
    return Optional.ofNullable(beforeLast);
  }

  @Override
  public MailPlace place() {
    guard().needTurn("place");
    if (place == null) {
      throw new IllegalStateException(
          "the message that %s handles has no place in a mailbox: only messages told to an at-least-once actor always have one"
              .formatted(self().path()));
    }
    return place;
  }

  @Override
  public void end() {
    place = null;
    beforeLast = null;
    message = null;
    if (turn != null) {
      lyingAside = Math.max(0, lyingAside + (turn.isAside() ? 1 : 0) - turn.released());
      turn.close();
      turn = null;
    }
    super.end();
  }

  @Override
  public @Nullable Object atHand() {
    return message;
  }

  /** Sets the message whose handler is called. */
  void atHand(Object next) {
    message = next;
  }

  @Override
  public @Nullable Turn turn() {
    return turn;
  }

  @Override
  protected boolean isHandling() {
    return turn != null;
  }

  private Turn needTurn(String what) {
    guard().needTurn(what);
    return Objects.requireNonNull(turn, "what handles a message has a turn");
  }

  @Override
  public ActorRecovery recovery() {
    return recovery;
  }

  @Override
  public Duration recoveryTime(Actor<?> actor) {
    return recovery.isLong(() -> fold(actor))
        ? durable.node().options().recoveryTimeout()
        : Duration.ZERO;
  }

  /**
   * Returns the actor's {@code foldVersion}; the first one if it throws, in which case the start
   * calls it again and fails.
   */
  private static int fold(Actor<?> actor) {
    try {
      return actor instanceof PersistentActor<?, ?, ?> persistent
          ? persistent.foldVersion()
          : StoredSnapshot.FIRST_FOLD;
    } catch (RuntimeException | Error e) {
      return StoredSnapshot.FIRST_FOLD;
    }
  }

  @Override
  public void reply(Object answer) {
    Turn open = needTurn("reply");
    ActorRef<?> actor = replyTo().orElse(null);
    Reply back = takeReply();
    if (actor != null) {
      tell(actor, answer, TellOptions.NONE);
    } else if (answer == null) {
      CallboardException none = noAnswer();
      open.leaving(() -> back.fail(none));
    } else {
      open.leaving(() -> back.succeed(answer));
    }
  }

  @Override
  protected void begins() {
    if (turn != null && turn.isReadOnly() && guard().isInTurn()) {
      turn.begins();
    }
  }

  @Override
  public void readOnly(boolean now) {
    needTurn("query").readOnly(now);
  }

  @Override
  public void afterCommit(Runnable effect) {
    needTurn("afterCommit").afterCommit(effect);
  }

  @Override
  public void state(Object next) {
    needTurn("update").state(next);
  }

  @Override
  public void event(Object event, Set<String> tags) {
    Set<String> all = tags;
    if (archived) {
      all = new TreeSet<>(tags);
      all.add(Feeds.ARCHIVE);
    }
    needTurn("persist").event(self().path(), event, all);
  }

  @Override
  public void enlist(Object work) {
    needTurn("enlist").enlist(work);
  }

  @Override
  public void delete() {
    Turn open = needTurn("deleteSelf");
    if (atMostOnce) {
      throw new UnsupportedOperationException(
          "%s is at-most-once and cannot delete itself: it has already consumed messages that it has not handled"
              .formatted(self().path()));
    }
    timers.cancelAll(open);
    List<DeliveryEntry> lost = deliveries.cancelAll(open);
    CallboardException gone = CallboardException.deleted(self().path());
    for (DeliveryEntry each : lost) {
      open.leaving(
          () -> durable.actors().deadLetters().add(each.to(), self().path(), each.message(), gone));
    }
    open.delete();
  }

  @Override
  public void goOn() {
    needTurn("persistAsync").goOn();
  }

  @Override
  public void wishSnapshot() {
    needTurn("persist").wishSnapshot();
  }

  @Override
  public void tell(ActorRef<?> receiver, Object message, TellOptions options) {
    MessageSender.requireMessage(receiver.path(), message);
    Turn open = needTurn("tell");
    TellOptions along = traced(options);
    if (isOwnDurable(receiver)) {
      durable.actors().sender().requireReplyHere(options);
      open.send(
          List.of(receiver.path()),
          message,
          MessageHeaders.replyAddress(options),
          MessageHeaders.handling(options, durable.node().clock().millis()),
          along.trace());
    } else {
      open.leaving(() -> send(receiver, message, along));
    }
  }

  @Override
  public void tellAll(Collection<? extends ActorRef<?>> receivers, Object message) {
    Turn open = needTurn("tellAll");
    List<ActorPath> durable =
        receivers.stream().filter(this::isOwnDurable).<ActorPath>map(ActorRef::path).toList();
    if (!durable.isEmpty()) {
      MessageSender.requireMessage(durable.get(0), message);
      open.send(durable, message, null, Handling.PLAIN, open.trace());
    }
    receivers.stream()
        .filter(receiver -> !isOwnDurable(receiver))
        .forEach(receiver -> tell(receiver, message, TellOptions.NONE));
  }

  private boolean isOwnDurable(ActorRef<?> receiver) {
    return receiver.durable() && !ActorRefImpl.isForeign(sender(), receiver);
  }

  @Override
  public void forward(ActorRef<?> receiver, Object message) {
    MessageSender.requireMessage(receiver.path(), message);
    Turn open = needTurn("forward");
    Reply back = takeReply();
    if (isOwnDurable(receiver)) {
      givenAway(back);
      open.send(receiver.path(), message, back.address(), Handling.PLAIN);
    } else {
      open.leaving(() -> passOn(receiver, message, back, open.trace()));
    }
  }

  @Override
  public void stash() {
    Turn open = needTurn("stash");
    if (stashRoom < 0) {
      throw new UnsupportedOperationException(
          "%s cannot stash this message: it sent it to itself, or it is at-most-once and has consumed it already"
              .formatted(self().path()));
    } else if (open.isAside()) {
      throw new IllegalStateException(self().path() + " has stashed this message already");
    } else if (stashRoom == 0) {
      throw CallboardException.stashFull(self().path(), mostAside);
    }
    open.putAside();
    var unused = takeReply(); // it goes with the message
  }

  @Override
  public void unstashAll() {
    needTurn("unstashAll").release(Integer.MAX_VALUE);
  }

  @Override
  public void unstash(int most) {
    needTurn("unstash").release(most);
  }

  @Override
  public StashView<Object> stashed() {
    return new DurableStashView(this, mostAside);
  }

  /** Returns the number of stashed messages, as of the last turn. */
  int lyingAside() {
    guard().needActor("stashed().size");
    return lyingAside;
  }
}

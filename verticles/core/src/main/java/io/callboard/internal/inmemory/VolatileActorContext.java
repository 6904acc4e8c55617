package io.callboard.internal.inmemory;

import io.callboard.ActorRef;
import io.callboard.HeldMessage;
import io.callboard.StashView;
import io.callboard.TellOptions;
import io.callboard.VolatileContext;
import io.callboard.codecs.TraceContext;
import io.callboard.internal.lifecycle.ActorEnvironment;
import io.callboard.internal.lifecycle.BaseActorContext;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.messaging.MessageSender;
import io.callboard.internal.turn.Turn;
import io.vertx.core.Future;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Context of a volatile actor, whose effects happen at once. */
public final class VolatileActorContext extends BaseActorContext implements VolatileContext {
  private static final VarHandle CURRENT;

  static {
    try {
      CURRENT =
          MethodHandles.lookup().findVarHandle(VolatileActorContext.class, "current", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Supplier<Stash> stash;
  private final LifeOwner owner;

  /**
   * Message being handled. Written on the actor's context, and read by other threads when a handler
   * keeps it, hence released; a volatile write for each message would cost more than the message.
   */
  private @Nullable Object current;

  private boolean handling;

  /** Whether the message being handled is stashed; any thread reads it with {@link #current}. */
  private volatile boolean aside;

  /**
   * Messages to unstash once the message being handled, which was stashed, is in the stash, too.
   */
  private int released;

  private boolean held;

  /**
   * @param stash gives the stash, and makes it if there is none
   */
  public VolatileActorContext(
      ActorEnvironment environment, ActorRefImpl<?> self, Supplier<Stash> stash, LifeOwner owner) {
    super(environment, self, owner);
    this.owner = owner;
    this.stash = stash;
  }

  /** Begins the handling of an item of the mailbox. */
  void begin(Object item, Reply to, @Nullable TraceContext trace) {
    CURRENT.setRelease(this, item);
    handling = true;
    super.begin(to, trace);
  }

  /** Ends the handling after the handler has succeeded. */
  @Override
  public void end() {
    if (aside && current != null) {
      stash.get().add(current);
      if (released > 0) {
        stash.get().release(released);
      }
    }
    over();
    super.end();
  }

  /**
   * Ends the handling after the handler has failed or was given up; the message is not stashed.
   *
   * @return the reply to the message
   */
  Reply fail() {
    Reply waiting = aside && current != null ? Delivery.from(current).reply() : takeReply();
    over();
    super.end();
    return waiting;
  }

  /**
   * Reply to the message at hand, whose handler keeps its thread. Any thread: what the handler did
   * before is seen; the reply may have been used meanwhile, and a second use is ignored.
   */
  Reply replyAtHand() {
    boolean stashed = aside; // first: it is set after the message that it is about
    Object item = CURRENT.getAcquire(this);
    return stashed && item != null ? Delivery.from(item).reply() : unusedReply();
  }

  private void over() {
    CURRENT.setRelease(this, null);
    handling = false;
    if (aside) { // a volatile write only where it is needed
      aside = false;
    }
    released = 0;
    held = false;
  }

  @Override
  protected boolean isHandling() {
    return handling;
  }

  @Override
  public @Nullable Object atHand() {
    Object item = CURRENT.getAcquire(this);
    return item == null ? null : Delivery.from(item).message();
  }

  @Override
  public @Nullable Turn turn() {
    return null;
  }

  @Override
  public void reply(Object answer) {
    guard().needTurn("reply");
    answered(takeWay(), unanswered(), answer);
  }

  @Override
  public void afterCommit(Runnable effect) {
    guard().needTurn("afterCommit");
    effect.run();
  }

  @Override
  public void tell(ActorRef<?> receiver, Object message, TellOptions options) {
    MessageSender.requireMessage(receiver.path(), message);
    guard().needActor("tell");
    send(receiver, message, traced(options));
  }

  @Override
  public void tellAll(Collection<? extends ActorRef<?>> receivers, Object message) {
    guard().needActor("tellAll");
    super.tellAll(receivers, message);
  }

  @Override
  public void forward(ActorRef<?> receiver, Object message) {
    MessageSender.requireMessage(receiver.path(), message);
    guard().needTurn("forward");
    passOn(receiver, message, takeReply(), traceOfTurn());
  }

  @Override
  public void forward(ActorRef<?> receiver, Object message, Runnable over) {
    MessageSender.requireMessage(receiver.path(), message);
    guard().needTurn("forward");
    passOn(receiver, message, new ForwardTracker(takeReply(), over), traceOfTurn());
  }

  @Override
  public void forwardAll(Collection<? extends ActorRef<?>> receivers, Object message) {
    if (receivers.isEmpty()) {
      throw new IllegalArgumentException(
          "%s has no receiver to forward the message to: refuse it".formatted(self().path()));
    }
    MessageSender.requireMessage(self().path(), message);
    guard().needTurn("forwardAll");
    Reply back = takeReply();
    givenAway(back);
    TraceContext trace = traceOfTurn();
    Reply rest = back.rest();
    if (rest == Reply.NONE) {
      receivers.forEach(receiver -> pass(receiver, message, back, trace));
      return;
    }
    List<ActorRef<?>> all = List.copyOf(receivers);
    AtomicInteger left = new AtomicInteger(all.size());
    Runnable over =
        () -> {
          if (left.decrementAndGet() == 0) {
            rest.released();
          }
        };
    all.forEach(receiver -> pass(receiver, message, new ForwardTracker(back.way(), over), trace));
  }

  @Override
  public void replyWhen(Future<?> answer) {
    guard().needTurn("replyWhen");
    Object item = unanswered();
    if (item == null) {
      throw new IllegalStateException(self().path() + " has no current message to answer");
    }
    Reply back = takeWay();
    givenAway(back);
    answer
        .onSuccess(value -> answered(back, item, value))
        .onFailure(cause -> failed(back, Delivery.from(item).message(), cause));
  }

  /**
   * Answers a message. Any thread.
   *
   * @param item the answered message; null if it was stashed, and no ask waits
   */
  void answered(Reply back, @Nullable Object item, @Nullable Object answer) {
    ActorRef<?> actor = back.actor();
    if (answer == null) {
      if (item != null && back.isAwaited()) {
        failed(back, Delivery.from(item).message(), noAnswer());
      } else {
        back.released();
      }
    } else if (actor == null || back.takesAll()) {
      back.succeed(answer);
    } else {
      TraceContext trace = item instanceof Delivery delivery ? delivery.trace() : null;
      send(actor, answer, trace == null ? TellOptions.NONE : TellOptions.trace(trace));
    }
  }

  /** Fails a message. Any thread. */
  private void failed(Reply back, Object message, Throwable cause) {
    boolean nobodyIsTold = !back.takesAll();
    back.fail(cause);
    if (nobodyIsTold) {
      environment.deadLetters().add(self().path(), null, message, cause);
    }
  }

  @Override
  public void stash() {
    guard().needTurn("stash");
    Object item = unanswered();
    if (item == null) {
      throw new IllegalStateException(
          "%s has no current message to stash, or has stashed it already".formatted(self().path()));
    }
    stash.get().requireRoom();
    CURRENT.setRelease(this, item instanceof Delivery delivery ? delivery.aside() : item);
    aside = true;
    var unused = takeReply(); // it goes with the message
  }

  @Override
  public <M> HeldMessage<M> hold(M message) {
    guard().needTurn("hold");
    Object item = unanswered();
    if (item == null || held) {
      throw new IllegalStateException(
          "%s has no current message to hold, or holds it already".formatted(self().path()));
    }
    held = true;
    Reply back = takeReply();
    givenAway(back);
    return new HeldMessageImpl<>(environment, this, message, Delivery.from(item), back);
  }

  /** Returns the message being handled; null if there is none, or it is stashed. */
  private @Nullable Object unanswered() {
    return aside ? null : current;
  }

  @Override
  public StashView<Object> stashed() {
    return new VolatileStashView(guard(), stash, environment.deadLetters(), self().path());
  }

  @Override
  public void unstashAll() {
    guard().needActor("unstashAll");
    takeUp(Integer.MAX_VALUE);
  }

  @Override
  public void unstash(int most) {
    guard().needActor("unstash");
    takeUp(most);
  }

  private void takeUp(int most) {
    if (aside) {
      released = most > Integer.MAX_VALUE - released ? Integer.MAX_VALUE : released + most;
      return;
    }
    stash.get().release(most);
    if (!handling) {
      owner.wake();
    }
  }
}

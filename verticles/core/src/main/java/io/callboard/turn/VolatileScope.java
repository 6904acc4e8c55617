package io.callboard.turn;

import io.callboard.ActorRef;
import io.callboard.TellOptions;
import io.callboard.mailbox.Delivery;
import io.callboard.mailbox.Reply;
import io.callboard.store.Loaded;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a volatile actor does is done at once. */
final class VolatileScope extends Scope {
  private final Supplier<Stash> stash;
  private @Nullable Object current;
  private boolean handling;

  /**
   * @param stash makes it, if it is not there
   */
  VolatileScope(
      CallboardRuntime runtime, Ref<?> self, Supplier<Stash> stash, Consumer<Delivery> toSelf) {
    super(runtime, self, toSelf);
    this.stash = stash;
  }

  /** The handling of an item of the mailbox begins. */
  void begin(Object item, Reply to) {
    current = item;
    handling = true;
    begin(to);
  }

  @Override
  void end() {
    current = null;
    handling = false;
    super.end();
  }

  @Override
  protected boolean isHandling() {
    return handling;
  }

  @Override
  @Nullable Turn turn() {
    return null;
  }

  @Override
  public Loaded loaded() {
    return Loaded.NOTHING;
  }

  @Override
  public void reply(Object answer) {
    Reply back = takeReply();
    ActorRef<?> actor = back.actor();
    if (actor != null) {
      send(actor, answer, TellOptions.NONE);
    } else {
      back.succeed(answer);
    }
  }

  @Override
  public void afterCommit(Runnable effect) {
    effect.run();
  }

  @Override
  public void state(Object next) {
    throw new IllegalStateException(self().path() + " is volatile and has no stored state");
  }

  @Override
  public void event(Object event) {
    throw new IllegalStateException(self().path() + " is volatile and has no journal");
  }

  @Override
  public void startDurableTimer(String key, Duration delay, Object message, boolean periodic) {
    throw new IllegalStateException(self().path() + " is volatile and has no durable timers");
  }

  @Override
  public void cancelDurableTimer(String key) {
    throw new IllegalStateException(self().path() + " is volatile and has no durable timers");
  }

  @Override
  public void tell(ActorRef<?> receiver, Object message, TellOptions options) {
    Courier.requireMessage(receiver.path(), message);
    send(receiver, message, options);
  }

  @Override
  public void forward(ActorRef<?> receiver, Object message) {
    Courier.requireMessage(receiver.path(), message);
    pass(receiver, message, takeReply());
  }

  @Override
  public void stash() {
    stash.get().add(current);
    current = null;
    var unused = takeReply(); // it goes with the message
  }

  @Override
  public void unstashAll() {
    stash.get().release();
  }
}

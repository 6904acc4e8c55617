package io.callboard.turn;

import io.callboard.ActorRef;
import io.callboard.TellOptions;
import io.callboard.mailbox.Delivery;
import io.callboard.mailbox.Reply;
import io.callboard.store.Loaded;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a durable actor does is a part of its turn, or leaves with it. */
final class DurableScope extends Scope {
  private final Loaded loaded;
  private @Nullable Turn turn;

  DurableScope(CallboardRuntime runtime, Ref<?> self, Loaded loaded, Consumer<Delivery> toSelf) {
    super(runtime, self, toSelf);
    this.loaded = loaded;
  }

  /** A turn begins. */
  void begin(Turn next) {
    turn = next;
    begin(next.reply());
  }

  @Override
  void end() {
    if (turn != null) {
      turn.close();
      turn = null;
    }
    super.end();
  }

  @Override
  @Nullable Turn turn() {
    return turn;
  }

  @Override
  protected boolean isHandling() {
    return turn != null;
  }

  private Turn needTurn(String what) {
    if (turn == null) {
      throw new IllegalStateException(
          "%s of %s outside of a turn: return a future from the handler to keep its turn open"
              .formatted(what, self().path()));
    }
    return turn;
  }

  @Override
  public Loaded loaded() {
    return loaded;
  }

  @Override
  public void reply(Object answer) {
    Turn open = needTurn("reply");
    ActorRef<?> actor = replyTo().orElse(null);
    Reply back = takeReply();
    if (actor != null) {
      tell(actor, answer, TellOptions.NONE);
    } else {
      open.leaving(() -> back.succeed(answer));
    }
  }

  @Override
  public void afterCommit(Runnable effect) {
    needTurn("afterCommit").afterCommit(effect);
  }

  @Override
  public void state(Object next) {
    if (turn != null) {
      turn.state(next);
    }
  }

  @Override
  public void event(Object event) {
    needTurn("persist").event(event);
  }

  @Override
  public void tell(ActorRef<?> receiver, Object message, TellOptions options) {
    Courier.requireMessage(receiver.path(), message);
    Turn open = needTurn("tell");
    if (receiver.durable()) {
      open.send(receiver.path(), message, Courier.replyAddress(receiver.path(), options));
    } else {
      open.leaving(() -> send(receiver, message, options));
    }
  }

  @Override
  public void forward(ActorRef<?> receiver, Object message) {
    Courier.requireMessage(receiver.path(), message);
    Turn open = needTurn("forward");
    Reply back = takeReply();
    if (receiver.durable()) {
      open.send(receiver.path(), message, back.address());
    } else {
      open.leaving(() -> pass(receiver, message, back));
    }
  }

  @Override
  public void forward(ActorRef<?> receiver, Object message, Runnable over) {
    throw onlyVolatile("cannot be told when what it forwards is over: it leaves with its commit");
  }

  @Override
  public void forwardAll(Collection<? extends ActorRef<?>> receivers, Object message) {
    throw onlyVolatile("forwards a message once: tell it to the others");
  }

  @Override
  public void replyWhen(Future<?> answer) {
    throw onlyVolatile("answers with its turn: return the future from the handler");
  }

  private UnsupportedOperationException onlyVolatile(String why) {
    return new UnsupportedOperationException("%s is durable, and %s".formatted(self().path(), why));
  }

  @Override
  public void stash() {
    throw noStash();
  }

  @Override
  public void unstashAll() {
    throw noStash();
  }

  private UnsupportedOperationException noStash() {
    return new UnsupportedOperationException(
        "%s is durable, and has no stash: keep what it cannot handle yet in its state"
            .formatted(self().path()));
  }
}

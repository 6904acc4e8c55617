package io.callboard.turn;

import io.callboard.ActorContext;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.mailbox.Delivery;
import io.callboard.mailbox.Reply;
import io.callboard.store.Loaded;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one started actor object is given; used on its context only. */
final class Scope implements ActorContext {
  private static final Logger log = LoggerFactory.getLogger(Scope.class);
  private static final Loaded NOTHING = Loaded.NOTHING;

  private final CallboardRuntime runtime;
  private final ActorRef<?> self;
  private final Loaded loaded;
  private final Consumer<Delivery> toSelf;
  private final boolean durable;
  private final Map<String, Long> timers = new HashMap<>();
  private @Nullable Turn turn;
  private Reply reply = Reply.NONE;

  Scope(
      CallboardRuntime runtime,
      ActorRef<?> self,
      @Nullable Loaded loaded,
      Consumer<Delivery> toSelf) {
    this.runtime = runtime;
    this.self = self;
    this.durable = self.durable();
    this.loaded = loaded == null ? NOTHING : loaded;
    this.toSelf = toSelf;
  }

  /** A durable turn begins. */
  void begin(Turn next) {
    turn = next;
    reply = next.reply();
  }

  /** The handling of a volatile message begins. */
  void begin(Reply to) {
    reply = to;
  }

  /** The handler is done. */
  void end() {
    if (turn != null) {
      turn.close();
      turn = null;
    }
    reply = Reply.NONE;
  }

  /** The turn that is open; null between turns and in a volatile actor. */
  @Nullable Turn turn() {
    return turn;
  }

  private Turn needTurn(String what) {
    if (turn == null) {
      throw new IllegalStateException(
          "%s of %s outside of a turn: return a future from the handler to keep its turn open"
              .formatted(what, self.path()));
    }
    return turn;
  }

  @Override
  public Callboard callboard() {
    return runtime.frontDoor();
  }

  @Override
  public ActorRef<?> self() {
    return self;
  }

  @Override
  public Loaded loaded() {
    return loaded;
  }

  @Override
  public void reply(Object answer) {
    if (durable) {
      needTurn("reply").answer(answer);
    } else {
      reply.succeed(answer);
    }
  }

  @Override
  public void afterCommit(Runnable effect) {
    if (durable) {
      needTurn("afterCommit").afterCommit(effect);
    } else {
      effect.run();
    }
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
  public void tell(ActorRef<?> receiver, Object message) {
    Courier.requireMessage(receiver.path(), message);
    if (durable) {
      Turn open = needTurn("tell");
      if (receiver.durable()) {
        open.send(receiver.path(), message);
      } else {
        open.leaving(() -> send(receiver, message));
      }
    } else {
      send(receiver, message);
    }
  }

  private void send(ActorRef<?> receiver, Object message) {
    runtime
        .courier()
        .tellFrom(self.path().toString(), receiver, message)
        .onFailure(
            cause -> {
              runtime.counters().dead.increment();
              log.warn(
                  "{} from {} to {} could not be delivered: {}",
                  message.getClass().getSimpleName(),
                  self.path(),
                  receiver.path(),
                  cause.getMessage());
            });
  }

  @Override
  public void startTimer(String key, Duration delay, Object message) {
    Courier.requireMessage(self.path(), message);
    cancelTimer(key);
    Vertx vertx = runtime.vertx();
    long id =
        vertx.setTimer(
            Math.max(1, delay.toMillis()),
            fired -> {
              timers.remove(key, fired);
              tellSelf(message);
            });
    timers.put(key, id);
  }

  @Override
  public void cancelTimer(String key) {
    Long id = timers.remove(key);
    if (id != null) {
      runtime.vertx().cancelTimer(id);
    }
  }

  /** This life is over. */
  void cancelTimers() {
    timers.values().forEach(runtime.vertx()::cancelTimer);
    timers.clear();
  }

  @Override
  public void tellSelf(Object message) {
    Courier.requireMessage(self.path(), message);
    toSelf.accept(new Delivery(message, self.path().toString(), Reply.NONE));
  }
}

package io.callboard.testkit.internal.world;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.TellOptions;
import io.callboard.time.Time.Alarm;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Volatile actor of a node: one object after the other. */
final class VolatileLife {
  private final WorldNode node;
  private final String path;
  private final Supplier<? extends Actor<?>> factory;
  private final Map<String, Alarm> timers = new HashMap<>();
  private final List<Mail> early = new ArrayList<>();
  private final Promise<Void> firstStart = Promise.promise();
  private @Nullable Actor<Object> actor;
  private @Nullable Context context;
  private @Nullable WorldAnswer asker;
  private boolean starting;
  private boolean stopped;
  private int life;

  private record Mail(Object message, @Nullable WorldAnswer answer) {}

  VolatileLife(WorldNode node, String path, Supplier<? extends Actor<?>> factory) {
    this.node = node;
    this.path = path;
    this.factory = factory;
  }

  /** Completes when its first object has started; fails if it was stopped before. */
  Future<Void> firstStart() {
    return firstStart.future();
  }

  @SuppressWarnings("unchecked")
  void start() {
    if (actor != null || stopped) {
      return; // it was restarted twice, or stopped meanwhile
    }
    Actor<Object> made = (Actor<Object>) factory.get();
    Context its = new Context();
    actor = made;
    context = its;
    starting = true;
    made.attach(its);
    int then = life;
    Future<?> start = made.start();
    if (start.failed()) {
      throw new AssertionError(path + " does not start", start.cause());
    }
    start.onComplete(
        done -> {
          if (life == then) {
            started(done);
          }
        });
  }

  private void started(AsyncResult<?> start) {
    if (start.failed()) {
      end();
      var unused = node.schedule(node.cell().faults().backoff(), this::start);
      return;
    }
    starting = false;
    boolean first = firstStart.tryComplete();
    List<Mail> waiting = List.copyOf(early);
    early.clear();
    waiting.forEach(mail -> receive(mail.message(), mail.answer()));
  }

  /** Ends it for good. */
  void stop() {
    stopped = true;
    boolean never = firstStart.tryFail(new CallboardException(Code.STOPPED, path + " was stopped"));
    end();
  }

  /** Ends its object; that of a dead node is not told. */
  void end() {
    Actor<Object> ended = starting ? null : actor;
    Context its = context;
    life++;
    actor = null;
    context = null;
    starting = false;
    early.clear();
    timers.values().forEach(Alarm::cancel);
    timers.clear();
    if (its != null && node.isAlive()) {
      its.endChildren();
    }
    if (ended != null && node.isAlive()) {
      Lives.handled(path, "stop", ended.stop());
    }
  }

  /** Puts a message into the mailbox. */
  void receive(Object message, @Nullable WorldAnswer answer) {
    int then = life;
    var unused =
        node.schedule(
            0,
            () -> {
              if (life == then) {
                handle(message, answer);
              }
            });
  }

  private void handle(Object message, @Nullable WorldAnswer answer) {
    Actor<Object> its = actor;
    if (starting) {
      early.add(new Mail(message, answer));
    } else if (its != null) {
      asker = answer;
      int now = life;
      node.handles(() -> life == now);
      Lives.handled(path, message, its.receive(its.adapted(message)));
      asker = null;
    }
  }

  private final class Context extends WorldContext {
    private final int mine = life;

    Context() {
      super(VolatileLife.this.node, path);
    }

    @Override
    boolean isDurable() {
      return false;
    }

    @Override
    public void reply(Object answer) {
      node().cell().answered(path, answer);
      if (asker != null) {
        asker.give(node(), answer);
      }
    }

    @Override
    public void afterCommit(Runnable effect) {
      effect.run();
    }

    @Override
    public void tell(ActorRef<?> receiver, Object message, TellOptions options) {
      String to = receiver.path().toString();
      WorldCell cell = node().cell();
      cell.saw(path, to, message);
      if (receiver.durable()) {
        var unused = cell.network().store(node(), path, to, message, null);
      } else {
        cell.network().send(node(), to, message, null);
      }
    }

    @Override
    public void startTimer(String key, Duration delay, Object message, boolean periodic) {
      if (!isOver()) {
        cancelTimer(key);
        arm(key, WorldTime.nanos(delay), message, periodic);
      }
    }

    private void arm(String key, long delayNs, Object message, boolean periodic) {
      Runnable due =
          () -> {
            if (periodic) {
              arm(key, delayNs, message, true);
            }
            tellSelf(message);
          };
      timers.put(key, node().schedule(delayNs, due));
    }

    @Override
    public void cancelTimer(String key) {
      Alarm timer = timers.remove(key);
      if (timer != null) {
        timer.cancel();
      }
    }

    @Override
    public void tellSelf(Object message) {
      if (!isOver()) {
        receive(message, null);
      }
    }

    @Override
    public boolean isOver() {
      return mine != life;
    }
  }
}

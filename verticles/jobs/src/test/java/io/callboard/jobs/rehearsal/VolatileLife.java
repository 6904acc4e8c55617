package io.callboard.jobs.rehearsal;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.TellOptions;
import io.callboard.time.Time.Alarm;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Volatile actor of a node: one object after the other. */
final class VolatileLife {
  private final WorldNode node;
  private final String path;
  private final Supplier<? extends Actor<?>> factory;
  private final Map<String, Alarm> timers = new HashMap<>();
  private Actor<Object> actor;
  private int life;

  VolatileLife(WorldNode node, String path, Supplier<? extends Actor<?>> factory) {
    this.node = node;
    this.path = path;
    this.factory = factory;
  }

  @SuppressWarnings("unchecked")
  void start() {
    if (actor != null) {
      return; // it was restarted twice
    }
    actor = (Actor<Object>) factory.get();
    actor.attach(new Context());
    Lives.started(path, actor.start());
  }

  void end() {
    life++;
    actor = null;
    timers.values().forEach(Alarm::cancel);
    timers.clear();
  }

  /** Puts a message into the mailbox. */
  void receive(Object message) {
    int then = life;
    node.schedule(
        0,
        () -> {
          if (life == then && actor != null) {
            Lives.handled(path, message, actor.receive(actor.adapted(message)));
          }
        });
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
    public void afterCommit(Runnable effect) {
      effect.run();
    }

    @Override
    public void tell(ActorRef<?> receiver, Object message, TellOptions options) {
      String to = receiver.path().toString();
      WorldCell cell = node().cell();
      cell.saw(path, to, message);
      if (receiver.durable()) {
        cell.network().store(node(), path, to, message);
      } else {
        cell.network().send(to, message);
      }
    }

    @Override
    public void startTimer(String key, Duration delay, Object message, boolean periodic) {
      cancelTimer(key);
      timers.put(key, node().schedule(WorldTime.nanos(delay), () -> receive(message)));
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
      receive(message);
    }

    @Override
    public boolean isOver() {
      return mine != life;
    }
  }
}

package io.callboard.testkit.internal.world;

import io.callboard.ActorRef;
import io.callboard.DurableActor;
import io.callboard.TellOptions;
import io.callboard.journal.Recovery;
import io.callboard.time.Time;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Durable actor of a cell: its mailbox, its committed state and its durable timers survive
 * everything; its objects do not. A turn is committed as a whole or leaves nothing.
 */
public final class DurableLife {
  private static final long LOOK_AGAIN = WorldTime.SECOND / 2;

  /** Turns for one after which the object ends, and as many if that must show a flaw. */
  private static final int SELDOM = 40;

  private static final int OFTEN = 8;

  private final WorldCell cell;
  private final String path;
  private final boolean spawned;
  private final Function<WorldNode, ? extends DurableActor<?, ?>> factory;
  private final WorldMailbox mail = new WorldMailbox();
  private final Map<String, WorldTurn.Timer> durableTimers = new HashMap<>();
  private @Nullable Object state;
  private long events;
  private @Nullable WorldNode owner;
  private @Nullable DurableActor<Object, Object> actor;
  private @Nullable Context context;
  private @Nullable WorldTurn turn;
  private boolean starting;
  private boolean scheduled;
  private long slowUntil;
  private int life;
  private long epoch;

  /**
   * Creates the actor.
   *
   * @param spawned whether it runs all the time, not only while it has mail or durable timers
   */
  DurableLife(
      WorldCell cell,
      String path,
      boolean spawned,
      Function<WorldNode, ? extends DurableActor<?, ?>> factory) {
    this.cell = cell;
    this.path = path;
    this.spawned = spawned;
    this.factory = factory;
  }

  /** Returns its path. */
  public String path() {
    return path;
  }

  /** Returns the committed state; null if there is none. */
  public @Nullable Object state() {
    return state;
  }

  /** Returns the node that has it; null for none. */
  public @Nullable WorldNode owner() {
    return owner;
  }

  /** Returns the epoch in which a node has it: one higher with each move. */
  long epoch() {
    return epoch;
  }

  /** Returns whether it has no mail. */
  public boolean isIdle() {
    return mail.isIdle();
  }

  /** Returns whether an object of it is in memory. */
  public boolean isLoaded() {
    return actor != null;
  }

  /** Keeps it from handling anything for a time. */
  public void slow(long forNs) {
    slowUntil = Math.max(slowUntil, cell.time().now() + forNs);
  }

  void quick() {
    slowUntil = 0;
  }

  /** Moves it to another node, which runs it if it has to. */
  public void move(WorldNode to) {
    drop(to);
    owner = to;
    epoch++;
    to.leases().gained(this);
    cell.time().after(cell.faults().answerDelay(), this::begin);
    wake();
  }

  /** Takes it out of memory if it is idle, until its next message. */
  public void passivate() {
    if (!spawned && isIdle() && durableTimers.isEmpty() && turn == null) {
      drop(owner);
    }
  }

  /**
   * Ends the current object, with all that is only in memory.
   *
   * @param next the node that has the actor now
   */
  private void drop(@Nullable WorldNode next) {
    DurableActor<Object, Object> ended = starting ? null : actor;
    Context its = context;
    life++;
    actor = null;
    context = null;
    turn = null;
    starting = false;
    mail.objectEnds();
    if (its != null && its.node().isAlive()) {
      Runnable stop =
          () -> {
            if (its.node() != owner) { // it has come back meanwhile
              its.node().leases().lost(path);
            }
            its.endChildren();
            if (ended != null) {
              Lives.handled(path, "stop", ended.stop());
            }
          };
      if (its.node() == next) {
        stop.run();
      } else {
        its.node().stopsLater(path, stop);
      }
    }
  }

  void receive(Object message, @Nullable WorldAnswer answer) {
    mail.add(new WorldTurn.Mail(message, true, null, answer));
    wake();
  }

  private void begin() {
    boolean runs = spawned || !durableTimers.isEmpty();
    WorldNode at = owner;
    if (actor == null && runs && at != null) {
      if (at.isInTouch()) {
        start(at);
      } else {
        cell.time().after(LOOK_AGAIN, this::begin);
      }
    }
  }

  /** Continues with a new object, as its supervisor has it. */
  private void restart(long afterNs) {
    drop(owner);
    int then = life;
    cell.time()
        .after(
            afterNs,
            () -> {
              WorldNode at = owner;
              if (life == then && actor == null && at != null && at.isInTouch()) {
                start(at);
              } else {
                begin();
              }
            });
  }

  /** Continues after a pause: its start or a turn has failed. */
  private void fails() {
    long pause = cell.faults().backoff();
    slow(pause);
    restart(pause);
    wake();
  }

  private void wake() {
    if (!scheduled && !mail.isEmpty()) {
      scheduled = true;
      cell.time().after(cell.faults().turnDelay(), this::next);
    }
  }

  private void next() {
    scheduled = false;
    if (mail.isEmpty() || starting || turn != null) {
      return;
    }
    WorldNode at = owner;
    if (at == null || !at.isInTouch() || cell.time().now() < slowUntil) {
      scheduled = true;
      cell.time().after(LOOK_AGAIN, this::next);
      return;
    }
    if (actor == null) {
      start(at);
    }
    DurableActor<Object, Object> its = actor;
    if (its != null && !starting) {
      handle(its, mail.first());
      wake();
    }
  }

  @SuppressWarnings("unchecked")
  private void start(WorldNode at) {
    at.stopsNow(path);
    DurableActor<Object, Object> made = (DurableActor<Object, Object>) factory.apply(at);
    Context its = new Context(at);
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
            started(at, done);
          }
        });
  }

  private void started(WorldNode at, AsyncResult<?> start) {
    if (start.failed()) {
      fails();
      return;
    }
    starting = false;
    List.copyOf(durableTimers.values()).forEach(each -> schedule(at, each));
    wake();
  }

  private void handle(DurableActor<Object, Object> its, WorldTurn.Mail next) {
    WorldTurn.Timer timer = next.timer();
    boolean cancelled =
        timer != null
            && (next.stored()
                ? durableTimers.get(timer.key()) != timer
                : !mail.isOfTimer(next, timer.key()));
    if (cancelled) {
      mail.removeFirst();
      return;
    }
    WorldTurn opened = new WorldTurn(next, state);
    turn = opened;
    if (timer != null && next.stored()) {
      opened.timers.add(() -> durableTimers.remove(timer.key(), timer));
    }
    int then = life;
    Future<?> handled = its.receive(its.adapted(next.message()));
    if (handled == null || handled.isComplete()) {
      Lives.handled(path, next.message(), handled);
      finish(opened);
    } else {
      handled.onComplete(
          done -> {
            if (life == then) {
              finish(then, opened, done);
            }
          });
    }
  }

  /** Ends a turn that has waited; a node without contact cannot commit it. */
  private void finish(int then, WorldTurn of, AsyncResult<?> handled) {
    WorldNode at = owner;
    if (life != then) {
      return;
    } else if (handled.failed()) {
      fails();
    } else if (at == null || !at.isInTouch()) {
      cell.time().after(LOOK_AGAIN, () -> finish(then, of, handled));
    } else {
      finish(of);
      wake();
    }
  }

  private void finish(WorldTurn of) {
    turn = null;
    if (of.stashes) {
      mail.stashFirst();
      return;
    }
    int seldom = cell.sendsBeforeCommit(path) ? OFTEN : SELDOM;
    WorldFaults.Crash crash =
        cell.crashes(path) ? cell.faults().crash(seldom) : WorldFaults.Crash.NONE;
    if (crash == WorldFaults.Crash.BEFORE) {
      if (cell.sendsBeforeCommit(path)) {
        of.sends.forEach(Runnable::run);
      }
      restart(cell.faults().answerDelay());
      return;
    }
    mail.removeFirst();
    commit(of);
    if (crash == WorldFaults.Crash.AFTER) {
      restart(cell.faults().answerDelay());
    } else {
      of.effects.forEach(Runnable::run);
    }
  }

  private void schedule(WorldNode at, WorldTurn.Timer timer) {
    int then = life;
    var unused =
        at.schedule(
            timer.dueNs() - cell.time().now(),
            () -> {
              if (life == then && durableTimers.get(timer.key()) == timer) {
                mail.add(new WorldTurn.Mail(timer.message(), true, timer, null));
                wake();
              }
            });
  }

  private void commit(WorldTurn of) {
    state = of.deletes ? null : of.next;
    events = of.deletes ? 0 : events + of.persisted.size();
    of.timers.forEach(Runnable::run);
    if (of.deletes) {
      durableTimers.clear();
      drop(owner);
    }
    of.sends.forEach(Runnable::run);
    of.persisted.forEach(event -> cell.persisted(path, event));
  }

  private final class Context extends WorldContext {
    private final int mine = life;

    Context(WorldNode at) {
      super(at, path);
    }

    private WorldTurn turn() {
      if (turn == null || isOver()) {
        throw new IllegalStateException(path + " is in no turn");
      }
      return turn;
    }

    @Override
    boolean isDurable() {
      return true;
    }

    @Override
    public Time time() {
      return new FailingTasks(super.time(), this::isOver, DurableLife.this::fails);
    }

    @Override
    public void stash() {
      turn().stashes = true;
    }

    @Override
    public void unstashAll() {
      turn().effects.add(mail::unstashAll); // a restart does that, too
    }

    @Override
    public Recovery recovery() {
      return new WorldRecovery(state, events);
    }

    @Override
    public void state(Object next) {
      turn().next = next;
    }

    @Override
    public void event(Object event, Set<String> tags) {
      turn().persisted.add(event);
    }

    @Override
    public void delete() {
      turn().deletes = true;
    }

    @Override
    public void reply(Object answer) {
      cell.answered(path, answer);
      WorldAnswer asker = turn().mail.answer();
      if (asker != null) {
        turn().effects.add(() -> asker.give(node(), answer));
      }
    }

    @Override
    public void afterCommit(Runnable effect) {
      turn().effects.add(effect);
    }

    @Override
    public void tell(ActorRef<?> receiver, Object message, TellOptions options) {
      String to = receiver.path().toString();
      WorldTurn at = turn();
      if (receiver.durable()) {
        at.sends.add(
            () -> {
              cell.saw(path, to, message);
              cell.network().outbox(path, to, message);
            });
      } else {
        at.effects.add(
            () -> {
              cell.saw(path, to, message);
              cell.network().send(node(), to, message, null);
            });
      }
    }

    @Override
    public void startTimer(String key, Duration delay, Object message, boolean periodic) {
      if (periodic) {
        throw missing();
      } else if (!isOver()) {
        mail.startTimer(node(), key, delay, message, this::here);
      }
    }

    @Override
    public void cancelTimer(String key) {
      if (!isOver()) {
        mail.cancelTimer(key);
      }
    }

    private void here(WorldTurn.Mail what) {
      if (!isOver()) {
        mail.add(what);
        wake();
      }
    }

    @Override
    public void tellSelf(Object message) {
      var unused =
          node()
              .schedule(
                  cell.faults().answerDelay(),
                  () -> here(new WorldTurn.Mail(message, false, null, null)));
    }

    @Override
    public void startDurableTimer(String key, Duration delay, Object message, boolean periodic) {
      long due = cell.time().now() + WorldTime.nanos(delay);
      WorldTurn.Timer timer = new WorldTurn.Timer(key, message, due);
      turn()
          .timers
          .add(
              () -> {
                durableTimers.put(key, timer);
                schedule(node(), timer);
              });
    }

    @Override
    public void cancelDurableTimer(String key) {
      turn().timers.add(() -> durableTimers.remove(key));
    }

    @Override
    public boolean isOver() {
      return mine != life;
    }
  }

  @Override
  public String toString() {
    return "%s on %s: %s, mail %s".formatted(path, owner, state, mail);
  }
}

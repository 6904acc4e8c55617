package io.callboard.jobs.rehearsal;

import io.callboard.ActorRef;
import io.callboard.DurableActor;
import io.callboard.TellOptions;
import io.callboard.journal.Recovery;
import io.callboard.time.Time.Alarm;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Durable actor of a cell: its mailbox, its committed state and its durable timers survive
 * everything; its objects do not. A turn is committed as a whole or leaves nothing.
 */
public final class DurableLife {
  private static final long LOOK_AGAIN = WorldTime.SECOND / 2;

  private final WorldCell cell;
  private final String path;
  private final boolean spawned;
  private final Function<WorldNode, ? extends DurableActor<?, ?>> factory;
  private final Deque<Mail> mail = new ArrayDeque<>();
  private final Map<String, StoredTimer> durableTimers = new HashMap<>();
  private final Map<String, Mail> timers = new HashMap<>();
  private final Map<String, Alarm> alarms = new HashMap<>();
  private Object state;
  private WorldNode owner;
  private DurableActor<Object, Object> actor;
  private Turn turn;
  private boolean scheduled;
  private long slowUntil;
  private int life;

  /** Message in the mailbox, perhaps of a timer, and perhaps only in memory. */
  private record Mail(Object message, boolean stored, StoredTimer timer) {}

  private record StoredTimer(String key, Object message, long dueNs) {}

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

  /** Returns the committed state; null if there is none. */
  public Object state() {
    return state;
  }

  public WorldNode owner() {
    return owner;
  }

  public boolean isIdle() {
    return mail.isEmpty();
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
    drop();
    owner = to;
    cell.time().after(cell.faults().answerDelay(), this::begin);
    wake();
  }

  /** Takes it out of memory if it is idle, until its next message. */
  public void passivate() {
    if (!spawned && mail.isEmpty() && durableTimers.isEmpty()) {
      drop();
    }
  }

  /** Ends the current object, with all that is only in memory. */
  private void drop() {
    life++;
    actor = null;
    mail.removeIf(each -> !each.stored());
    alarms.values().forEach(Alarm::cancel);
    alarms.clear();
    timers.clear();
  }

  void receive(Object message) {
    mail.add(new Mail(message, true, null));
    wake();
  }

  private void begin() {
    boolean runs = spawned || !durableTimers.isEmpty();
    if (actor == null && runs) {
      if (owner.isInTouch()) {
        start();
      } else {
        cell.time().after(LOOK_AGAIN, this::begin);
      }
    }
  }

  /** Continues with a new object, as its supervisor has it. */
  private void restart() {
    drop();
    int then = life;
    cell.time()
        .after(
            cell.faults().answerDelay(),
            () -> {
              if (life == then && actor == null && owner.isInTouch()) {
                start();
              } else {
                begin();
              }
            });
  }

  private void wake() {
    if (!scheduled && !mail.isEmpty()) {
      scheduled = true;
      cell.time().after(cell.faults().turnDelay(), this::next);
    }
  }

  private void next() {
    scheduled = false;
    if (mail.isEmpty()) {
      return;
    }
    boolean waits = owner == null || !owner.isInTouch() || cell.time().now() < slowUntil;
    if (waits) {
      scheduled = true;
      cell.time().after(LOOK_AGAIN, this::next);
      return;
    }
    if (actor == null) {
      start();
    }
    handle(mail.peek());
    wake();
  }

  @SuppressWarnings("unchecked")
  private void start() {
    actor = (DurableActor<Object, Object>) factory.apply(owner);
    actor.attach(new Context());
    Lives.started(path, actor.start());
    for (StoredTimer each : List.copyOf(durableTimers.values())) {
      schedule(each);
    }
  }

  private void handle(Mail next) {
    StoredTimer timer = next.timer();
    boolean cancelled =
        timer != null
            && (next.stored()
                ? durableTimers.get(timer.key()) != timer
                : timers.get(timer.key()) != next);
    if (cancelled) {
      mail.remove();
      return;
    }
    turn = new Turn();
    Turn its = turn;
    if (timer != null && next.stored()) {
      its.timers.add(() -> durableTimers.remove(timer.key(), timer));
    }
    Lives.handled(path, next.message(), actor.receive(actor.adapted(next.message())));
    turn = null;
    WorldFaults.Crash crash = cell.crashes(path) ? cell.faults().crash() : WorldFaults.Crash.NONE;
    if (crash == WorldFaults.Crash.BEFORE) {
      if (cell.sendsBeforeCommit(path)) {
        its.sends.forEach(Runnable::run);
      }
      restart();
      return;
    }
    mail.remove();
    its.commit();
    if (crash == WorldFaults.Crash.AFTER) {
      restart();
    } else {
      its.effects.forEach(Runnable::run);
    }
  }

  private void schedule(StoredTimer timer) {
    int then = life;
    owner.schedule(
        timer.dueNs() - cell.time().now(),
        () -> {
          if (life == then && durableTimers.get(timer.key()) == timer) {
            mail.add(new Mail(timer.message(), true, timer));
            wake();
          }
        });
  }

  /** Effects of one turn. */
  private final class Turn {
    private final List<Runnable> sends = new ArrayList<>();
    private final List<Runnable> effects = new ArrayList<>();
    private final List<Runnable> timers = new ArrayList<>();
    private Object next = state;
    private boolean deletes;

    void commit() {
      state = deletes ? null : next;
      timers.forEach(Runnable::run);
      if (deletes) {
        durableTimers.clear();
        drop();
      }
      sends.forEach(Runnable::run);
    }
  }

  private final class Context extends WorldContext {
    private final int mine = life;

    Context() {
      super(owner, path);
    }

    private Turn turn() {
      if (turn == null) {
        throw new IllegalStateException(path + " is in no turn");
      }
      return turn;
    }

    @Override
    boolean isDurable() {
      return true;
    }

    @Override
    public Recovery recovery() {
      return new WorldRecovery(state);
    }

    @Override
    public void state(Object next) {
      turn().next = next;
    }

    @Override
    public void event(Object event, Set<String> tags) {
      turn();
    }

    @Override
    public void delete() {
      turn().deletes = true;
    }

    @Override
    public void afterCommit(Runnable effect) {
      turn().effects.add(effect);
    }

    @Override
    public void tell(ActorRef<?> receiver, Object message, TellOptions options) {
      String to = receiver.path().toString();
      Turn at = turn();
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
              cell.network().send(to, message);
            });
      }
    }

    @Override
    public void startTimer(String key, Duration delay, Object message, boolean periodic) {
      cancelTimer(key);
      Mail due = new Mail(message, false, new StoredTimer(key, message, 0));
      timers.put(key, due);
      alarms.put(key, node().schedule(WorldTime.nanos(delay), () -> here(due)));
    }

    @Override
    public void cancelTimer(String key) {
      timers.remove(key);
      Alarm alarm = alarms.remove(key);
      if (alarm != null) {
        alarm.cancel();
      }
    }

    private void here(Mail what) {
      if (!isOver()) {
        mail.add(what);
        wake();
      }
    }

    @Override
    public void tellSelf(Object message) {
      node().schedule(cell.faults().answerDelay(), () -> here(new Mail(message, false, null)));
    }

    @Override
    public void startDurableTimer(String key, Duration delay, Object message, boolean periodic) {
      long due = cell.time().now() + WorldTime.nanos(delay);
      StoredTimer timer = new StoredTimer(key, message, due);
      turn()
          .timers
          .add(
              () -> {
                durableTimers.put(key, timer);
                schedule(timer);
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

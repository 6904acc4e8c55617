package io.callboard.testkit.internal.world;

import io.callboard.Actor;
import io.callboard.ActorGroup;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Blobs;
import io.callboard.Broadcast;
import io.callboard.Callboard;
import io.callboard.admin.CallboardAdmin;
import io.callboard.cell.CellListener;
import io.callboard.cell.Signals;
import io.callboard.store.Member;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.OpenTasks;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One boot of a node in a {@link WorldCell}. It may be frozen (nothing of it runs), cut off from
 * the store, or dead. Its clocks show times of their own.
 */
public final class WorldNode implements Callboard {
  private static final Instant BEGIN = Instant.parse("2026-11-24T00:00:00Z");

  /** Longest time in which a volatile actor stops. */
  private static final long MOST_STOP = 20 * WorldTime.MS;

  private final WorldCell cell;
  private final String name;
  private final String boot;
  private final long monotonicOffset;
  private final long wallOffset;
  private final Random random;
  private final Vertx vertx = LoopOf.vertx(this);
  private final List<CellListener> listeners = new ArrayList<>();
  private final Map<String, VolatileLife> actors = new LinkedHashMap<>();
  private final Map<String, List<Consumer<Object>>> subscribers = new HashMap<>();
  private final Map<String, List<Consumer<String>>> watchers = new HashMap<>();
  private final Map<String, Runnable> stops = new HashMap<>();
  private BooleanSupplier handling = () -> false;
  private final NodeTasks tasks;
  private final WorldLeases leases = new WorldLeases(this);
  private boolean alive = true;
  private long cutUntil;

  WorldNode(WorldCell cell, String name, String boot) {
    this.cell = cell;
    this.name = name;
    this.boot = boot;
    this.tasks = new NodeTasks(cell.time());
    this.monotonicOffset = cell.random().nextLong(1_000_000 * WorldTime.SECOND);
    this.wallOffset = cell.random().nextLong(6 * WorldTime.SECOND) - 3 * WorldTime.SECOND;
    this.random = new Random(cell.random().nextLong());
  }

  // State of the machine.

  /** Returns the cell that it is a node of. */
  public WorldCell cell() {
    return cell;
  }

  /** Returns whether its process lives. */
  public boolean isAlive() {
    return alive;
  }

  /** Returns whether it stands still for now. */
  public boolean isFrozen() {
    return tasks.areFrozen();
  }

  /** Returns whether it is cut off from the others and the store for now. */
  public boolean isCut() {
    return cell.time().now() < cutUntil;
  }

  /** Returns whether its program runs, and has had the time to look at its clock. */
  public boolean isAwake() {
    return alive && tasks.haveGoneOnFor() > WorldTime.SECOND / 2;
  }

  /** Returns whether it can commit. */
  public boolean isInTouch() {
    return alive && !isFrozen() && !isCut();
  }

  /** Freezes the node for a time. */
  public void freeze(long forNs) {
    tasks.freeze(forNs);
  }

  /** Cuts it off from the others and the store for a time. */
  public void cut(long forNs) {
    cutUntil = Math.max(cutUntil, cell.time().now() + forNs);
  }

  /** Makes the node go on, connected. */
  public void recover() {
    tasks.thaw();
    cutUntil = Math.min(cutUntil, cell.time().now());
  }

  void die() {
    alive = false;
    tasks.die();
    actors.values().forEach(VolatileLife::end);
    actors.clear();
    watchers.clear();
    stops.clear();
    subscribers.clear();
    listeners.clear();
  }

  /** Schedules a task of this node: a frozen node runs it when it thaws, a dead one never. */
  public Time.Alarm schedule(long delayNs, Runnable task) {
    return tasks.after(delayNs, task);
  }

  // Cell events and volatile actors.

  void tellListeners(Consumer<CellListener> what) {
    List.copyOf(listeners).forEach(what);
  }

  void heard(String broadcast, Object news) {
    List.copyOf(subscribers.getOrDefault(broadcast, List.of())).forEach(each -> each.accept(news));
  }

  /** Hosts a volatile actor. */
  public void runs(String path, Supplier<? extends Actor<?>> factory) {
    VolatileLife life = new VolatileLife(this, path, factory);
    actors.put(path, life);
    life.start();
  }

  /** Starts a child; completes when it has started. */
  Future<Void> starts(String path, Supplier<? extends Actor<?>> factory) {
    VolatileLife life = new VolatileLife(this, path, factory);
    actors.put(path, life);
    var unused = schedule(cell.faults().answerDelay(), life::start);
    return life.firstStart();
  }

  /** Ends a volatile actor for good. */
  void ends(String path, String reason) {
    VolatileLife life = actors.remove(path);
    if (life != null) {
      life.stop();
      List<Consumer<String>> told = watchers.remove(path);
      if (told != null) {
        told.forEach(each -> each.accept(reason));
      }
    }
  }

  /** Tells a watcher when a volatile actor of this node has ended. */
  void watch(String path, Consumer<String> told) {
    if (actors.containsKey(path)) {
      watchers.computeIfAbsent(path, key -> new ArrayList<>()).add(told);
    } else {
      told.accept("there is no such actor");
    }
  }

  /** Restarts a volatile actor after a time; messages that wait, or come meanwhile, are lost. */
  public void restart(String path, long afterNs) {
    VolatileLife life = actors.get(path);
    if (life != null) {
      life.end();
      var unused = schedule(afterNs, life::start);
    }
  }

  /** Notes which object of an actor handles a message. */
  void handles(BooleanSupplier isInMemory) {
    handling = isInMemory;
  }

  /** Returns whether the object that handles a message now is still in memory, for later. */
  public BooleanSupplier handling() {
    return handling;
  }

  /** Returns whether a volatile actor of that path is here. */
  public boolean has(String path) {
    return actors.containsKey(path);
  }

  /** Tells the object of a durable actor some time later that the actor is elsewhere now. */
  void stopsLater(String path, Runnable stop) {
    Runnable before = stops.get(path);
    Runnable all =
        before == null
            ? stop
            : () -> {
              before.run();
              stop.run();
            };
    stops.put(path, all);
    var unused =
        schedule(
            cell.faults().noticeDelay(),
            () -> {
              if (stops.get(path) == all) {
                stopsNow(path);
              }
            });
  }

  /** Tells the object before another one of its path starts here. */
  void stopsNow(String path) {
    Runnable stop = stops.remove(path);
    if (stop != null) {
      stop.run();
    }
  }

  @Nullable VolatileLife actor(String path) {
    return actors.get(path);
  }

  // Front door.

  @Override
  public String node() {
    return name;
  }

  @Override
  public String bootId() {
    return boot;
  }

  @Override
  public Vertx vertx() {
    return vertx;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public Time time() {
    return time;
  }

  private final Time time = new NodeTime();

  private final class NodeTime implements Time {
    private final Clock clock = new NodeClock();

    @Override
    public Clock clock() {
      return clock;
    }

    @Override
    public long nanoTime() {
      return cell.time().now() + monotonicOffset;
    }

    @Override
    public Alarm after(Context context, Duration delay, Runnable task) {
      return schedule(WorldTime.nanos(delay), task);
    }
  }

  private final class NodeClock extends Clock {
    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return BEGIN.plusNanos(cell.time().now() + wallOffset);
    }
  }

  @Override
  public <M> ActorRef<M> ref(String path, Class<M> protocol) {
    return new WorldRef<>(this, path, false);
  }

  @Override
  public <M> ActorRef<M> durableRef(String path, Class<M> protocol) {
    return new WorldRef<>(this, path, true);
  }

  @Override
  public Future<List<Member>> members() {
    return isInTouch()
        ? Future.succeededFuture(cell.members())
        : Future.failedFuture(new IllegalStateException("no contact with the store"));
  }

  @Override
  public Future<Void> publish(String key, String value) {
    return Future.succeededFuture();
  }

  @Override
  public void listen(CellListener listener) {
    listeners.add(listener);
  }

  @Override
  public <T> Broadcast<T> broadcast(String name, Class<T> protocol) {
    return new Broadcast<>() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Future<Void> publish(T news) {
        cell.publish(name, news);
        return Future.succeededFuture();
      }

      @Override
      public Future<Void> publish(String key, T news) {
        return publish(news);
      }

      @Override
      @SuppressWarnings("unchecked")
      public Runnable subscribe(Consumer<? super T> subscriber) {
        Consumer<Object> any = (Consumer<Object>) subscriber;
        List<Consumer<Object>> its = subscribers.computeIfAbsent(name, key -> new ArrayList<>());
        its.add(any);
        return () -> its.remove(any);
      }
    };
  }

  @Override
  public BackgroundTasks tasks(String of, Time by) {
    return new OpenTasks(vertx(), this::random).by(of, by);
  }

  @Override
  public Future<Void> closed() {
    return Future.failedFuture(missing());
  }

  @Override
  public Future<Void> close() {
    throw missing();
  }

  @Override
  public <M> Future<ActorRef<M>> spawn(
      String path, Supplier<? extends Actor<M>> factory, ActorOptions options) {
    return starts(path, factory).map(started -> new WorldRef<>(this, path, false));
  }

  @Override
  public <M> Future<Void> host(
      String prefix, Supplier<? extends Actor<M>> factory, ActorOptions options) {
    throw missing();
  }

  @Override
  public <M> ActorGroup<M> group(String group, Class<M> protocol) {
    throw missing();
  }

  @Override
  public Future<Void> supervise(String path, FailureZone zone, SupervisionOptions options) {
    throw missing();
  }

  @Override
  public Future<Void> stop(String path) {
    Promise<Void> stopped = Promise.promise();
    var unused =
        schedule(
            cell.random().nextLong(MOST_STOP),
            () -> {
              ends(path, "it was stopped");
              stopped.complete();
            });
    return stopped.future();
  }

  @Override
  public Future<Boolean> isHosted(String path) {
    throw missing();
  }

  @Override
  public CallboardAdmin admin() {
    throw missing();
  }

  @Override
  public Blobs blobs() {
    throw missing();
  }

  @Override
  public WorldLeases leases() {
    return leases;
  }

  @Override
  public Signals signals() {
    throw missing();
  }

  private static UnsupportedOperationException missing() {
    return new UnsupportedOperationException("the world has no such part: add it to WorldNode");
  }

  @Override
  public String toString() {
    return name + "/" + boot;
  }
}

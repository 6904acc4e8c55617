package io.callboard.internal.zone;

import io.callboard.admin.ZoneStatus;
import io.callboard.codecs.internal.text.Suggestions;
import io.callboard.supervision.Causes;
import io.callboard.time.Time;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZoneOptions;
import io.callboard.zone.ZoneOptions.Kind;
import io.callboard.zone.ZonePriority;
import io.netty.channel.EventLoop;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.impl.EventLoopExecutor;
import io.vertx.core.impl.VertxImpl;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.WorkerPool;
import io.vertx.core.internal.deployment.DeploymentContext;
import io.vertx.core.spi.metrics.PoolMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Scheduling zones of one node, which owns their pools. Safe for use by many threads. */
public final class Zones implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Zones.class);

  /** Logger for what Vert.x reports as not closing with a context. */
  private static final io.vertx.core.internal.logging.Logger CLOSING =
      io.vertx.core.internal.logging.LoggerFactory.getLogger(Zones.class);

  /** Key under which a Vert.x instance keeps its named pools. */
  private static final String POOLS = "__vertx.shared.workerPools";

  private final VertxInternal vertx;
  private final ContextInternal outside;
  private final String node;
  private final Map<String, Zone> zones = new TreeMap<>();
  private final CloseFuture holds = new CloseFuture();
  private final Map<String, WorkerPool> held = new HashMap<>();
  private final EventLoopWatch eventLoopWatch;
  private final Watchdog watchdog;
  private final AtomicInteger pools = new AtomicInteger();
  private volatile BlockedListener blockedListener = (whose, what, stack) -> {};

  /**
   * Makes all pools.
   *
   * @throws IllegalArgumentException if a zone cannot be so; the message names it
   */
  public Zones(VertxInternal vertx, Map<String, ZoneOptions> configured, String node) {
    this(vertx, configured, node, SpareThreads.GRACE);
  }

  /**
   * Makes the zones with another grace of their spare threads, for tests.
   *
   * @param grace time for which {@link SpareThreads} may be idle, and be stuck
   */
  Zones(VertxInternal vertx, Map<String, ZoneOptions> configured, String node, Duration grace) {
    configured.forEach((name, options) -> options.check(name));
    this.vertx = vertx;
    this.node = node;
    this.eventLoopWatch = new EventLoopWatch(vertx, System.nanoTime());
    this.watchdog = new Watchdog(node);
    try {
      configured.forEach((name, options) -> make(name, options, grace));
      this.outside =
          vertx
              .contextBuilder()
              .withThreadingModel(ThreadingModel.WORKER)
              .withWorkerPool(pool(ZoneDefaults.SUPERVISION))
              .build();
    } catch (RuntimeException | Error e) {
      release();
      throw e;
    }
    watchdog.start(this::look);
  }

  private void make(String name, ZoneOptions options, Duration grace) {
    Zone zone =
        new Zone(
            name,
            poolName(name),
            options,
            eventLoopWatch.size(),
            System::nanoTime,
            task -> watchdog.later(Duration.ofMillis(1), task)::cancel,
            grace,
            this::blocked,
            this::ended);
    zones.put(name, zone);
    hold(zone);
  }

  /** Sets the listener for actors that block a thread; there is one. */
  public void listen(BlockedListener listener) {
    blockedListener = listener;
  }

  private void blocked(Object whose, String what, String stack) {
    blockedListener.blocked(whose, what, stack);
  }

  private WorkerPool pool(String zone) {
    WorkerPool pool = held.get(poolName(zone));
    if (pool == null) {
      throw new IllegalArgumentException("there is no zone %s of threads".formatted(zone));
    }
    return pool;
  }

  /** Ends what was made by a constructor that fails. */
  private void release() {
    zones.values().forEach(Zone::abandon);
    watchdog.end();
    holds
        .close()
        .onFailure(
            cause ->
                log.warn("the thread pool of a zone could not be closed", Causes.readable(cause)));
  }

  private String poolName(String zone) {
    return "callboard-%s-%s".formatted(node, zone);
  }

  private String poolName(Zone zone, ZonePriority priority) {
    String name = poolName(zone.name());
    return priority == ZonePriority.NORMAL ? name : name + "/" + priority.label();
  }

  /** Makes the zone's threads the named pools of the Vert.x instance, one for each priority. */
  private void hold(Zone zone) {
    if (zone.options().kind() == Kind.EVENT_LOOP) {
      zone.deployments().put(ZonePriority.NORMAL, new DeploymentOptions());
      return;
    }
    pools.incrementAndGet();
    for (ZonePriority priority : ZonePriority.values()) {
      if (priority == ZonePriority.NORMAL || zone.options().kind().knowsPriorities()) {
        String pool = poolName(zone, priority);
        hold(pool, zone.executor(priority), zone.options().max());
        zone.deployments()
            .put(
                priority,
                new DeploymentOptions()
                    .setThreadingModel(ThreadingModel.WORKER)
                    .setWorkerPoolName(pool));
      }
    }
  }

  private void hold(String name, ZoneExecutor executor, int size) {
    VertxMetrics metrics = vertx.metrics();
    PoolMetrics<?, ?> measured =
        metrics == null ? null : metrics.createPoolMetrics("worker", name, size);
    WorkerPool pool = new WorkerPool(executor, measured);
    WorkerPool shared =
        vertx.createSharedResource(
            POOLS,
            name,
            holds,
            last -> {
              last.add(
                  done -> {
                    pool.close();
                    done.succeed();
                  });
              return pool;
            });
    if (shared != pool) {
      pool.close();
      throw new IllegalStateException(
          "the Vert.x instance already has a pool %s, which a verticle still uses: undeploy that verticle first"
              .formatted(name));
    }
    held.put(name, pool);
  }

  /**
   * Returns the deployment options for a verticle in a zone, with the normal priority.
   *
   * @throws IllegalArgumentException if there is no such zone; the message names the existing ones
   */
  public DeploymentOptions deployment(String name) {
    return deployment(name, ZonePriority.NORMAL);
  }

  /**
   * Makes a context for one life of an actor: like that of a verticle deployed into the zone, but
   * without a deployment. It keeps the zone's threads until {@link Zone#leave}.
   *
   * @param life the owner of what is deployed on the context
   * @param whose names the actor when a thread is blocked; its path
   * @throws IllegalArgumentException as {@link #check}
   */
  public ContextInternal context(
      String name, ZonePriority priority, DeploymentContext life, Object whose) {
    Zone zone = zone(name);
    if (!zone.deployments().containsKey(priority)) {
      throw noPriorities(zone, priority);
    }
    zone.hold();
    EventLoop loop = vertx.nettyEventLoopGroup().next();
    CloseFuture closing = new CloseFuture(CLOSING);
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    ClassLoader classes = loader == null ? Zones.class.getClassLoader() : loader;
    VertxImpl owner = (VertxImpl) outside.owner();
    if (zone.isSerial()) {
      WorkerPool blocking = vertx.workerPool();
      return owner.createContext(
          ThreadingModel.WORKER,
          new EventLoopExecutor(loop),
          new SerialExecutor(zone, blocking, whose),
          blocking,
          closing,
          life,
          classes);
    }
    WorkerPool pool = held.get(poolName(zone, priority));
    ThreadingModel model = pool == null ? ThreadingModel.EVENT_LOOP : ThreadingModel.WORKER;
    return owner.createContext(model, loop, closing, pool, life, classes);
  }

  /**
   * Runs {@code task} after a delay, in the supervision zone, without an event loop; not if the
   * zones end before.
   *
   * @return cancels it
   */
  public Runnable later(Duration delay, Runnable task) {
    return watchdog.after(outside, delay, task)::cancel;
  }

  /** Returns the time of the system, with timers that a blocked event loop does not delay. */
  public Time timers() {
    return watchdog;
  }

  /**
   * Returns the deployment options for a verticle in a zone; one object for all, not to be changed.
   */
  DeploymentOptions deployment(String name, ZonePriority priority) {
    Zone zone = zone(name);
    DeploymentOptions options = zone.deployments().get(priority);
    if (options == null) {
      throw noPriorities(zone, priority);
    }
    return options;
  }

  private static IllegalArgumentException noPriorities(Zone zone, ZonePriority priority) {
    return new IllegalArgumentException(
        "zone %s is of kind %s, which has no priorities: leave out %s, or make it fixed"
            .formatted(zone.name(), zone.options().kind().label(), priority.label()));
  }

  /**
   * Checks that an actor can run there.
   *
   * @throws IllegalArgumentException if it cannot; the message says why
   */
  public void check(String name, ZonePriority priority) {
    Zone zone = zone(name);
    if (name.equals(ZoneDefaults.SUPERVISION)) {
      throw new IllegalArgumentException(
          "zone %s is reserved for supervisors: choose another for actors".formatted(name));
    }
    if (!zone.deployments().containsKey(priority)) {
      throw noPriorities(zone, priority);
    }
  }

  /**
   * Returns the zone of that name.
   *
   * @throws IllegalArgumentException if there is none; the message names the existing ones
   */
  public Zone zone(String name) {
    Zone zone = zones.get(name);
    if (zone == null) {
      throw new IllegalArgumentException(
          "there is no scheduling zone \"%s\"%s"
              .formatted(name, Suggestions.hint(name, zones.keySet())));
    }
    return zone;
  }

  /** Counts an actor that was deployed into ({@code +1}) or left ({@code -1}) a zone. */
  public void count(String name, int change) {
    zone(name).count(change);
  }

  /** Returns whether more slices wait in the zone of that name than it is configured for. */
  public boolean isFull(String name) {
    return zone(name).isFull();
  }

  public List<ZoneStatus> status() {
    return zones.values().stream().map(Zone::status).toList();
  }

  /** Looks after all zones; called by the watchdog. */
  private void look() {
    Zone ofLoops = firstOfLoops();
    long limit = ofLoops == null ? Long.MAX_VALUE : ofLoops.options().blockedAfter().toNanos();
    List<ThreadState.Busy> elsewhere =
        eventLoopWatch.look(
            System.nanoTime(),
            limit,
            thread -> zones.values().stream().anyMatch(zone -> zone.has(thread)));
    zones.values().forEach(zone -> zone.look(zone == ofLoops ? elsewhere : List.of()));
  }

  /**
   * Returns the zone that reports event loops blocked by other code than actors; null if there is
   * none.
   */
  private @Nullable Zone firstOfLoops() {
    Zone byName = zones.get(ZoneDefaults.EVENT_LOOP);
    if (byName != null && byName.options().kind() == Kind.EVENT_LOOP) {
      return byName;
    }
    return zones.values().stream()
        .filter(zone -> zone.options().kind() == Kind.EVENT_LOOP)
        .findFirst()
        .orElse(null);
  }

  /**
   * Ends the watchdog after the last zone, whose last verticle is gone or whose Vert.x instance
   * ends.
   */
  private void ended() {
    if (pools.decrementAndGet() == 0) {
      watchdog.end();
    }
  }

  /** Releases the zones; the threads of each end with the last verticle in it. */
  @Override
  public void close() {
    if (pools.get() == 0) {
      watchdog.end();
    }
    holds
        .close()
        .onFailure(
            cause ->
                log.warn("the thread pool of a zone could not be closed", Causes.readable(cause)));
  }
}

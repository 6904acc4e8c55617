package io.callboard.zone;

import io.callboard.ZoneStatus;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The zones of one node; owns their pools. Safe for use by many threads. */
public final class Zones implements AutoCloseable {
  /** Where actors run that name no zone: the event loops. */
  public static final String DEFAULT = "default";

  /** For handlers that block: {@value #BLOCKING_SIZE} threads unless configured. */
  public static final String BLOCKING = "blocking";

  /** Where the supervisors run, alone. */
  public static final String SUPERVISION = "supervision";

  private static final int BLOCKING_SIZE = 8;

  private final Map<String, Zone> zones = new TreeMap<>();

  private record Zone(
      ZoneOptions options, List<WorkerExecutor> pool, String poolName, AtomicInteger actors) {}

  public Zones(Vertx vertx, Map<String, ZoneOptions> configured, String node) {
    configured.forEach(
        (name, options) -> {
          String poolName = "callboard-%s-%s".formatted(node, name);
          List<WorkerExecutor> pool =
              options.kind() == ZoneOptions.Kind.FIXED
                  ? List.of(vertx.createSharedWorkerExecutor(poolName, options.size()))
                  : List.of();
          zones.put(name, new Zone(options, pool, poolName, new AtomicInteger()));
        });
  }

  /** The zones that are always there. */
  public static Map<String, ZoneOptions> defaults() {
    Map<String, ZoneOptions> defaults = new LinkedHashMap<>();
    defaults.put(DEFAULT, ZoneOptions.eventLoop());
    defaults.put(BLOCKING, ZoneOptions.fixed(BLOCKING_SIZE));
    defaults.put(SUPERVISION, ZoneOptions.fixed(1));
    return defaults;
  }

  /**
   * How a verticle is deployed into a zone.
   *
   * @throws IllegalArgumentException if there is no such zone; the message names those there are
   */
  public DeploymentOptions deployment(String name) {
    Zone zone = zone(name);
    if (zone.options().kind() == ZoneOptions.Kind.EVENT_LOOP) {
      return new DeploymentOptions();
    }
    return new DeploymentOptions()
        .setThreadingModel(ThreadingModel.WORKER)
        .setWorkerPoolName(zone.poolName())
        .setWorkerPoolSize(zone.options().size());
  }

  /** Checks a name as {@link #deployment} does. */
  public void check(String name) {
    var unused = zone(name);
  }

  private Zone zone(String name) {
    Zone zone = zones.get(name);
    if (zone == null) {
      throw new IllegalArgumentException(
          "there is no scheduling zone \"%s\"; there are %s".formatted(name, zones.keySet()));
    }
    return zone;
  }

  /** An actor was deployed into ({@code +1}) or left ({@code -1}) a zone. */
  public void count(String name, int change) {
    zone(name).actors().addAndGet(change);
  }

  public List<ZoneStatus> status() {
    List<ZoneStatus> status = new ArrayList<>();
    zones.forEach(
        (name, zone) ->
            status.add(
                new ZoneStatus(
                    name,
                    zone.options().kind().label(),
                    zone.options().size(),
                    zone.actors().get())));
    return status;
  }

  @Override
  public void close() {
    for (Zone zone : zones.values()) {
      zone.pool().forEach(pool -> pool.close().onFailure(Zones::closing));
    }
  }

  private static void closing(Throwable cause) {
    org.slf4j.LoggerFactory.getLogger(Zones.class).warn("a zone's pool did not close", cause);
  }
}

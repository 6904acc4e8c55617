package io.callboard.internal.zone;

import static io.callboard.internal.Waits.await;

import io.callboard.admin.ZoneStatus;
import io.callboard.internal.Waits;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZoneOptions;
import io.callboard.zone.ZonePriority;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Zones of a Vert.x of their own, with plain verticles in them. */
final class ZoneStage implements AutoCloseable {
  static final String ZONE = "z";

  final Vertx vertx = Vertx.vertx();
  final Zones zones;
  final Zone zone;

  ZoneStage(ZoneOptions options) {
    this(options, SpareThreads.GRACE);
  }

  /**
   * @param grace time for which {@link SpareThreads} may be idle, and be stuck
   */
  ZoneStage(ZoneOptions options, Duration grace) {
    Map<String, ZoneOptions> all = new LinkedHashMap<>(ZoneDefaults.zones());
    all.put(ZONE, options);
    zones = new Zones((VertxInternal) vertx, all, "test", grace);
    zone = zones.zone(ZONE);
  }

  /** A context in the zone. */
  Context place(ZonePriority priority) throws Exception {
    Promise<Context> placed = Promise.promise();
    await(
        vertx.deployVerticle(
            new VerticleBase() {
              @Override
              public Future<?> start() {
                placed.complete(context);
                return Future.succeededFuture();
              }
            },
            zones.deployment(ZONE, priority)));
    return await(placed.future());
  }

  Context place() throws Exception {
    return place(ZonePriority.NORMAL);
  }

  /** Holds the thread of that context until the latch is opened; returns when it holds it. */
  CountDownLatch hold(Context context, String whose) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch open = new CountDownLatch(1);
    zone.schedule(
        context,
        whose,
        () -> {
          begun.countDown();
          Waits.opened(open);
        });
    Waits.opened(begun);
    return open;
  }

  ZoneStatus status() {
    return zones.status().stream()
        .filter(each -> each.name().equals(ZONE))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() throws Exception {
    zones.close();
    await(vertx.close());
  }
}

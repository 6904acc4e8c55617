package io.callboard.soak;

import io.callboard.Callboard;
import io.callboard.admin.ZoneStatus;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.deployment.DeploymentContext;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Resources held by a node, after a full garbage collection.
 *
 * @param deployments of the Vert.x
 * @param below what deployments have below them, together
 * @param seats actors in scheduling zones
 * @param objects of each class that is watched
 * @param threads by their names without numbers
 */
record Level(
    int deployments,
    int below,
    int seats,
    Map<String, Integer> objects,
    Map<String, Long> threads,
    long heapBytes) {
  static final List<String> WATCHED =
      List.of(
          "io.callboard.internal.lifecycle.ActorInstance",
          "io.callboard.internal.inmemory.VolatileRunner",
          "io.callboard.internal.inmemory.VolatileTurns",
          "io.callboard.internal.durable.DurableRunner",
          "io.callboard.internal.durable.DurableLives",
          "io.callboard.internal.durable.DurableTurns",
          "io.callboard.internal.context.TimeoutWheel$1",
          "io.callboard.internal.supervisor.FailureZoneRunner",
          "io.callboard.internal.supervisor.FailureZoneVerticle",
          "io.callboard.internal.failurezone.FailureZoneMachine",
          "io.callboard.internal.failurezone.Child",
          "io.callboard.internal.supervisor.FailureZoneDriver",
          "io.callboard.soak.Player",
          "io.callboard.soak.Keeper",
          "io.vertx.core.impl.ContextImpl",
          "io.vertx.core.impl.VertxImpl$InternalTimerHandler",
          "io.vertx.core.impl.future.PromiseImpl",
          "java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask",
          "io.netty.util.concurrent.ScheduledFutureTask");

  static Level of(VertxInternal vertx, List<ZoneStatus> zones) throws Exception {
    Map<String, Integer> objects = counted();
    Collection<DeploymentContext> all = vertx.deploymentManager().deployments();
    int below = 0;
    for (DeploymentContext each : all) {
      below += below(each);
    }
    return new Level(
        all.size(),
        below,
        zones.stream().mapToInt(ZoneStatus::actors).sum(),
        objects,
        running(),
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
  }

  static Level of(Callboard callboard) throws Exception {
    return of((VertxInternal) callboard.vertx(), callboard.admin().zones());
  }

  /** Returns the number of deployments below another one, which Vert.x does not show. */
  private static int below(DeploymentContext deployment) throws ReflectiveOperationException {
    Field children = deployment.getClass().getDeclaredField("children");
    children.setAccessible(true);
    synchronized (deployment) {
      return ((Collection<?>) children.get(deployment)).size();
    }
  }

  /** Collects garbage, and counts what is left of each class that is watched. */
  static Map<String, Integer> counted() throws JMException, ClassNotFoundException {
    Object histogram =
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram",
                new Object[] {null},
                new String[] {String[].class.getName()});
    Map<String, Integer> objects = new TreeMap<>();
    for (String name : WATCHED) { // none is watched that is not there, since it was renamed
      Class<?> there = Class.forName(name, false, Level.class.getClassLoader());
      objects.put(there.getName(), 0);
    }
    histogram
        .toString()
        .lines()
        .map(line -> line.trim().split("\\s+"))
        .filter(words -> words.length >= 4 && objects.containsKey(words[3]))
        .forEach(words -> objects.put(words[3], Integer.parseInt(words[1])));
    return objects;
  }

  private static Map<String, Long> running() {
    return Thread.getAllStackTraces().keySet().stream()
        .collect(
            Collectors.groupingBy(
                thread -> thread.getName().replaceAll("[-0-9]+$", ""),
                TreeMap::new,
                Collectors.counting()));
  }

  /** Names without their packages; only what there is. */
  @Override
  public String toString() {
    Map<String, Integer> named = new TreeMap<>();
    objects.forEach(
        (name, count) -> {
          if (count > 0) {
            named.put(name.replaceAll(".*[.$](?=[A-Z])", ""), count);
          }
        });
    return "heap %.1f MB, %d deployments with %d below, %d seats, %s, threads %s"
        .formatted(heapBytes / 1e6, deployments, below, seats, named, threads);
  }
}

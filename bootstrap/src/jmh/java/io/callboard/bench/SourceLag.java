package io.callboard.bench;

import io.callboard.bench.Case.Better;
import io.callboard.bench.SupplyServers.Pair;
import io.callboard.servers.RedisServer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Row of the lag of each kind of source when the node that polls it is killed: of three nodes, each
 * a JVM. Messages arrive at a steady rate, and each starts a workflow of one step. The lag is that
 * of messages whose step has not begun.
 */
final class SourceLag implements Row {
  /** Messages a second at most: half of what the nodes can do, if that is less. */
  private static final double RATE = 100;

  private static final int BURST = 2_000;
  private static final int QUICK_BURST = 100;

  private static final int RUNS = 3;

  /** Longer than the longest lease, of a minute; and than half of one. */
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private static final Duration QUICK_PATIENCE = Duration.ofSeconds(45);

  /** Time for which the lag must be back at its level. */
  private static final Duration HOLD = Duration.ofSeconds(2);

  /** Figures of the runs of one kind. */
  private record Figures(
      List<Double> rates,
      List<Double> before,
      List<Double> gaps,
      List<Double> most,
      List<Double> waits,
      List<Double> seconds) {
    Figures() {
      this(
          new ArrayList<>(),
          new ArrayList<>(),
          new ArrayList<>(),
          new ArrayList<>(),
          new ArrayList<>(),
          new ArrayList<>());
    }

    List<Case> cases(String kind) {
      String head = kind + ", polling node of three killed: ";
      return List.of(
          one(head + "messages that arrive", "messages/s", Better.HIGHER, rates),
          one(head + "until a message that comes later is handled", "ms", Better.LOWER, gaps),
          one(head + "largest lag before", "messages", Better.LOWER, before),
          one(head + "largest lag", "messages", Better.LOWER, most),
          one(head + "longest wait of a message", "ms", Better.LOWER, waits),
          one(head + "until the lag is as before", "s", Better.LOWER, seconds));
    }

    private static Case one(String name, String unit, Better better, List<Double> values) {
      return new Case(name, unit, better, Measurement.of(values), Map.of());
    }
  }

  @Override
  public String name() {
    return "sources-lag";
  }

  @Override
  public String about() {
    return "lag of each kind of source when the node that polls is killed";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    List<Case> cases = new ArrayList<>();
    try (SupplyServers supplies = new SupplyServers(stage, kind -> isMeasured(stage, kind));
        Servers server = Servers.here(stage)) {
      Map<String, Pair> pairs = supplies.pairs();
      Map<String, Arrival> arrivals = new LinkedHashMap<>();
      JsonObject sources = new JsonObject();
      pairs.forEach(
          (kind, pair) -> {
            sources.put(kind, SourceNode.source(kind, pair.ours().settings()));
            arrivals.put(kind, new Arrival(pair.ours()));
          });
      try (SourceNodes nodes =
          new SourceNodes(
              stage,
              server.connectString(),
              sources,
              (kind, number) -> Objects.requireNonNull(arrivals.get(kind)).handled(number))) {
        for (Map.Entry<String, Arrival> each : arrivals.entrySet()) {
          Figures figures = new Figures();
          for (int run = 0; run < (stage.quick() ? 1 : RUNS); run++) {
            run(stage, nodes, each.getKey(), each.getValue(), figures);
          }
          cases.addAll(figures.cases(each.getKey()));
        }
      }
      supplies.missing().forEach(each -> System.out.println(name() + ": " + each));
    }
    return cases;
  }

  /** A feed has no queue. */
  private static boolean isMeasured(Stage stage, String kind) {
    return stage.quick()
        ? kind.equals(RedisServer.isInstalled() ? "redis-stream" : "directory")
        : !kind.equals(FeedSupply.KIND);
  }

  private static void run(
      Stage stage, SourceNodes nodes, String kind, Arrival arrival, Figures figures)
      throws Exception {
    nodes.fill();
    String polling = nodes.polling(kind);
    Duration steady = Duration.ofSeconds(stage.quick() ? 3 : 10);
    Duration patience = stage.quick() ? QUICK_PATIENCE : PATIENCE;
    int burst = stage.quick() ? QUICK_BURST : BURST;
    double cold = arrival.burst(burst, patience);
    double rate = Math.min(RATE, arrival.burst(burst, patience) / 2);
    arrival.begin(rate);
    var uneven = arrival.largest(steady);
    int level = arrival.largest(steady);
    arrival.mark();
    long killed = System.nanoTime();
    nodes.kill(polling);
    int most = level;
    long back = killed;
    while (System.nanoTime() - back < HOLD.toNanos()) {
      int lag = arrival.look();
      most = Math.max(most, lag);
      back = lag > level || arrival.firstNanos() == 0 ? System.nanoTime() : back;
      if (System.nanoTime() - killed > patience.toNanos()) {
        throw new IllegalStateException(
            "%s: the lag is %d, and was %d before a node was killed".formatted(kind, lag, level));
      }
    }
    arrival.end(patience);
    double gap = (arrival.firstNanos() - killed) / 1e6;
    double seconds = (back - killed) / 1e9;
    figures.rates().add(rate);
    figures.before().add((double) level);
    figures.gaps().add(gap);
    figures.most().add((double) most);
    figures.waits().add(arrival.largestMillis());
    figures.seconds().add(seconds);
    Progress.say(
        "%s, %.0f messages/s (cold %.0f): nothing for %.0f ms, lag %d, then %d and %.0f ms, back after %.1f s, %d again"
            .formatted(
                kind,
                rate,
                cold,
                gap,
                level,
                most,
                arrival.largestMillis(),
                seconds,
                arrival.again()));
  }
}

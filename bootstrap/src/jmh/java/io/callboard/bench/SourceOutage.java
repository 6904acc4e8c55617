package io.callboard.bench;

import io.callboard.bench.Case.Better;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The lag of a stream of Redis when the node that polls it is killed: of three nodes, each a JVM.
 * Messages arrive at half the rate at which these nodes have completed a burst. The lag is the
 * number of messages in the stream: those that wait, and those that are under way.
 */
final class SourceOutage implements AutoCloseable {
  private static final int NODES = 3;
  private static final int RUNS = 5;
  private static final int BURST = 5_000;
  private static final int QUICK_BURST = 600;
  private static final String STREAM = "outage";
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Time for which the lag must be back at its level. */
  private static final Duration HOLD = Duration.ofSeconds(2);

  private static final int PAUSE_MS = 5;

  private final Stage stage;
  private final String servers;
  private final Parts parts = new Parts();
  private final RedisStreamSupply supply;
  private final Map<String, Child> nodes = new HashMap<>();
  private int named;

  /** Lag of messages that arrive at a rate, which goes on between the looks at it. */
  private final class Arrival {
    private final double rate;
    private final long begun = System.nanoTime();
    private int sent;

    Arrival(double rate) {
      this.rate = rate;
    }

    /** Sends what is due; returns the lag. */
    long look() throws Exception {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      int due = (int) (rate * (System.nanoTime() - begun) / 1e9) - sent;
      supply.put(due);
      sent += due;
      return supply.left();
    }

    /** Goes on for a time; returns the largest lag. */
    long largest(Duration time) throws Exception {
      long end = System.nanoTime() + time.toNanos();
      long largest = 0;
      while (System.nanoTime() < end) {
        largest = Math.max(largest, look());
      }
      return largest;
    }
  }

  SourceOutage(Stage stage, String servers, int redisPort) {
    this.stage = stage;
    this.servers = servers;
    Vertx vertx = Vertx.vertx();
    parts.add(() -> Node.await(vertx.close()));
    RedisClient redis = new RedisClient(vertx, redisPort);
    parts.add(redis::close);
    this.supply = new RedisStreamSupply(redis, STREAM);
  }

  List<Case> measure() throws Exception {
    int burst = stage.quick() ? QUICK_BURST : BURST;
    List<Double> rates = new ArrayList<>();
    List<Double> before = new ArrayList<>();
    List<Double> largest = new ArrayList<>();
    List<Double> seconds = new ArrayList<>();
    for (int run = 0; run < (stage.quick() ? 1 : RUNS); run++) {
      fill();
      double unused = burst(burst); // new nodes are cold
      rates.add(burst(burst));
      Arrival arrival = new Arrival(rates.get(run) / 2);
      arrival.largest(steady()); // until it is even
      long level = arrival.largest(steady());
      kill();
      long killed = System.nanoTime();
      long back = killed;
      long most = level;
      while (System.nanoTime() - back < HOLD.toNanos()) {
        long lag = arrival.look();
        most = Math.max(most, lag);
        back = lag > level ? System.nanoTime() : back;
        if (System.nanoTime() - killed > PATIENCE.toNanos()) {
          throw new IllegalStateException(
              "the lag is %d, and was %d before a node was killed".formatted(lag, level));
        }
      }
      before.add((double) level);
      largest.add((double) most);
      seconds.add((back - killed) / 1e9);
      Progress.say(
          "outage at %.0f messages/s: lag %d, then up to %d, back after %.1f s"
              .formatted(arrival.rate, level, most, (back - killed) / 1e9));
      Load.await("the end of each message", PATIENCE, this::isEmpty);
    }
    String killed = "redis-stream, polling node of three killed (SIGKILL): ";
    return List.of(
        one("redis-stream, three nodes, a burst", "messages/s", Better.HIGHER, rates),
        one(killed + "largest lag before, at half that rate", "messages", Better.LOWER, before),
        one(killed + "largest lag", "messages", Better.LOWER, largest),
        one(killed + "until the lag is back", "s", Better.LOWER, seconds));
  }

  private static Case one(String name, String unit, Better better, List<Double> values) {
    return new Case(name, unit, better, Measurement.of(values), Map.of());
  }

  private Duration steady() {
    return Duration.ofSeconds(stage.quick() ? 2 : 10);
  }

  private boolean isEmpty() {
    try {
      return supply.left() == 0;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Puts a burst; returns at which rate it is completed. */
  private double burst(int count) throws Exception {
    long begun = System.nanoTime();
    supply.put(count);
    Load.await("the end of each message of a burst", PATIENCE, this::isEmpty);
    return count / ((System.nanoTime() - begun) / 1e9);
  }

  /** Starts nodes until there are as many as there should be, all at once. */
  private void fill() throws Exception {
    JsonObject settings = supply.settings();
    List<Child> started = new ArrayList<>();
    while (nodes.size() < NODES) {
      String name = "node-" + ++named;
      Path data = stage.directory(name);
      Child child =
          Child.start(
              SourceNode.class,
              List.of("-Xmx512m"),
              servers,
              name,
              data.toString(),
              settings.encode());
      nodes.put(name, child);
      started.add(child);
    }
    for (Child each : started) {
      var unused = each.expect("ready");
    }
  }

  private void kill() throws Exception {
    Child any = nodes.values().iterator().next();
    any.order("who");
    String polling = any.expect("polls");
    Child child = Objects.requireNonNull(nodes.remove(polling), polling);
    child.close();
  }

  @Override
  public void close() {
    nodes.values().forEach(Child::close);
    parts.close();
  }
}

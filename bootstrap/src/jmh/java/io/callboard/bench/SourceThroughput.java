package io.callboard.bench;

import io.callboard.bench.Case.Better;
import io.callboard.bench.SupplyServers.Pair;
import io.callboard.pollers.model.SourceConfig;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Row of messages that each kind of source takes from a real server and acknowledges when the
 * workflow of one step that each starts has ended, beside the server's plain client, which takes
 * messages in a loop, does nothing, and acknowledges them.
 */
final class SourceThroughput implements Row {
  private static final int MESSAGES = 3_000;
  private static final int QUICK_MESSAGES = 300;

  /** A plain client does nothing with a message, so it takes more of them to show its rate. */
  private static final int MORE = 2;

  private static final String TOLD = "told";
  private static final String PLAIN_HTTP = "a plain server of Vert.x that answers 202";
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @Override
  public String name() {
    return "sources";
  }

  @Override
  public String about() {
    return "messages/s of each kind of source to a no-op workflow, beside the plain client";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    try (SupplyServers supplies = new SupplyServers(stage);
        Servers server = Servers.here(stage)) {
      List<Case> cases = rates(stage, supplies, server.connectString());
      supplies.missing().forEach(each -> System.out.println("sources: " + each));
      return cases;
    }
  }

  private static List<Case> rates(Stage stage, SupplyServers supplies, String servers)
      throws Exception {
    Map<String, Pair> pairs = supplies.pairs();
    Supply told = supplies.told();
    JsonObject config = new JsonObject();
    pairs.forEach(
        (kind, pair) -> config.put(kind, OurSources.running(kind, pair.ours().settings())));
    config.put(SourceConfig.HTTP, OurSources.running(SourceConfig.HTTP, new JsonObject()));
    if (told != null) {
      config.put(TOLD, OurSources.telling("redis-stream", told.settings()));
    }
    int count = stage.quick() ? QUICK_MESSAGES : MESSAGES;
    try (OurSources ours = new OurSources(Node.alone(servers), stage.directory("node"), config);
        HttpIntake http = new HttpIntake()) {
      ours.listen();
      ours.rest();
      Rounds rounds = new Rounds(stage).warmups(stage.quick() ? 1 : stage.warmups());
      pairs.forEach(
          (kind, pair) ->
              rounds
                  .with(kind, warmup -> new double[] {ours.run(kind, pair.ours(), count)})
                  .with(plain(kind, pair), warmup -> new double[] {plain(pair.plain(), count)}));
      int port = ours.serve();
      rounds
          .with(SourceConfig.HTTP, warmup -> new double[] {accepted(ours, http, port, count)})
          .with(PLAIN_HTTP, warmup -> new double[] {http.run(http.plainPort(), "any", count)});
      if (told != null) {
        rounds.with(TOLD, warmup -> new double[] {ours.run(TOLD, told, count)});
      }
      rounds.play();
      return cases(rounds, pairs, told);
    }
  }

  private static String plain(String kind, Pair pair) {
    return "%s: plain client, %s".formatted(kind, pair.plain().plain());
  }

  private static double plain(Supply supply, int count) throws Exception {
    supply.put(count * MORE);
    long begun = System.nanoTime();
    supply.take(count * MORE);
    double rate = count * MORE / ((System.nanoTime() - begun) / 1e9);
    if (supply.left() != 0) {
      throw new IllegalStateException("the plain client has left %d".formatted(supply.left()));
    }
    return rate;
  }

  private static double accepted(OurSources ours, HttpIntake http, int port, int count)
      throws Exception {
    long target = ours.handled() + count;
    double rate = http.run(port, SourceConfig.HTTP, count);
    Load.await("each message that was accepted", LIMIT, () -> ours.handled() == target);
    return rate;
  }

  private static List<Case> cases(Rounds rounds, Map<String, Pair> pairs, @Nullable Supply told) {
    List<Case> cases = new ArrayList<>();
    pairs.forEach(
        (kind, pair) ->
            cases.add(
                rounds.rates(
                    kind + ", on_complete of a no-op workflow",
                    "messages/s",
                    kind,
                    List.of(plain(kind, pair)))));
    cases.add(
        rounds.rates(
            "http, 202 when the workflow is durable, %d requests under way"
                .formatted(HttpIntake.UNDER_WAY),
            "messages/s",
            SourceConfig.HTTP,
            List.of(PLAIN_HTTP)));
    if (told != null) {
      cases.add(
          new Case(
              "redis-stream, on_accept, told to an actor",
              "messages/s",
              Better.HIGHER,
              rounds.of(TOLD, 0),
              Map.of()));
    }
    return cases;
  }
}

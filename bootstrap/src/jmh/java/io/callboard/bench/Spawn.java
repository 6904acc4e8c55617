package io.callboard.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Row of the cost to start a volatile actor, to have one that does nothing, and to spawn a tree of
 * actors that spawn each other. Peers: Pekko typed, and verticles deployed one by one.
 */
final class Spawn implements Row {
  private static final String OURS = "ours";
  private static final String PEKKO = "Pekko typed";
  private static final String VERTICLES = "bare verticles";
  private static final List<String> PEERS = List.of(PEKKO, VERTICLES);

  /** Number of warm-ups, more than usual, as a cold contender is many times slower. */
  private static final int COLD_WARMUPS = 4;

  @Override
  public String name() {
    return "spawn";
  }

  @Override
  public String about() {
    return "actors/s started, heap of each, skynet; peers: Pekko typed, bare verticles";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    List<Case> cases = new ArrayList<>();
    try (Node node = Node.inMemory();
        Pekko pekko = new Pekko()) {
      Map<String, Crowd> crowds = new LinkedHashMap<>();
      crowds.put(OURS, new OurCrowd(node));
      crowds.put(PEKKO, new PekkoCrowd(pekko));
      crowds.put(VERTICLES, new VerticleCrowd(node.vertx()));
      cases.add(rates(stage, crowds, stage.quick() ? 20_000 : 100_000));
      cases.add(bytes(stage, crowds, stage.quick() ? 100_000 : 1_000_000));
      cases.add(skynet(stage, new Skynet(node), new PekkoSkynet(pekko)));
    }
    return cases;
  }

  private static Case rates(Stage stage, Map<String, Crowd> crowds, int count) throws Exception {
    Rounds rounds = new Rounds(stage).warmups(COLD_WARMUPS);
    crowds.forEach((who, crowd) -> rounds.with(who, warmup -> figure(crowd.rate(count))));
    String name = "%,d spawned and started".formatted(count);
    return rounds.play().rates(name, "actors/s", OURS, PEERS);
  }

  private static Case bytes(Stage stage, Map<String, Crowd> crowds, int count) throws Exception {
    Rounds rounds = new Rounds(stage).warmups(0).repetitions(stage.quick() ? 1 : 3);
    crowds.forEach((who, crowd) -> rounds.with(who, warmup -> figure(crowd.bytes(count))));
    String name = "heap of each of %,d idle".formatted(count);
    return rounds.play().costs(name, "B/actor", OURS, PEERS);
  }

  /** Verticles have no such tree: they do not tell each other but over the bus. */
  private static Case skynet(Stage stage, Skynet ours, PekkoSkynet pekko) throws Exception {
    int leaves = stage.quick() ? 100_000 : 1_000_000;
    return new Rounds(stage)
        .warmups(stage.quick() ? 0 : 1)
        .with(OURS, warmup -> figure(ours.millis(leaves)))
        .with(PEKKO, warmup -> figure(pekko.millis(leaves)))
        .play()
        .costs("skynet of %,d leaves".formatted(leaves), "ms", OURS, List.of(PEKKO));
  }

  private static double[] figure(double value) {
    return new double[] {value};
  }
}

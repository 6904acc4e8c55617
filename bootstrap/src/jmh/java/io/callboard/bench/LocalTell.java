package io.callboard.bench;

import io.callboard.zone.ZoneDefaults;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Messages a second between volatile actors of one JVM. Each contender runs the same handlers, is
 * told the same objects and has as much under way; the receiver checks that nothing is lost,
 * doubled or out of order. Ours are in the default zone, and once more on the event loops. Peers:
 * Pekko typed, consumers of the event bus, and a bare queue drained in batches.
 */
final class LocalTell implements Row {
  private static final String OURS = "ours";
  private static final String OURS_ON_LOOPS = "ours, zone event-loop";

  /** Messages under way with which the figures of DESIGN §11 were measured. */
  private static final int MUCH = 65_536;

  /** Messages under way that are so few that the cost of waking a receiver shows. */
  private static final int FEW = 1_024;

  private static final int SENDERS = 4;
  private static final int IN_BURSTS = 1_000;
  private static final int RING = 1_000;
  private static final int TOKENS = 100;
  private static final int COLD_WARMUPS = 3;

  @Override
  public String name() {
    return "local-tell";
  }

  @Override
  public String about() {
    return "messages/s between actors of one JVM; peers: Pekko typed, Vert.x bus, bare MPSC queue";
  }

  /** Load, for any contender. */
  private interface Making {
    Load by(Troupe troupe) throws Exception;
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    try (Node node = Node.inMemory();
        Troupe pekko = new PekkoTroupe()) {
      Map<String, Troupe> troupes = new LinkedHashMap<>();
      troupes.put(OURS, new OurTroupe(node, ZoneDefaults.DEFAULT));
      troupes.put(OURS_ON_LOOPS, new OurTroupe(node, ZoneDefaults.EVENT_LOOP));
      troupes.put("Pekko typed", pekko);
      troupes.put("Vert.x bus", new BusTroupe(node.vertx()));
      troupes.put("bare MPSC queue, batches of 256", new QueueTroupe(node.vertx()));
      Play play = new Play(stage, troupes);
      return List.of(
          play.told("thread → actor, %,d under way".formatted(MUCH), by -> new Flood(by, 1, MUCH)),
          play.told("thread → actor, %,d under way".formatted(FEW), by -> new Flood(by, 1, FEW)),
          play.told(
              "actor → actor, %,d under way".formatted(IN_BURSTS), by -> new Bursts(by, IN_BURSTS)),
          play.told(
              "%d threads → actor, %,d under way".formatted(SENDERS, MUCH),
              by -> new Flood(by, SENDERS, MUCH)),
          play.passed("ring of %,d, 1 token".formatted(RING), by -> new Ring(by, RING, 1)),
          play.passed(
              "ring of %,d, %d tokens".formatted(RING, TOKENS), by -> new Ring(by, RING, TOKENS)));
    }
  }

  /** Player of one case after the other; in quick mode only the first warms up fully. */
  private static final class Play {
    private final Stage stage;
    private final Map<String, Troupe> troupes;
    private boolean cold = true;

    Play(Stage stage, Map<String, Troupe> troupes) {
      this.stage = stage;
      this.troupes = troupes;
    }

    Case told(String name, Making load) throws Exception {
      return of(name, "msg/s", load);
    }

    Case passed(String name, Making load) throws Exception {
      return of(name, "hops/s", load);
    }

    private Case of(String name, String unit, Making load) throws Exception {
      Rounds rounds = new Rounds(stage);
      if (stage.quick()) {
        rounds.warmups(cold ? COLD_WARMUPS : 1);
      }
      cold = false;
      for (Map.Entry<String, Troupe> troupe : troupes.entrySet()) {
        rounds.brief(troupe.getKey(), load.by(troupe.getValue()));
      }
      List<String> peers = troupes.keySet().stream().filter(who -> !who.equals(OURS)).toList();
      return rounds.play().rates(name, unit, OURS, peers);
    }
  }
}

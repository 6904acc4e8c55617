package io.callboard.bench;

import io.callboard.bench.Case.Better;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.testkit.PostgresServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Events a second of persistent actors, durable when they count. Ours take their commands from
 * durable mailboxes and make snapshots as they do by default; those of the peers are in memory.
 */
final class Persist implements Row {
  static final String SQLITE = "Pekko on SQLite";
  static final String LEVELDB = "Pekko on LevelDB";
  static final String POSTGRES = "Pekko on PostgreSQL";
  private static final String OURS = "ours";
  private static final double[] PARTS = {0.5, 0.99};

  @Override
  public String name() {
    return "persist";
  }

  @Override
  public String about() {
    return "events/s of persistent actors; peers: Pekko persistence on SQLite, LevelDB, PostgreSQL";
  }

  private record Shape(String name, int actors, int unanswered, int events) {}

  private static final List<Shape> SHAPES =
      List.of(
          new Shape("1 actor, 1000 commands unanswered", 1, 1_000, 1),
          new Shape("100 actors, 1000 commands unanswered", 100, 1_000, 1),
          new Shape("1 actor, 100 events an effect, 10 commands unanswered", 1, 10, 100));

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    List<Case> cases = new ArrayList<>();
    try (Servers server = Servers.here(stage);
        Node node = Node.alone(server.connectString());
        Pekko sqlite = new Pekko(PekkoStore.sqlite(stage.directory("sqlite")));
        Pekko levelDb = new Pekko(PekkoStore.levelDb(stage.directory("leveldb")));
        PostgresServer database = PostgresServer.isInstalled() ? PostgresServer.start(true) : null;
        Pekko postgres =
            database == null ? null : new Pekko(PekkoStore.postgres(database.schema("pekko")))) {
      Map<String, Pekko> peers = new LinkedHashMap<>();
      peers.put(SQLITE, sqlite);
      peers.put(LEVELDB, levelDb);
      if (postgres == null) {
        System.err.println("persist: PostgreSQL is not installed here, and left out");
      } else {
        peers.put(POSTGRES, postgres);
      }
      for (Shape shape : SHAPES) {
        cases.add(measure(stage, node, peers, shape));
      }
      cases.addAll(latency(stage, node, peers));
    }
    return cases;
  }

  /** Measures the latency of one command, told when the one before was answered. */
  private static List<Case> latency(Stage stage, Node node, Map<String, Pekko> peers)
      throws Exception {
    Map<String, Unanswered> contenders = new LinkedHashMap<>();
    String path = "/persist-alone";
    contenders.put(OURS, new Writers(node, path, 1, 1, 1, SnapshotPolicy.DEFAULT));
    for (Map.Entry<String, Pekko> peer : peers.entrySet()) {
      contenders.put(peer.getKey(), new PekkoWriters(peer.getValue(), path, 1, 1, 1));
    }
    Rounds rounds = new Rounds(stage);
    contenders.forEach(
        (name, contender) ->
            rounds.with(name, warmup -> contender.latencies(stage.time(warmup)).micros(PARTS)));
    rounds.play();
    List<Case> cases = new ArrayList<>();
    for (int i = 0; i < PARTS.length; i++) {
      Map<String, Measurement> theirs = new LinkedHashMap<>();
      for (String peer : peers.keySet()) {
        theirs.put(peer, rounds.of(peer, i));
      }
      String name = "1 actor, 1 command unanswered, until it is, p%.0f".formatted(100 * PARTS[i]);
      cases.add(new Case(name, "µs", Better.LOWER, rounds.of(OURS, i), theirs));
    }
    return cases;
  }

  private static Case measure(Stage stage, Node node, Map<String, Pekko> peers, Shape shape)
      throws Exception {
    String path = "/persist-%d-%d".formatted(shape.actors(), shape.events());
    Rounds rounds =
        new Rounds(stage)
            .with(
                OURS,
                new Writers(
                    node,
                    path,
                    shape.actors(),
                    shape.unanswered(),
                    shape.events(),
                    SnapshotPolicy.DEFAULT));
    rounds = rounds.warmups(stage.quick() ? 1 : stage.warmups()); // there are many contenders
    for (Map.Entry<String, Pekko> peer : peers.entrySet()) {
      PekkoWriters theirs = theirs(peer.getValue(), path, shape);
      rounds =
          peer.getKey().equals(POSTGRES)
              ? rounds.brief(POSTGRES, theirs)
              : rounds.with(peer.getKey(), theirs);
    }
    return rounds.play().rates(shape.name(), "events/s", OURS, List.copyOf(peers.keySet()));
  }

  private static PekkoWriters theirs(Pekko pekko, String path, Shape shape) throws Exception {
    return new PekkoWriters(pekko, path, shape.actors(), shape.unanswered(), shape.events());
  }
}

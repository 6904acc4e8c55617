package io.callboard.bench;

import io.callboard.journal.SnapshotPolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * Events a second of persistent actors, durable when they count. Ours take their commands from
 * durable mailboxes and make snapshots as they do by default; those of the peers are in memory.
 */
final class Persist implements Row {
  static final String SQLITE = "Pekko on SQLite";
  static final String LEVELDB = "Pekko on LevelDB";
  private static final String OURS = "ours";

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
        Pekko levelDb = new Pekko(PekkoStore.levelDb(stage.directory("leveldb")))) {
      for (Shape shape : SHAPES) {
        String path = "/persist-%d-%d".formatted(shape.actors(), shape.events());
        Writers ours =
            new Writers(
                node,
                path,
                shape.actors(),
                shape.unanswered(),
                shape.events(),
                SnapshotPolicy.DEFAULT);
        cases.add(
            new Rounds(stage)
                .with(OURS, ours)
                .with(SQLITE, theirs(sqlite, path, shape))
                .with(LEVELDB, theirs(levelDb, path, shape))
                .play()
                .rates(shape.name(), "events/s", OURS, List.of(SQLITE, LEVELDB)));
      }
    }
    return cases;
  }

  private static PekkoWriters theirs(Pekko pekko, String path, Shape shape) throws Exception {
    return new PekkoWriters(pekko, path, shape.actors(), shape.unanswered(), shape.events());
  }
}

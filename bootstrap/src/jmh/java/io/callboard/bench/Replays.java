package io.callboard.bench;

import io.callboard.ActorOptions;
import io.callboard.journal.SnapshotPolicy;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Events a second at the start of an actor that has 100,000 of them and no snapshot. */
final class Replays implements Row {
  private static final String OURS = "ours";
  private static final int EVENTS = 100_000;
  private static final int EVENTS_AN_EFFECT = 100;
  private static final int UNANSWERED = 10;
  private static final long LIMIT_SECONDS = 120;

  @Override
  public String name() {
    return "replay";
  }

  @Override
  public String about() {
    return "events/s replayed at the start of one actor; peers: Pekko on SQLite, LevelDB";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    try (Servers server = Servers.here(stage);
        Node node = Node.alone(server.connectString());
        Pekko sqlite = new Pekko(PekkoStore.sqlite(stage.directory("sqlite")));
        Pekko levelDb = new Pekko(PekkoStore.levelDb(stage.directory("leveldb")))) {
      return List.of(
          new Rounds(stage)
              .with(OURS, ours(node))
              .with(Persist.SQLITE, theirs(sqlite))
              .with(Persist.LEVELDB, theirs(levelDb))
              .play()
              .rates(
                  "%d events of one actor".formatted(EVENTS),
                  "events/s",
                  OURS,
                  List.of(Persist.SQLITE, Persist.LEVELDB)));
    }
  }

  private static Rounds.Sample ours(Node node) throws Exception {
    Writers writers =
        new Writers(node, "/replay", 1, UNANSWERED, EVENTS_AN_EFFECT, SnapshotPolicy.never());
    writers.send(EVENTS / EVENTS_AN_EFFECT);
    String path = "/replay/writer-0";
    ActorOptions options = new ActorOptions().snapshots(SnapshotPolicy.never());
    return warmup -> {
      Node.await(node.callboard().stop(path));
      long begun = System.nanoTime();
      var unused = node.spawn(path, writers::writer, options);
      return rate(begun, writers.events());
    };
  }

  private static Rounds.Sample theirs(Pekko pekko) throws Exception {
    new PekkoWriters(pekko, "/replay", 1, UNANSWERED, EVENTS_AN_EFFECT)
        .send(EVENTS / EVENTS_AN_EFFECT);
    List<String> events = Collections.nCopies(1, Writers.TEXT);
    return warmup -> {
      CompletableFuture<Long> recovered = new CompletableFuture<>();
      long begun = System.nanoTime();
      var unused = pekko.spawn(new PekkoWriters.Writer("/replay-0", events, recovered));
      return rate(begun, recovered.get(LIMIT_SECONDS, TimeUnit.SECONDS));
    };
  }

  private static double[] rate(long begun, long events) {
    long took = System.nanoTime() - begun;
    if (events != EVENTS) {
      throw new IllegalStateException("%d events were replayed".formatted(events));
    }
    return new double[] {events * 1e9 / took};
  }
}

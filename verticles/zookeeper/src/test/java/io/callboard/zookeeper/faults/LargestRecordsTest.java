package io.callboard.zookeeper.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Futures;
import io.callboard.testkit.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Actors whose states are as large as permitted, written again and again: the servers have the heap
 * of {@code conf/cluster}, 256 MiB, and must live. The long forms are those of 3,000 writes.
 */
@Tag("long")
@Tag("real")
class LargestRecordsTest {
  private static final int ACTORS = 4;
  private static final int STATE_BYTES = 700_000;
  private static final int FEW = 30;
  private static final int MANY = 750;
  private static final int READ = 120;

  /** Makes the state anew. */
  record Write(int number) {}

  /** The state. */
  record Text(int number, String text) {}

  /** Tells when a write is durable. */
  static final class Writer extends DurableStateActor<Write, Text> {
    private final Runnable written;

    Writer(Runnable written) {
      this.written = written;
    }

    @Override
    protected Text initial() {
      return new Text(0, "");
    }

    @Override
    protected void protocol(Protocol<Write> on) {
      on.message(
          Write.class,
          write -> {
            update(new Text(write.number(), "x".repeat(STATE_BYTES)));
            afterCommit(written);
          });
    }
  }

  @Test
  void theOnlyServerLivesOnAFewHundredMebibytesOfWrites() throws Exception {
    oneServer(FEW);
  }

  @Test
  void anEnsembleLivesOnAFewHundredMebibytesOfWrites() throws Exception {
    ensemble(FEW);
  }

  @Test
  @Tag("nightly")
  void theOnlyServerLivesOnGibibytesOfWrites() throws Exception {
    oneServer(MANY);
  }

  @Test
  @Tag("nightly")
  void anEnsembleLivesOnGibibytesOfWrites() throws Exception {
    ensemble(MANY);
  }

  /** Three nodes take over, each reads its share of a hundred actors as fast as it may. */
  @Test
  @Tag("nightly")
  void theOnlyServerLivesWhenNodesReadManyLargeActorsAtOnce() throws Exception {
    OneServer server = new OneServer("largest-read");
    try (server) {
      Eventually.assertThat(() -> assertThat(server.answers()).isTrue());
      readers(server, 1);
      for (int round = 0; round < 3; round++) {
        readers(server, 3);
        Eventually.assertThat(() -> assertThat(server.answers()).as("the server lives").isTrue());
      }
    }
    remove(server.directory());
  }

  /** Each actor is told one message, of whichever node runs it. */
  private static void readers(Servers servers, int nodes) throws Exception {
    CountDownLatch left = new CountDownLatch(READ);
    List<Callboard> open = new ArrayList<>();
    try {
      for (int i = 0; i < nodes; i++) {
        open.add(
            FaultNode.open(
                "reader-" + i, "home-" + i, servers.connectString(), Duration.ofSeconds(10)));
      }
      Callboard first = open.get(0);
      for (int i = 0; i < READ; i++) { // wait for their owners
        Futures.await(first.durableRef("/readers/r" + i, Write.class).tell(new Write(i)));
      }
      for (Callboard node : open) {
        Futures.await(node.host("/readers", () -> new Writer(left::countDown), new ActorOptions()));
      }
      Waits.opened(left);
    } finally {
      for (Callboard node : open) {
        FaultNode.close(node);
      }
    }
  }

  private static void oneServer(int each) throws Exception {
    OneServer server = new OneServer("largest");
    try (server) {
      Eventually.assertThat(() -> assertThat(server.answers()).isTrue());
      write(server, each);
      Eventually.assertThat(() -> assertThat(server.answers()).as("the server lives").isTrue());
      server.kill(0); // reads its log again, with the same heap
      server.restart(0);
      write(server, 2);
    }
    remove(server.directory());
  }

  /** Gibibytes. */
  private static void remove(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static void ensemble(int each) throws Exception {
    Ensemble servers = new Ensemble("largest-3");
    try (servers) {
      Eventually.assertThat(() -> assertThat(servers.isWhole()).isTrue());
      write(servers, each);
      Eventually.assertThat(() -> assertThat(servers.isWhole()).as("the servers live").isTrue());
      servers.kill(0); // comes back behind the others, and follows
      write(servers, 2);
      servers.restart(0);
      Eventually.assertThat(() -> assertThat(servers.isWhole()).isTrue());
    }
    remove(servers.directory());
  }

  /**
   * @param each writes of each actor, one after another
   */
  private static void write(Servers servers, int each) throws Exception {
    Callboard node =
        FaultNode.open("writer", "home", servers.connectString(), Duration.ofSeconds(10));
    CountDownLatch left = new CountDownLatch(ACTORS * each);
    try {
      for (int i = 0; i < ACTORS; i++) {
        Chain chain = new Chain(left, each);
        chain.start(node, "/largest/w" + i);
      }
      Waits.opened(left);
    } finally {
      FaultNode.close(node);
    }
  }

  /** Tells an actor to write again when its last write is durable: none is merged with another. */
  private static final class Chain {
    private final CountDownLatch left;
    private final int most;
    private volatile ActorRef<Write> actor;
    private int told;

    Chain(CountDownLatch left, int most) {
      this.left = left;
      this.most = most;
    }

    void start(Callboard node, String path) throws Exception {
      actor = Futures.await(node.spawn(path, () -> new Writer(this::written), new ActorOptions()));
      next();
    }

    private void written() {
      left.countDown();
      if (told < most) {
        next();
      }
    }

    private void next() {
      actor.tell(new Write(++told)).onFailure(Throwable::printStackTrace);
    }
  }
}

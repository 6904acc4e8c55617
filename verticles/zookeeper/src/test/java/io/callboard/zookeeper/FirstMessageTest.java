package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.admin.CommitCounts;
import io.callboard.testkit.SampleActors;
import io.callboard.testkit.SampleActors.Add;
import io.callboard.testkit.SampleActors.Total;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of the first messages to hosted actors: what they cost, and that none is lost. */
@Tag("real")
class FirstMessageTest {
  private static final int ACTORS = 200;
  private static final long MOST = ACTORS * 3L / 2;
  private static final int ROUNDS = 20;
  private static final int EACH = 5;

  @AutoClose private static final EmbeddedZooKeeper server = TestServers.start("first-message");

  @AutoClose private final ClusteredNodes nodes = new ClusteredNodes(server);
  private final Callboard here = nodes.open("here");
  private Callboard there;

  @BeforeEach
  void startNodes() throws Exception {
    host(here);
  }

  private static void host(Callboard node) throws Exception {
    await(node.host("/sums", SampleActors.Counter::new, new ActorOptions()));
  }

  private static List<ActorRef<Add>> refs(Callboard from, String kind) {
    return IntStream.range(0, ACTORS)
        .mapToObj(i -> from.durableRef("/sums/%s%d".formatted(kind, i), Add.class))
        .toList();
  }

  private static List<Future<Total>> ask(List<ActorRef<Add>> refs) {
    return refs.stream()
        .<Future<Total>>map(ref -> ref.ask(new Add(1), Total.class, Duration.ofSeconds(20)))
        .toList();
  }

  @Test
  void aFirstMessageIsOneWriteIfItsActorRunsHere() throws Exception {
    long units = Long.MAX_VALUE;
    long refused = Long.MAX_VALUE;
    // a message whose actor gets no thread in time, on a busy machine, goes through its mailbox
    for (int round = 0; round < ROUNDS && (units > MOST || refused > 0); round++) {
      CommitCounts before = here.admin().metrics().commits();
      for (Future<Total> answer : ask(refs(here, "a" + round + "-"))) {
        assertThat(await(answer).value()).isEqualTo(1);
      }
      CommitCounts after = here.admin().metrics().commits();
      units = after.units() - before.units();
      refused = refused(after) - refused(before);
    }
    assertThat(refused).as("refused commits of the last round").isZero();
    assertThat(units).as("units of %d messages", ACTORS).isBetween((long) ACTORS, MOST);
  }

  private static long refused(CommitCounts counts) {
    return counts.refused().values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void noFirstMessageOfTwoNodesIsLostOrHandledTwice() throws Exception {
    there = nodes.open("there");
    host(there);
    List<ActorRef<Add>> ofHere = refs(here, "b");
    List<ActorRef<Add>> ofThere = refs(there, "b");
    List<Future<Total>> answers =
        IntStream.range(0, EACH)
            .boxed()
            .flatMap(i -> IntStream.range(0, 2).mapToObj(k -> ask(k == 0 ? ofHere : ofThere)))
            .flatMap(List::stream)
            .toList();
    for (Future<Total> answer : answers) {
      assertThat(await(answer).value()).isPositive();
    }
    for (ActorRef<Add> ref : ofHere) {
      assertThat(await(ref.ask(new Add(0), Total.class)).value()).isEqualTo(2 * EACH);
    }
  }
}

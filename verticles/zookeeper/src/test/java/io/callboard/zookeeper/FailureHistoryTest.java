package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Failure;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.SampleActors;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.callboard.zookeeper.internal.layout.Layout;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that the failures of a durable actor outlive its nodes, on ZooKeeper. */
@Tag("real")
class FailureHistoryTest {
  private static final String PATH = "/shop/till";
  private static final Layout LAYOUT = new Layout("/callboard/main", CellFormat.DEFAULT_PARTITIONS);
  private static final ActorOptions OPTIONS =
      new ActorOptions()
          .attempts(1)
          .backoff(
              Backoff.exponential(
                  Duration.ofMillis(5), Duration.ofMillis(20), Backoff.Jitter.FULL));

  @RegisterExtension final NodesOnServer nodes = new NodesOnServer("history");
  private ZooKeeper raw;

  record Take(String why) {}

  record Taken(long value) {}

  private static final Supplier<DurableStateActor<Take, Taken>> TILL =
      SampleActors.folding(
          Take.class,
          new Taken(0),
          (taken, take) -> {
            throw new IllegalStateException(take.why());
          });

  @BeforeEach
  void start() throws Exception {
    raw = nodes.raw();
  }

  private ZooKeeperStore store() {
    return new ZooKeeperStore(nodes.options());
  }

  private Callboard node(String name, ZooKeeperStore store) throws Exception {
    Callboard callboard = nodes.open(name, options -> options.store(() -> store));
    await(callboard.spawn(PATH, TILL, OPTIONS));
    return callboard;
  }

  /** Waits until a node reports {@code what}, and returns its report. */
  private static List<String> tells(Callboard node, String... what) {
    Eventually.assertThat(() -> assertThat(told(node)).containsExactly(what));
    return told(node);
  }

  private static List<String> told(Callboard node) {
    return await(node.admin().failures(PATH)).stream()
        .map(failure -> failure.kind() + " " + failure.node() + " " + why(failure))
        .toList();
  }

  private static String why(Failure failure) {
    return failure.cause().substring(failure.cause().indexOf(':') + 1).trim();
  }

  private void fail(Callboard node, String why) throws Exception {
    ActorRef<Take> till = node.durableRef(PATH, Take.class);
    await(till.tell(new Take(why)));
  }

  /** The text of the znode. */
  private String stored() {
    try {
      byte[] bytes = raw.getData(LAYOUT.failures(ActorPath.of(PATH)), false, null);
      return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void isStored(String what) {
    Eventually.assertThat(() -> assertThat(stored()).contains(what));
  }

  private int poisonedStored() {
    return stored().split("POISONED", -1).length - 1;
  }

  @Test
  void theHistoryGoesOnWhenANodeStopsAndWhenOneIsLost() throws Exception {
    Callboard one = node("one", store());
    assertThat(raw.getChildren(LAYOUT.top("f"), false)).as("nothing has failed").isEmpty();
    fail(one, "first");
    tells(one, "THROWN one first", "POISONED one first");
    isStored("POISONED");
    isStored("RESTART");
    await(one.close());

    ZooKeeperStore second = store();
    Callboard two = node("two", second);
    assertThat(told(two)).containsExactly("THROWN one first", "POISONED one first");
    fail(two, "second");
    tells(
        two, "THROWN one first", "POISONED one first", "THROWN two second", "POISONED two second");
    isStored("second");
    Eventually.assertThat(() -> assertThat(poisonedStored()).isEqualTo(2));
    Eventually.assertThat(
        () -> {
          try {
            assertThat(await(two.admin().stored(PATH)).orElseThrow().record().epoch()).isEqualTo(2);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });

    Callboard three = node("three", store());
    assertThat(told(three)).as("before it owns it").hasSize(4);
    await(second.close()); // as if the process were gone
    tells(
        three,
        "THROWN one first",
        "POISONED one first",
        "THROWN two second",
        "POISONED two second",
        "NODE_LOST two node two failed and had not released it");
    isStored("NODE_LOST");
  }
}

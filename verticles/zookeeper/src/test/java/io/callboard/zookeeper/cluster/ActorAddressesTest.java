package io.callboard.zookeeper.cluster;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.Eventually;
import io.callboard.zookeeper.RawClient;
import io.callboard.zookeeper.TwoNodes;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Plain Vert.x code reaches actors of other nodes, and ZooKeeper knows nothing of them. */
@Tag("real")
class ActorAddressesTest {
  private static final int ACTORS = 300;

  @RegisterExtension final TwoNodes nodes = new TwoNodes("addresses");

  record Add(long amount) {}

  record Total(long amount, String node) {}

  private static final class Volatile extends Actor<Add> {
    private long total;

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            total += add.amount();
            reply(new Total(total, callboard().node()));
          });
    }
  }

  private static final class Durable extends DurableStateActor<Add, Total> {
    @Override
    protected Total initial() {
      return new Total(0, "");
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            update(new Total(state().amount() + add.amount(), callboard().node()));
            reply(state());
          });
    }
  }

  private static JsonObject ask(Callboard from, String path, long amount) {
    DeliveryOptions options = new DeliveryOptions().setSendTimeout(10_000);
    return await(
            from.vertx()
                .eventBus()
                .<JsonObject>request(
                    "callboard:" + path, new JsonObject().put("amount", amount), options))
        .body();
  }

  private static ReplyFailure failure(Callboard from, String path) {
    try {
      var unexpected = ask(from, path, 0);
      throw new AssertionError("%s answers %s".formatted(path, unexpected));
    } catch (ReplyException e) {
      return e.failureType();
    }
  }

  private List<String> registered() throws Exception {
    ZooKeeper client = RawClient.connect(nodes.servers());
    try {
      return new ArrayList<>(client.getChildren(nodes.root() + "/vertx/__vertx.subs", false));
    } finally {
      client.close();
    }
  }

  @Test
  void actorsAreFoundAndNotRegistered() throws Exception {
    List<String> before = registered();
    long begun = System.nanoTime();
    for (int i = 0; i < ACTORS; i++) {
      var unused = await(nodes.there.spawn("/many/a" + i, Volatile::new, new ActorOptions()));
    }
    double millis = (System.nanoTime() - begun) / 1e6 / ACTORS;
    System.err.printf("addresses: %.3f ms for each clustered actor%n", millis);
    for (int i = 0; i < ACTORS; i++) {
      assertThat(ask(nodes.here, "/many/a" + i, i).getLong("amount")).isEqualTo(i);
    }
    assertThat(registered()).isEqualTo(before).noneMatch(address -> address.contains("many"));
  }

  @Test
  void aHostedActorIsReachedWhereverItRuns() throws Exception {
    await(nodes.there.host("/sums/of", Durable::new, new ActorOptions()));
    assertThat(ask(nodes.here, "/sums/of/a", 2).getLong("amount")).isEqualTo(2);
    assertThat(ask(nodes.there, "/sums/of/a", 3).getLong("amount")).isEqualTo(5);
    await(nodes.here.host("/sums/of", Durable::new, new ActorOptions()));
    assertThat(ask(nodes.here, "/sums/of/a", 4).getLong("amount")).isEqualTo(9);
    assertThat(failure(nodes.here, "/sums/other/a")).isEqualTo(ReplyFailure.NO_HANDLERS);
    await(nodes.here.host("/sums/quiet", Durable::new, new ActorOptions().onBus(false)));
    assertThat(failure(nodes.there, "/sums/quiet/a")).isEqualTo(ReplyFailure.NO_HANDLERS);
  }

  @Test
  void aHostedActorThatWasStoppedIsReachedAgain() throws Exception {
    await(nodes.there.host("/sums/of", Durable::new, new ActorOptions()));
    assertThat(ask(nodes.here, "/sums/of/a", 2).getLong("amount")).isEqualTo(2);
    await(nodes.there.stop("/sums/of/a"));
    assertThat(ask(nodes.here, "/sums/of/a", 3).getLong("amount")).isEqualTo(5);
  }

  @Test
  void anActorThatIsGoneIsKnownToBeGoneAtOnce() throws Exception {
    var ref = await(nodes.there.spawn("/one/a", Volatile::new, new ActorOptions()));
    assertThat(ask(nodes.here, "/one/a", 1).getString("node")).isEqualTo("there");
    await(nodes.there.stop(ref.path().toString()));
    Eventually.assertThat(
        Duration.ofSeconds(3),
        () -> assertThat(failure(nodes.here, "/one/a")).isEqualTo(ReplyFailure.NO_HANDLERS));
    var again = await(nodes.here.spawn("/one/a", Volatile::new, new ActorOptions()));
    assertThat(ask(nodes.there, "/one/a", 5).getString("node")).isEqualTo("here");
    assertThat(again.path()).isEqualTo(ref.path());
  }

  @Test
  void anActorOfANodeThatLeftIsLookedForAgain() throws Exception {
    var unused = await(nodes.there.spawn("/moved/a", Volatile::new, new ActorOptions()));
    assertThat(ask(nodes.here, "/moved/a", 1).getString("node")).isEqualTo("there");
    await(nodes.there.vertx().close());
    var again = await(nodes.here.spawn("/moved/a", Volatile::new, new ActorOptions()));
    Eventually.assertThat(
        () -> {
          try {
            assertThat(ask(nodes.here, "/moved/a", 1).getString("node")).isEqualTo("here");
          } catch (ReplyException e) {
            throw new AssertionError(e);
          }
        });
    assertThat(again.durable()).isFalse();
  }
}

package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.delivery.Redelivery;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of deliveries from an actor on one node to one that comes and goes on the other. */
@Tag("real")
class DeliveryAcrossNodesTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int ORDERS = 50;
  private static final ActorOptions OPTIONS =
      new ActorOptions()
          .redelivery(
              new Redelivery(
                  Backoff.exponential(Duration.ofMillis(50), Duration.ofMillis(200)), 1_000));

  sealed interface Sell {
    record Order(int number) implements Sell {}

    record Shipped(long id, int number) implements Sell {}

    record Look() implements Sell {}
  }

  record Ship(long id, int number) {}

  record Sold(int shipped, int open) {}

  private final Map<Integer, Integer> shipped = new ConcurrentHashMap<>();

  private static final class Shop extends DurableStateActor<Sell, Sold> {
    @Override
    protected Sold initial() {
      return new Sold(0, 0);
    }

    @Override
    protected void protocol(Protocol<Sell> on) {
      ActorRef<Ship> courier = callboard().ref("/courier", Ship.class);
      on.message(Sell.Order.class, order -> deliver(courier, id -> new Ship(id, order.number())))
          .message(
              Sell.Shipped.class,
              done -> {
                if (confirm(done.id())) {
                  update(new Sold(state().shipped() + 1, 0));
                }
              })
          .query(Sell.Look.class, look -> new Sold(state().shipped(), unconfirmed()));
    }
  }

  /** Answers every third message only. */
  private final class Courier extends Actor<Ship> {
    private int count;

    @Override
    protected void protocol(Protocol<Ship> on) {
      on.message(
          Ship.class,
          ship -> {
            shipped.merge(ship.number(), 1, Integer::sum);
            if (++count % 3 == 0) {
              reply(new Sell.Shipped(ship.id(), ship.number()));
            }
          });
    }
  }

  private static Sold look(Callboard at) {
    return at.durableRef("/shop", Sell.class).ask(new Sell.Look(), Sold.class, SOON).await();
  }

  @Test
  void eachIsDoneAndConfirmedOnceHoweverOftenItIsTold() throws Exception {
    try (TwoNodes nodes = new TwoNodes("delivery-across-nodes")) {
      await(nodes.here.spawn("/shop", Shop::new, OPTIONS));
      ActorRef<Sell> shop = nodes.here.durableRef("/shop", Sell.class);
      for (int i = 0; i < ORDERS; i++) {
        await(shop.tell(new Sell.Order(i)));
      }
      Eventually.assertThat(() -> assertThat(look(nodes.here)).isEqualTo(new Sold(0, ORDERS)));
      for (int lives = 1; lives <= 3; lives++) {
        await(nodes.there.spawn("/courier", Courier::new, new ActorOptions()));
        int told = lives;
        Eventually.assertThat(() -> assertThat(shipped.values()).anyMatch(times -> times >= told));
        await(nodes.there.stop("/courier"));
      }
      await(nodes.there.spawn("/courier", Courier::new, new ActorOptions()));
      Eventually.assertThat(() -> assertThat(look(nodes.here)).isEqualTo(new Sold(ORDERS, 0)));
      assertThat(shipped).hasSize(ORDERS);
      assertThat(List.copyOf(shipped.values())).as("at least once").anyMatch(times -> times > 1);
      assertThat(await(nodes.here.admin().parked(10))).isEmpty();
    }
  }
}

package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.failing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.DeadLetter;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.delivery.Redelivery;
import io.callboard.guard.Guard;
import io.callboard.guard.GuardOptions;
import io.callboard.guard.GuardStatus;
import io.callboard.store.StoredParked;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Backoff.Jitter;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import io.callboard.testkit.Waits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeliveriesTest {
  sealed interface Sell {
    record Order(String what) implements Sell {}

    record Shipped(long id, String what) implements Sell {}

    record Close() implements Sell {}
  }

  record Ship(long id, String what) {}

  record Sold(int shipped) {}

  @RegisterExtension final Stage stage = new Stage();
  private volatile boolean answers = true;

  final class Shop extends DurableStateActor<Sell, Sold> {
    @Override
    protected Sold initial() {
      return new Sold(0);
    }

    @Override
    protected void protocol(Protocol<Sell> on) {
      ActorRef<Ship> courier = callboard().ref("/courier", Ship.class);
      on.message(
              Sell.Order.class,
              order -> {
                long id = deliver(courier, number -> new Ship(number, order.what()));
                afterCommit(() -> stage.sees("order " + id));
              })
          .message(
              Sell.Shipped.class,
              shipped -> {
                String how = confirm(shipped.id()) ? "confirmed " : "late ";
                update(new Sold(state().shipped() + 1));
                int open = unconfirmed();
                afterCommit(() -> stage.sees(how + shipped.what() + ", open " + open));
              })
          .message(Sell.Close.class, close -> deleteSelf());
    }
  }

  final class Courier extends Actor<Ship> {
    @Override
    protected void protocol(Protocol<Ship> on) {
      on.message(
          Ship.class,
          ship -> {
            stage.sees("ship " + ship.id() + " " + ship.what());
            if (answers) {
              reply(new Sell.Shipped(ship.id(), ship.what()));
            }
          });
    }
  }

  private static ActorOptions tries(int attempts) {
    Backoff backoff =
        Backoff.exponential(Duration.ofMillis(20), Duration.ofMillis(100), Jitter.NONE);
    return new ActorOptions(Stage.QUICK).redelivery(new Redelivery(backoff, attempts));
  }

  private ActorRef<Sell> shop(int attempts) throws Exception {
    await(stage.callboard.spawn("/shop", Shop::new, tries(attempts)));
    return stage.callboard.durableRef("/shop", Sell.class);
  }

  private void courier() throws Exception {
    await(stage.callboard.spawn("/courier", Courier::new, Stage.QUICK));
  }

  private long ordered() throws Exception {
    return Long.parseLong(until("order ").substring("order ".length()));
  }

  @Test
  void isToldOnceIfItIsConfirmed() throws Exception {
    courier();
    Duration minute = Duration.ofMinutes(1); // no confirmation is later
    Backoff late = Backoff.exponential(minute, minute, Jitter.NONE);
    ActorOptions options = new ActorOptions(Stage.QUICK).redelivery(new Redelivery(late, 3));
    await(stage.callboard.spawn("/shop", Shop::new, options));
    ActorRef<Sell> shop = stage.callboard.durableRef("/shop", Sell.class);
    await(shop.tell(new Sell.Order("hat")));
    long id = Long.parseLong(until("ship ").split(" ")[1]);
    assertThat(until("confirmed")).isEqualTo("confirmed hat, open 0");
    await(shop.tell(new Sell.Shipped(id, "hat")));
    String next = stage.next();
    while (!next.startsWith("late")) {
      assertThat(next).doesNotStartWith("ship ");
      next = stage.next();
    }
    assertThat(next).isEqualTo("late hat, open 0");
  }

  @Test
  void isToldAgainWhileNobodyConfirms() throws Exception {
    answers = false;
    courier();
    ActorRef<Sell> shop = shop(1_000);
    await(shop.tell(new Sell.Order("hat")));
    String first = until("ship ");
    for (int i = 0; i < 3; i++) {
      assertThat(until("ship ")).as("the same id and content").isEqualTo(first);
    }
    answers = true;
    assertThat(until("confirmed")).isEqualTo("confirmed hat, open 0");
  }

  /** A guard holds a delivery once, however often it is repeated meanwhile. */
  @Test
  void aGuardKnowsTheDeliveryThatItHolds() throws Exception {
    BlockingQueue<DeadLetter> letters = new LinkedBlockingQueue<>();
    var unused = stage.callboard.admin().onDeadLetter(letters::add);
    Duration late = Duration.ofMinutes(10); // it is tried once
    GuardOptions<Ship> options =
        new GuardOptions<Ship>().backoff(Backoff.exponential(late, late, Jitter.NONE));
    await(
        stage.callboard.spawn(
            "/courier", Guard.of(failing(Ship.class, "it is lame"), options), Stage.QUICK));
    ActorRef<Sell> shop = shop(5);
    await(shop.tell(new Sell.Order("hat")));
    await(shop.tell(new Sell.Order("coat")));
    Eventually.assertThat(
        () -> assertThat(stage.callboard.admin().parked(10).await()).hasSize(2)); // all attempts
    ActorStatus guard = stage.callboard.admin().running(ActorPath.of("/courier")).orElseThrow();
    assertThat(guard.details())
        .isInstanceOfSatisfying(
            GuardStatus.class, status -> assertThat(status.held()).isEqualTo(2));
    await(stage.callboard.stop("/courier"));
    assertThat(List.of(Waits.next(letters), Waits.next(letters)))
        .extracting(DeadLetter::sender)
        .containsOnly("/shop");
  }

  /** Returns the next event of that kind; a slow one may be delivered twice meanwhile. */
  private String until(String start) throws Exception {
    String next = stage.next();
    while (!next.startsWith(start)) {
      next = stage.next();
    }
    return next;
  }

  @Test
  void survivesRestartsOfTheNode() throws Exception {
    ActorRef<Sell> shop = shop(1_000);
    await(shop.tell(new Sell.Order("hat")));
    long id = ordered();
    stage.restart();
    courier();
    ActorRef<Sell> again = shop(1_000);
    assertThat(until("ship ")).isEqualTo("ship " + id + " hat");
    assertThat(until("confirmed")).isEqualTo("confirmed hat, open 0");
    await(again.tell(new Sell.Shipped(id, "hat")));
    assertThat(until("late")).isEqualTo("late hat, open 0");
  }

  @Test
  void isParkedAfterItsAttemptsAndDeliveredAgainWhenReplayed() throws Exception {
    ActorRef<Sell> shop = shop(3);
    await(shop.tell(new Sell.Order("hat")));
    long id = ordered();
    Eventually.assertThat(() -> assertThat(stage.callboard.admin().parked(10).await()).hasSize(1));
    StoredParked parked = await(stage.callboard.admin().parked(10)).get(0);
    assertThat(parked.id()).isEqualTo("delivery-" + id);
    assertThat(new String(parked.bytes(), StandardCharsets.UTF_8))
        .contains("3 attempts", "/courier", "no actor", "\"what\":\"hat\"");
    Eventually.assertThat(() -> assertThat(stage.callboard.admin().counts().parked()).isOne());
    assertThatThrownBy(
            () -> await(stage.callboard.admin().replay("/shop", parked.id(), other(id + 1))))
        .hasMessageContaining("must stay " + id);
    courier();
    await(stage.callboard.admin().replay("/shop", parked.id()));
    assertThat(until("ship ")).isEqualTo("ship " + id + " hat");
    assertThat(until("confirmed")).isEqualTo("confirmed hat, open 0");
    assertThat(await(stage.callboard.admin().parked(10))).isEmpty();
  }

  private static JsonNode other(long number) {
    return Json.tree(
        Map.of("number", number, "to", "/courier", "type", "ship", "version", 1, "body", Map.of()));
  }

  @Test
  void endsWithItsActorAndThatIsTold() throws Exception {
    BlockingQueue<DeadLetter> letters = new LinkedBlockingQueue<>();
    var unused = stage.callboard.admin().onDeadLetter(letters::add);
    ActorRef<Sell> shop = shop(1_000);
    await(shop.tell(new Sell.Order("hat")));
    long before = ordered();
    await(shop.tell(new Sell.Close()));
    DeadLetter letter = Waits.next(letters);
    assertThat(letter.receiver()).isEqualTo("/courier");
    courier();
    await(shop.tell(new Sell.Order("coat")));
    List<String> seen = new ArrayList<>();
    while (seen.stream().noneMatch(each -> each.startsWith("confirmed"))) {
      seen.add(stage.next());
    }
    assertThat(seen)
        .filteredOn(each -> each.startsWith("ship "))
        .allMatch(each -> Long.parseLong(each.split(" ")[1]) > before);
    assertThat(seen).contains("confirmed coat, open 0");
  }

  @Test
  void nothingIsDeliveredToADurableActor() throws Exception {
    await(stage.callboard.spawn("/wrong", Wrong::new, Stage.QUICK));
    await(stage.callboard.durableRef("/wrong", Sell.class).tell(new Sell.Order("hat")));
    assertThat(stage.next()).contains("/other is durable", "tell it the message");
  }

  final class Wrong extends DurableStateActor<Sell, Sold> {
    @Override
    protected Sold initial() {
      return new Sold(0);
    }

    @Override
    protected void protocol(Protocol<Sell> on) {
      ActorRef<Sell> other = callboard().durableRef("/other", Sell.class);
      on.message(
              Sell.Order.class,
              order -> {
                try {
                  long unused = deliver(other, id -> order);
                } catch (IllegalArgumentException e) {
                  afterCommit(() -> stage.sees(e.getMessage()));
                }
              })
          .message(Sell.Shipped.class, shipped -> {})
          .message(Sell.Close.class, close -> {});
    }
  }
}

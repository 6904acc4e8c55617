package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DeliveryMode;
import io.callboard.DurableStateActor;
import io.callboard.Priority;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.store.StoredParked;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DurableTimersTest {
  sealed interface Order {
    record Start(String key, long millis, String what) implements Order {}

    record Every(String key, long millis, String what) implements Order {}

    record Cancel(String key) implements Order {}

    record Hold() implements Order {}

    record Ring(String what) implements Order {}
  }

  record Rung(int times) {}

  @RegisterExtension final Stage stage = new Stage();
  private final Promise<Void> gate = Promise.promise();
  private volatile boolean failing;

  final class Alarm extends DurableStateActor<Order, Rung> {
    @Override
    protected Rung initial() {
      return new Rung(0);
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(
              Order.Start.class,
              start ->
                  startDurableTimer(
                      start.key(), Duration.ofMillis(start.millis()), new Order.Ring(start.what())))
          .message(
              Order.Every.class,
              every ->
                  startPeriodicDurableTimer(
                      every.key(), Duration.ofMillis(every.millis()), new Order.Ring(every.what())))
          .message(
              Order.Cancel.class,
              cancel -> {
                cancelDurableTimer(cancel.key());
                afterCommit(() -> stage.sees("cancelled"));
              })
          .message(
              Order.Ring.class,
              ring -> {
                if (failing) {
                  throw new IllegalStateException("no bell");
                }
                update(new Rung(state().times() + 1));
                int times = state().times();
                afterCommit(() -> stage.sees(ring.what() + " " + times));
              })
          .async(
              Order.Hold.class,
              hold -> {
                stage.sees("holds");
                return gate.future();
              });
    }
  }

  private ActorRef<Order> alarm(ActorOptions options) throws Exception {
    await(stage.callboard.spawn("/alarm", Alarm::new, options));
    return stage.callboard.durableRef("/alarm", Order.class);
  }

  @Test
  void firesOnce() throws Exception {
    ActorRef<Order> alarm = alarm(QUICK);
    await(alarm.tell(new Order.Start("a", 30, "first")));
    stage.expect("first 1");
    await(alarm.tell(new Order.Start("a", 0, "second")));
    stage.expect("second 2");
    await(stage.callboard.stop("/alarm"));
    ActorRef<Order> again = alarm(QUICK);
    await(again.tell(new Order.Start("b", 10, "third")));
    stage.expect("third 3");
    assertThat(stage.rest()).isEmpty();
  }

  @Test
  void anActorThatHasSomeIsNotStartedAtMostOnce() throws Exception {
    ActorRef<Order> alarm = alarm(QUICK);
    await(alarm.tell(new Order.Every("b", 3_600_000, "hourly")));
    await(alarm.tell(new Order.Cancel("none")));
    stage.expect("cancelled");
    await(stage.callboard.stop("/alarm"));
    ActorOptions atMostOnce = new ActorOptions(QUICK).delivery(DeliveryMode.AT_MOST_ONCE);
    assertThatThrownBy(() -> alarm(atMostOnce))
        .hasMessageContaining(
            "/alarm is at-most-once now, which excludes durable timers, and still has 1 of them")
        .hasMessageContaining("until they have fired or are cancelled");
    await(stage.callboard.stop("/alarm"));
    await(alarm(QUICK).tell(new Order.Cancel("b")));
    stage.expect("cancelled");
    await(stage.callboard.stop("/alarm"));
    await(alarm(atMostOnce).tell(new Order.Ring("rung")));
    stage.expect("rung 1");
  }

  @Test
  void aTimerThatWasDueWhileItsActorWasStoppedFiresOnce() throws Exception {
    ActorRef<Order> alarm = alarm(QUICK);
    await(alarm.tell(new Order.Hold()));
    stage.expect("holds");
    await(alarm.tell(new Order.Start("a", 50, "late")));
    await(alarm.tell(new Order.Every("b", 3_600_000, "hourly")));
    await(alarm.tell(new Order.Cancel("none")));
    gate.complete();
    stage.expect("cancelled");
    await(stage.callboard.stop("/alarm"));
    long stopped = System.currentTimeMillis();
    Eventually.assertThat(() -> assertThat(System.currentTimeMillis()).isGreaterThan(stopped + 60));
    alarm(QUICK);
    stage.expect("late 1");
    assertThat(stage.rest()).isEmpty();
  }

  @Test
  void aCancelledOneIsNotHandledAlsoIfItWaitsInTheMailbox() throws Exception {
    ActorRef<Order> alarm = alarm(QUICK);
    // much later than a slow machine takes to hold it
    await(alarm.tell(new Order.Start("a", 6_000, "never")));
    await(alarm.tell(new Order.Hold()));
    stage.expect("holds");
    Eventually.assertThat(
        () -> assertThat(stage.callboard.admin().waiting("/alarm", 10).await()).hasSize(2));
    await(alarm.tell(new Order.Cancel("a"), TellOptions.priority(Priority.HIGH)));
    gate.complete();
    stage.expect("cancelled");
    await(alarm.tell(new Order.Start("a", 0, "last")));
    stage.expect("last 1");
    assertThat(stage.rest()).isEmpty();
  }

  @Test
  void aPeriodicOneFiresUntilItIsCancelled() throws Exception {
    ActorRef<Order> alarm = alarm(QUICK);
    await(alarm.tell(new Order.Every("a", 20, "tick")));
    stage.expect("tick 1", "tick 2");
    await(stage.callboard.stop("/alarm"));
    List<String> seen = stage.rest();
    ActorRef<Order> again = alarm(QUICK);
    Eventually.assertThat(() -> assertThat(stage.rest()).hasSizeGreaterThan(seen.size() + 2));
    await(again.tell(new Order.Cancel("a")));
    Eventually.assertThat(() -> assertThat(stage.rest()).contains("cancelled"));
    List<String> all = stage.rest();
    assertThat(all.subList(0, all.indexOf("cancelled")))
        .as("none twice")
        .doesNotHaveDuplicates()
        .allMatch(each -> each.startsWith("tick "));
    await(again.tell(new Order.Start("b", 60, "last")));
    Eventually.assertThat(() -> assertThat(stage.rest()).anyMatch(each -> each.startsWith("last")));
    List<String> after = stage.rest();
    assertThat(after.subList(after.indexOf("cancelled") + 1, after.size())).hasSize(1);
  }

  @Test
  void aTimerThatKeepsFailingIsParkedAndCanBeReplayed() throws Exception {
    failing = true;
    ActorRef<Order> alarm = alarm(new ActorOptions(QUICK).attempts(2));
    await(alarm.tell(new Order.Start("a", 0, "once")));
    await(alarm.tell(new Order.Every("b", 50, "tick")));
    Eventually.assertThat(
        () -> assertThat(stage.callboard.admin().parked(10).await()).hasSizeGreaterThan(2));
    failing = false;
    Eventually.assertThat(() -> assertThat(stage.rest()).hasSizeGreaterThan(1));
    assertThat(stage.rest()).as("it goes on").allMatch(each -> each.startsWith("tick"));
    for (StoredParked parked : await(stage.callboard.admin().parked(10))) {
      if (new String(parked.bytes(), java.nio.charset.StandardCharsets.UTF_8).contains("once")) {
        await(stage.callboard.admin().replay("/alarm", parked.id()));
      }
    }
    Eventually.assertThat(() -> assertThat(stage.rest()).anyMatch(each -> each.startsWith("once")));
  }

  @Test
  void aThousandAreTheLimit() throws Exception {
    ActorRef<Order> alarm = alarm(new ActorOptions(QUICK).attempts(1));
    for (int i = 0; i <= 1_000; i++) {
      await(alarm.tell(new Order.Start("k" + i, 3_600_000, "x")));
    }
    Eventually.assertThat(() -> assertThat(stage.callboard.admin().parked(10).await()).hasSize(1));
    assertThat(
            new String(
                await(stage.callboard.admin().parked(10)).get(0).bytes(),
                java.nio.charset.StandardCharsets.UTF_8))
        .contains("has 1000 durable timers, which is the limit");
  }

  @Test
  void wakesAHostedActorOnANewNode() throws Exception {
    await(stage.callboard.host("/alarms", Alarm::new, QUICK));
    ActorRef<Order> alarm = stage.callboard.durableRef("/alarms/1", Order.class);
    await(alarm.tell(new Order.Start("a", 3_000, "woken")));
    await(alarm.tell(new Order.Cancel("none")));
    stage.expect("cancelled");
    stage.restart();
    await(stage.callboard.host("/alarms", Alarm::new, QUICK));
    stage.expect("woken 1");
  }
}

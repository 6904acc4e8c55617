package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException.Code;
import io.callboard.DeliveryMode;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.SampleActors.Add;
import io.callboard.testkit.SampleActors.Total;
import io.callboard.testkit.Stage;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test of the consequences of a start or an effect that failed. */
class AfterFailureTest {
  @RegisterExtension final Stage stage = new Stage();
  private final AtomicBoolean broken = new AtomicBoolean(true);
  private final AtomicInteger handled = new AtomicInteger();

  /** Counter whose first effect fails. */
  private final class Counter extends DurableStateActor<Add, Total> {
    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            handled.incrementAndGet();
            update(new Total(state().value() + add.amount()));
            reply(state());
            if (add.amount() > 0) {
              afterCommit(this::effect);
            }
          });
    }

    private void effect() {
      if (broken.getAndSet(false)) {
        throw new IllegalStateException("the effect failed");
      }
    }
  }

  private ActorStatus only() {
    return stage.callboard.admin().running().await().get(0);
  }

  private int total(DeliveryMode mode) throws Exception {
    await(stage.callboard.spawn("/a", Counter::new, new ActorOptions(QUICK).delivery(mode)));
    ActorRef<Add> counter = stage.callboard.durableRef("/a", Add.class);
    await(counter.tell(new Add(1)));
    Eventually.assertThat(() -> assertThat(only().restarts()).isEqualTo(1));
    return await(counter.ask(new Add(0), Total.class)).value();
  }

  @Test
  void aTurnStaysCommittedThoughItsEffectFails() throws Exception {
    assertThat(total(DeliveryMode.EXACTLY_ONCE)).isEqualTo(1);
    assertThat(handled).as("once, and the question").hasValue(2);
    assertThat(only().failures()).isEqualTo(1);
    assertThat(only().lastFailure()).contains("the effect failed");
  }

  @Test
  void anAtLeastOnceTurnWhoseEffectFailsMayBeRepeatedButNotItsState() throws Exception {
    assertThat(total(DeliveryMode.AT_LEAST_ONCE)).isEqualTo(1);
    assertThat(handled).hasValueBetween(2, 3);
    assertThat(only().failures()).isEqualTo(1);
  }

  /** Actor that starts when it can. */
  private final class Late extends Actor<Add> {
    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(Add.class, add -> reply(new Total(add.amount())));
    }

    @Override
    protected Future<?> started() {
      return broken.get() ? Future.failedFuture("not yet") : Future.succeededFuture();
    }
  }

  @Test
  void theSupervisorGoesOnStartingWhatSpawnCouldNot() throws Exception {
    assertCode(() -> await(stage.callboard.spawn("/late", Late::new, QUICK)), Code.START_FAILED);
    assertCode(() -> await(stage.callboard.spawn("/late", Late::new, QUICK)), Code.PATH_TAKEN);
    broken.set(false);
    ActorRef<Add> late = stage.callboard.ref("/late", Add.class);
    assertThat(await(late.ask(new Add(1), Total.class))).isEqualTo(new Total(1));
    assertThat(only().state()).isEqualTo(State.RUNNING);
  }

  @Test
  void aStopEndsThatAndFreesThePath() throws Exception {
    Duration hour = Duration.ofHours(1);
    ActorOptions slow =
        new ActorOptions().backoff(Backoff.exponential(hour, hour, Backoff.Jitter.NONE));
    assertCode(() -> await(stage.callboard.spawn("/late", Late::new, slow)), Code.START_FAILED);
    Eventually.assertThat(() -> assertThat(only().state()).isEqualTo(State.WAITS));
    await(stage.callboard.stop("/late"));
    assertThat(await(stage.callboard.admin().running())).isEmpty();
    broken.set(false);
    await(stage.callboard.spawn("/late", Late::new, slow));
  }
}

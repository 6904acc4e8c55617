package io.callboard.internal.supervisor;

import static io.callboard.internal.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.failurezone.FailureZoneStep;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.time.Time;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of what a failure zone that is down reports to its children, and to the zone above. */
class FailureZoneNoticesTest {
  private static final ActorPath ZONE = ActorPath.of("/zone");

  private final Vertx vertx = Vertx.vertx();
  private final RootSupervisor root = new RootSupervisor(Time.SYSTEM, 1, new NoEscalation());
  private final FailureZoneRunner zone = zone(root);

  private FailureZoneRunner zone(Supervisor above) {
    return new FailureZoneRunner(
        vertx,
        new DeploymentOptions(),
        root,
        above,
        ZONE,
        "n1",
        new FailureZone(),
        new SupervisionOptions(),
        ended -> {});
  }

  /** Child during whose notice that nothing rests another thread makes the zone rest. */
  private final class Slow extends FakeChild {
    final Thread operator = new Thread(() -> zone.rest("stopped by an operator", true));

    Slow() {
      super("/zone/a");
    }

    @Override
    public void needs(@Nullable ActorPath resting) {
      super.needs(resting);
      if (resting == null && operator.getState() == Thread.State.NEW) {
        operator.start();
        while (operator.isAlive() && operator.getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
      }
    }
  }

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  /** As when a zone's life has just ended while an operator stops the zone. */
  @Test
  void aRestDuringAnEarlierNoticeReachesEachChildLast() throws Exception {
    Slow first = new Slow();
    FakeChild second = new FakeChild("/zone/b");
    zone.add(first);
    zone.add(second);
    zone.needs(null);
    first.operator.join(10_000);
    assertThat(first.operator.isAlive()).isFalse();
    assertThat(first.needs()).isEqualTo(ZONE);
    assertThat(second.needs()).isEqualTo(ZONE);
  }

  /** Otherwise the next life would begin before, and be taken for the one that failed. */
  @Test
  void aStopOfALifeThatHasJustFailedEndsAfterTheReportOfThat() {
    List<String> order = new ArrayList<>();
    Supervisor above =
        (Supervisor)
            Proxy.newProxyInstance(
                Supervisor.class.getClassLoader(),
                new Class<?>[] {Supervisor.class},
                (self, method, given) -> {
                  order.add(method.getName());
                  return null;
                });
    FailureZoneRunner inner = zone(above);
    FailureZoneVerticle life = new FailureZoneVerticle(inner, root);
    inner.life = life;
    inner.add(
        new FakeChild("/zone/a") {
          @Override
          public void needs(@Nullable ActorPath resting) {
            inner.end().onComplete(done -> order.add("stopped"));
          }
        });
    inner.gone(life, new FailureZoneStep.Escalate(new IllegalStateException("escalates")));
    assertThat(order).containsExactly("failed", "stopped");
  }

  @Test
  void aChildThatIsAddedToAZoneAtRestLearnsIt() {
    zone.rest("stopped by an operator", true);
    FakeChild late = new FakeChild("/zone/late");
    zone.add(late);
    assertThat(late.needs()).isEqualTo(ZONE);
    zone.resumed();
    assertThat(late.needs()).isNull();
  }
}

package io.callboard.internal.supervisor;

import static io.callboard.internal.node.TestNode.await;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.internal.failurezone.FailureZoneMachine;
import io.callboard.supervision.FailureZone;
import io.callboard.time.Time;
import io.vertx.core.Vertx;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the state that the root keeps of an actor outside of any failure zone. */
class RootSupervisorTest {
  private final Vertx vertx = Vertx.vertx();
  private final RootSupervisor root = new RootSupervisor(Time.SYSTEM, 1, new NoEscalation());

  @BeforeEach
  void deploy() throws Exception {
    await(vertx.deployVerticle(root));
  }

  @AfterEach
  void close() throws Exception {
    root.nothingElseIsLeft();
    await(vertx.close());
  }

  /** Its supervisor keeps it, and adds it to the zone's next life. */
  @Test
  void aZoneThatHasEndedTakesNoChild() {
    FailureZoneDriver ended =
        new FailureZoneDriver(
            new FailureZoneMachine(new FailureZone(), RandomGenerator.of("Random")),
            vertx.getOrCreateContext(),
            Time.SYSTEM,
            step -> {});
    ended.close();
    FakeChild late = new FakeChild("/fake");
    ended.add(late);
    ended.well(late);
    assertThat(late.told).isEmpty();
  }

  @Test
  void anOperatorsWishForOneThatRunsIsDone() throws Exception {
    FakeChild child = new FakeChild("/fake");
    child.ended.complete();
    root.restart(child);
    assertThat(child.begins.await(10, SECONDS)).isTrue();
    assertThat(child.told).containsExactly("end", "begin");
  }

  @Test
  void oneThatIsForgottenWhileItStopsLearnsThatNobodyBeginsItAgain() throws Exception {
    FakeChild child = new FakeChild("/fake");
    root.restart(child);
    assertThat(child.ends.await(10, SECONDS)).isTrue();
    root.forget(child);
    root.restart(child); // a new life of its supervision: it knows of no stop before it
    child.ended.complete();
    assertThat(child.forgotten.await(10, SECONDS)).isTrue();
    assertThat(child.begins.await(10, SECONDS)).isTrue();
    assertThat(child.told).containsExactlyInAnyOrder("end", "end", "forgotten", "begin");
  }

  @Test
  void ofOneThatHasEndedNothingIsKept() throws Exception {
    FakeChild child = new FakeChild("/fake");
    child.over = true;
    root.restart(child);
    root.suspend(child);
    root.failed(child, new IllegalStateException("late"));
    FakeChild next = new FakeChild("/fake");
    next.ended.complete();
    root.restart(next);
    assertThat(next.begins.await(10, SECONDS)).isTrue();
    assertThat(child.told).isEmpty();
  }
}

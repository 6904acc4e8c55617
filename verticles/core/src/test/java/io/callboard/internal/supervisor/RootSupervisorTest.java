package io.callboard.internal.supervisor;

import static io.callboard.internal.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.internal.Waits;
import io.callboard.internal.failurezone.FailureZoneMachine;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.RestartBudget;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.time.Time;
import io.vertx.core.Vertx;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
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

  private FailureZoneDriver life() {
    return new FailureZoneDriver(
        new FailureZoneMachine(new FailureZone(), RandomGenerator.of("Random")),
        vertx.getOrCreateContext(),
        Time.SYSTEM,
        step -> {});
  }

  /** Its supervisor keeps it, and adds it to the zone's next life. */
  @Test
  void aZoneThatHasEndedTakesNoChild() {
    FailureZoneDriver ended = life();
    ended.close();
    FakeChild late = new FakeChild("/fake");
    ended.add(late);
    ended.well(late);
    assertThat(late.told).isEmpty();
  }

  /** Actor with a restart budget of its own. */
  private static final class Limited extends FakeChild {
    private volatile @Nullable Supplier<RestartBudget> budget;

    Limited() {
      super("/fake");
    }

    @Override
    public SupervisionOptions supervision() {
      return new SupervisionOptions().intensity(3, Duration.ofSeconds(2));
    }

    @Override
    public void budget(@Nullable Supplier<RestartBudget> reads) {
      budget = reads;
    }

    int allowed() {
      Supplier<RestartBudget> reads = budget;
      return reads == null ? -1 : reads.get().allowed();
    }
  }

  /** Returns the life of a zone with that child, which has ended. */
  private WeakReference<FailureZoneDriver> endedLife(FakeChild child) {
    FailureZoneDriver ends = life();
    ends.add(child);
    ends.close();
    return new WeakReference<>(ends);
  }

  /** Code may keep the ref of an actor, and so its runner, when both have ended. */
  @Test
  void aKeptChildHoldsNoEndedLifeOfItsZone() {
    Limited kept = new Limited();
    WeakReference<FailureZoneDriver> life = endedLife(kept);
    Waits.until(
        "it is collected",
        () -> {
          System.gc();
          return life.get() == null;
        });
    assertThat(kept.allowed()).as("its budget is still known").isEqualTo(3);
  }

  @Test
  void anOperatorsWishForOneThatRunsIsDone() throws Exception {
    FakeChild child = new FakeChild("/fake");
    child.ended.complete();
    root.restart(child);
    Waits.opened(child.begins);
    assertThat(child.told).containsExactly("end", "begin");
  }

  @Test
  void aChildForgottenWhileItStopsLearnsThatNobodyBeginsItAgain() throws Exception {
    FakeChild child = new FakeChild("/fake");
    root.restart(child);
    Waits.opened(child.ends);
    root.forget(child);
    root.restart(child); // a new life of its supervision: it knows of no stop before it
    child.ended.complete();
    Waits.opened(child.forgotten);
    Waits.opened(child.begins);
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
    Waits.opened(next.begins);
    assertThat(child.told).isEmpty();
  }
}

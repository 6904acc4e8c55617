package io.callboard.internal.supervisor;

import static io.callboard.internal.node.TestNode.await;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Directive;
import io.callboard.supervision.FailureStreak;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.RestartBudget;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the state that the root keeps of an actor outside of any failure zone. */
class RootSupervisorTest {
  private final Vertx vertx = Vertx.vertx();
  private final RootSupervisor root =
      new RootSupervisor(
          Time.SYSTEM,
          1,
          new RootSupervisor.Owner() {
            @Override
            public void escalated(Throwable cause) {
              throw new AssertionError(cause);
            }

            @Override
            public Future<Void> close() {
              return Future.succeededFuture();
            }
          });

  /** Says what it is told. */
  private static final class Fake implements Supervised {
    final List<String> told = new CopyOnWriteArrayList<>();
    final CountDownLatch begins = new CountDownLatch(1);
    final CountDownLatch ends = new CountDownLatch(1);
    final CountDownLatch forgotten = new CountDownLatch(1);
    final Promise<Void> ended = Promise.promise();
    volatile boolean over;

    @Override
    public String label() {
      return "actor /fake";
    }

    @Override
    public ActorPath path() {
      return ActorPath.of("/fake");
    }

    @Override
    public SupervisionOptions supervision() {
      return new SupervisionOptions();
    }

    @Override
    public void supervision(SupervisionOptions other) {
      told.add("treated otherwise");
    }

    @Override
    public void budget(@Nullable Supplier<RestartBudget> reads) {
      // not read here
    }

    @Override
    public void failing(@Nullable Supplier<@Nullable FailureStreak> reads) {
      // not read here
    }

    @Override
    public void begin() {
      told.add("begin");
      begins.countDown();
    }

    @Override
    public Future<Void> end() {
      told.add("end");
      ends.countDown();
      return ended.future();
    }

    @Override
    public void forgottenWhileStopping() {
      told.add("forgotten");
      forgotten.countDown();
    }

    @Override
    public void willRestart(Duration delay) {
      told.add("will restart");
    }

    @Override
    public void rest(String why, boolean asked) {
      told.add("rest");
    }

    @Override
    public Future<Void> done() {
      told.add("done");
      return Future.succeededFuture();
    }

    @Override
    public boolean becomesKnown() {
      return !over;
    }

    @Override
    public long work() {
      return 0;
    }

    @Override
    public @Nullable Rest rests() {
      return null;
    }

    @Override
    public void resumed() {
      told.add("resumed");
    }

    @Override
    public void needs(@Nullable ActorPath resting) {
      told.add("needs " + resting);
    }

    @Override
    public @Nullable ActorPath needs() {
      return null;
    }

    @Override
    public void falls(Directive decided) {
      told.add("falls");
    }

    @Override
    public boolean escalates(Throwable cause) {
      return false;
    }
  }

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
    Fake late = new Fake();
    ended.add(late);
    ended.well(late);
    assertThat(late.told).isEmpty();
  }

  @Test
  void anOperatorsWishForOneThatRunsIsDone() throws Exception {
    Fake child = new Fake();
    child.ended.complete();
    root.restart(child);
    assertThat(child.begins.await(10, SECONDS)).isTrue();
    assertThat(child.told).containsExactly("end", "begin");
  }

  @Test
  void oneThatIsForgottenWhileItStopsLearnsThatNobodyBeginsItAgain() throws Exception {
    Fake child = new Fake();
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
    Fake child = new Fake();
    child.over = true;
    root.restart(child);
    root.suspend(child);
    root.failed(child, new IllegalStateException("late"));
    Fake next = new Fake();
    next.ended.complete();
    root.restart(next);
    assertThat(next.begins.await(10, SECONDS)).isTrue();
    assertThat(child.told).isEmpty();
  }
}

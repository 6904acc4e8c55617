package io.callboard.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Tests of a guard's treatment of the guarded actor if the guard itself ends meanwhile. */
class GuardedChildTest {
  private final Promise<ActorRef<String>> spawned = Promise.promise();
  private final Deque<Runnable> alarms = new ArrayDeque<>();
  private final List<String> seen = new ArrayList<>();
  private boolean over;

  private final GuardedChild<String> guarded =
      new GuardedChild<>(new Fake(), () -> seen.add("is there"));

  private final class Fake implements GuardEnvironment<String> {
    @Override
    public Time time() {
      return Time.SYSTEM;
    }

    @Override
    public RandomGenerator random() {
      return new SplittableRandom(1);
    }

    @Override
    public Time.Alarm after(Duration delay, Runnable task) {
      alarms.add(task);
      return () -> alarms.remove(task);
    }

    @Override
    public boolean isOver() {
      return over;
    }

    @Override
    public Future<ActorRef<String>> spawn() {
      seen.add("spawn");
      return spawned.future();
    }

    @Override
    public ActorRef<String> ref() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Void> stop() {
      seen.add("stop");
      return Future.succeededFuture();
    }
  }

  @Test
  void aGuardWhoseLifeIsOverStopsNobodysChild() {
    Future<Void> started = guarded.start();
    alarms.remove().run();
    assertThat(started.succeeded()).isTrue();
    over = true;
    spawned.fail(CallboardException.stopped("actor /prices/guarded"));
    assertThat(alarms).isEmpty();
    guarded.replace();
    assertThat(seen).containsExactly("spawn");
  }

  @Test
  void aChildThatComesLateIsTakenAndOneThatIsGoneIsSpawnedAgain() {
    Future<Void> started = guarded.start();
    assertThat(started.isComplete()).isFalse();
    alarms.remove().run();
    spawned.fail(CallboardException.stopped("actor /prices/guarded"));
    assertThat(alarms).hasSize(1);
    alarms.remove().run();
    assertThat(seen).containsExactly("spawn", "stop", "spawn");
  }

  @Test
  void aFirstStartThatIsImpossibleFailsTheGuards() {
    Future<Void> started = guarded.start();
    spawned.fail(CallboardException.stopped("actor /prices/guarded"));
    assertThat(started.failed()).isTrue();
    assertThat(alarms).isEmpty();
  }
}

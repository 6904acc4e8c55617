package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Test that an actor spawned by another one, but not as its child, does not end with it. */
class SpawnedByActorTest {
  record Do(String what) {}

  record Done() {}

  private static final class Worker extends Actor<Do> {
    private final Stage stage;

    Worker(Stage stage) {
      this.stage = stage;
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      on.message(Do.class, work -> reply(new Done()));
    }

    @Override
    protected Future<?> stopped() {
      stage.sees("worker stopped");
      return Future.succeededFuture();
    }
  }

  private static final class Spawner extends Actor<Do> {
    private final Stage stage;

    Spawner(Stage stage) {
      this.stage = stage;
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      on.async(
          Do.class,
          work -> {
            if (work.what().equals("fail")) {
              throw new IllegalStateException("as told");
            }
            return callboard().spawn("/worker", () -> new Worker(stage)).map(ref -> null);
          });
    }

    @Override
    protected Future<?> stopped() {
      stage.sees("spawner stopped");
      return Future.succeededFuture();
    }
  }

  @Test
  void aSpawnedActorSurvivesTheRestartOfItsSpawner() throws Exception {
    try (Stage stage = new Stage()) {
      ActorRef<Do> spawner =
          await(stage.callboard.spawn("/spawner", () -> new Spawner(stage), Stage.QUICK));
      await(spawner.tell(new Do("spawn")));
      await(spawner.tell(new Do("fail")));
      stage.expect("spawner stopped");
      await(
          stage
              .callboard
              .ref("/worker", Do.class)
              .ask(new Do("work"), Done.class, Duration.ofSeconds(5)));
      assertThat(stage.rest()).isEmpty();
    }
  }
}

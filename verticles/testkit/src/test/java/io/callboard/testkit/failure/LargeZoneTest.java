package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.answering;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.Strategy;
import io.callboard.testkit.Stage;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of failure zones with thousands of children. */
class LargeZoneTest {
  private static final int MANY = 5_000;

  @RegisterExtension final Stage stage = new Stage();

  record Cue() {}

  private void zone(Strategy strategy, int children) {
    Callboard callboard = stage.callboard;
    await(callboard.supervise("/crowd", new FailureZone().strategy(strategy)));
    List<Future<?>> spawned = new ArrayList<>();
    for (int i = 0; i < children; i++) {
      spawned.add(callboard.spawn("/crowd/" + i, answering(Cue.class, cue -> 1)));
    }
    await(Future.all(spawned));
  }

  @Test
  void theStopOfALargeZoneLeavesNoneOfItsChildren() {
    zone(Strategy.ONE_FOR_ONE, MANY);
    await(stage.callboard.stop("/crowd"));
    assertThat(stage.callboard.admin().failureZones())
        .extracting(FailureZoneStatus::path)
        .isEmpty();
    assertThat(await(stage.callboard.admin().running())).isEmpty();
    await(stage.callboard.spawn("/crowd/" + (MANY - 1), answering(Cue.class, cue -> 1)));
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void aNodeWithALargeZoneCloses(Strategy strategy) {
    zone(strategy, 2_000);
    await(stage.callboard.close());
  }

  @Test
  void aVertxWithALargeZoneCloses() {
    zone(Strategy.ONE_FOR_ONE, MANY);
    await(stage.vertx.close());
  }
}

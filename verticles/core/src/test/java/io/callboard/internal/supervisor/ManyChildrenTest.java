package io.callboard.internal.supervisor;

import static io.callboard.internal.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.time.Time;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the end of a failure zone with as many children as it may have. */
class ManyChildrenTest {
  private static final int MANY = 100_000;

  private final Vertx vertx = Vertx.vertx();
  private final RootSupervisor root = new RootSupervisor(Time.SYSTEM, 1, new NoEscalation());
  private final List<String> order = new ArrayList<>();

  /** Child that ends when the test says so, or at once. */
  private final class Ending extends FakeChild {
    private final Future<Void> end;

    Ending(String path, Future<Void> end) {
      super(path);
      this.end = end;
    }

    @Override
    public Future<Void> done() {
      order.add(path().toString());
      return end;
    }
  }

  @BeforeEach
  void deploy() {
    await(vertx.deployVerticle(root));
  }

  @AfterEach
  void close() {
    root.nothingElseIsLeft();
    await(vertx.close());
  }

  private FailureZoneRunner zone() {
    return new FailureZoneRunner(
        vertx,
        new DeploymentOptions(),
        root,
        root,
        ActorPath.of("/many"),
        "node",
        new FailureZone(),
        new SupervisionOptions(),
        ended -> {});
  }

  @Test
  void aZoneEndsAllThatEndAtOnce() {
    FailureZoneRunner zone = zone();
    for (int i = 0; i < MANY; i++) {
      zone.add(new Ending("/many/" + i, Future.succeededFuture()));
    }
    await(zone.closeChildren());
    assertThat(zone.size()).isZero();
    assertThat(order).hasSize(MANY).startsWith("/many/" + (MANY - 1)).endsWith("/many/0");
  }

  @Test
  void aZoneEndsAllThatEndLaterOneAfterTheOther() {
    FailureZoneRunner zone = zone();
    List<Promise<Void>> ends = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      Promise<Void> end = Promise.promise();
      ends.add(end);
      zone.add(new Ending("/many/" + i, end.future()));
    }
    Future<Void> closed = zone.closeChildren();
    IntStream.iterate(MANY - 1, i -> i >= 0, i -> i - 1)
        .forEach(
            i -> {
              assertThat(order.get(order.size() - 1)).isEqualTo("/many/" + i);
              ends.get(i).complete();
            });
    await(closed);
    assertThat(zone.size()).isZero();
    assertThat(order).hasSize(MANY);
  }

  @Test
  void aChildThatFailsToEndHoldsUpNoOther() {
    FailureZoneRunner zone = zone();
    zone.add(new Ending("/many/0", Future.succeededFuture()));
    zone.add(new Ending("/many/1", Future.failedFuture("it is stuck")));
    await(zone.closeChildren());
    assertThat(order).containsExactly("/many/1", "/many/0");
  }
}

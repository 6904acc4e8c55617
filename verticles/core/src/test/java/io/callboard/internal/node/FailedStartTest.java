package io.callboard.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.internal.Waits;
import io.callboard.supervision.Backoff;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Tests that later actions of an object whose start failed concern no life after it. */
class FailedStartTest {
  record Nothing() {}

  /** The first object's start fails; the others are healthy and say so when they are told. */
  private static final class Late extends Actor<Nothing> {
    private final List<Context> objects;
    private final Promise<Void> healthy;

    Late(List<Context> objects, Promise<Void> healthy) {
      this.objects = objects;
      this.healthy = healthy;
    }

    @Override
    protected Future<?> started() {
      objects.add(Vertx.currentContext());
      if (objects.size() == 1) {
        return Future.failedFuture("not yet");
      }
      return Future.succeededFuture();
    }

    @Override
    protected void protocol(Protocol<Nothing> on) {
      on.message(Nothing.class, nothing -> healthy.tryComplete());
    }
  }

  @Test
  void aLateFailureOfItEndsNoHealthyLife() throws Exception {
    Vertx vertx = Vertx.vertx();
    Callboard callboard = Waits.await(Callboard.create(vertx, new CallboardOptions().name("n")));
    List<Context> objects = new CopyOnWriteArrayList<>();
    Promise<Void> healthy = Promise.promise();
    ActorOptions options =
        new ActorOptions()
            .backoff(
                Backoff.exponential(
                    Duration.ofMillis(1), Duration.ofMillis(1), Backoff.Jitter.NONE));
    assertThat(
            TestNode.failure(callboard.spawn("/late", () -> new Late(objects, healthy), options)))
        .isNotNull();
    Waits.await(callboard.ref("/late", Nothing.class).tell(new Nothing()));
    Waits.await(healthy.future());
    Promise<Void> thrown = Promise.promise();
    objects
        .get(0)
        .runOnContext(
            v -> {
              throw new IllegalStateException("late");
            });
    objects.get(0).runOnContext(v -> thrown.complete());
    Waits.await(thrown.future());
    ActorStatus status = Waits.await(callboard.admin().running()).get(0);
    assertThat(status.failures()).as(status.toString()).isEqualTo(1);
    assertThat(status.lastFailure()).contains("not yet");
    assertThat(status.state()).isNotEqualTo(State.WAITS);
    Waits.await(callboard.close());
    Waits.await(vertx.close());
  }
}

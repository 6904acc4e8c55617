package io.callboard.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What throws in a task, or waiting for one, holds up nothing else. */
class LaneTest {
  private static final Error ERROR = new NoClassDefFoundError("missing");

  private static Future<Integer> broken() {
    throw ERROR;
  }

  @Test
  void aTaskBeginsWhenTheOneBeforeItHasEnded() {
    Lane lane = new Lane();
    Promise<Integer> first = Promise.promise();
    Future<Integer> one = lane.run(first::future);
    Future<Integer> two = lane.run(() -> Future.succeededFuture(2));
    assertThat(List.of(one, two)).noneMatch(Future::isComplete);
    first.fail("no");
    assertThat(one.failed()).isTrue();
    assertThat(two.result()).isEqualTo(2);
  }

  @Test
  void anErrorInATaskOfALaneFailsItAndTheNextBegins() {
    Lane lane = new Lane();
    Future<Integer> failed = lane.run(LaneTest::broken);
    assertThat(failed.cause()).isSameAs(ERROR);
    assertThat(lane.run(() -> Future.succeededFuture(2)).result()).isEqualTo(2);
  }

  @Test
  void whoWaitsInALaneAndThrowsHoldsUpNobody() {
    Lane lane = new Lane();
    Promise<Integer> first = Promise.promise();
    lane.run(first::future)
        .onComplete(
            done -> {
              throw new IllegalStateException("of who waits");
            });
    Future<Integer> next = lane.run(() -> Future.succeededFuture(2));
    assertThatThrownBy(() -> first.complete(1)).hasMessage("of who waits");
    assertThat(next.result()).isEqualTo(2);
  }

  @Test
  void whatThrowsInTheNarrowsLetsTheNextPass() {
    Narrows narrows = new Narrows(1);
    assertThat(narrows.pass(LaneTest::broken).cause()).isSameAs(ERROR);
    Promise<Integer> first = Promise.promise();
    narrows
        .pass(first::future)
        .onComplete(
            done -> {
              throw new IllegalStateException("of who waits");
            });
    Future<Integer> next = narrows.pass(() -> Future.succeededFuture(2));
    assertThat(next.isComplete()).isFalse();
    assertThatThrownBy(() -> first.complete(1)).hasMessage("of who waits");
    assertThat(next.result()).isEqualTo(2);
  }
}

package io.callboard.zookeeper.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that an exception in a task, or in a handler that waits for one, holds up nothing else. */
class SerialTasksTest {
  private static final Error ERROR = new NoClassDefFoundError("missing");

  private static Future<Integer> broken() {
    throw ERROR;
  }

  @Test
  void aTaskBeginsWhenTheOneBeforeItHasEnded() {
    SerialTasks serialTasks = new SerialTasks();
    Promise<Integer> first = Promise.promise();
    Future<Integer> one = serialTasks.run(first::future);
    Future<Integer> two = serialTasks.run(() -> Future.succeededFuture(2));
    assertThat(List.of(one, two)).noneMatch(Future::isComplete);
    first.fail("no");
    assertThat(one.failed()).isTrue();
    assertThat(two.result()).isEqualTo(2);
  }

  @Test
  void anErrorInATaskOfALaneFailsItAndTheNextBegins() {
    SerialTasks serialTasks = new SerialTasks();
    Future<Integer> failed = serialTasks.run(SerialTasksTest::broken);
    assertThat(failed.cause()).isSameAs(ERROR);
    assertThat(serialTasks.run(() -> Future.succeededFuture(2)).result()).isEqualTo(2);
  }

  @Test
  void aHandlerThatThrowsHoldsUpNoLaterTask() {
    SerialTasks serialTasks = new SerialTasks();
    Promise<Integer> first = Promise.promise();
    serialTasks
        .run(first::future)
        .onComplete(
            done -> {
              throw new IllegalStateException("of who waits");
            });
    Future<Integer> next = serialTasks.run(() -> Future.succeededFuture(2));
    assertThatThrownBy(() -> first.complete(1)).hasMessage("of who waits");
    assertThat(next.result()).isEqualTo(2);
  }

  @Test
  void aRequestThatThrowsGivesItsPermitBack() {
    RequestPermits requestPermits = new RequestPermits(1);
    assertThat(requestPermits.pass(SerialTasksTest::broken).cause()).isSameAs(ERROR);
    Promise<Integer> first = Promise.promise();
    requestPermits
        .pass(first::future)
        .onComplete(
            done -> {
              throw new IllegalStateException("of who waits");
            });
    Future<Integer> next = requestPermits.pass(() -> Future.succeededFuture(2));
    assertThat(next.isComplete()).isFalse();
    assertThatThrownBy(() -> first.complete(1)).hasMessage("of who waits");
    assertThat(next.result()).isEqualTo(2);
  }
}

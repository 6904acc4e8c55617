package io.callboard.workflows.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.workflows.internal.output.StepOutputs;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunningCodeTest {
  private final List<Runnable> alarms = new ArrayList<>();
  private final RunningCode code =
      new RunningCode(
          task -> {
            alarms.add(task);
            return () -> alarms.remove(task);
          });
  private final Attempt first = attempt("a");
  private final Attempt second = attempt("b");

  private static Attempt attempt(String instance) {
    StepOutputs none =
        new StepOutputs(
            () -> {
              throw new AssertionError("it has no large outputs");
            });
    return new Attempt(
        new StepRequest(
            instance,
            "d",
            "s",
            1,
            1,
            "handler:scan@1",
            5,
            1,
            null,
            Instant.EPOCH,
            "n1",
            JsonNodeFactory.instance.objectNode(),
            JsonNodeFactory.instance.objectNode(),
            instance + "/s",
            null,
            null,
            null,
            null),
        none,
        state -> Future.succeededFuture(),
        Promise.promise());
  }

  @Test
  void endingIsCompleteWhenAllRunningCodeHasEnded() {
    assertThat(code.begins(first)).isTrue();
    assertThat(code.begins(second)).isTrue();
    Future<Void> over = code.endAll();
    assertThat(first.cancelled().isComplete()).isTrue();
    assertThat(second.cancelled().isComplete()).isTrue();
    code.ended(first);
    assertThat(over.isComplete()).isFalse();
    code.ended(second);
    assertThat(over.succeeded()).isTrue();
    assertThat(alarms).isEmpty();
  }

  @Test
  void codeThatDoesNotEndInTimeIsNotWaitedForAnyMore() {
    assertThat(code.begins(first)).isTrue();
    Future<Void> over = code.end(first);
    alarms.get(0).run();
    assertThat(over.succeeded()).isTrue();
    assertThat(code.endAll().succeeded()).as("nor a second time").isTrue();
    code.ended(first); // after all
  }

  @Test
  void theGraceBeginsWithTheFirstRequestToEnd() {
    assertThat(code.begins(first)).isTrue();
    Future<Void> cancelled = code.end(first);
    Future<Void> stopped = code.endAll();
    assertThat(alarms).hasSize(1);
    alarms.get(0).run();
    assertThat(cancelled.succeeded()).isTrue();
    assertThat(stopped.succeeded()).isTrue();
  }

  @Test
  void codeThatBeginsLaterIsNotWaitedFor() {
    assertThat(code.begins(first)).isTrue();
    Future<Void> over = code.endAll();
    assertThat(code.begins(second)).isTrue();
    code.ended(first);
    assertThat(over.succeeded()).isTrue();
    assertThat(second.cancelled().isComplete()).isFalse();
  }

  @Test
  void codeOfAnAttemptThatIsToEndIsNotCalled() {
    assertThat(code.end(first).succeeded()).isTrue();
    assertThat(code.begins(first)).isFalse();
    assertThat(code.endAll().succeeded()).isTrue();
  }
}

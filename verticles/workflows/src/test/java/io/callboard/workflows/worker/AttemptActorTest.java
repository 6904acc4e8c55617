package io.callboard.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.workflows.output.StepOutputs;
import io.callboard.workflows.protocol.StepOutcome;
import io.callboard.workflows.protocol.StepRequest;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether the code of an attempt is called is decided once. */
class AttemptActorTest {
  static final StepRequest REQUEST =
      new StepRequest(
          "i1",
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
          "i1/s",
          null);

  private final StepOutputs outputs =
      new StepOutputs(
          () -> {
            throw new AssertionError("it has no large outputs");
          });
  private final Attempt attempt = new Attempt(REQUEST, outputs, state -> Future.succeededFuture());
  private final List<StepOutcome> over = new ArrayList<>();
  private int called;

  private void begins() {
    AttemptCode code =
        its -> {
          called++;
          return Future.succeededFuture();
        };
    Future<?> begun = new AttemptActor(attempt, code, outputs, over::add).begin();
    assertThat(begun.succeeded()).isTrue();
  }

  @Test
  void aFailureThatIsATextIsThatText() {
    Throwable made = Future.failedFuture("no such host").cause();
    assertThat(AttemptActor.error(new IllegalStateException("it stopped", made)))
        .isEqualTo("java.lang.IllegalStateException: it stopped, because of no such host");
  }

  @Test
  void itBeginsOnce() {
    begins();
    begins();
    assertThat(called).isEqualTo(1);
    assertThat(over).containsExactly(StepOutcome.succeeded(null));
    assertThat(attempt.givesBack()).isFalse();
  }

  @Test
  void whatWasGivenBackIsNotCalled() {
    assertThat(attempt.givesBack()).isTrue();
    assertThat(attempt.givesBack()).isFalse();
    begins();
    assertThat(called).isZero();
    assertThat(over).as("its run is somebody else's").isEmpty();
    assertThat(attempt.hasBegun()).isFalse();
  }

  @Test
  void whatWasCancelledBeforeItBeganIsNotCalled() {
    attempt.cancel();
    begins();
    assertThat(called).isZero();
    assertThat(over).containsExactly(StepOutcome.cancelled("it had not begun"));
  }
}

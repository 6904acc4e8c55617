package io.callboard.workflows.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Blobs;
import io.callboard.codecs.BlobRef;
import io.callboard.grid.internal.thread.ThreadWait;
import io.callboard.workflows.internal.output.StepOutputs;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whether the code of an attempt is called is decided once. */
class AttemptActorTest {
  static final StepRequest REQUEST = request(null);

  private static StepRequest request(@Nullable Map<String, BlobRef> large) {
    return new StepRequest(
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
        large,
        null,
        null,
        null);
  }

  private final StepOutputs outputs =
      new StepOutputs(
          () -> {
            throw new AssertionError("it has no large outputs");
          });
  private final Attempt attempt =
      new Attempt(REQUEST, outputs, state -> Future.succeededFuture(), Promise.promise());
  private final ThreadWait thread = new ThreadWait("steps", Duration.ofSeconds(30));
  private final List<StepOutcome> over = new ArrayList<>();
  private final RunningCode running = new RunningCode(task -> () -> {});
  private int called;

  private void begins() {
    AttemptCode code =
        its -> {
          called++;
          return Future.succeededFuture();
        };
    Future<?> begun = new AttemptActor(attempt, thread, code, outputs, running, over::add).begin();
    assertThat(begun.succeeded()).isTrue();
  }

  @Test
  void aFailureThatIsATextIsThatText() {
    Throwable made = Future.failedFuture("no such host").cause();
    assertThat(AttemptActor.error(new IllegalStateException("it stopped", made)))
        .isEqualTo("java.lang.IllegalStateException: it stopped, because of no such host");
  }

  @Test
  void anAttemptBeginsOnce() {
    begins();
    begins();
    assertThat(called).isEqualTo(1);
    assertThat(over).containsExactly(StepOutcome.succeeded(null));
    assertThat(thread.givesBack()).isFalse();
  }

  @Test
  void anAttemptThatWasGivenBackIsNotCalled() {
    assertThat(thread.givesBack()).isTrue();
    assertThat(thread.givesBack()).isFalse();
    begins();
    assertThat(called).isZero();
    assertThat(over).as("its run is somebody else's").isEmpty();
    assertThat(thread.hasBegun()).isFalse();
  }

  @Test
  void anAttemptThatWasCancelledBeforeItBeganIsNotCalled() {
    attempt.cancel();
    begins();
    assertThat(called).isZero();
    assertThat(over).containsExactly(StepOutcome.cancelled("it had not begun"));
  }

  /** Code that is to end learns it, code that has ended does not. */
  @Test
  void theEndOfTheAttemptEndsItsCode() {
    Promise<JsonNode> end = Promise.promise();
    AttemptActor on =
        new AttemptActor(attempt, thread, its -> end.future(), outputs, running, over::add);
    assertThat(on.begin().succeeded()).isTrue();
    assertThat(on.stopped().succeeded()).isTrue();
    assertThat(attempt.cancelled().isComplete()).isTrue();
    Future<Void> allOver = running.endAll();
    assertThat(allOver.isComplete()).isFalse();
    end.complete();
    assertThat(allOver.succeeded()).isTrue();
  }

  @Test
  void codeThatHasEndedIsNotAskedTo() {
    AttemptActor ended =
        new AttemptActor(
            attempt, thread, its -> Future.succeededFuture(), outputs, running, over::add);
    assertThat(ended.begin().succeeded()).isTrue();
    assertThat(ended.stopped().succeeded()).isTrue();
    assertThat(running.endAll().succeeded()).isTrue();
    assertThat(attempt.cancelled().isComplete()).isFalse();
  }

  /** Contents whose reads a test ends. */
  private record Reads(Map<String, Promise<byte[]>> begun) implements Blobs {
    @Override
    public Future<byte[]> read(String owner, BlobRef blob) {
      return begun.computeIfAbsent(blob.id(), id -> Promise.promise()).future();
    }

    @Override
    public Future<BlobRef> write(String owner, byte[] content) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Void> remove(String owner, BlobRef blob) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Integer> removeAll(String owner) {
      throw new UnsupportedOperationException();
    }
  }

  private static BlobRef blob(String id) {
    return BlobRef.of(id, new byte[1], 1);
  }

  /** Between two reads another attempt could hold the thread of its zone. */
  @Test
  void theLargeOutputsOfItsInputAreReadAtOnce() {
    Map<String, Promise<byte[]>> reads = new TreeMap<>();
    StepOutputs stored = new StepOutputs(() -> new Reads(reads));
    Map<String, BlobRef> large = Map.of("x", blob("of-x"), "y", blob("of-y"));
    Attempt reading =
        new Attempt(request(large), stored, state -> Future.succeededFuture(), Promise.promise());
    Future<Void> prepared = reading.prepare();
    assertThat(reads).containsOnlyKeys("of-x", "of-y");
    reads.get("of-y").complete("2".getBytes(StandardCharsets.UTF_8));
    assertThat(prepared.isComplete()).isFalse();
    reads.get("of-x").complete("1".getBytes(StandardCharsets.UTF_8));
    assertThat(prepared.succeeded()).isTrue();
    assertThat(reading.input()).hasToString("{\"outputs\":{\"x\":1,\"y\":2}}");
  }
}

package io.callboard.pollers.internal.target;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On which threads bodies are read. */
class MessageDataTest {
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    await(vertx.close());
  }

  private static SourceMessage message(int bytes) {
    return new SourceMessage("m", "r", Buffer.buffer(new byte[bytes]), Map.of(), 1, null);
  }

  /** Reads a body on an event loop, and returns whether that was done there. */
  private Future<Boolean> isReadThere(SourceMessage message) {
    Promise<Boolean> read = Promise.promise();
    vertx.runOnContext(
        v -> MessageData.read(vertx, message, Context::isOnEventLoopThread).onComplete(read));
    return read.future();
  }

  @Test
  void aLargeBodyIsReadOnAWorkerThread() {
    assertThat(await(isReadThere(message(64 << 10)))).isTrue();
    assertThat(await(isReadThere(message((64 << 10) + 1)))).isFalse();
    assertThat(await(isReadThere(message(1 << 20)))).isFalse();
  }

  @Test
  void aBodyThatIsTooLargeIsRefusedUnread() {
    PollersException refusal =
        catchThrowableOfType(
            PollersException.class, () -> await(isReadThere(message((64 << 20) + 1))));
    assertThat(refusal.code()).isEqualTo(PollersException.Code.INVALID);
    assertThat(refusal)
        .hasMessage("the body of the message has 67,108,865 bytes; the limit is 67,108,864");
  }
}

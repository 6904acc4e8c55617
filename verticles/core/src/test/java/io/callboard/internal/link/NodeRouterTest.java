package io.callboard.internal.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.MessageType;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The router goes on whatever becomes of one message. */
class NodeRouterTest {
  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<Integer> refused = new LinkedBlockingQueue<>();

  @AfterEach
  void close() throws Exception {
    vertx.close().await(20, TimeUnit.SECONDS);
  }

  /** A message to nobody, which nothing can dispatch. */
  private final class Broken extends OutgoingMessage {
    private final int number;

    @SuppressWarnings("NullAway") // that is the point
    Broken(int number) {
      super(MessageKind.TELL, (ActorPath) null, "me", 0, new MessageType("m", 1), new byte[] {1});
      this.number = number;
    }

    @Override
    protected void accepted() {}

    @Override
    protected void refused(CallboardException cause) {
      refused.add(number);
    }
  }

  @Test
  void aMessageThatCannotBeDispatchedIsRefusedAndHoldsUpNoOther() throws Exception {
    NodeRouter router = new NodeRouter((VertxInternal) vertx, "boot", "node", LinkLimits.DEFAULT);
    router.send(new Broken(1));
    assertThat(refused.poll(20, TimeUnit.SECONDS)).isEqualTo(1);
    router.send(new Broken(2));
    assertThat(refused.poll(20, TimeUnit.SECONDS)).isEqualTo(2);
  }
}

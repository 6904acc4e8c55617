package io.callboard.internal.link;

import static io.callboard.internal.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.MessageType;
import io.callboard.internal.Waits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The router goes on whatever becomes of one message. */
class NodeRouterTest {
  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<Integer> refused = new LinkedBlockingQueue<>();

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
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
    assertThat(Waits.next(refused)).isEqualTo(1);
    router.send(new Broken(2));
    assertThat(Waits.next(refused)).isEqualTo(2);
  }

  /** Takes nothing. */
  private static final class Nobody implements LocalEndpoint {
    @Override
    public CallboardException deliver(IncomingMessage message, String boot) {
      return CallboardException.stopped("nobody");
    }

    @Override
    public CallboardException pushed(IncomingMessage push, String boot) {
      return CallboardException.stopped("nobody");
    }

    @Override
    public void answered(IncomingMessage answer) {}

    @Override
    public void failed(long number, Code code, String text) {}
  }

  @Test
  void aPeerThatIsGoneNeedsNoGoodbye() throws Exception {
    NodeRouter router = new NodeRouter((VertxInternal) vertx, "alone", "alone", LinkLimits.DEFAULT);
    await(router.start(new Nobody()));
    router.push(new Push("gone", ActorPath.of("/a"), 1, 1, new byte[] {1}));
    Future<Void> closed = router.close();
    await(closed); // fails if the goodbye's failure is its own
    assertThat(closed.succeeded()).isTrue();
  }
}

package io.callboard.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.store.StoreLostException;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.Waits;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** Test of what a node's failure does: it is reported once, and closes the node. */
class NodeFailureTest {
  private static final Throwable CAUSE = new IllegalStateException("it broke");

  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<Throwable> reported = new CopyOnWriteArrayList<>();

  private void awaitClosed() throws InterruptedException {
    Waits.opened(closed);
  }

  @Test
  void theHandlerMayBlockForItHasAThreadOfItsOwn() throws InterruptedException {
    CountDownLatch returned = new CountDownLatch(1);
    AtomicReference<String> thread = new AtomicReference<>();
    NodeFailure failure =
        new NodeFailure(
            cause -> {
              thread.set(Thread.currentThread().getName());
              Waits.opened(returned);
              reported.add(cause);
            });
    failure.closeWith(closed::countDown);
    failure.actorsStopped(CAUSE);
    returned.countDown(); // the failing thread went on
    awaitClosed();
    assertThat(reported).containsExactly(CAUSE);
    assertThat(thread).hasValue("callboard-node-close");
  }

  @Test
  void aNodeThatFailedBeforeItRanClosesAtOnce() throws InterruptedException {
    NodeFailure failure = new NodeFailure(reported::add);
    failure.zooKeeperStopped("the disk is full");
    failure.actorsStopped(CAUSE);
    failure.closeWith(closed::countDown);
    awaitClosed();
    assertThat(reported)
        .singleElement()
        .extracting(Throwable::getMessage)
        .isEqualTo("the disk is full");
    assertThat(failure.isStoreLost()).isTrue();
  }

  @Test
  void aHandlerThatFailsDoesNotKeepTheNodeOpen() throws InterruptedException {
    try (LogCapture log = LogCapture.of(NodeFailure.class)) {
      NodeFailure failure =
          new NodeFailure(
              cause -> {
                throw new NoClassDefFoundError("io/callboard/Gone");
              });
      failure.closeWith(closed::countDown);
      failure.actorsStopped(CAUSE);
      awaitClosed();
      log.expect(Level.ERROR, "the handler of the node's failure failed");
    }
  }

  @Test
  void aFailureDuringAnOrderlyCloseIsNoReasonForIt() {
    try (LogCapture log = LogCapture.of(NodeFailure.class)) {
      NodeFailure failure = new NodeFailure(reported::add);
      failure.closeWith(closed::countDown);
      failure.closing();
      failure.actorsStopped(new StoreLostException("a", CAUSE));
      failure.zooKeeperStopped("the disk is full");
      assertThat(failure.cause()).isEmpty();
      assertThat(failure.isStoreLost()).as("its parts need not wait for it").isTrue();
      assertThat(closed.getCount()).as("it is not closed again").isOne();
      assertThat(reported).isEmpty();
      assertThat(log.lines()).extracting(LogCapture.Line::level).containsOnly(Level.WARN);
    }
  }
}

package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Priority;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.admin.CommitCounts;
import io.callboard.admin.MailboxStatus;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of a node's measurements of itself on a real server. */
@Tag("real")
class NodeMetricsTest {
  private static final int MESSAGES = 2_000;

  /** Mail with a priority is never direct: how much is stored depends on nobody's pace. */
  private static final TellOptions BY_MAILBOX = TellOptions.priority(Priority.HIGH);

  private final Promise<Void> gate = Promise.promise();
  @RegisterExtension final NodesOnServer nodes = new NodesOnServer("measured");
  private Callboard callboard;

  record Step(boolean waits) {}

  record Sum(long value) {}

  final class Adder extends DurableStateActor<Step, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0);
    }

    @Override
    protected void protocol(Protocol<Step> on) {
      on.async(
          Step.class,
          step -> {
            update(new Sum(state().value() + 1));
            return step.waits() ? gate.future() : Future.succeededFuture();
          });
    }
  }

  @BeforeEach
  void start() {
    callboard = nodes.open("first");
  }

  @AfterEach
  void stop() {
    gate.tryComplete();
  }

  private MailboxStatus mailbox() {
    try {
      MailboxStatus status = await(callboard.admin().running()).get(0).mailbox();
      assertThat(status).isNotNull();
      return status;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void tell(int count, boolean waits) throws Exception {
    List<Future<Void>> tells = new ArrayList<>();
    ActorRef<Step> adder = callboard.durableRef("/sum/a", Step.class);
    for (int i = 0; i < count; i++) {
      tells.add(adder.tell(new Step(waits), BY_MAILBOX));
    }
    await(Future.all(tells));
  }

  @Test
  void aRunLeavesPlausibleFigures() throws Exception {
    assertThat(await(callboard.spawn("/sum/a", Adder::new, new ActorOptions()))).isNotNull();
    long begun = System.nanoTime();
    tell(MESSAGES, false);
    Eventually.assertThat(
        () -> assertThat(callboard.admin().counts().handled()).isEqualTo(MESSAGES));
    long took = System.nanoTime() - begun;
    Eventually.assertThat(
        () -> { // what the last commit leaves behind is done after it was counted
          assertThat(callboard.admin().metrics().commits().waiting()).isZero();
          assertThat(mailbox().depth()).isZero();
          assertThat(mailbox().oldestAt()).isNull();
        });
    CommitCounts commits = callboard.admin().metrics().commits();
    assertThat(commits.latency().count()).isBetween(3L, 2L * MESSAGES);
    assertThat(commits.latency().count()).isEqualTo(callboard.admin().counts().commits());
    assertThat(commits.latency().quantile(0.5)).isBetween(100_000.0, (double) took);
    assertThat(commits.latency().quantile(0.99))
        .isGreaterThanOrEqualTo(commits.latency().quantile(0.5));
    assertThat(commits.units()).isEqualTo(MESSAGES + callboard.admin().counts().turns());
    assertThat(commits.unitsPerCommit().quantile(0.99)).isGreaterThan(1);
    assertThat(commits.operations()).isGreaterThan(2 * commits.latency().count());
    assertThat(commits.bytes()).isGreaterThan(10L * MESSAGES);
    assertThat(mailbox().perSecond()).isPositive();
  }

  @Test
  void theAgeOfMailOutlivesItsOwner() throws Exception {
    assertThat(await(callboard.spawn("/sum/a", Adder::new, new ActorOptions()))).isNotNull();
    Instant before = Instant.now().minusMillis(1); // the store's time is in whole ms
    tell(1, true);
    Instant told = Instant.now();
    tell(20, false);
    Eventually.assertThat(() -> assertThat(mailbox().depth()).isEqualTo(21));
    Instant seen = mailbox().oldestAt();
    assertThat(seen).isNotNull().isBetween(before, told.plusSeconds(2));
    await(callboard.close());
    Instant later = Instant.now().plusMillis(300);
    Eventually.assertThat(() -> assertThat(Instant.now()).isAfter(later));
    callboard = nodes.open("second");
    assertThat(await(callboard.spawn("/sum/a", Adder::new, new ActorOptions()))).isNotNull();
    Eventually.assertThat(() -> assertThat(mailbox().depth()).isEqualTo(21));
    assertThat(mailbox().oldestAt())
        .as("since it was stored, not since this owner saw it")
        .isNotNull()
        .isBetween(before, later.minusMillis(250));
    gate.complete();
    Eventually.assertThat(() -> assertThat(mailbox().depth()).isZero());
  }
}

package io.callboard.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.internal.metrics.BlobMeter;
import io.callboard.internal.metrics.CommitMeter;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.Session;
import io.callboard.store.Store;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests of the requests that a committer takes while its node stops, and of a store that fails;
 * everything runs in the calling thread.
 */
class CommitterTest implements Committer.Listener {
  private static final ActorPath MAILBOX = ActorPath.of("/a");
  private static final Lease LEASE = new Lease(MAILBOX.partition(64), 1, "node", "boot", 0);

  private final Deque<Promise<CommitOutcome>> commits = new ArrayDeque<>();
  private final Deque<Promise<Session>> renewals = new ArrayDeque<>();
  private final List<Result> results = new ArrayList<>();
  private final Committer committer =
      new Committer(
          (Store) proxy(Store.class, this::store),
          (Context) proxy(Context.class, CommitterTest::here),
          Time.SYSTEM,
          new Session(64, 1, 0),
          2,
          new SplittableRandom(1),
          new CommitMeter(() -> 0),
          new BlobMeter(),
          this);

  private interface Answer {
    @Nullable Object to(String method, Object argument);
  }

  private static Object proxy(Class<?> type, Answer answer) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) ->
            answer.to(method.getName(), arguments == null ? "" : arguments[0]));
  }

  /** Every call waits for the test. */
  private Object store(String method, Object argument) {
    if (method.equals("renew")) {
      Promise<Session> renewed = Promise.promise();
      renewals.add(renewed);
      return renewed.future();
    }
    assertThat(method).isEqualTo("commit");
    assertThat(((Commit) argument).units()).isNotEmpty();
    Promise<CommitOutcome> outcome = Promise.promise();
    commits.add(outcome);
    return outcome.future();
  }

  @SuppressWarnings("unchecked")
  private static @Nullable Object here(String method, Object argument) {
    assertThat(method).isEqualTo("runOnContext");
    ((Handler<@Nullable Void>) argument).handle(null);
    return null;
  }

  @Override
  public void delivered(GroupCommit.Delivered mail) {}

  @Override
  public void mayHaveMail(ActorPath mailbox) {}

  @Override
  public void ended(Throwable cause) {
    throw new AssertionError(cause);
  }

  private static Envelope envelope(int n) {
    return new Envelope(
        new MessageId("edge", n), new MessageType("m", 1), new byte[] {'{', '}'}, null);
  }

  private void submit(int n, Optional<Lease> lease) {
    CommitUnit unit = new CommitUnit(Optional.empty(), Map.of(MAILBOX, List.of(envelope(n))));
    committer.submit(new PendingUnit(unit, lease, results::add));
  }

  @Test
  void whileItDrainsWhatComesFromOutsideIsRefusedAndActorsGoOn() {
    submit(1, Optional.empty());
    Future<Void> drained = committer.drain();
    assertThat(drained.isComplete()).isFalse();

    submit(2, Optional.empty());
    assertThat(results)
        .containsExactly(new Result.Failed(Reason.INCARNATION, "the node is stopping"));
    submit(3, Optional.of(LEASE));
    assertThat(results).as("an actor's turn waits").hasSize(1);

    commits.remove().complete(new CommitOutcome.Applied(Map.of()));
    assertThat(drained.isComplete()).as("the turn is under way").isFalse();
    commits.remove().complete(new CommitOutcome.Applied(Map.of()));
    assertThat(drained.succeeded()).isTrue();
    assertThat(results.subList(1, 3))
        .containsExactly(new Result.Committed(), new Result.Committed());
    assertThat(commits).isEmpty();
  }

  @Test
  void anErrorOfOneThatWaitsForItsUnitKeepsNoOtherFromBeingTold() {
    committer.submit(
        new PendingUnit(
            new CommitUnit(Optional.empty(), Map.of(MAILBOX, List.of(envelope(1)))),
            Optional.empty(),
            result -> {
              throw new StackOverflowError("of who waits");
            }));
    submit(2, Optional.empty());
    submit(3, Optional.empty());
    while (!commits.isEmpty()) {
      commits.remove().complete(new CommitOutcome.Applied(Map.of(MAILBOX, 0L)));
    }
    assertThat(results).hasSize(2).allMatch(Result.Committed.class::isInstance);
    assertThat(committer.drain().isComplete()).as("nothing is left under way").isTrue();
  }

  @Test
  void aStoreThatFailsInsteadOfAnsweringLeavesTheOutcomeUnknown() {
    submit(1, Optional.empty());
    commits.remove().fail(new IllegalStateException("a defect"));
    assertThat(results).isEmpty();
    renewals.remove().complete(new Session(64, 2, 1));
    assertThat(results).as("it was applied").containsExactly(new Result.Committed());
  }
}

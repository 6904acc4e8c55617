package io.callboard.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Session;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoreListener;
import io.callboard.store.StoredSegment;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Node of the cell under test: its store, its session and the hints that it received. */
final class TckNode implements StoreListener {
  private static final int MOST_AGAIN = 10;
  private static final long PATIENCE_S = 20;

  private final Store store;
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private Session session = new Session(0, 0, 0);

  TckNode(Store store) {
    this.store = store;
    store.listen(this);
  }

  Store store() {
    return store;
  }

  Session session() {
    return session;
  }

  Session open(String name, String boot, String home) {
    session = await(store.open(new NodeIdentity(name, boot, home)));
    return session;
  }

  Session renew() {
    session = await(store.renew());
    return session;
  }

  Partition partition(ActorPath actor) {
    return actor.partition(session.partitions());
  }

  /** Takes the partition of {@code actor}, whoever owns it, and returns the lease. */
  Lease claim(ActorPath actor) {
    Partition partition = partition(actor);
    Optional<Lease> seen = Optional.ofNullable(await(store.leases()).get(partition));
    return await(store.claim(partition, seen));
  }

  CommitOutcome commit(Set<Lease> leases, CommitUnit... units) {
    CommitOutcome outcome = send(session.commitNumber() + 1, leases, units);
    for (int again = 0; again < MOST_AGAIN && isAgain(outcome); again++) {
      outcome = send(session.commitNumber() + 1, leases, units);
    }
    if (outcome instanceof Applied) {
      session =
          new Session(session.partitions(), session.incarnation(), session.commitNumber() + 1);
    }
    return outcome;
  }

  private static boolean isAgain(CommitOutcome outcome) {
    return outcome instanceof Refused refused && refused.reason() == Reason.AGAIN;
  }

  /** Sends units as the commit of that number, whatever this node expects. */
  CommitOutcome send(long number, Set<Lease> leases, CommitUnit... units) {
    Commit commit = new Commit(session.incarnation(), number, leases, Arrays.asList(units));
    return await(store.commit(commit));
  }

  void applies(Lease lease, CommitUnit... units) {
    assertThat(commit(Set.of(lease), units)).isInstanceOf(Applied.class);
  }

  /** Commits units that write nothing. */
  void sends(CommitUnit... units) {
    assertThat(commit(Set.of(), units)).isInstanceOf(Applied.class);
  }

  @CanIgnoreReturnValue
  Refused refuses(Reason reason, int unit, Set<Lease> leases, CommitUnit... units) {
    CommitOutcome outcome = commit(leases, units);
    assertThat(outcome).isInstanceOf(Refused.class);
    Refused refused = (Refused) outcome;
    assertThat(refused.reason()).as(refused.detail()).isEqualTo(reason);
    assertThat(refused.unit()).as(refused.detail()).isEqualTo(unit);
    return refused;
  }

  List<StoredSegment> segments(ActorPath actor) {
    return await(store.read(actor, 0)).segments();
  }

  @CanIgnoreReturnValue
  static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(PATIENCE_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException failure) {
        throw failure;
      }
      throw new AssertionError("a store fails with StoreException only", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("no answer within %d s".formatted(PATIENCE_S), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /**
   * Waits until the store notifies of that event, or has done so since the last {@link #deaf()}.
   */
  void hears(String event) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    try {
      String next = "";
      while (next != null && !next.equals(event)) {
        next = events.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      }
      assertThat(next).as("told within %d s", PATIENCE_S).isEqualTo(event);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Forgets the events of which it was notified. */
  void deaf() {
    events.clear();
  }

  List<String> heard() {
    return List.copyOf(events);
  }

  @Override
  public void mail(ActorPath actor, long sequence) {
    events.add("mail " + actor);
  }

  @Override
  public void leaseChanged(Partition partition) {
    events.add("leaseChanged " + partition);
  }

  @Override
  public void membersChanged() {
    events.add("membersChanged");
  }

  @Override
  public void connected() {
    events.add("connected");
  }

  @Override
  public void disconnected() {
    events.add("disconnected");
  }

  @Override
  public void sessionLost() {
    events.add("sessionLost");
  }
}

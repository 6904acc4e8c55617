package io.callboard.internal.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Partition;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of the times at which leases are read, and of the listeners that are notified. */
class LeaseRefreshTest {
  private final List<String> made = new ArrayList<>();
  private final List<Promise<Void>> under = new ArrayList<>();
  private final List<Runnable> later = new ArrayList<>();
  private final List<Duration> pauses = new ArrayList<>();
  private boolean unsettled;
  private final LeaseRefresh leaseRefresh =
      new LeaseRefresh(
          new LeaseRefresh.Look() {
            @Override
            public void all(Promise<Void> done) {
              made.add("all");
              under.add(done);
            }

            @Override
            public void some(Set<Partition> which, Promise<Void> done) {
              made.add("some " + which.size());
              under.add(done);
            }

            @Override
            public boolean isUnsettled() {
              return unsettled;
            }
          },
          (pause, what) -> {
            pauses.add(pause);
            later.add(what);
          },
          () -> 0,
          new Random(7));

  private void ended(int which, Throwable cause) {
    leaseRefresh.ended(under.get(which), cause);
  }

  private static void isClosed(Future<Void> told) {
    assertThat(told.failed()).isTrue();
    assertThat(told.cause()).isInstanceOf(StoreException.class);
    assertThat(((StoreException) told.cause()).kind()).isEqualTo(StoreException.Kind.CLOSED);
  }

  @Test
  void readsAskedForDuringALookComeNextAtOnce() {
    leaseRefresh.all();
    leaseRefresh.soon(new Partition("a", 1));
    leaseRefresh.soon(new Partition("a", 2));
    assertThat(made).containsExactly("all");
    ended(0, null);
    assertThat(made).containsExactly("all", "some 2");
    ended(1, null);
    assertThat(made).hasSize(2);
  }

  @Test
  void aCallerDuringALookIsToldOfTheNext() {
    Future<Void> first = leaseRefresh.all();
    Future<Void> second = leaseRefresh.all();
    ended(0, null);
    assertThat(first.isComplete()).as("too early to tell").isFalse();
    ended(1, null);
    assertThat(first.succeeded()).isTrue();
    assertThat(second.succeeded()).isTrue();
  }

  @Test
  void aFailedLookIsRepeatedAfterAPauseWhileItIsOwed() {
    Future<Void> first = leaseRefresh.all();
    Future<Void> second = leaseRefresh.all();
    ended(0, StoreException.unavailable("away", null));
    assertThat(first.failed()).isTrue();
    assertThat(second.failed()).isTrue();
    assertThat(made).as("not before the pause is over").hasSize(1);
    later.get(0).run();
    assertThat(made).containsExactly("all", "all");
    leaseRefresh.seen();
    ended(1, null);
    assertThat(later).hasSize(1);
    leaseRefresh.soon();
    ended(2, StoreException.unavailable("away", null));
    assertThat(later).as("nothing is owed").hasSize(1);
    unsettled = true;
    leaseRefresh.soon();
    ended(3, StoreException.unavailable("away", null));
    assertThat(later).hasSize(2);
    assertThat(pauses).allSatisfy(pause -> assertThat(pause).isLessThan(Duration.ofSeconds(11)));
  }

  @Test
  void aReadThatBeganBeforeTheCallHasNotSeenWhatItWaitsFor() {
    leaseRefresh.all();
    Future<Void> seen = leaseRefresh.allSeen();
    leaseRefresh.seen();
    assertThat(seen.isComplete()).isFalse();
    ended(0, null);
    leaseRefresh.seen();
    assertThat(seen.succeeded()).isTrue();
  }

  @Test
  void aReadUnderWayEndsThoughCallersOfItAndOfTheNextWereClosed() {
    Future<Void> first = leaseRefresh.allSeen();
    Future<Void> next = leaseRefresh.allSeen();
    leaseRefresh.close();
    isClosed(first);
    isClosed(next);
    ended(0, StoreException.closed());
    assertThat(under.get(0).future().failed()).as("its own callers hear of it").isTrue();
  }

  @Test
  void aFailedReadIsRepeatedForCallersThatWaitUntilAllIsSeen() {
    Future<Void> seen = leaseRefresh.allSeen();
    ended(0, StoreException.unavailable("away", null));
    assertThat(seen.isComplete()).isFalse();
    later.get(0).run();
    Future<Void> meanwhile = leaseRefresh.allSeen();
    leaseRefresh.seen();
    assertThat(seen.succeeded()).isTrue();
    assertThat(meanwhile.isComplete()).isFalse();
  }

  @Test
  void theSoonerOfTwoTimesCounts() {
    leaseRefresh.in(2_000);
    leaseRefresh.in(1_000);
    leaseRefresh.in(3_000);
    assertThat(pauses).containsExactly(Duration.ofNanos(2_000), Duration.ofNanos(1_000));
    later.get(0).run();
    assertThat(made).as("it was overtaken").isEmpty();
    later.get(1).run();
    assertThat(made).containsExactly("some 0");
  }

  @Test
  void waitingCallersAreToldOfTheClose() {
    Future<Void> first = leaseRefresh.all();
    Future<Void> next = leaseRefresh.all();
    Future<Void> seen = leaseRefresh.allSeen();
    leaseRefresh.close();
    isClosed(seen);
    isClosed(leaseRefresh.allSeen());
    ended(0, null);
    isClosed(first);
    isClosed(next);
    assertThat(made).containsExactly("all");
    assertThat(leaseRefresh.all().succeeded()).as("nothing is left to look at").isTrue();
  }
}

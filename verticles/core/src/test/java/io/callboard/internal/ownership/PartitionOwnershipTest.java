package io.callboard.internal.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.internal.turn.Between;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Session;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of the choice of partitions that are claimed; everything runs in the calling thread. */
class PartitionOwnershipTest {
  private static final ActorPath ACTOR = ActorPath.of("/a/b");

  private final MemoryCell cell = new MemoryCell();
  private final MemoryStore store = new MemoryStore(cell);
  private final Session session = store.open(new NodeIdentity("node", "boot", "home")).result();
  private final Between<Store> between = new Between<>(Store.class, store);
  private final List<Duration> pauses = new ArrayList<>();
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private final List<String> told = new ArrayList<>();
  private Future<Void> leaving = Future.succeededFuture();
  private long nowNs;
  private final PartitionOwnership ownership =
      new PartitionOwnership(
          between.front(),
          "node",
          "boot",
          session.partitions(),
          Runnable::run,
          this::later,
          () -> nowNs,
          new SplittableRandom(1),
          new Told());
  private final Partition partition = ownership.partition(ACTOR);

  private final class Told implements PartitionOwnership.Listener {
    @Override
    public void gained(Lease lease, Claim claim) {
      String lost = claim.lostOwner().map(owner -> " from lost " + owner).orElse("");
      told.add("gained " + lease.partition() + lost);
    }

    @Override
    public Future<Void> leave(Partition which) {
      told.add("leave " + which);
      return leaving;
    }

    @Override
    public void lost(Partition which) {
      told.add("lost " + which);
    }

    @Override
    public void elsewhere(Set<Partition> partitions) {}

    @Override
    public void denied(Partition which, StoreException cause) {
      told.add("denied " + which);
    }

    @Override
    public void unreadable(Partition which, StoreException cause) {
      told.add("unreadable %s %s %s".formatted(which, cause.kind(), cause.getMessage()));
    }

    @Override
    public void looked(@Nullable StoreException denial) {}
  }

  private void later(Duration pause, Runnable task) {
    pauses.add(pause);
    waiting.add(task);
  }

  private void damage(String why) {
    between.answer("unreadableLeases", call -> Map.of(partition, why));
  }

  private static Object unavailable() {
    return Future.failedFuture(StoreException.unavailable("no connection", new IOException()));
  }

  private static Object deny() {
    return Future.failedFuture(StoreException.denied("no right", null));
  }

  @Test
  void aPartitionWhoseLeaseIsDamagedIsToldOnceAndClaimedWhenItIsMended() {
    damage("znode /o/x is damaged");
    assertThat(ownership.want(ACTOR).succeeded()).isTrue();
    assertThat(told)
        .containsExactly("unreadable %s CORRUPT znode /o/x is damaged".formatted(partition));
    assertThat(between.calls("leases")).as("it is looked at once").isEqualTo(1);
    assertThat(between.calls("claim")).isZero();

    assertThat(ownership.sweep().succeeded()).isTrue();
    assertThat(told).as("it is told once").hasSize(1);
    assertThat(ownership.want(ACTOR).succeeded()).isTrue();
    assertThat(told).as("to whoever wants it next").hasSize(2);

    between.answerNoMore("unreadableLeases");
    assertThat(ownership.sweep().succeeded()).isTrue();
    assertThat(told).last().isEqualTo("gained " + partition);
    assertThat(ownership.lease(ACTOR)).isPresent();
  }

  /** A previous owner that is gone and one that gave the partition back are different cases. */
  @Test
  void anOwnerThatTakesOverFromALostNodeIsToldWhich() {
    MemoryStore other = new MemoryStore(cell);
    Session unused = other.open(new NodeIdentity("other", "boot-2", "elsewhere")).result();
    Lease lease = other.claim(partition, Optional.empty()).result();
    assertThat(ownership.want(ACTOR).succeeded()).isTrue();
    assertThat(told).as("its owner lives").isEmpty();
    assertThat(other.expire().succeeded()).isTrue();
    assertThat(ownership.sweep().succeeded()).isTrue();
    assertThat(told).containsExactly("gained %s from lost other".formatted(partition));
    assertThat(lease.owner()).isEqualTo("other");
  }

  @Test
  void anOwnerOfAPartitionGivenBackIsToldOfNoLostNode() {
    MemoryStore other = new MemoryStore(cell);
    Session unused = other.open(new NodeIdentity("other", "boot-2", "elsewhere")).result();
    Lease lease = other.claim(partition, Optional.empty()).result();
    assertThat(other.release(lease).succeeded()).isTrue();
    assertThat(other.close().succeeded()).isTrue();
    assertThat(ownership.want(ACTOR).succeeded()).isTrue();
    assertThat(told).containsExactly("gained " + partition);
  }

  @Test
  void aDamagedLeaseKeepsNoOtherPartitionFromBeingClaimed() {
    damage("damaged");
    assertThat(ownership.wantSpace("a").succeeded()).isTrue();
    assertThat(ownership.ownedPartitions())
        .hasSize(session.partitions() - 1)
        .doesNotContain(partition);
  }

  @Test
  void aClaimThatFailsIsRepeatedSoon() {
    between.answer("claim", 2, call -> unavailable());
    assertThat(ownership.want(ACTOR).failed()).isTrue();
    assertThat(told).isEmpty();
    waiting.remove().run();
    assertThat(told).as("it failed again").isEmpty();
    waiting.remove().run();
    assertThat(told).containsExactly("gained " + partition);
    assertThat(waiting).isEmpty();
    assertThat(pauses.get(0)).isBetween(Duration.ofMillis(125), Duration.ofMillis(250));
    assertThat(pauses.get(1)).isBetween(Duration.ofMillis(250), Duration.ofMillis(500));
  }

  @Test
  void aLookThatWasAskedForMeanwhileIsNotForgottenWhenTheOneUnderWayFails() {
    assertThat(ownership.want(ACTOR).succeeded()).isTrue();
    Promise<Object> leases = Promise.promise();
    between.answer("leases", 1, call -> leases.future());
    Future<Void> first = ownership.sweep();
    Future<Void> second = ownership.sweep();
    leases.fail(StoreException.unavailable("no connection", new IOException()));
    assertThat(first.failed() && second.failed()).isTrue();
    int before = between.calls("leases");
    waiting.remove().run();
    assertThat(between.calls("leases")).isEqualTo(before + 1);
    assertThat(waiting).isEmpty();
  }

  @Test
  void thePauseGrowsToALimitAndThereIsOneAtATime() {
    between.answer("leases", call -> unavailable());
    assertThat(ownership.want(ACTOR).failed()).isTrue();
    assertThat(ownership.sweep().failed()).isTrue();
    assertThat(waiting).as("one pause").hasSize(1);
    for (int i = 0; i < 100; i++) {
      waiting.remove().run();
    }
    assertThat(pauses).allMatch(pause -> pause.compareTo(Duration.ofSeconds(10)) <= 0);
    assertThat(pauses.get(99)).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
    between.answerNoMore("leases");
    assertThat(ownership.sweep().succeeded()).isTrue();
    int before = between.calls("leases");
    waiting.remove().run();
    assertThat(between.calls("leases")).as("another look was made").isEqualTo(before);
  }

  @Test
  void aDeniedClaimAndANeedlessLookAreNotRepeated() {
    between.answer("claim", 1, call -> deny());
    assertThat(ownership.want(ACTOR).failed()).isTrue();
    assertThat(waiting).as("it is denied").isEmpty();
    assertThat(ownership.want(ACTOR).succeeded()).isTrue();
    between.answer("leases", 1, call -> unavailable());
    assertThat(ownership.sweep().failed()).isTrue();
    assertThat(waiting).as("nothing is lacking").isEmpty();
  }

  @Test
  void aChangeThatCouldNotBeReadIsLookedAtWhateverComesBetween() {
    assertThat(ownership.want(ACTOR).succeeded()).isTrue();
    between.answer("leases", 1, call -> unavailable());
    ownership.changed(partition);
    assertThat(waiting).hasSize(1);
    ownership.drain(false); // a look without reading
    int before = between.calls("leases");
    waiting.remove().run();
    assertThat(between.calls("leases")).isEqualTo(before + 1);
  }

  @Test
  void aRoleThatIsForgoneIsGivenBackAtLastWhateverFails() {
    ActorPath role = ActorPath.of("/roles/cashier");
    assertThat(ownership.want(role).succeeded()).isTrue();
    assertThat(ownership.lease(role)).isPresent();
    between.answer("release", 2, call -> unavailable());
    ownership.forgo(Partition.ofRole("cashier"));
    assertThat(told).contains("leave " + Partition.ofRole("cashier"));
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
    assertThat(store.leases().result().get(Partition.ofRole("cashier")).isFree()).isTrue();
  }

  @Test
  void aPartitionThatCameBackWhileItsOldLeaseRestedIsNotGivenBack() {
    MemoryStore other = new MemoryStore(cell);
    Session unused = other.open(new NodeIdentity("other", "boot-2", "elsewhere")).result();
    assertThat(ownership.want(ACTOR).succeeded()).isTrue();
    Promise<Void> atRest = Promise.promise();
    leaving = atRest.future();
    ownership.forgo(partition);
    Lease mine = store.leases().result().get(partition);
    Lease theirs = other.claim(partition, Optional.of(mine)).result();
    assertThat(ownership.sweep().succeeded()).isTrue();
    assertThat(other.release(theirs).succeeded()).isTrue();
    assertThat(ownership.want(ACTOR).succeeded()).isTrue();
    assertThat(ownership.lease(ACTOR)).isPresent();
    atRest.complete();
    assertThat(ownership.lease(ACTOR)).as("it is another lease").isPresent();
  }

  @Test
  void nothingIsRepeatedOrKeptAfterTheClose() {
    between.answer("leases", 1, call -> unavailable());
    assertThat(ownership.want(ACTOR).failed()).isTrue();
    assertThat(ownership.close().succeeded()).isTrue();
    waiting.remove().run();
    assertThat(between.calls("leases")).isEqualTo(1);
  }

  @Test
  void aLeaseThatIsGrantedAfterTheCloseIsGivenBack() {
    Promise<Object> claimed = Promise.promise();
    Promise<Void> reply = Promise.promise();
    between.answer(
        "claim",
        call -> {
          ((Future<?>) call.goOn()).onComplete(done -> claimed.complete(done.result()));
          return reply.future().compose(v -> claimed.future());
        });
    Future<Void> wanted = ownership.want(ACTOR);
    assertThat(ownership.close().succeeded()).isTrue();
    reply.complete();
    assertThat(wanted.succeeded()).isTrue();
    assertThat(told).isEmpty();
    assertThat(store.leases().result().get(partition).isFree()).isTrue();
  }
}

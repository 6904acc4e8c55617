package io.callboard.testkit.tck;

import static io.callboard.testkit.tck.TckNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.Lease;
import io.callboard.store.StoreException.Kind;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Cases of the ownership of partitions, and of the fencing of former owners. */
interface LeaseCases extends TckStage {
  Partition ANY = new Partition("space", 3);

  @Test
  default void aPartitionNeverOwnedIsAbsent() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    node.sends(TckUnit.tell(actor, "x", 1));
    assertThat(await(node.store().leases())).isEmpty();
    assertThat(await(node.store().withMail(new Partition("elsewhere", 3)))).isEmpty();
  }

  @Test
  default void aClaimIsSeenByAll() {
    TckNode node = open("node");
    TckNode other = open("other");
    Lease lease = await(node.store().claim(ANY, Optional.empty()));
    assertThat(lease.epoch()).isEqualTo(1);
    assertThat(lease.owner()).isEqualTo("node");
    assertThat(lease.isFree()).isFalse();
    assertThat(await(other.store().leases())).containsOnly(Map.entry(ANY, lease));
  }

  @Test
  default void aClaimNeedsTheLeaseAsItIs() {
    TckNode node = open("node");
    TckNode other = open("other");
    Lease first = await(node.store().claim(ANY, Optional.empty()));
    fails(Kind.CONFLICT, other.store().claim(ANY, Optional.empty()));
    Lease second = await(other.store().claim(ANY, Optional.of(first)));
    fails(Kind.CONFLICT, node.store().claim(ANY, Optional.of(first)));
    assertThat(second.epoch()).isEqualTo(2);
    assertThat(second.owner()).isEqualTo("other");
    assertThat(await(node.store().leases()).get(ANY)).isEqualTo(second);
  }

  @Test
  default void ofTwoClaimsAtOnceOneWins() {
    TckNode node = open("node");
    TckNode other = open("other");
    for (int number = 0; number < 8; number++) {
      Partition partition = new Partition("race", number);
      List<Future<Lease>> claims =
          List.of(
              node.store().claim(partition, Optional.empty()),
              other.store().claim(partition, Optional.empty()));
      await(Future.join(claims).<Void>mapEmpty().otherwiseEmpty());
      assertThat(claims.stream().filter(Future::succeeded)).hasSize(1);
    }
  }

  @Test
  default void aReleasedPartitionIsFreeAndItsEpochGoesOn() {
    TckNode node = open("node");
    Lease lease = await(node.store().claim(ANY, Optional.empty()));
    await(node.store().release(lease));
    Lease free = await(node.store().leases()).getOrDefault(ANY, lease);
    assertThat(free.isFree()).isTrue();
    assertThat(free.epoch()).isEqualTo(1);
    fails(Kind.CONFLICT, node.store().release(lease));
    assertThat(await(node.store().claim(ANY, Optional.of(free))).epoch()).isEqualTo(2);
  }

  @Test
  default void aReleasedPartitionTellsWhomItIsForUntilItIsClaimed() {
    TckNode node = open("node");
    Lease lease = await(node.store().claim(ANY, Optional.empty()));
    await(node.store().release(lease.handedTo("other")));
    Lease free = await(node.store().leases()).getOrDefault(ANY, lease);
    assertThat(free.isFree()).isTrue();
    assertThat(free.last()).isEqualTo("node");
    assertThat(free.to()).isEqualTo("other");
    assertThat(await(node.store().claim(ANY, Optional.of(free))).to()).isEmpty();
    assertThat(await(node.store().leases()).getOrDefault(ANY, lease).to()).isEmpty();
  }

  @Test
  default void everybodyHearsOfALeaseThatChanges() {
    TckNode node = open("node");
    TckNode other = open("other");
    Lease lease = await(node.store().claim(ANY, Optional.empty()));
    other.hears("leaseChanged " + ANY);
    other.deaf();
    await(node.store().release(lease));
    other.hears("leaseChanged " + ANY);
    other.deaf();
    Lease free = await(other.store().leases(Set.of(ANY))).getOrDefault(ANY, lease);
    assertThat(await(other.store().claim(ANY, Optional.of(free))).owner()).isEqualTo("other");
    node.hears("leaseChanged " + ANY);
  }

  @Test
  default void someLeasesCanBeRead() {
    TckNode node = open("node");
    Partition role = Partition.ofRole("some-role");
    Partition never = new Partition("space", 4);
    Lease first = await(node.store().claim(ANY, Optional.empty()));
    Lease second = await(node.store().claim(role, Optional.empty()));
    assertThat(await(node.store().leases(Set.of(role, never))))
        .containsOnly(Map.entry(role, second));
    assertThat(await(node.store().leases(Set.of()))).isEmpty();
    assertThat(await(node.store().leases()))
        .containsOnly(Map.entry(ANY, first), Map.entry(role, second));
  }

  @Test
  default void leasesOutliveTheSession() {
    TckNode node = open("node");
    TckNode other = open("other");
    Lease lease = await(node.store().claim(ANY, Optional.empty()));
    await(node.store().close());
    assertThat(await(other.store().leases()).get(ANY)).isEqualTo(lease);
  }

  @Test
  default void anOwnerThatWasReplacedIsFenced() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath actor = mailbox(node, "/space/a");
    Lease old = node.claim(actor);
    node.applies(old, TckUnit.turn(actor, 0, 1).unit());
    Lease current = other.claim(actor);
    node.refuses(Reason.FENCED, 0, Set.of(old), TckUnit.turn(actor, 1, 2).unit());
    fails(Kind.CONFLICT, node.store().load(actor, old));
    assertThat(await(other.store().load(actor, current)).record().orElseThrow().version())
        .isEqualTo(1);
    other.applies(current, TckUnit.turn(actor, 1, 2).unit());
  }

  @Test
  default void aReleasedLeaseFencesToo() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    await(node.store().release(lease));
    node.refuses(Reason.FENCED, 0, Set.of(lease), TckUnit.turn(actor, 0, 1).unit());
  }

  @Test
  default void aTurnNeedsALease() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    node.refuses(Reason.FENCED, 0, Set.of(), TckUnit.turn(actor, 0, 1).unit());
    assertThat(await(node.store().actor(actor)).orElseThrow().record().turn()).isZero();
  }

  @Test
  default void theFencedUnitIsNamed() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath mine = mailbox(node, "/mine/a");
    ActorPath lost = mailbox(node, "/lost/a");
    Set<Lease> leases = Set.of(node.claim(mine), node.claim(lost));
    assertThat(other.claim(lost).epoch()).isEqualTo(2);
    node.refuses(
        Reason.FENCED, 1, leases, TckUnit.turn(mine, 0, 1).unit(), TckUnit.turn(lost, 0, 1).unit());
  }
}

package io.callboard.testkit.tck;

import static io.callboard.testkit.tck.TckNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Unknown;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.StoredSegment;
import io.callboard.testkit.tck.TckCell.Loss;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Cases of connections that break in the middle of a commit. */
interface FaultCases extends TckStage {
  @Test
  default void afterALostReplyRenewTellsThatItWasApplied() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    cell().loseNext(node.store(), Loss.REPLY);
    CommitUnit unit = TckUnit.tell(actor, "x", 1);
    assertThat(node.commit(Set.of(), unit)).isInstanceOf(Unknown.class);
    node.refuses(Reason.INCARNATION, -1, Set.of(), unit);
    assertThat(node.renew().commitNumber()).isEqualTo(1);
    assertThat(node.segments(actor)).hasSize(1);
    node.sends(TckUnit.tell(actor, "x", 2));
    assertThat(node.segments(actor)).extracting(StoredSegment::sequence).containsExactly(0L, 1L);
  }

  @Test
  default void afterALostRequestRenewTellsThatItWasNotApplied() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    cell().loseNext(node.store(), Loss.REQUEST);
    CommitUnit unit = TckUnit.tell(actor, "x", 1);
    assertThat(node.commit(Set.of(), unit)).isInstanceOf(Unknown.class);
    node.refuses(Reason.INCARNATION, -1, Set.of(), unit);
    assertThat(node.renew().commitNumber()).isZero();
    assertThat(node.segments(actor)).isEmpty();
    node.sends(unit);
    assertThat(node.segments(actor)).hasSize(1);
  }

  @Test
  default void aTurnIsResolvedThroughManyLosses() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    ActorPath peer = mailbox(node, "/space/b");
    Lease lease = node.claim(actor);
    int version = 0;
    for (Loss loss : List.of(Loss.REPLY, Loss.REQUEST, Loss.REPLY)) {
      CommitUnit turn =
          TckUnit.turn(actor, version, version + 1).journal("turn").sends(peer, version + 1).unit();
      cell().loseNext(node.store(), loss);
      long before = node.session().commitNumber();
      assertThat(node.commit(Set.of(lease), turn)).isInstanceOf(Unknown.class);
      if (node.renew().commitNumber() == before) {
        node.applies(lease, turn);
      }
      version++;
    }
    assertThat(await(node.store().load(actor, lease)).record().orElseThrow().version())
        .isEqualTo(3);
    assertThat(await(node.store().load(actor, lease)).journal()).hasSize(3);
    assertThat(node.segments(peer))
        .flatExtracting(TckUnit::ids)
        .containsExactly("/space/a#1", "/space/a#2", "/space/a#3");
  }

  @Test
  default void aRefusalWhoseReplyIsLostIsNotApplied() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    CommitUnit stale = TckUnit.turn(actor, 4, 1).unit();
    cell().loseNext(node.store(), Loss.REPLY);
    assertThat(node.commit(Set.of(lease), stale)).isInstanceOf(Unknown.class);
    assertThat(node.renew().commitNumber()).isZero();
    node.refuses(Reason.STALE, 0, Set.of(lease), stale);
  }

  @Test
  default void leasesAndMailSurviveALostConnection() {
    TckNode node = open("node");
    TckNode sender = open("sender");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    cell().loseNext(node.store(), Loss.REQUEST);
    CommitOutcome lost = node.commit(Set.of(lease), TckUnit.turn(actor, 0, 1).unit());
    assertThat(lost).isInstanceOf(Unknown.class);
    sender.sends(TckUnit.tell(actor, "x", 1));
    assertThat(node.renew().commitNumber()).isZero();
    assertThat(await(node.store().leases()).get(lease.partition())).isEqualTo(lease);
    assertThat(await(node.store().load(actor, lease)).mail().segments()).hasSize(1);
    assertThat(node.commit(Set.of(lease), TckUnit.turn(actor, 0, 1).upTo(1, 0, 0L).unit()))
        .isInstanceOf(Applied.class);
  }

  @Test
  default void theNextOwnerGoesOnWhereAZombieEnded() {
    TckNode zombie = open("zombie");
    TckNode next = open("next");
    ActorPath actor = mailbox(zombie, "/space/a");
    Lease old = zombie.claim(actor);
    zombie.sends(TckUnit.tell(actor, "x", 1));
    cell().expire(zombie.store());
    zombie.hears("sessionLost");
    Lease current = next.claim(actor);
    assertThat(zombie.renew().incarnation()).isPositive();
    CommitUnit turn = TckUnit.turn(actor, 0, 1).upTo(1, 0, 0L).unit();
    zombie.refuses(Reason.FENCED, 0, Set.of(old), turn);
    assertThat(await(next.store().load(actor, current)).mail().segments()).hasSize(1);
    next.applies(current, turn);
  }
}

package io.callboard.testkit.tck;

import static io.callboard.testkit.tck.TckNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.Member;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Session;
import io.callboard.store.StoreException.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Cases of sessions: open, renew, close and membership. */
interface SessionCases extends TckStage {
  @Test
  default void aCellHasItsPartitionsFromBirth() {
    TckNode first = open("first");
    TckNode second = open("second");
    assertThat(first.session().partitions()).isPositive();
    assertThat(second.session().partitions()).isEqualTo(first.session().partitions());
  }

  @Test
  default void theIncarnationRisesWithEachOpenAndRenew() {
    TckNode node = node();
    Session opened = node.open("node", "boot-1", "home");
    Session renewed = node.renew();
    assertThat(renewed.incarnation()).isGreaterThan(opened.incarnation());
    await(node.store().close());
    assertThat(node().open("node", "boot-2", "home").incarnation())
        .isGreaterThan(renewed.incarnation());
  }

  @Test
  default void theCommitNumberOutlivesTheProcess() {
    TckNode node = node();
    assertThat(node.open("node", "boot-1", "home").commitNumber()).isZero();
    ActorPath actor = mailbox(node, "/space/a");
    node.sends(TckUnit.tell(actor, "x", 1));
    node.sends(TckUnit.tell(actor, "x", 2));
    await(node.store().close());
    assertThat(node().open("node", "boot-2", "home").commitNumber()).isEqualTo(2);
  }

  @Test
  default void aCommitBuiltBeforeARenewalIsRefused() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Session renewed = await(node.store().renew());
    assertThat(renewed.incarnation()).isGreaterThan(node.session().incarnation());
    node.refuses(Reason.INCARNATION, -1, Set.of(), TckUnit.tell(actor, "x", 1));
    assertThat(node.segments(actor)).isEmpty();
  }

  @Test
  default void aCommitThatIsNotTheNextOfItsNodeIsRefused() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    for (long number : new long[] {0, 2, 7}) {
      assertThat(node.send(number, Set.of(), TckUnit.tell(actor, "x", 1)))
          .isInstanceOfSatisfying(
              io.callboard.store.CommitOutcome.Refused.class,
              refused ->
                  assertThat(refused.reason())
                      .isEqualTo(number == 0 ? Reason.INCARNATION : Reason.AGAIN));
    }
    assertThat(node.renew().commitNumber()).isZero();
    node.sends(TckUnit.tell(actor, "x", 1));
  }

  @Test
  default void aDeadProcessOfTheSameHomeGivesItsNameAtOnce() {
    TckNode dead = node();
    TckNode next = node();
    Session before = dead.open("node", "boot-1", "home");
    ActorPath actor = mailbox(dead, "/space/a");
    Session after = next.open("node", "boot-2", "home");
    assertThat(after.incarnation()).isGreaterThan(before.incarnation());
    dead.refuses(Reason.INCARNATION, -1, Set.of(), TckUnit.tell(actor, "x", 1));
    fails(Kind.NAME_TAKEN, dead.store().renew());
    next.sends(TckUnit.tell(actor, "x", 1));
    assertThat(await(next.store().members())).extracting(Member::bootId).containsExactly("boot-2");
  }

  @Test
  default void theNameOfALiveNodeIsRefused() {
    TckNode first = node();
    TckNode second = node();
    assertThat(first.open("node", "boot-1", "home-1").incarnation()).isNotNegative();
    fails(Kind.NAME_TAKEN, second.store().open(new NodeIdentity("node", "boot-2", "home-2")));
    ActorPath actor = mailbox(first, "/space/a");
    first.sends(TckUnit.tell(actor, "x", 1));
    assertThat(await(first.store().members())).extracting(Member::bootId).containsExactly("boot-1");
  }

  @Test
  default void theNameOfAClosedNodeIsFree() {
    TckNode first = open("node");
    await(first.store().close());
    TckNode second = open("node");
    assertThat(await(second.store().members())).extracting(Member::name).containsExactly("node");
  }

  @Test
  default void membersAreTheLiveNodesWithWhatTheyPublish() {
    TckNode first = open("first");
    TckNode second = open("second");
    first.hears("membersChanged");
    assertThat(await(first.store().members()))
        .extracting(Member::name)
        .containsExactlyInAnyOrder("first", "second");
    first.deaf();
    await(second.store().publish(Map.of("http", "127.0.0.1:1")));
    first.hears("membersChanged");
    assertThat(await(first.store().members()))
        .extracting(Member::facts)
        .containsExactlyInAnyOrder(Map.of(), Map.of("http", "127.0.0.1:1"));
    first.deaf();
    await(second.store().close());
    first.hears("membersChanged");
    assertThat(await(first.store().members())).extracting(Member::name).containsExactly("first");
  }

  /**
   * An invalid fact fails the future and is not thrown, as a caller may wait for the future alone.
   */
  @Test
  default void aFactThatIsNoneFailsItsFutureAndNoOther() {
    TckNode node = open("node");
    Map<String, String> lacking = new HashMap<>();
    lacking.put("k", null);
    Throwable cause = await(node.store().publish(lacking).<Throwable>mapEmpty().otherwise(e -> e));
    assertThat(cause).isInstanceOf(RuntimeException.class);
    await(node.store().publish(Map.of("k", "v")));
    assertThat(await(node.store().members()))
        .extracting(Member::facts)
        .containsExactly(Map.of("k", "v"));
  }

  @Test
  default void factsOutliveARenewal() {
    TckNode node = open("node");
    await(node.store().publish(Map.of("k", "v")));
    cell().expire(node.store());
    node.hears("sessionLost");
    assertThat(node.renew().incarnation()).isPositive();
    assertThat(await(node.store().members()))
        .extracting(Member::facts)
        .containsExactly(Map.of("k", "v"));
  }

  @Test
  default void anExpiredSessionIsReportedAndRenewedUnderTheSameName() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    cell().expire(node.store());
    node.hears("sessionLost");
    node.refuses(Reason.INCARNATION, -1, Set.of(), TckUnit.tell(actor, "x", 1));
    long before = node.session().incarnation();
    assertThat(node.renew().incarnation()).isGreaterThan(before);
    node.hears("connected");
    node.sends(TckUnit.tell(actor, "x", 1));
    assertThat(await(node.store().members())).extracting(Member::name).containsExactly("node");
  }

  @Test
  default void aClosedStoreDoesNothing() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    await(node.store().close());
    await(node.store().close());
    fails(Kind.CLOSED, node.store().leases());
    fails(Kind.CLOSED, node.store().renew());
    fails(Kind.CLOSED, node.store().read(actor, 0));
    node.refuses(Reason.INCARNATION, -1, Set.of(), TckUnit.tell(actor, "x", 1));
    assertThat(List.copyOf(await(open("other").store().peek(actor, 1)))).isEmpty();
  }
}

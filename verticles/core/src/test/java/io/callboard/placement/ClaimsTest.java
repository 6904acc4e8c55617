package io.callboard.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Partition;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of the decisions of one node, seen from itself: "me", beside "you" and "they". */
class ClaimsTest {
  private static final Partition ROLE = Partition.ofRole("cashier");
  private static final long SETTLED = Claims.SETTLED_NANOS;

  private final Claims claims = new Claims("me", "boot-me");
  private final Map<Partition, Lease> leases = new HashMap<>();
  private long nowNs = 1_000;

  private static Member member(String name, Offer offer) {
    Map<String, String> facts = offer == Offer.NONE ? Map.of() : Map.of(Offer.FACT, offer.fact());
    return new Member(name, "boot-" + name, Instant.EPOCH, facts);
  }

  private static Offer hosts(String... spaces) {
    return new Offer(Set.of(spaces), Set.of(), 1, false);
  }

  private static Offer drains(Offer offer) {
    return new Offer(offer.spaces(), offer.roles(), offer.weight(), true);
  }

  private static final Offer HOLDS = new Offer(Set.of(), Set.of("cashier"), 1, false);

  private static Lease lease(Partition partition, long epoch, String owner) {
    return new Lease(partition, epoch, owner, owner.isEmpty() ? "" : "boot-" + owner, (int) epoch);
  }

  private Decisions look(Member... members) {
    claims.saw(leases, Set.of(), List.of(members), nowNs);
    return claims.decide(nowNs);
  }

  private void grant(Partition partition) {
    Lease lease = lease(partition, 1, "me");
    leases.put(partition, lease);
    claims.granted(lease, nowNs);
  }

  /** One whose first is that node, of those of two that host the space. */
  private static Partition of(String first, String second) {
    for (int i = 0; ; i++) {
      Partition partition = new Partition("s", i);
      if (RendezvousHash.score(partition.toString(), first, 1)
          > RendezvousHash.score(partition.toString(), second, 1)) {
        return partition;
      }
    }
  }

  @Test
  void aWantedPartitionThatNobodyOwnsIsClaimed() {
    Partition partition = new Partition("s", 0);
    claims.want(partition, WantReason.SPAWNED);
    assertThat(look(member("me", Offer.NONE)).claims())
        .containsExactly(new Claim(partition, Optional.empty(), VacancyReason.NONE_BEFORE));
    Lease free = lease(partition, 4, "");
    leases.put(partition, free);
    assertThat(look(member("me", Offer.NONE)).claims())
        .containsExactly(new Claim(partition, Optional.of(free), VacancyReason.NONE_BEFORE));
  }

  @Test
  void theFirstOfTheRankingClaimsAtOnceTheSecondAfterAGrace() {
    Partition mine = of("me", "you");
    Partition yours = of("you", "me");
    claims.want(mine, WantReason.HOSTED);
    claims.want(yours, WantReason.HOSTED);
    Decisions first = look(member("me", Offer.NONE), member("you", hosts("s")));
    assertThat(first.claims()).extracting(Claim::partition).containsExactly(mine);
    assertThat(first.lookAgainNanos()).contains(Claims.GRACE_NANOS);
    grant(mine);
    nowNs += Claims.GRACE_NANOS - 1;
    assertThat(look(member("me", hosts("s")), member("you", hosts("s"))).claims()).isEmpty();
    nowNs += 1;
    assertThat(look(member("me", hosts("s")), member("you", hosts("s"))).claims())
        .extracting(Claim::partition)
        .containsExactly(yours);
  }

  @Test
  void aPartitionOfALiveNodeIsElsewhereUntilItIsGone() {
    Partition partition = new Partition("s", 0);
    claims.want(partition, WantReason.SPAWNED);
    Lease theirs = lease(partition, 3, "you");
    leases.put(partition, theirs);
    Decisions before = look(member("me", Offer.NONE), member("you", Offer.NONE));
    assertThat(before.claims()).isEmpty();
    assertThat(before.elsewhere()).containsExactly(partition);
    assertThat(claims.elsewhere(partition)).contains(theirs);
    Decisions after = look(member("me", Offer.NONE));
    assertThat(after.claims())
        .containsExactly(new Claim(partition, Optional.of(theirs), VacancyReason.SESSION_ENDED));
    assertThat(after.claims().get(0).lostOwner()).contains("you");
  }

  @Test
  void aSuspectedOwnerIsReplacedAndOneThatIsTrustedAgainIsNot() {
    Partition partition = new Partition("s", 0);
    claims.want(partition, WantReason.SPAWNED);
    leases.put(partition, lease(partition, 3, "you"));
    assertThat(look(member("me", Offer.NONE), member("you", Offer.NONE)).claims()).isEmpty();
    claims.suspect("boot-you", Optional.of(VacancyReason.PROCESS_GONE));
    assertThat(claims.decide(nowNs).claims())
        .extracting(Claim::loss)
        .containsExactly(VacancyReason.PROCESS_GONE);
    assertThat(claims.isLive("boot-you")).isFalse();
    claims.suspect("boot-you", Optional.empty());
    assertThat(claims.decide(nowNs).claims()).isEmpty();
    claims.suspect("boot-me", Optional.of(VacancyReason.SILENT));
    assertThat(claims.isLive("boot-me")).as("it knows better").isTrue();
  }

  @Test
  void aNodeSuspectedBeforeTheMembersWereSeenStaysSuspected() {
    Partition yours = of("you", "me");
    claims.want(yours, WantReason.HOSTED);
    claims.suspect("boot-you", Optional.of(VacancyReason.SILENT));
    assertThat(look(member("me", hosts("s")), member("you", hosts("s"))).claims()).hasSize(1);
    assertThat(claims.isLive("boot-you")).isFalse();
    claims.saw(leases, Set.of(), List.of(member("me", hosts("s"))), nowNs);
    claims.saw(
        leases, Set.of(), List.of(member("me", hosts("s")), member("you", hosts("s"))), nowNs);
    assertThat(claims.isLive("boot-you")).as("it had gone, and came back").isTrue();
  }

  /** Whoever is heard by nobody and still takes leases lives: it writes the store. */
  @Test
  void aSuspectedNodeThatTakesALeaseLives() {
    Partition one = new Partition("s", 0);
    Partition two = new Partition("s", 1);
    claims.want(one, WantReason.SPAWNED);
    leases.put(one, lease(one, 3, "you"));
    Member[] both = {member("me", Offer.NONE), member("you", Offer.NONE)};
    assertThat(look(both).claims()).isEmpty();
    claims.suspect("boot-you", Optional.of(VacancyReason.SILENT));
    leases.put(two, lease(two, 8, "you")); // before the first look: that was under way
    assertThat(look(both).claims()).hasSize(1);
    leases.put(one, lease(one, 5, "you"));
    assertThat(look(both).claims()).isEmpty();
    assertThat(claims.isLive("boot-you")).isTrue();
  }

  @Test
  void aNodeThatDoesNotTakeAPartitionIsOfferedItAgainLater() {
    Partition yours = of("you", "me");
    claims.want(yours, WantReason.HOSTED);
    Member[] both = {member("me", hosts("s")), member("you", hosts("s"))};
    assertThat(look(both).claims()).isEmpty();
    grant(yours);
    long waited = 0;
    for (int round = 0; round < 4; round++) {
      nowNs += SETTLED;
      long begunNs = nowNs;
      while (look(both).handOvers().isEmpty()) {
        nowNs += SETTLED / 4;
      }
      assertThat(nowNs - begunNs).isGreaterThanOrEqualTo(round == 0 ? 0 : waited);
      waited = nowNs - begunNs;
      claims.released(lease(yours, 1, "me"));
      grant(yours); // nobody took it
    }
    assertThat(waited).isGreaterThan(5 * SETTLED);
  }

  @Test
  void aDrainingNodeWaitsBeforeItOffersAPartitionAgain() {
    Partition mine = of("me", "you");
    claims.want(mine, WantReason.HOSTED);
    Member[] both = {member("me", hosts("s")), member("you", hosts("s"))};
    assertThat(look(both).claims()).hasSize(1);
    grant(mine);
    claims.drain(true);
    assertThat(look(both).handOvers()).hasSize(1);
    claims.released(lease(mine, 1, "me"));
    grant(mine);
    nowNs += SETTLED;
    assertThat(look(both).handOvers()).isEmpty();
    nowNs += SETTLED;
    assertThat(look(both).handOvers()).hasSize(1);
  }

  /** Kept, the partition would keep the actors from running that others host there. */
  @Test
  void aNodeThatOnlySpawnedInASpaceGivesItToThoseThatHostIt() {
    Partition some = new Partition("s", 0);
    claims.want(some, WantReason.SPAWNED);
    Member[] both = {member("me", Offer.NONE), member("you", hosts("s"))};
    assertThat(look(both).claims()).isEmpty();
    nowNs += Claims.GRACE_NANOS;
    assertThat(look(both).claims()).hasSize(1);
    grant(some);
    nowNs += SETTLED;
    assertThat(look(both).handOvers()).containsExactly(some);
  }

  @Test
  void aLeaseOfThisNodeThatItDoesNotWantIsGivenBack() {
    Partition partition = new Partition("s", 0);
    Lease mine = lease(partition, 3, "me");
    leases.put(partition, mine);
    assertThat(look(member("me", Offer.NONE)).releases()).containsExactly(mine);
    claims.released(mine);
    assertThat(claims.decide(nowNs).releases()).isEmpty();
  }

  @Test
  void aHostedPartitionGoesToItsFirstOnceThatHasSettled() {
    Partition yours = of("you", "me");
    claims.want(yours, WantReason.HOSTED);
    assertThat(look(member("me", hosts("s"))).claims()).hasSize(1);
    grant(yours);
    nowNs += 10 * SETTLED;
    Decisions joined = look(member("me", hosts("s")), member("you", hosts("s")));
    assertThat(joined.handOvers()).isEmpty();
    assertThat(joined.lookAgainNanos()).contains(SETTLED);
    nowNs += SETTLED;
    assertThat(claims.decide(nowNs).handOvers()).containsExactly(yours);
    assertThat(claims.lease(yours)).as("nothing begins there any more").isEmpty();
    assertThat(claims.held(yours)).isPresent();
    assertThat(claims.decide(nowNs).handOvers()).as("once").isEmpty();
    claims.released(lease(yours, 1, "me"));
    assertThat(claims.decide(nowNs).claims()).as("it is the other's turn").isEmpty();
  }

  @Test
  void fewMoveAtATimeForBalance() {
    for (int i = 0; i < 100; i++) {
      Partition partition = new Partition("s", i);
      claims.want(partition, WantReason.HOSTED);
      grant(partition);
    }
    look(member("me", hosts("s")), member("you", hosts("s")));
    nowNs += SETTLED;
    assertThat(claims.decide(nowNs).handOvers()).hasSize(Claims.MOST_MOVING);
    assertThat(claims.decide(nowNs).handOvers()).isEmpty();
  }

  @Test
  void aRoleStaysUntilItIsAskedForOrItsNodeDrains() {
    claims.want(ROLE, WantReason.ROLE);
    grant(ROLE);
    nowNs += 10 * SETTLED;
    Member[] both = {member("me", HOLDS), member("you", HOLDS)};
    assertThat(look(both).handOvers()).isEmpty();
    nowNs += 10 * SETTLED;
    assertThat(look(both).handOvers()).isEmpty();
    claims.yield(ROLE, nowNs);
    assertThat(look(both).handOvers()).containsExactly(ROLE);
    claims.released(lease(ROLE, 1, "me"));
    leases.put(ROLE, lease(ROLE, 1, "me").released(Instant.EPOCH));
    assertThat(claims.decide(nowNs).claims()).as("it was given away").isEmpty();
    nowNs += Claims.YIELD_NANOS + 1 + Claims.GRACE_NANOS;
    assertThat(claims.decide(nowNs).claims()).as("nobody took it").hasSize(1);
  }

  @Test
  void aRoleThatWasHandedOverAndTakenIsWantedAgain() {
    claims.want(ROLE, WantReason.ROLE);
    grant(ROLE);
    Member[] both = {member("me", HOLDS), member("you", HOLDS)};
    claims.yield(ROLE, nowNs);
    assertThat(look(both).handOvers()).containsExactly(ROLE);
    claims.released(lease(ROLE, 1, "me"));
    leases.put(ROLE, lease(ROLE, 2, "you"));
    assertThat(look(both).claims()).isEmpty();
    leases.put(ROLE, lease(ROLE, 2, "you").released(Instant.EPOCH));
    assertThat(look(both).claims()).hasSize(1);
  }

  @Test
  void theNodeThatGaveAPartitionBackComesLast() {
    Partition yours = of("you", "me");
    claims.want(yours, WantReason.ROLE);
    leases.put(yours, lease(yours, 1, "you").released(Instant.EPOCH));
    assertThat(look(member("me", hosts("s")), member("you", hosts("s"))).claims()).hasSize(1);
  }

  /** Whatever the ranking says, and whatever those after it see. */
  @Test
  void theOneThatItWasHandedOverToClaimsFirst() {
    claims.want(ROLE, WantReason.ROLE);
    Member[] three = {member("me", HOLDS), member("you", HOLDS), member("they", HOLDS)};
    leases.put(ROLE, lease(ROLE, 1, "they").handedTo("you").released(Instant.EPOCH));
    assertThat(look(three).claims()).isEmpty();
    nowNs += Claims.GRACE_NANOS;
    assertThat(claims.decide(nowNs).claims()).as("you did not take it").hasSize(1);
    leases.put(ROLE, lease(ROLE, 1, "they").handedTo("me").released(Instant.EPOCH));
    assertThat(look(three).claims()).hasSize(1);
  }

  @Test
  void aDrainingNodeGivesRolesToThoseWithTheFewest() {
    Offer many = new Offer(Set.of(), Set.of("r0", "r1", "r2", "r3"), 1, false);
    for (int i = 0; i < 4; i++) {
      claims.want(Partition.ofRole("r" + i), WantReason.ROLE);
      grant(Partition.ofRole("r" + i));
    }
    leases.put(ROLE, lease(ROLE, 1, "you"));
    claims.drain(true);
    Decisions all = look(member("me", many), member("you", many), member("they", many));
    assertThat(all.handOvers()).hasSize(4);
    assertThat(all.handOvers().stream().map(claims::successor))
        .containsOnly("you", "they")
        .filteredOn("they"::equals)
        .as("you hold one more")
        .hasSizeBetween(2, 3);
  }

  private static Member on(String machine, String name) {
    Locality locality = new Locality(machine, Map.of());
    return member(name, new Offer(Set.of(), Set.of("cashier"), 1, false, locality, Map.of()));
  }

  /**
   * Nodes on other machines come before those on the machine of the lost one, which may be gone as
   * well.
   */
  @Test
  void aNodeOnAnotherMachineTakesARoleOver() {
    claims.want(ROLE, WantReason.ROLE);
    for (String machine : List.of("a", "b")) {
      leases.put(ROLE, lease(ROLE, 1, "they"));
      Member me = on(machine, "me");
      Member you = on(machine.equals("a") ? "b" : "a", "you");
      assertThat(look(me, you, on("a", "they")).claims()).isEmpty();
      assertThat(Ranking.of(List.of(me, you, on("a", "they"))).standby(ROLE, "boot-they"))
          .contains(machine.equals("a") ? you : me);
      assertThat(look(me, you).claims()).hasSize(machine.equals("b") ? 1 : 0);
    }
  }

  @Test
  void aRoleThatNobodyElseOffersIsNotGivenAway() {
    claims.want(ROLE, WantReason.ROLE);
    grant(ROLE);
    claims.yield(ROLE, nowNs);
    assertThat(look(member("me", HOLDS), member("you", hosts("s"))).handOvers()).isEmpty();
    claims.drain(true);
    assertThat(look(member("me", HOLDS), member("you", drains(HOLDS))).handOvers()).isEmpty();
    assertThat(look(member("me", HOLDS), member("you", HOLDS)).handOvers()).containsExactly(ROLE);
  }

  @Test
  void aForgoneRoleIsGivenBackWhetherOthersOfferItOrNot() {
    claims.want(ROLE, WantReason.ROLE);
    grant(ROLE);
    assertThat(look(member("me", HOLDS)).handOvers()).isEmpty();
    claims.forgo(ROLE);
    assertThat(look(member("me", Offer.NONE)).handOvers()).containsExactly(ROLE);
    claims.released(lease(ROLE, 1, "me"));
    assertThat(claims.decide(nowNs).claims()).isEmpty();
  }

  @Test
  void aDrainingNodeClaimsOnlyWhatNobodyElseOffers() {
    Partition mine = of("me", "you");
    claims.want(mine, WantReason.HOSTED);
    claims.drain(true);
    assertThat(look(member("me", hosts("s")), member("you", hosts("s"))).claims()).isEmpty();
    assertThat(look(member("me", hosts("s"))).claims()).hasSize(1);
  }

  @Test
  void aPartitionThatAnotherNodeTookIsLost() {
    Partition partition = new Partition("s", 0);
    claims.want(partition, WantReason.SPAWNED);
    assertThat(look(member("me", Offer.NONE)).claims()).hasSize(1);
    grant(partition);
    leases.put(partition, lease(partition, 2, "you"));
    Decisions now = look(member("me", Offer.NONE), member("you", Offer.NONE));
    assertThat(now.lost()).containsExactly(partition);
    assertThat(claims.lease(partition)).isEmpty();
    assertThat(now.claims()).isEmpty();
  }

  @Test
  void aClaimWhoseAnswerWasLostIsMadeAgain() {
    Partition partition = new Partition("s", 0);
    claims.want(partition, WantReason.SPAWNED);
    leases.put(partition, lease(partition, 1, "me"));
    assertThat(look(member("me", Offer.NONE)).claims())
        .extracting(Claim::loss)
        .containsExactly(VacancyReason.OWN);
  }

  @Test
  void anUnreadableLeaseIsToldOnceAndClaimedByNobody() {
    Partition partition = new Partition("s", 0);
    claims.want(partition, WantReason.SPAWNED);
    for (boolean first : new boolean[] {true, false}) {
      claims.saw(leases, Set.of(partition), List.of(member("me", Offer.NONE)), nowNs);
      Decisions now = claims.decide(nowNs);
      assertThat(now.claims()).isEmpty();
      assertThat(now.unreadable()).hasSize(first ? 1 : 0);
    }
  }

  @Test
  void anOfferThatCannotBeReadIsNone() {
    Member strange =
        new Member("you", "boot-you", Instant.EPOCH, Map.of(Offer.FACT, "{\"f\":1,\"weight\":-3}"));
    assertThat(Offer.of(strange)).isEqualTo(Offer.NONE);
    Offer offer = new Offer(Set.of("s"), Set.of("cashier"), 2.5, true);
    assertThat(Offer.of(member("you", offer))).isEqualTo(offer);
    String newer = offer.fact().replace("\"f\":1", "\"f\":2,\"colour\":\"red\"");
    assertThat(Offer.of(new Member("you", "b", Instant.EPOCH, Map.of(Offer.FACT, newer))))
        .isEqualTo(offer);
  }
}

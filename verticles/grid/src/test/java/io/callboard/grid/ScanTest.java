package io.callboard.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.grid.Finding.Kind;
import io.callboard.placement.Locality;
import io.callboard.placement.Offer;
import io.callboard.placement.Ranking;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScanTest {
  private static final Partition ROLE = Partition.ofRole("cashier");
  private static final Partition SOME = new Partition("s", 1);

  private final Scan scan = new Scan();
  private final Map<Partition, Lease> leases = new HashMap<>();

  private static Member member(String name, Set<String> spaces, Set<String> roles) {
    Offer offer = new Offer(spaces, roles, 1, false);
    return new Member(name, "boot-" + name, Instant.EPOCH, Map.of(Offer.FACT, offer.fact()));
  }

  private static Member holds(String name) {
    return member(name, Set.of("s"), Set.of("cashier", NodeActor.role(name)));
  }

  private void own(Partition partition, String node) {
    leases.put(partition, new Lease(partition, 1, node, node.isEmpty() ? "" : "boot-" + node, 0));
  }

  private Scan.Result twice(List<Member> members, ActorPath... mail) {
    Map<Partition, ActorPath> withMail = new HashMap<>();
    for (ActorPath path : mail) {
      withMail.put(path.partition(64), path);
    }
    assertThat(scan.look(leases, Ranking.of(members), withMail, ReportedProblems.NONE).findings())
        .as("once")
        .isEmpty();
    return scan.look(leases, Ranking.of(members), withMail, ReportedProblems.NONE);
  }

  @Test
  void aGridThatIsAsItShouldBeHasNoFindings() {
    List<Member> members = List.of(holds("a"), holds("b"));
    own(ROLE, "a");
    own(SOME, Ranking.of(members).of(SOME).get(0).name());
    assertThat(twice(members).findings()).isEmpty();
    assertThat(twice(members).lookers()).isEmpty();
  }

  @Test
  void aPartitionWithoutAnOwnerIsReportedAndItsCandidatesAreAskedToCheck() {
    own(ROLE, "gone");
    own(SOME, "");
    Scan.Result result = twice(List.of(holds("a"), holds("b")));
    assertThat(result.findings())
        .extracting(Finding::kind)
        .containsExactly(Kind.ROLE_WITHOUT_HOLDER, Kind.PARTITION_WITHOUT_OWNER);
    assertThat(result.lookers()).containsExactly("a", "b");
  }

  @Test
  void aRoleWithoutStandbyIsReportedIfThereAreOtherNodes() {
    own(ROLE, "a");
    assertThat(twice(List.of(holds("a"))).findings()).isEmpty();
    assertThat(twice(List.of(holds("a"), member("b", Set.of(), Set.of()))).findings())
        .extracting(Finding::kind)
        .containsExactly(Kind.ROLE_WITHOUT_STANDBY);
  }

  private static Member on(String machine, String name, String... roles) {
    Offer offer =
        new Offer(Set.of(), Set.of(roles), 1, false, new Locality(machine, Map.of()), Map.of());
    return new Member(name, "boot-" + name, Instant.EPOCH, Map.of(Offer.FACT, offer.fact()));
  }

  @Test
  void aStandbyOnTheMachineOfItsHolderIsReportedIfThereIsAnotherMachine() {
    own(ROLE, "a");
    Member holder = on("m1", "a", "cashier");
    Member beside = on("m1", "b", "cashier");
    assertThat(twice(List.of(holder, beside)).findings()).as("there is one machine").isEmpty();
    assertThat(twice(List.of(holder, beside, on("m2", "c"))).findings())
        .containsExactly(
            new Finding(
                Kind.ROLE_WITHOUT_STANDBY,
                "cashier",
                "node a holds it, and no live node on another machine offers it"));
    assertThat(twice(List.of(holder, beside, on("m2", "c", "cashier"))).findings()).isEmpty();
  }

  @Test
  void aRoleThatNoLiveNodeMayHoldIsReportedWithTheMissingLabels() {
    Locality plain = new Locality("m", Map.of());
    Offer offer =
        new Offer(Set.of(), Set.of(), 1, false, plain, Map.of("cashier", "disk=ssd,zone=eu-1"));
    Member unfit = new Member("b", "boot-b", Instant.EPOCH, Map.of(Offer.FACT, offer.fact()));
    assertThat(twice(List.of(unfit)).findings())
        .containsExactly(
            new Finding(
                Kind.ROLE_WITHOUT_HOLDER,
                "cashier",
                "no node holds it: it requires the labels disk=ssd,zone=eu-1, and no live node that"
                    + " declares it and is not draining has them"));
    own(ROLE, "a");
    assertThat(twice(List.of(holds("a"), unfit)).findings())
        .as("a fit one holds it, and has no standby")
        .extracting(Finding::kind)
        .containsExactly(Kind.ROLE_WITHOUT_STANDBY);
  }

  @Test
  void mailThatNobodyCouldHandleIsReported() {
    ActorPath actor = ActorPath.of("/lost/actor");
    Partition lost = actor.partition(64);
    own(ROLE, "a");
    assertThat(twice(List.of(holds("a")), actor).findings())
        .extracting(Finding::kind, Finding::what)
        .containsExactly(tuple(Kind.MAIL_FOR_NOBODY, "lost"));
    assertThat(Scan.ownerless(Set.of(lost, SOME), leases, Ranking.of(List.of(holds("a")))))
        .containsExactly(lost, SOME);
    own(SOME, "a");
    assertThat(Scan.ownerless(Set.of(lost, SOME), leases, Ranking.of(List.of(holds("a")))))
        .containsExactly(lost);
  }

  @Test
  void mailForWhichTheOwnerRunsNoActorIsReported() {
    own(ROLE, "a");
    Ranking alone = Ranking.of(List.of(holds("a")));
    Map<String, List<ActorPath>> unhandled = Map.of("a", List.of(ActorPath.of("/s/other/x")));
    assertThat(
            scan.look(
                    leases,
                    alone,
                    Map.of(),
                    new ReportedProblems(unhandled, Map.of(), Map.of(), Map.of(), Map.of()))
                .findings())
        .isEmpty();
    assertThat(
            scan.look(
                    leases,
                    alone,
                    Map.of(),
                    new ReportedProblems(unhandled, Map.of(), Map.of(), Map.of(), Map.of()))
                .findings())
        .extracting(Finding::kind, Finding::what)
        .containsExactly(tuple(Kind.MAIL_FOR_NOBODY, "s/other/x"));
    assertThat(scan.look(leases, alone, Map.of(), ReportedProblems.NONE).findings()).isEmpty();
  }

  @Test
  void mailWhereNobodyEverOwnedThePartitionIsForThoseThatCould() {
    own(ROLE, "a");
    ActorPath actor = ActorPath.of("/s/waits");
    Scan.Result result = twice(List.of(holds("a")), actor);
    assertThat(result.findings())
        .extracting(Finding::kind, Finding::what)
        .containsExactly(tuple(Kind.PARTITION_WITHOUT_OWNER, actor.partition(64).toString()));
    assertThat(result.lookers()).containsExactly("a");
  }

  @Test
  void aPartitionOutOfPlaceIsReportedToItsOwner() {
    List<Member> members = List.of(holds("a"), holds("b"));
    own(ROLE, "a");
    own(SOME, Ranking.of(members).of(SOME).get(1).name());
    Scan.Result result = twice(members);
    assertThat(result.findings()).extracting(Finding::kind).containsExactly(Kind.OUT_OF_PLACE);
    assertThat(result.lookers()).containsExactly(Ranking.of(members).of(SOME).get(1).name());
  }

  @Test
  void aPartitionThatIsRepairedBetweenTwoLooksIsNotFound() {
    own(ROLE, "gone");
    List<Member> members = List.of(holds("a"));
    assertThat(scan.look(leases, Ranking.of(members), Map.of(), ReportedProblems.NONE).findings())
        .isEmpty();
    own(ROLE, "a");
    assertThat(scan.look(leases, Ranking.of(members), Map.of(), ReportedProblems.NONE).findings())
        .isEmpty();
  }

  @Test
  void anActorOfTheToolkitThatWasStoppedIsFoundUntilItRuns() {
    Ranking alone = Ranking.of(List.of());
    Map<String, List<ActorPath>> down = Map.of("a", List.of(ActorPath.of("/jobs/gate")));
    assertThat(
            scan.look(
                    Map.of(),
                    alone,
                    Map.of(),
                    new ReportedProblems(Map.of(), down, Map.of(), Map.of(), Map.of()))
                .findings())
        .isEmpty();
    assertThat(
            scan.look(
                    Map.of(),
                    alone,
                    Map.of(),
                    new ReportedProblems(Map.of(), down, Map.of(), Map.of(), Map.of()))
                .findings())
        .singleElement()
        .satisfies(found -> assertThat(found.kind()).isEqualTo(Kind.TOOLKIT_ACTOR_DOWN))
        .satisfies(found -> assertThat(found.what()).isEqualTo("jobs/gate"));
    assertThat(scan.look(Map.of(), alone, Map.of(), ReportedProblems.NONE).findings()).isEmpty();
  }

  @Test
  void aHostedActorThatGaveUpIsFoundWithItsCauseUntilItRuns() {
    Ranking alone = Ranking.of(List.of());
    Map<ActorPath, String> failed = Map.of(ActorPath.of("/shops/x"), "no stock");
    ReportedProblems reports =
        new ReportedProblems(Map.of(), Map.of(), Map.of("a", failed), Map.of(), Map.of());
    assertThat(scan.look(Map.of(), alone, Map.of(), reports).findings()).isEmpty();
    assertThat(scan.look(Map.of(), alone, Map.of(), reports).findings())
        .containsExactly(
            new Finding(
                Kind.HOSTED_ACTOR_FAILED,
                "shops/x",
                "it failed permanently on node a after \"no stock\": its mail waits, and the node"
                    + " resumes it by itself, again and again",
                "a"));
    assertThat(scan.look(Map.of(), alone, Map.of(), ReportedProblems.NONE).findings()).isEmpty();
  }

  /**
   * Kinds that older nodes cannot read are in a field that they skip, in the state and in the fact.
   */
  @Test
  void olderNodesReadTheFindingsOfNewerOnes() {
    Finding known = new Finding(Kind.CLOCKS_DIFFER, "a, b", "x");
    Finding later = new Finding(Kind.HOSTED_ACTOR_FAILED, "shops/x", "y");
    GridMonitor.Found found = GridMonitor.Found.of(List.of(later, known), Map.of(), EventLog.EMPTY);
    assertThat(found.findings()).containsExactly(known);
    assertThat(found.all()).containsExactly(known, later);
    assertThat(GridMonitor.Found.of(List.of(known), Map.of(), EventLog.EMPTY).later()).isNull();
    String older = "{\"f\":1,\"findings\":[]}";
    Member holder = new Member("a", "boot-a", Instant.EPOCH, Map.of(GridMonitor.FACT, older));
    assertThat(GridMonitor.published(holder).items()).isEmpty();
  }

  @Test
  void aHostThatCanDoNoWorkIsFound() {
    Ranking alone = Ranking.of(List.of());
    Map<String, String> faults = Map.of("b", "cannot write below /data/runs");
    assertThat(
            scan.look(
                    Map.of(),
                    alone,
                    Map.of(),
                    new ReportedProblems(Map.of(), Map.of(), Map.of(), Map.of(), faults))
                .findings())
        .isEmpty();
    assertThat(
            scan.look(
                    Map.of(),
                    alone,
                    Map.of(),
                    new ReportedProblems(Map.of(), Map.of(), Map.of(), Map.of(), faults))
                .findings())
        .containsExactly(new Finding(Kind.HOST_FAULT, "b", "cannot write below /data/runs"));
  }
}

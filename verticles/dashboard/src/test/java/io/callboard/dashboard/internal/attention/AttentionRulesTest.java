package io.callboard.dashboard.internal.attention;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.grid.Finding;
import io.callboard.grid.MissingNode;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceView;
import io.callboard.store.Member;
import io.callboard.workflows.model.BrakeChange;
import io.callboard.workflows.model.BrakeLevel;
import io.callboard.workflows.model.BrakeView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule finds what it is about, and nothing when that has passed. */
class AttentionRulesTest {
  @ParameterizedTest
  @MethodSource("io.callboard.dashboard.internal.attention.TroubleCases#cases")
  void aTroubleAppearsAndVanishes(TroubleCases.Case each) {
    World world = new World();
    assertThat(world.troubles()).isEmpty();
    each.begins().accept(world);
    List<Trouble> found = world.troubles();
    assertThat(found).hasSize(1);
    Trouble trouble = found.get(0);
    assertThat(trouble.rule()).isEqualTo(each.rule());
    assertThat(trouble.severity()).isEqualTo(each.severity());
    assertThat(trouble.subject()).isEqualTo(new Subject(each.kind(), each.subject(), each.node()));
    assertThat(trouble.cause()).contains(each.cause());
    assertThat(trouble.action().label()).isNotEmpty();
    each.ends().accept(world);
    assertThat(world.troubles()).isEmpty();
  }

  @Test
  void noRuleIsWithoutACase() {
    Set<Rule> covered = EnumSet.noneOf(Rule.class);
    TroubleCases.cases().forEach(each -> covered.add(each.rule()));
    assertThat(covered).containsExactly(Rule.values());
  }

  @Test
  void theMostUrgentTroublesComeFirstThenTheOldest() {
    World world = new World();
    world.types.add(TroubleCases.type(true, 1, 1));
    world.dead.add(TroubleCases.dead("a", 10, "exit code 3"));
    world.dead.add(TroubleCases.dead("b", 100, "killed"));
    world.missing.add(World.lost(null));
    assertThat(world.troubles())
        .extracting(Trouble::rule)
        .containsExactly(Rule.NODE_LOST, Rule.JOBS_DEAD, Rule.JOBS_DEAD, Rule.TYPE_PAUSED);
    assertThat(world.troubles().get(1).cause()).contains("killed");
    assertThat(new HashSet<>(world.troubles().stream().map(Trouble::id).toList())).hasSize(4);
  }

  @Test
  void someTroublesOfEachRuleAreListedAndTheOthersCounted() {
    World world = new World();
    for (int i = 0; i < 50; i++) {
      String path = "/many/a" + i;
      world.actors.add(World.actor(path, ActorStatus.State.FAILED, null, null, null, null));
    }
    world.missing.add(World.lost(null));
    AttentionRules.Found found = AttentionRules.check(world.facts(), World.NOW);
    assertThat(found.items()).hasSize(21);
    assertThat(found.omittedInAll()).isEqualTo(30);
    assertThat(found.omitted()).isEqualTo(Map.of(Severity.CRITICAL, 30));
  }

  @Test
  void anOldTroubleNeverHidesAMoreUrgentOne() {
    World world = new World();
    for (int i = 0; i < 25; i++) {
      SourceView paused = World.source("old" + i, SourceStatus.PAUSED, "paused by ana");
      world.sources.add(paused);
    }
    world.sources.add(World.source("broken", SourceStatus.BACKOFF, "it is opened again"));
    AttentionRules.Found found = AttentionRules.check(world.facts(), World.NOW);
    assertThat(found.items()).hasSize(AttentionRules.MOST_OF_RULE);
    assertThat(found.items().get(0).subject().name()).isEqualTo("broken");
    assertThat(found.omitted()).isEqualTo(Map.of(Severity.NOTICE, 6));
  }

  @Test
  void factsThatWereReadUpToALimitAreCountedAsAtLeast() {
    World world = new World();
    world.dead.add(TroubleCases.dead("a", 100, "exit code 3"));
    world.moreDead = true;
    assertThat(world.troubles().get(0).cause()).startsWith("at least 1 job has died");
    world.dead.clear();
    for (int i = 0; i < FactsReader.MOST_PARKED; i++) {
      world.parked.add(new ParkedMessage("/shop/shelf", "no room"));
    }
    assertThat(world.troubles().get(0).cause()).startsWith("at least 500 messages are parked");
  }

  @Test
  void aBrakeThatRisesAgainSaysWhyItFell() {
    World world = new World();
    String failed = "20 of 30 instances failed";
    BrakeChange fell = new BrakeChange(BrakeLevel.REDUCED, 4, failed, World.ago(9));
    BrakeChange rose = new BrakeChange(BrakeLevel.REDUCED, 5, "all went well", World.ago(3));
    world.brakes.add(changed(4, failed, List.of(fell)));
    assertThat(world.troubles().get(0).cause()).containsOnlyOnce("failed").doesNotContain("fell");
    world.brakes.set(0, changed(5, "all went well", List.of(rose, fell)));
    assertThat(world.troubles().get(0).cause())
        .contains("all went well; it fell last because 20 of 30 instances failed; ");
  }

  private static BrakeView changed(int credit, String cause, List<BrakeChange> changes) {
    return new BrakeView(
        "index",
        BrakeLevel.REDUCED,
        credit,
        World.ago(3),
        cause,
        0,
        null,
        null,
        credit,
        1,
        changes);
  }

  @Test
  void anActorThatFailedIsOneTroubleThoughTheMonitorFindsItToo() {
    World world = new World();
    world.actors.add(World.actor("/alone", ActorStatus.State.FAILED, null, null, null, null));
    TroubleCases.findings(world, Finding.Kind.HOSTED_ACTOR_FAILED, "alone");
    assertThat(world.troubles()).hasSize(1);
    assertThat(world.troubles().get(0).cause()).contains("it slipped");
  }

  @Test
  void anActorIsResumedHereOnlyIfItIsHere() {
    World world = new World();
    Finding.Kind failed = Finding.Kind.HOSTED_ACTOR_FAILED;
    world.findings.add(new Finding(failed, "shop/a", "it failed", "node-a"));
    world.findings.add(new Finding(failed, "shop/b", "it failed", "node-b"));
    world.findings.add(new Finding(failed, "shop/c", "an older monitor found it"));
    List<Action> actions = world.troubles().stream().map(Trouble::action).toList();
    assertThat(actions)
        .extracting(Action::post)
        .containsExactly("/actors/shop/a/resume", "/actors/shop/b/resume?node=node-b", null);
    assertThat(actions.get(1).label()).isEqualTo("resume it on node node-b");
    assertThat(actions.get(1).command()).isEqualTo("callboard actors resume /shop/b --node node-b");
    assertThat(actions.get(2).command()).isNull();
  }

  @Test
  void anActorOfAnotherNodeIsOneTroubleThoughTheMonitorFindsItToo() {
    World world = new World();
    NodeTroubleCases.row(world, "worst", "/shop/b", "FAILED", 90);
    world.findings.add(
        new Finding(Finding.Kind.HOSTED_ACTOR_FAILED, "shop/b", "it failed", "node-b"));
    assertThat(world.troubles()).hasSize(1);
    assertThat(world.troubles().get(0).cause()).isEqualTo("it slipped; 4 messages wait");
    assertThat(world.troubles().get(0).action().post())
        .isEqualTo("/actors/shop/b/resume?node=node-b");
  }

  /** It starts, runs and waits in turn, which is one trouble all the time. */
  @Test
  void anActorThatKeepsFailingIsOneTroubleInEachOfItsStates() {
    World world = new World();
    Set<Trouble> found = new HashSet<>();
    for (ActorStatus.State state :
        List.of(ActorStatus.State.WAITS, ActorStatus.State.STARTING, ActorStatus.State.RUNNING)) {
      world.actors.clear();
      world.actors.add(World.failing(state, 7, 200, 90, 2));
      found.addAll(world.troubles());
    }
    assertThat(found).hasSize(1);
    Trouble trouble = found.iterator().next();
    assertThat(trouble.rule()).isEqualTo(Rule.KEEPS_FAILING);
    assertThat(trouble.since()).isEqualTo(World.ago(200));
    assertThat(trouble.cause())
        .isEqualTo("7 failures since it last ran well, the last: it slipped; 2 messages wait");
    assertThat(trouble.action().command()).isEqualTo("callboard actors show /alone");
  }

  @Test
  void anActorThatRunsOnWithoutMailIsNotSaidToFailBeforeItDoesAgain() {
    World world = new World();
    world.actors.add(World.failing(ActorStatus.State.RUNNING, 7, 200, 61, 0));
    assertThat(world.troubles()).isEmpty();
    world.actors.set(0, World.failing(ActorStatus.State.RUNNING, 8, 200, 1, 0));
    assertThat(world.troubles()).extracting(Trouble::rule).containsExactly(Rule.KEEPS_FAILING);
    world.actors.set(0, World.failing(ActorStatus.State.RUNNING, 8, 200, 61, 1));
    assertThat(world.troubles())
        .as("it may be at what it fails with")
        .extracting(Trouble::rule)
        .containsExactly(Rule.KEEPS_FAILING);
  }

  @Test
  void aSingleFailureIsAWaitHoweverLongAgoItWas() {
    World world = new World();
    world.actors.add(World.failing(ActorStatus.State.WAITS, 1, 200, 200, 2));
    assertThat(world.troubles()).extracting(Trouble::rule).containsExactly(Rule.LONG_WAIT);
  }

  @Test
  void whileTheStoreIsAwayNobodyIsSaidToStayInterrupted() {
    for (int more : new int[] {0, 99_000}) {
      World world = new World();
      world.actors.add(World.interrupted("/alone", 600, 3));
      world.moreInterrupted = more;
      NodeTroubleCases.interrupted(world, 1 + more);
      assertThat(world.troubles())
          .extracting(Trouble::rule)
          .containsExactly(Rule.STAYS_INTERRUPTED, Rule.STAYS_INTERRUPTED);
      world.membersError = "connection loss";
      assertThat(world.troubles())
          .extracting(Trouble::rule)
          .containsExactly(Rule.STORE_UNREACHABLE);
    }
  }

  @Test
  void actorsThatStayInterruptedAreListedOneByOneOnlyIfFew() {
    World world = new World();
    for (int i = 0; i < AttentionRules.MOST_OF_RULE; i++) {
      world.actors.add(World.interrupted("/stuck/a" + i, 600 + i, 3));
    }
    assertThat(world.troubles()).hasSize(AttentionRules.MOST_OF_RULE);
    assertThat(world.troubles().get(0).subject().name()).isEqualTo("/stuck/a19");
    assertThat(world.troubles().get(0).since()).isEqualTo(World.ago(619));
    assertThat(world.troubles().get(0).action().command())
        .isEqualTo("callboard actors show /stuck/a19");
    world.moreInterrupted = 1;
    AttentionRules.Found found = AttentionRules.check(world.facts(), World.NOW);
    assertThat(found.items()).hasSize(1);
    assertThat(found.omittedInAll()).as("they are counted there").isZero();
    assertThat(found.items().get(0).cause())
        .isEqualTo("21 of its actors stay interrupted, /stuck/a19 for longest: it slipped");
    assertThat(found.items().get(0).since()).isEqualTo(World.ago(619));
  }

  @Test
  void anActorThatFailsAndIsInterruptedIsReportedAsFailing() {
    World world = new World();
    NodeTroubleCases.failing(world, "failing", "WAITS", 7 + 61);
    NodeTroubleCases.interrupted(world, 1);
    assertThat(world.troubles()).extracting(Trouble::rule).containsExactly(Rule.KEEPS_FAILING);
  }

  @Test
  void theSamePathOnTwoNodesIsTwoTroubles() {
    World world = new World();
    world.actors.add(World.actor("/alone", ActorStatus.State.FAILED, null, null, null, null));
    NodeTroubleCases.row(world, "worst", "/alone", "FAILED", 90);
    assertThat(new HashSet<>(world.troubles().stream().map(Trouble::id).toList())).hasSize(2);
  }

  @Test
  void aFindingOfAnOlderMonitorIsThatOfTheNodeThatSaysItItself() {
    World world = new World();
    NodeTroubleCases.row(world, "worst", "/shop/b", "FAILED", 90);
    world.findings.add(
        new Finding(Finding.Kind.HOSTED_ACTOR_FAILED, "shop/b", "an older monitor found it"));
    assertThat(world.troubles())
        .extracting(trouble -> trouble.subject().name() + " on " + trouble.subject().node())
        .containsExactly("/shop/b on node-b");
  }

  @Test
  void aSilentSuspectIsOneTrouble() {
    World world = new World();
    world.others.set(0, World.silent(null, 60));
    world.missing.add(new MissingNode("node-b", "boot-node-b", true, null));
    assertThat(world.troubles()).extracting(Trouble::rule).containsExactly(Rule.NODE_SUSPECT);
  }

  @Test
  void whileTheStoreIsAwayNobodyIsSaidToBeSilent() {
    World world = new World();
    world.others.set(0, World.silent(null, 60));
    world.membersError = "connection loss";
    assertThat(world.troubles()).extracting(Trouble::rule).containsExactly(Rule.STORE_UNREACHABLE);
  }

  @Test
  void aMemberIsSilentWhenQuestionsHaveFailedForAWhileHoweverLongAgoItWasAsked() {
    World world = new World();
    for (int failed : new int[] {0, 10, 11}) {
      for (Instant asked : new Instant[] {null, World.ago(failed), World.ago(3_600)}) {
        Reading<ObjectNode> none = new Reading<>(null, asked, "no handlers", World.ago(failed));
        Member member = new Member("node-b", "boot-node-b", World.ago(7_200), Map.of());
        world.others.set(0, new OtherNode(member, none));
        assertThat(world.troubles())
            .as("asked at %s, fails for %d s", asked, failed)
            .hasSize(failed > 10 ? 1 : 0);
      }
    }
  }

  @Test
  void troublesOfASilentNodeShowTheTimeOfItsLastReport() {
    World world = new World();
    ObjectNode rollUp = World.wellRollUp();
    world.others.set(0, World.answers(rollUp));
    NodeTroubleCases.row(world, "worst", "/a", "FAILED", 90);
    world.others.set(0, World.silent(rollUp, 60));
    assertThat(world.troubles())
        .extracting(Trouble::rule)
        .containsExactly(Rule.ACTOR_FAILED, Rule.NODE_SILENT);
    assertThat(world.troubles().get(1).cause())
        .isEqualTo("node node-b does not answer; what is listed of it is as of " + World.ago(60));
    assertThat(world.troubles().get(1).since()).isEqualTo(World.ago(59));
  }

  @Test
  void partitionsOutOfPlaceAreOneTroubleWithoutThoseOfAMissingNode() {
    World world = new World();
    for (int i = 0; i < 30; i++) {
      world.findings.add(outOfPlace("jobs~" + i, i % 2 == 0 ? "node-b" : "node-c"));
    }
    assertThat(world.troubles())
        .singleElement()
        .extracting(Trouble::cause)
        .isEqualTo(
            "30 partitions are not where the ranking places them; jobs~0: node node-a owns it, and"
                + " node node-b should");
    world.missing.add(new MissingNode("node-b", "boot-node-b", true, null));
    assertThat(world.troubles())
        .extracting(Trouble::rule)
        .containsExactly(Rule.NODE_SUSPECT, Rule.GRID_FINDING);
    assertThat(world.troubles().get(1).cause())
        .startsWith("15 partitions are not")
        .contains("jobs~1:");
  }

  private static Finding outOfPlace(String partition, String should) {
    return new Finding(
        Finding.Kind.OUT_OF_PLACE,
        partition,
        "node node-a owns it, and node %s should".formatted(should),
        should);
  }

  @Test
  void mailIsNotSaidToBeHandledWhileTheStoreIsAway() {
    World world = new World();
    world.actors.add(
        World.actor(
            "/slow", ActorStatus.State.RUNNING, null, TroubleCases.mail(61, 0), null, null));
    world.membersError = "connection loss";
    assertThat(world.troubles())
        .filteredOn(trouble -> trouble.rule() == Rule.OLD_MAIL)
        .extracting(Trouble::cause)
        .containsExactly("at least 3 messages wait, and none is handled: the store is away");
  }

  @Test
  void onlyReadingsThatWereMadeAreNamed() {
    World world = new World();
    assertThat(read(world))
        .isEqualTo(
            "the members of the cell; what its monitor finds; actors, failure zones, circuits,"
                + " mailboxes and threads of all 2 nodes; parked messages; types of jobs; jobs that"
                + " died in the last hour; runs without progress and kills that failed; brakes of"
                + " workflows; steps that wait for a worker; sources");
    world.there().remove("circuits");
    assertThat(read(world))
        .contains("of all 2 nodes, but not circuits, full zones and the age of mail of node-b;");
    world.there().remove("failing");
    assertThat(read(world))
        .contains(
            ", full zones and the age of mail of node-b and not what keeps failing of node-b;");
    world.there().remove("interrupted");
    assertThat(read(world))
        .contains(
            " and not what keeps failing of node-b and not what stays interrupted of node-b;");
    world.others.set(0, World.silent(World.wellRollUp(), 3));
    assertThat(world.troubles()).as("a moment").isEmpty();
    assertThat(read(world)).contains("threads of 1 of 2 nodes;");
    world.parts.clear();
    world.members.remove(1);
    world.others.clear();
    assertThat(read(world)).contains("threads of node node-a;").endsWith("parked messages");
  }

  private static String read(World world) {
    return AttentionRules.check(world.facts(), World.NOW).read();
  }

  @Test
  void whileTheStoreIsAwayOnlyThatIsATrouble() {
    World world = new World();
    world.membersError = "connection loss";
    world.sourcesError = "connection loss";
    assertThat(world.troubles()).extracting(Trouble::rule).containsExactly(Rule.STORE_UNREACHABLE);
    assertThat(world.troubles().get(0).since()).isEqualTo(World.ago(5));
  }

  @Test
  void theActionSaysWhatToRequest() {
    World world = new World();
    world.failureZones.add(
        World.failureZone("/shop/a+b", FailureZoneStatus.State.FAILED, World.ago(70)));
    Action action = world.troubles().get(0).action();
    assertThat(action.post()).isEqualTo("/actors/shop/a%2Bb/resume");
  }

  @Test
  void aTroubleWithoutATimeIsDatedWhenItIsFirstSeen() {
    FirstSeen seen = new FirstSeen();
    World world = new World();
    world.missing.add(World.lost(null));
    world.types.add(TroubleCases.type(true, 1, 1));
    Instant later = World.NOW.plusSeconds(60);
    List<Trouble> first = seen.dated(world.troubles(), World.NOW);
    assertThat(first).extracting(Trouble::since).containsExactly(World.NOW, World.ago(1));
    assertThat(first).extracting(Trouble::seen).containsExactly(true, false);
    assertThat(seen.dated(world.troubles(), later)).isEqualTo(first);
    assertThat(seen.dated(new ArrayList<>(), later)).isEmpty();
    assertThat(seen.dated(world.troubles(), later).get(0).since()).isEqualTo(later);
    Instant afterwards = later.plus(FirstSeen.GAP).plusMillis(1);
    assertThat(seen.dated(world.troubles(), afterwards).get(0).since())
        .as("nobody looked, so it may have been over")
        .isEqualTo(afterwards);
  }

  @Test
  void adviceForDamageNamesTheCellAndNoAddressOfANode() {
    World world = new World();
    world.leases.put("shop/3", "it is no JSON");
    Action action = world.troubles().get(0).action();
    assertThat(action.label()).contains("callboard fsck --zookeeper ADDRESS --cell main");
    assertThat(action.command()).as("doctor adds the address of the node to it").isNull();
  }

  @Test
  void causesAreOneLineThatIsNotTooLong() {
    World world = new World();
    world.dead.add(TroubleCases.dead("a", 10, "no\n\u001b[31mroom \u202e" + "x".repeat(9_000)));
    assertThat(world.troubles().get(0).cause())
        .startsWith("1 job has died in the last hour: no [31mroom xxx")
        .hasSize(OneLine.MOST + 1)
        .endsWith("x…");
  }

  @Test
  void causesThatDifferInNumbersAndIdsAreTheSame() {
    String id = "0198c7e0-1111-7abc-8def-0123456789ab";
    assertThat(Fingerprint.of("order " + id + " of 12.50 failed\n at X"))
        .isEqualTo(Fingerprint.of("order " + id.replace('1', '2') + " of 7 failed"))
        .isEqualTo("order # of # failed");
  }
}

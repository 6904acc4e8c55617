package io.callboard.examples.search;

import static io.callboard.examples.search.SearchStage.SHARES;
import static io.callboard.examples.search.SearchStage.SLACK_MS;
import static io.callboard.examples.search.SearchStage.last;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.admin.ActorStatus;
import io.callboard.admin.FailureZoneStatus.State;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes, heads, gatherers and front ends fail, and trees as a whole. */
@Tag("long")
@Tag("real")
class SearchFailureTest {
  /** How often a time limit is tried, as a busy machine may stop for longer than it tolerates. */
  private static final int ROUNDS = 5;

  private SearchStage stage;

  @BeforeEach
  void documents() throws Exception {
    stage = new SearchStage();
  }

  @AfterEach
  void end() throws Exception {
    stage.close();
  }

  @Test
  void noQueryFailsWhileNodesHeadsAndGatherersAreKilled() throws Exception {
    stage.options.killEvery(Duration.ofMillis(100)).treeIntensity(4, Duration.ofSeconds(10));
    stage.start();
    SearchLoad load =
        new SearchLoad(
            stage.service,
            stage.service.words(),
            Duration.ofSeconds(1),
            new SplittableRandom(2),
            System::nanoTime);
    LoadReport report = await(load.run(stage.vertx, 8, Duration.ofSeconds(4)));
    for (int i = 1; i < ROUNDS && report.latency(1) >= 1000 + SLACK_MS; i++) {
      assertThat(report.failures()).as("%s", report).isEmpty();
      report = await(load.run(stage.vertx, 8, Duration.ofSeconds(4)));
    }

    assertThat(report.failures()).as("%s", report).isEmpty();
    assertThat(report.answered()).as("%s", report).isGreaterThan(20);
    assertThat(report.rerouted()).as("%s", report).isPositive();
    assertThat(report.latency(1)).as("%s", report).isLessThan(1000 + SLACK_MS);
    assertThat(stage.zone(0).restarts() + stage.zone(1).restarts()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aKilledNodeIsRestartedAlone(int share) throws Exception {
    stage.start();
    assertThat(stage.post("/nodes/a/%d/kill".formatted(share))).isEqualTo(202);
    Eventually.isTrue("the node is restarted", () -> stage.zone(0).childRestarts() == 1);
    assertThat(stage.zone(0).restarts()).isZero();
    assertThat(last(stage.search("q=tree&deadline=PT5S")).getBoolean("partial")).isFalse();
  }

  @Test
  void aKilledHeadIsRestartedAndItsQueriesAreAskedOfTheOtherTreeAtOnce() throws Exception {
    stage.start();
    await(stage.service.callboard().admin().suspend(stage.tree(0).node(1)));
    var searching = stage.searching("q=tree&deadline=PT10S");
    Eventually.isTrue("a gatherer waits", () -> !gatherers().isEmpty());
    stage.kill(stage.tree(0).head(0));

    assertAnsweredByBoth(await(Future.fromCompletionStage(searching)));
    Eventually.isTrue("the head is restarted", () -> stage.zone(0).childRestarts() == 1);
    await(stage.service.callboard().admin().resume(stage.tree(0).node(1)));
    assertThat(stage.zone(0).restarts()).isZero();
  }

  @Test
  void aKilledGathererIsNotRestartedAndItsQueryIsAskedOfTheOtherTreeAtOnce() throws Exception {
    stage.start();
    await(stage.service.callboard().admin().suspend(stage.tree(0).node(1)));
    var searching = stage.searching("q=tree&deadline=PT10S");
    Eventually.isTrue("a gatherer waits", () -> !gatherers().isEmpty());
    stage.kill(gatherers().get(0));

    assertAnsweredByBoth(await(Future.fromCompletionStage(searching)));
    Eventually.isTrue("nothing is left of it", () -> gatherers().isEmpty());
    assertThat(stage.zone(0).childRestarts()).isZero();
  }

  private List<String> gatherers() {
    return stage.below(stage.tree(0).head(0));
  }

  /**
   * Asserts that tree b was asked before the six seconds of tree a, which was asked first, had
   * passed.
   */
  private static void assertAnsweredByBoth(List<JsonObject> lines) {
    JsonObject end = last(lines);
    assertThat(end.getBoolean("partial")).as("%s", lines).isFalse();
    assertThat(end.getJsonArray("trees")).containsExactly("a", "b");
    assertThat(end.getLong("tookMs")).isLessThan(5_500);
    assertThat(
            lines.stream()
                .filter(line -> line.getString("type").equals("rerouted"))
                .map(line -> line.getString("why")))
        .first()
        .asString()
        .startsWith("the gatherer is gone");
  }

  @Test
  void aKilledFrontEndComesBackOnItsPort() throws Exception {
    stage.start();
    for (int number = 0; number < stage.options.fronts(); number++) {
      String front = Tree.front(0, number);
      stage.kill(front);
      Eventually.isTrue(
          "%s is restarted".formatted(front),
          () ->
              await(stage.service.callboard().admin().running()).stream()
                  .filter(actor -> actor.path().toString().equals(front))
                  .anyMatch(
                      actor ->
                          actor.restarts() == 1 && actor.state() == ActorStatus.State.RUNNING));
      for (int i = 0; i < 4; i++) {
        assertThat(last(stage.search("q=tree&deadline=PT5S")).getBoolean("partial")).isFalse();
      }
    }
    assertThat(stage.zone(0).restarts() + stage.zone(0).childRestarts()).isZero();
  }

  @Test
  void aTreeThatFailsTooOftenIsRestartedAsAWholeAndTheOtherServes() throws Exception {
    stage.options.treeIntensity(1, Duration.ofMinutes(1));
    stage.start();
    stage.post("/nodes/a/0/kill");
    stage.post("/nodes/a/1/kill");
    Eventually.isTrue("tree a is restarted", () -> stage.zone(0).restarts() == 1);
    assertThat(stage.zone(0).lastFailure()).contains("killed on demand");
    assertThat(stage.zone(1).restarts()).isZero();
    assertThat(last(stage.search("q=tree&deadline=PT5S")).getBoolean("partial")).isFalse();
    stage.awaitRunning();
  }

  @Test
  void queriesBeginWithTheOtherTreeWhenAnAnswerLacksAShare() throws Exception {
    stage.options.fronts(1);
    stage.start();
    await(stage.service.callboard().admin().suspend(stage.tree(0).node(2)));
    JsonObject rerouted = last(stage.search("q=tree&deadline=PT10S"));
    assertThat(rerouted.getBoolean("partial")).isFalse();
    assertThat(rerouted.getJsonArray("trees")).containsExactly("a", "b");
    JsonObject next = last(stage.search("q=tree&deadline=PT5S"));
    assertThat(next.getJsonArray("trees")).containsExactly("b");
    assertThat(new JsonObject(stage.get("/status").body()).getString("serving")).isEqualTo("b");
  }

  @Test
  void aResponseEndsEarlyWhenEnoughGoodHitsAreThere() throws Exception {
    stage.start();
    await(stage.service.callboard().admin().suspend(stage.tree(0).node(2)));
    List<JsonObject> lines = stage.search("q=tree&enough=2&deadline=PT10S");
    JsonObject end = last(lines);
    assertThat(end.getBoolean("early")).as("%s", lines).isTrue();
    assertThat(end.getBoolean("partial")).isFalse();
    assertThat(end.getJsonArray("trees")).containsExactly("a");
    assertThat(end.getJsonArray("missing")).contains(2);
    assertThat(end.getString("why")).isEqualTo("2 good hits are there");
    Eventually.isTrue("its gatherer has ended", () -> gatherers().isEmpty());

    JsonObject whole = last(stage.search("q=tree&deadline=PT10S"));
    assertThat(whole.getBoolean("early")).isFalse();
    assertThat(whole.getInteger("answered")).isEqualTo(SHARES);
  }

  @Test
  void aResponseEndsAtItsDeadlineAndSaysWhatIsMissing() throws Exception {
    stage.start();
    for (int share = 0; share < SHARES; share++) {
      for (Tree tree : stage.options.trees()) {
        await(stage.service.callboard().admin().suspend(tree.node(share)));
      }
      List<JsonObject> lines = List.of();
      long took = Long.MAX_VALUE;
      for (int i = 0; i < ROUNDS && took >= 300 + SLACK_MS; i++) {
        long sent = System.nanoTime();
        lines = stage.search("q=tree&deadline=PT0.3S");
        took = Duration.ofNanos(System.nanoTime() - sent).toMillis();
      }
      JsonObject end = last(lines);

      assertThat(took).isLessThan(300 + SLACK_MS);
      assertThat(end.getString("type")).isEqualTo("end");
      assertThat(end.getBoolean("partial")).as("%s", lines).isTrue();
      JsonArray missing = end.getJsonArray("missing");
      assertThat(missing).contains(share);
      assertThat(end.getInteger("answered") + missing.size()).isEqualTo(SHARES);
      assertThat(lines.stream().filter(line -> line.getString("type").equals("hits")))
          .hasSize(end.getInteger("answered"));
      for (Tree tree : stage.options.trees()) {
        await(stage.service.callboard().admin().resume(tree.node(share)));
      }
    }
    assertThat(stage.zone(0).state()).isEqualTo(State.RUNNING);
  }
}

package io.callboard.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.ActorStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.Intensity;
import io.callboard.supervision.RestartBudget;
import io.callboard.zone.ZoneDefaults;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SupervisionTreeTest {
  private final List<ActorStatus> actors = new ArrayList<>();
  private final List<FailureZoneStatus> zones = new ArrayList<>();

  private static @Nullable ActorPath path(@Nullable String path) {
    return path == null ? null : ActorPath.of(path);
  }

  private void actor(String path, State state, @Nullable String zone) {
    actor(path, state, zone, "default");
  }

  private void actor(String path, State state, @Nullable String zone, String threads) {
    actors.add(
        new ActorStatus(
            ActorPath.of(path),
            "node-a",
            "Type",
            false,
            threads,
            state,
            2,
            0,
            0,
            0,
            null,
            null,
            null,
            null,
            null,
            null,
            path(zone),
            null,
            ChildKind.TRANSIENT,
            null,
            null,
            null));
  }

  private void zone(String path, @Nullable String above, String... children) {
    zones.add(
        new FailureZoneStatus(
            ActorPath.of(path),
            "node-a",
            new FailureZone(),
            FailureZoneStatus.State.RUNNING,
            Arrays.stream(children).map(ActorPath::of).toList(),
            0,
            null,
            null,
            null,
            path(above),
            0,
            0,
            null,
            RestartBudget.unused(Intensity.DEFAULT),
            ChildKind.TRANSIENT,
            null,
            null));
  }

  private Map<String, ObjectNode> rows(int most, String... open) {
    actors.sort(Comparator.comparing(ActorStatus::path));
    zones.sort(Comparator.comparing(FailureZoneStatus::path));
    return new SupervisionTree(
            actors,
            zones,
            actor ->
                JsonNodeFactory.instance
                    .objectNode()
                    .put("path", actor.path().toString())
                    .put("state", actor.state().name()))
        .rows(List.of(open), most);
  }

  private void shop() {
    zone("/shop", null, "/shop/z", "/shop/till", "/shop/a");
    zone("/shop/till", "/shop", "/shop/till/drawer");
    actor("/shop/a", State.RUNNING, "/shop");
    actor("/shop/z", State.WAITS, "/shop");
    actor("/shop/till/drawer", State.FAILED, "/shop/till");
    actor("/alone", State.RUNNING, null);
  }

  @Test
  void theRootHasTheOutermostZonesAndWhatIsInNone() {
    shop();
    assertThat(rows(10, "/").keySet()).containsExactly("zone:/shop", "/alone");
  }

  @Test
  void theChildrenOfAZoneAreInTheOrderOfTheirStarts() {
    shop();
    Map<String, ObjectNode> rows = rows(10, "/", "/shop");
    assertThat(rows.keySet())
        .containsExactly("zone:/shop", "/alone", "/shop/z", "zone:/shop/till", "/shop/a");
    assertThat(rows.get("zone:/shop/till").path("place").asInt()).isEqualTo(1);
    assertThat(rows.get("/shop/a").path("kind").asText()).isEqualTo("actor");
  }

  @Test
  void aClosedZoneTellsWhatIsInIt() {
    shop();
    ObjectNode inside = (ObjectNode) rows(10, "/").get("zone:/shop").path("inside");
    assertThat(inside.toString())
        .isEqualTo(
            "{\"actors\":3,\"queued\":6,\"byState\":{\"FAILED\":1,\"RUNNING\":1,\"WAITS\":1}}");
  }

  @Test
  void ofManyThoseThatDoNotRunAreShownAndTheRestIsCounted() {
    zone("/hall", null);
    for (int i = 0; i < 10_000; i++) {
      actor("/hall/a" + i, i == 9_999 ? State.FAILED : State.RUNNING, "/hall");
    }
    Map<String, ObjectNode> rows = rows(100, "/", "/hall");
    assertThat(rows).hasSize(102).containsKeys("zone:/hall", "/hall/a9999", "more:/hall");
    assertThat(rows.get("more:/hall").path("hidden").asInt()).isEqualTo(9_900);
    assertThat(rows.get("more:/hall").has("down")).as("all of the rest run").isFalse();
    assertThat(rows.get("more:/hall").path("supervisor").asText()).isEqualTo("/hall");
  }

  @Test
  void theRowOfTheRestSaysThatSomeDoNotRun() {
    zone("/hall", null);
    for (int i = 0; i < 60; i++) {
      actor("/hall/a" + i, i < 51 ? State.FAILED : State.RUNNING, "/hall");
    }
    assertThat(rows(50, "/hall").get("more:/hall").path("down").asBoolean()).isTrue();
    assertThat(rows(51, "/hall").get("more:/hall").has("down")).isFalse();
  }

  @Test
  void theToolkitsOwnActorsAreFoldedIntoOneRow() {
    shop();
    actor("/jobs/gate", State.RUNNING, null, ZoneDefaults.TOOLKIT);
    actor("/jobs/job/j1", State.WAITS, null, ZoneDefaults.TOOLKIT);
    Map<String, ObjectNode> closed = rows(10, "/");
    assertThat(closed.keySet()).containsExactly("zone:/shop", "/alone", "system:/");
    assertThat(closed.get("system:/").path("inside").toString())
        .isEqualTo("{\"actors\":2,\"queued\":4,\"byState\":{\"RUNNING\":1,\"WAITS\":1}}");
    Map<String, ObjectNode> open = rows(10, "/", "system");
    assertThat(open.keySet())
        .containsExactly("zone:/shop", "/alone", "system:/", "/jobs/gate", "/jobs/job/j1");
    assertThat(open.get("/jobs/gate").path("supervisor").asText()).isEqualTo("system");
  }

  @Test
  void aZoneThatIsNoMoreHasNothing() {
    shop();
    assertThat(rows(10, "/gone")).isEmpty();
  }

  @Test
  void aZoneAndAnActorOfOnePathAreTwoRows() {
    shop();
    actor("/shop", State.RUNNING, null);
    assertThat(rows(10, "/").keySet()).containsExactly("zone:/shop", "/alone", "/shop");
  }
}

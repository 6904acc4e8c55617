package io.callboard.internal.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.RemoteAdmin;
import io.callboard.admin.SupervisionTree;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.supervision.ChildKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a node answers of what is in its failure zones, within the limit of an answer. */
class ZoneContentsTest {
  private final List<ActorStatus> actors = new ArrayList<>();

  private void actors(String zone, int count) {
    actors(zone, count, 1);
  }

  private void actors(String zone, int count, int failed) {
    for (int i = 0; i < count; i++) {
      actors.add(
          new ActorStatus(
              ActorPath.of("%s/a%03d".formatted(zone, i)),
              "node-a",
              "Type",
              false,
              "default",
              i >= count - failed ? State.FAILED : State.RUNNING,
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
              ActorPath.of(zone),
              null,
              ChildKind.TRANSIENT,
              null,
              null,
              null));
    }
  }

  private ObjectNode answer(List<String> zones, int most, String failure) {
    actors.sort(Comparator.comparing(ActorStatus::path));
    SupervisionTree tree =
        new SupervisionTree(
            actors,
            List.of(),
            actor ->
                JsonNodeFactory.instance
                    .objectNode()
                    .put("path", actor.path().toString())
                    .put("supervisor", String.valueOf(actor.supervisor()))
                    .put("state", actor.state().name())
                    .put("lastFailure", failure));
    return ZoneContents.of(tree, zones, most);
  }

  @Test
  void anAnswerHasTheRowsByTheirKeys() {
    actors("/shop", 3);
    actors("/bar", 2);
    JsonNode answer = answer(List.of("/shop"), 100, "it slipped");
    assertThat(answer.path("f").asInt()).isEqualTo(1);
    assertThat(answer.path("contents")).hasSize(3);
    assertThat(answer.at("/contents/~1shop~1a001/lastFailure").asText()).isEqualTo("it slipped");
  }

  @Test
  void theTextOfAFailureIsCut() {
    actors("/shop", 1);
    JsonNode answer = answer(List.of("/shop"), 100, "x".repeat(5_000));
    assertThat(answer.at("/contents/~1shop~1a000/lastFailure").asText()).hasSizeLessThan(400);
  }

  @Test
  void ofTooManyThereAreFewerRowsOfEachZoneAndTheRestIsCounted() {
    List<String> zones =
        IntStream.range(0, RemoteAdmin.MOST_ZONES).mapToObj(i -> "/zone-" + i).toList();
    zones.forEach(zone -> actors(zone, 120));
    ObjectNode answer = answer(zones, RemoteAdmin.MOST_CHILDREN, "x".repeat(300));
    assertThat(Json.bytes(answer)).hasSizeLessThan(RemoteAdmin.MOST_BYTES);
    JsonNode contents = answer.path("contents");
    zones.forEach(
        zone -> {
          JsonNode more = contents.path("more:" + zone);
          assertThat(more.path("hidden").asInt()).isGreaterThan(20).isLessThan(120);
          assertThat(more.has("down")).as("all others run").isFalse();
          assertThat(contents.has(zone + "/a119")).as("the one that failed").isTrue();
        });
    int shown = contents.size() - zones.size();
    assertThat(shown + 20 * contents.at("/more:~1zone-0/hidden").asInt()).isEqualTo(20 * 120);
    assertThat(shown).isGreaterThanOrEqualTo(20 * 25);
  }

  @Test
  void theRowOfTheRestSaysThatSomeDoNotRun() {
    List<String> zones =
        IntStream.range(0, RemoteAdmin.MOST_ZONES).mapToObj(i -> "/zone-" + i).toList();
    zones.forEach(zone -> actors(zone, 120, 60));
    JsonNode contents = answer(zones, RemoteAdmin.MOST_CHILDREN, "x".repeat(300)).path("contents");
    JsonNode more = contents.path("more:/zone-0");
    assertThat(more.path("hidden").asInt()).isGreaterThan(60);
    assertThat(more.path("down").asBoolean()).isTrue();
  }
}

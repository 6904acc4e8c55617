package io.callboard.dashboard.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.dashboard.attention.Reading;
import io.callboard.grid.MissingNode;
import io.callboard.jobs.model.JobHost;
import io.callboard.store.Member;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class NodeRowsTest {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  private final NodeRows nodes = new NodeRows();
  private final List<Member> members = new ArrayList<>();
  private final List<MissingNode> missing = new ArrayList<>();
  private final Map<String, Reading<ObjectNode>> rollUps = new HashMap<>();

  private void member(String name) {
    members.add(new Member(name, "boot-" + name, NOW, Map.of("http", "http://127.0.0.1:1")));
  }

  private Map<String, ObjectNode> rows(Instant now) {
    List<JobHost> none = List.of();
    return nodes.rows("a", members, missing, none, rollUps, now).stream()
        .collect(Collectors.toMap(row -> row.path("name").asText(), Function.identity()));
  }

  private static ObjectNode rollUp() {
    ObjectNode form = JsonNodeFactory.instance.objectNode();
    ObjectNode actors = form.putObject("actors").put("count", 7).put("queued", 4);
    actors.putObject("byState").put("FAILED", 2).put("RUNNING", 5);
    form.putObject("zones").put("FAILED", 1);
    return form.put("down", 3);
  }

  @Test
  void aMemberHasTheFiguresOfItsRollUp() {
    member("a");
    rollUps.put("boot-a", Reading.of(rollUp(), NOW));
    ObjectNode row = rows(NOW).get("a");
    assertThat(row.path("state").asText()).isEqualTo("LIVE");
    assertThat(row.path("here").asBoolean()).isTrue();
    assertThat(row.path("http").asText()).isEqualTo("http://127.0.0.1:1");
    assertThat(row.path("failed").asInt()).isEqualTo(3);
    assertThat(row.path("actors").asInt()).isEqualTo(7);
    assertThat(row.path("mail").asInt()).isEqualTo(4);
  }

  @Test
  void oneThatDoesNotAnswerKeepsItsLastFiguresAndSaysWhy() {
    member("b");
    rollUps.put("boot-b", new Reading<>(rollUp(), NOW, "node b does not answer", NOW));
    ObjectNode row = rows(NOW).get("b");
    assertThat(row.path("state").asText()).isEqualTo("SILENT");
    assertThat(row.path("error").asText())
        .isEqualTo("node b does not answer; figures of 2026-11-26T12:00:00Z");
    assertThat(row.path("actors").asInt()).isEqualTo(7);
    missing.add(new MissingNode("b", "boot-b", true, null));
    assertThat(rows(NOW).get("b").path("state").asText()).isEqualTo("SUSPECT");
  }

  @Test
  void oneThatHasGoneIsRememberedForADay() {
    member("a");
    member("b");
    assertThat(rows(NOW)).containsOnlyKeys("a", "b");
    members.remove(1);
    Instant later = NOW.plusSeconds(5);
    assertThat(rows(later).get("b").path("state").asText()).isEqualTo("GONE");
    assertThat(rows(later).get("b").path("since").asText()).isEqualTo(later.toString());
    assertThat(rows(later.plus(Duration.ofHours(23)))).containsOnlyKeys("a", "b");
    assertThat(rows(later.plus(Duration.ofHours(24)))).containsOnlyKeys("a");
  }

  @Test
  void oneThatComesBackIsAMemberAgain() {
    member("b");
    assertThat(rows(NOW)).hasSize(1);
    members.clear();
    assertThat(rows(NOW).get("b").path("state").asText()).isEqualTo("GONE");
    member("b");
    assertThat(rows(NOW).get("b").path("state").asText()).isEqualTo("LIVE");
  }

  @Test
  void aLostNodeIsKnownFromTheMonitorForADay() {
    member("a");
    missing.add(new MissingNode("c", "boot-c", false, NOW.minusSeconds(60)));
    missing.add(new MissingNode("d", "boot-d", false, NOW.minus(Duration.ofDays(2))));
    assertThat(rows(NOW)).containsOnlyKeys("a", "c");
    assertThat(rows(NOW).get("c").path("state").asText()).isEqualTo("LOST");
  }

  @Test
  void ofManyThatHaveGoneTheLastAreRemembered() {
    for (int i = 0; i < NodeRows.MOST_GONE + 20; i++) {
      members.clear();
      member("n" + i);
      assertThat(rows(NOW.plusSeconds(i))).isNotEmpty();
    }
    Map<String, ObjectNode> rows = rows(NOW.plusSeconds(1_000));
    assertThat(rows).hasSize(NodeRows.MOST_GONE + 1).doesNotContainKey("n0").containsKey("n118");
  }
}

package io.callboard.dashboard.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.dashboard.internal.attention.Reading;
import io.callboard.grid.GridEvent;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeRowsTest {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  private final List<Member> members = new ArrayList<>();
  private final List<MissingNode> missing = new ArrayList<>();
  private final List<GridEvent> events = new ArrayList<>();
  private @Nullable String unread;
  private final Map<String, Reading<ObjectNode>> rollUps = new HashMap<>();

  private void member(String name) {
    members.add(new Member(name, "boot-" + name, NOW, Map.of("http", "http://127.0.0.1:1")));
  }

  private Map<String, ObjectNode> rows(Instant now) {
    List<JobHost> none = List.of();
    return NodeRows.of("a", members, missing, events, none, rollUps, unread, now).stream()
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
  void aNodeThatDoesNotAnswerKeepsItsLastFiguresAndSaysWhy() {
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

  private void went(String kind, String name, Instant at) {
    events.add(new GridEvent("gone:" + events.size(), at, kind, name, "it left the cell"));
  }

  @Test
  void aNodeThatHasGoneIsShownForADayWithTheTimeOfItsEvent() {
    member("a");
    went(GridEvent.NODE_LEFT, "b", NOW.minusSeconds(60));
    went(GridEvent.NODE_LOST, "c", NOW.minusSeconds(50));
    assertThat(rows(NOW)).containsOnlyKeys("a", "b", "c");
    assertThat(rows(NOW).get("b").path("state").asText()).isEqualTo("GONE");
    assertThat(rows(NOW).get("b").path("since").asText()).isEqualTo("2026-11-26T11:59:00Z");
    assertThat(rows(NOW).get("c").path("state").asText()).isEqualTo("LOST");
    assertThat(rows(NOW.plus(Duration.ofDays(1)).minusSeconds(55))).containsOnlyKeys("a", "c");
    assertThat(rows(NOW.plus(Duration.ofDays(1)))).containsOnlyKeys("a");
  }

  @Test
  void aNodeThatCameBackIsAMember() {
    went(GridEvent.NODE_LEFT, "b", NOW);
    member("b");
    assertThat(rows(NOW).get("b").path("state").asText()).isNotEqualTo("GONE");
  }

  @Test
  void aMemberThatWasNotAskedIsNotShownAsLive() {
    member("a");
    assertThat(rows(NOW).get("a").path("state").asText()).isEqualTo("SILENT");
    assertThat(rows(NOW).get("a").path("error").asText()).contains("was not asked", "100");
  }

  @Test
  void otherFailedReadingsAreNamed() {
    member("a");
    rollUps.put("boot-a", Reading.of(rollUp(), NOW));
    assertThat(rows(NOW).get("a").has("error")).isFalse();
    unread = "suspects not read: ZooKeeper does not answer";
    assertThat(rows(NOW).get("a").path("error").asText()).isEqualTo(unread);
    assertThat(rows(NOW).get("a").path("state").asText()).isEqualTo("LIVE");
  }

  @Test
  void aLostNodeIsKnownFromTheMonitorForADay() {
    member("a");
    missing.add(new MissingNode("c", "boot-c", false, NOW.minusSeconds(60)));
    missing.add(new MissingNode("d", "boot-d", false, NOW.minus(Duration.ofDays(2))));
    assertThat(rows(NOW)).containsOnlyKeys("a", "c");
    assertThat(rows(NOW).get("c").path("state").asText()).isEqualTo("LOST");
  }
}

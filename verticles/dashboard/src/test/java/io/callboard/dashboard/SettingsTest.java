package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.dashboard.internal.auth.TestUsers;
import io.callboard.dashboard.internal.contract.Role;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of a node over REST. */
@Tag("real")
class SettingsTest {
  @TempDir Path data;

  @Test
  void operatorsSeeHowTheNodeIsSetUp() {
    Path users = TestUsers.write(data.resolve("users"), TestUsers.text());
    List<Setting> settings = List.of(new Setting("slots", "4", "default"));
    try (TestNode node =
        new TestNode(data, TestNode.options().settings(settings).auth(AuthOptions.users(users)))) {
      assertThat(as(node, Role.VIEWER).statusCode()).isEqualTo(403);
      JsonNode shown = json(as(node, Role.OPERATOR));
      assertThat(shown.at("/node/name").asText()).isEqualTo("node-a");
      assertThat(shown.at("/node/version").asText()).isEqualTo("test");
      assertThat(shown.at("/node/java").asText()).startsWith(Runtime.version().feature() + ".");
      assertThat(shown.at("/features/jobs").asBoolean()).isTrue();
      assertThat(shown.at("/features/sources").asBoolean(true)).isFalse();
      assertThat(shown.at("/features/archive of jobs").asBoolean(true)).isFalse();
      assertThat(shown.at("/features/login").asBoolean()).isTrue();
      assertThat(shown.path("settings")).hasSize(1);
      assertThat(shown.at("/settings/0/source").asText()).isEqualTo("default");
      assertThat(shown.path("limits"))
          .isNotEmpty()
          .allSatisfy(limit -> assertThat(limit.path("value").asLong()).isPositive());
    }
  }

  @Test
  void allOptionsOfThePartsAreSettingsOfAnEmbeddedNode() {
    try (TestNode node = new TestNode(data, TestNode.options())) {
      JsonNode shown = json(node.get("/api/v1/settings")).path("settings");
      assertThat(shown.findValuesAsText("name"))
          .contains(
              "jobs.slots",
              "jobs.queueLimit",
              "jobs.retention.files",
              "workflows.slots",
              "workflows.mergers",
              "workflows.builderZone",
              "workflows.retention.instances");
      assertThat(shown.toString())
          .contains("{\"name\":\"jobs.slots\",\"value\":\"4\",\"source\":\"program\"}");
    }
  }

  private static HttpResponse<String> as(TestNode node, Role role) {
    return node.send(
        node.request("/api/v1/settings").header("Authorization", TestUsers.basic(role)));
  }

  @Test
  void aNodeThatAnApplicationHasStartedShowsNoSettingsButItsLimits() {
    try (TestNode node = TestNode.withoutJobs(TestNode.options())) {
      JsonNode shown = json(node.get("/api/v1/settings"));
      assertThat(shown.path("settings")).isEmpty();
      assertThat(shown.at("/features/jobs").asBoolean(true)).isFalse();
      assertThat(shown.path("limits")).isNotEmpty();
    }
  }
}

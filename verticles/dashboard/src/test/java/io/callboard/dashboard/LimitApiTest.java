package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.testkit.Eventually;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Limits over all jobs of a label, over REST of a real node. */
@Tag("real")
class LimitApiTest {
  private static final String OF_LABEL = "/api/v1/limits/db%3Dacme";

  @AutoClose private final TestNode node = TestNode.start();

  private static JsonNode answered(HttpResponse<String> response, int status) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return json(response);
  }

  private JsonNode limit(String address, int running) {
    String body = "{\"running\":%d}".formatted(running);
    return answered(node.put(address, "application/json", body), 200);
  }

  private String submit(String labels) {
    String body = "{\"command\":[\"sleep\",\"600\"],\"labels\":%s}".formatted(labels);
    return answered(node.post("/api/v1/jobs", body), 201).path("id").asText();
  }

  private JsonNode job(String id) {
    return answered(node.get("/api/v1/jobs/" + id), 200);
  }

  private void runs(String id) {
    Eventually.assertThat(() -> assertThat(job(id).path("state").asText()).isEqualTo("RUNNING"));
  }

  private List<String> why(String id) {
    return answered(node.get("/api/v1/jobs/" + id + "/why"), 200)
        .path("blockedBy")
        .findValuesAsText("kind");
  }

  private void isHeldByTheLabel(String id) {
    Eventually.assertThat(() -> assertThat(why(id)).containsExactly("label-limit"));
    assertThat(job(id).path("state").asText()).isEqualTo("QUEUED");
  }

  private void used(String label, int expected) {
    Eventually.assertThat(
        () ->
            assertThat(answered(node.get("/api/v1/limits"), 200).path("items"))
                .filteredOn(item -> item.path("label").asText().equals(label))
                .extracting(item -> item.path("used").asInt())
                .containsExactly(expected));
  }

  @Test
  void aLimitHoldsTheJobsOfItsLabelUntilItIsRemoved() {
    assertThat(answered(node.get("/api/v1/limits"), 200).path("items")).isEmpty();
    assertThat(limit(OF_LABEL, 1).toString())
        .isEqualTo("{\"label\":\"db=acme\",\"running\":1,\"used\":0}");
    String first = submit("{\"db\":\"acme\"}");
    runs(first);
    used("db=acme", 1);
    assertThat(answered(node.get(OF_LABEL), 200).path("used").asInt()).isEqualTo(1);
    String second = submit("{\"db\":\"acme\",\"of\":\"anna\"}");
    String other = submit("{\"db\":\"other\"}");
    runs(other);
    isHeldByTheLabel(second);
    used("db=acme", 1);

    assertThat(node.delete(OF_LABEL).statusCode()).isEqualTo(204);
    runs(second);
    assertThat(why(second)).isEmpty();
    assertThat(node.get(OF_LABEL).statusCode()).isEqualTo(404);
    assertThat(answered(node.get("/api/v1/limits"), 200).path("items")).isEmpty();
    assertThat(node.delete(OF_LABEL).statusCode()).as("repeated").isEqualTo(204);
  }

  @Test
  void aLimitOfAKeyCountsEveryValueAndMayBeRaised() {
    String ofKey = "/api/v1/limits/db";
    assertThat(limit(ofKey, 1).path("label").asText()).isEqualTo("db");
    runs(submit("{\"db\":\"acme\"}"));
    String second = submit("{\"db\":\"other\"}");
    isHeldByTheLabel(second);
    assertThat(limit(ofKey, 2).path("running").asInt()).isEqualTo(2);
    runs(second);
    used("db", 2);
  }
}

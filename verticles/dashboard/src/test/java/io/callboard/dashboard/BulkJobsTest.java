package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.dashboard.internal.bulk.BulkPeers;
import io.callboard.dashboard.internal.bulk.BulkRuns;
import io.callboard.dashboard.internal.bulk.BulkRuns.Order;
import io.callboard.dashboard.internal.bulk.JobAction;
import io.callboard.dashboard.internal.bulk.JobKind;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Actions on many jobs over REST. */
@Tag("real")
class BulkJobsTest {
  private static final String ACTIONS = "/api/v1/job-actions";

  @TempDir Path data;
  private TestNode node;

  @BeforeEach
  void start() {
    open(new TestNode(data, TestNode.options()));
  }

  private void open(TestNode opened) {
    node = opened;
    assertThat(node.post("/api/v1/types/process/pause").statusCode()).isEqualTo(200);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private List<String> submit(int count, String batch) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      HttpResponse<String> answer =
          node.post(
              "/api/v1/jobs",
              "{\"command\":[\"true\"],\"labels\":{\"batch\":\"%s\"}}".formatted(batch));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
      ids.add(json(answer).path("id").asText());
    }
    return ids;
  }

  private JsonNode extent(String query) {
    HttpResponse<String> answer = node.get(ACTIONS + "/" + query);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return json(answer);
  }

  private HttpResponse<String> act(String action, String body) {
    return node.send(
        node.request(ACTIONS + "/" + action)
            .header("Content-Type", "application/json")
            .header("X-Callboard-Reason", "wrong%20input")
            .POST(BodyPublishers.ofString(body.replace('\'', '"'))));
  }

  private JsonNode last() {
    return json(node.get(ACTIONS)).path("items").path(0);
  }

  /** Returns what the last action on many reached, as the audit has it. */
  private String audited() {
    for (JsonNode entry : json(node.get("/api/v1/audit")).path("items")) {
      if (entry.path("operation").asText().equals("startJobAction")) {
        return entry.path("detail").asText();
      }
    }
    return "none";
  }

  private void awaitAudited(String pattern) {
    Eventually.assertThat(() -> assertThat(audited()).matches(pattern));
  }

  private JsonNode awaitEnd() {
    Eventually.assertThat(() -> assertThat(last().path("state").asText()).isNotEqualTo("RUNNING"));
    Eventually.assertThat(() -> assertThat(last().has("endedAt")).isTrue());
    return last();
  }

  private String state(String id) {
    return json(node.get("/api/v1/jobs/" + id)).path("state").asText();
  }

  private void awaitQueued(int count) {
    Eventually.assertThat(
        () -> assertThat(extent("cancel").path("matched").asInt()).isEqualTo(count));
  }

  @Test
  void exactlyTheJobsOfTheAnnouncedScopeAreReached() {
    List<String> wrong = submit(5, "wrong");
    List<String> right = submit(3, "right");
    awaitQueued(8);
    Eventually.assertThat(() -> assertThat(extent("cancel").path("total").asInt()).isEqualTo(8));
    JsonNode extent = extent("cancel?label=batch=wrong");
    assertThat(extent.path("matched").asInt()).isEqualTo(5);
    assertThat(extent.path("more").asBoolean()).isFalse();
    assertThat(extent.at("/byState/QUEUED").asInt()).isEqualTo(5);
    assertThat(extent.path("oldest").asText())
        .isEqualTo(json(node.get("/api/v1/jobs/" + wrong.get(0))).path("createdAt").asText());
    assertThat(extent.has("incomplete")).isFalse();

    HttpResponse<String> begun =
        act("cancel", "{'filter':{'label':'batch=wrong'},'limit':5,'ratePerSecond':100}");
    assertThat(begun.statusCode()).as(begun.body()).isEqualTo(202);
    assertThat(json(begun).path("matched").asInt()).isEqualTo(5);
    JsonNode ended = awaitEnd();
    assertThat(ended.path("state").asText()).isEqualTo("ENDED");
    assertThat(ended.path("done").asInt()).isEqualTo(5);
    assertThat(ended.path("failed").asInt()).isZero();
    assertThat(ended.path("reason").asText()).isEqualTo("wrong input");
    assertThat(wrong).allSatisfy(id -> assertThat(state(id)).isEqualTo("CANCELLED"));
    assertThat(right).allSatisfy(id -> assertThat(state(id)).isEqualTo("QUEUED"));

    JsonNode audit = json(node.get("/api/v1/audit")).path("items");
    List<String> entries = new ArrayList<>();
    audit.forEach(
        entry -> {
          if (entry.path("operation").asText().equals("startJobAction")) {
            entries.add(
                "%s (%s) %s %s"
                    .formatted(
                        entry.path("subject").asText(),
                        entry.path("detail").asText(),
                        entry.path("status").asInt(),
                        entry.path("reason").asText()));
          }
        });
    assertThat(entries)
        .as("audited once")
        .containsExactly(
            "/job-actions/cancel (5 jobs of label batch=wrong, at most 5, 100 a second) 202 wrong input");
  }

  @Test
  void theLimitKeepsTheActionWithinTheAnnouncedNumber() {
    List<String> ids = submit(4, "x");
    awaitQueued(4);
    assertThat(act("hold", "{'filter':{},'limit':2,'ratePerSecond':100}").statusCode())
        .isEqualTo(202);
    assertThat(awaitEnd().path("done").asInt()).isEqualTo(2);
    assertThat(ids.stream().map(this::state)).containsExactly("HELD", "HELD", "QUEUED", "QUEUED");
    assertThat(extent("release").path("matched").asInt()).isEqualTo(2);
    assertThat(extent("rerun").path("matched").asInt()).isZero();
    assertThat(extent("rerun").has("oldest")).isFalse();
  }

  @Test
  void aJobSubmittedAfterTheScopeWasAnnouncedIsNotReached() {
    submit(2, "x");
    awaitQueued(2);
    String newest = extent("hold").path("newest").asText();
    String later = submit(1, "x").get(0);
    awaitQueued(3);
    String body = "{'filter':{'createdUntil':'%s'},'ratePerSecond':100}".formatted(newest);
    HttpResponse<String> begun = act("hold", body);
    assertThat(begun.statusCode()).as(begun.body()).isEqualTo(202);
    assertThat(json(begun).has("incomplete")).isFalse();
    assertThat(awaitEnd().path("done").asInt()).isEqualTo(2);
    assertThat(state(later)).isEqualTo("QUEUED");
    HttpResponse<String> wrong =
        act("hold", "{'filter':{'createdUntil':'noon'},'ratePerSecond':1}");
    assertThat(wrong.statusCode()).isEqualTo(422);
    assertThat(json(wrong).at("/errors/0/pointer").asText()).isEqualTo("/filter/createdUntil");
  }

  @Test
  void aJobThatHasLeftTheGivenStatesIsNotTouched(@TempDir Path other) {
    node.close();
    ManualTime time = new ManualTime(Instant.now());
    open(TestNode.withTime(other, TestNode.options(), time));
    List<String> ids = submit(3, "x");
    awaitQueued(3);
    assertThat(act("cancel", "{'filter':{'state':'QUEUED'},'ratePerSecond':0.01}").statusCode())
        .isEqualTo(202);
    assertThat(node.post("/api/v1/jobs/" + ids.get(2) + "/hold").statusCode()).isEqualTo(202);
    Eventually.isTrue(
        "the others were tried",
        () -> {
          time.advance(Duration.ofSeconds(10));
          return last().has("endedAt");
        });
    JsonNode status = awaitEnd();
    assertThat(status.path("done").asInt()).isEqualTo(2);
    assertThat(status.at("/failures/0/id").asText()).isEqualTo(ids.get(2));
    assertThat(status.at("/failures/0/code").asText()).isEqualTo("ILLEGAL_STATE");
    assertThat(status.at("/failures/0/detail").asText()).contains("HELD", "QUEUED");
    assertThat(state(ids.get(2))).isEqualTo("HELD");
  }

  @Test
  void noItemBeginsAfterTheClose() {
    JobKind kind = new JobKind(node.jobs);
    BulkPeers peers = new BulkPeers(node.callboard);
    BulkRuns bulk =
        new BulkRuns(node.vertx, kind, node.callboard.time(), Clock.systemUTC(), "n1", peers);
    bulk.close();
    peers.close();
    Order order = new Order("hold", id -> kind.act(JobAction.HOLD, id), "ada", "", 1, null);
    assertThatThrownBy(() -> bulk.start(order, List.of("a")))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("is closed");
    assertThat(bulk.last()).isEmpty();
  }

  @Test
  void aFailureIsReportedWithItsReason() {
    List<String> ids = submit(2, "x");
    String ended = ids.get(0);
    assertThat(node.post("/api/v1/jobs/" + ended + "/cancel").statusCode()).isEqualTo(202);
    String body =
        "{'ids':['%s','%s','no-such','%s'],'ratePerSecond':100}"
            .formatted(ended, ids.get(1), ids.get(1));
    assertThat(act("hold", body).statusCode()).isEqualTo(202);
    JsonNode status = awaitEnd();
    assertThat(status.path("matched").asInt()).as("each once").isEqualTo(3);
    awaitAudited("3 jobs %s, %s, no-such, 100 a second".formatted(ended, ids.get(1)));
    assertThat(status.path("done").asInt()).isEqualTo(1);
    assertThat(status.path("failed").asInt()).isEqualTo(2);
    Map<String, JsonNode> failures = new HashMap<>();
    status.path("failures").forEach(each -> failures.put(each.path("id").asText(), each));
    assertThat(failures).containsOnlyKeys(ended, "no-such");
    assertThat(failures.get(ended).path("code").asText()).isEqualTo("ILLEGAL_STATE");
    assertThat(failures.get(ended).path("detail").asText()).contains("CANCELLED");
    assertThat(failures.get("no-such").path("code").asText()).isEqualTo("NOT_FOUND");
    assertThat(state(ids.get(1))).isEqualTo("HELD");
  }

  @Test
  void onlyOneActionIsUnderWayAndItCanBeStopped() {
    List<String> ids = submit(4, "x");
    awaitQueued(4);
    assertThat(act("cancel", "{'filter':{},'ratePerSecond':0.01}").statusCode()).isEqualTo(202);
    HttpResponse<String> second = act("hold", "{'filter':{},'ratePerSecond':1}");
    assertThat(second.statusCode()).as(second.body()).isEqualTo(409);
    assertThat(second.body()).contains("wait for its end, or stop it");
    awaitAudited("[34] jobs of any, at most 2000, 1 a second");
    Eventually.assertThat(() -> assertThat(last().path("done").asInt()).isEqualTo(1));
    assertThat(node.delete(ACTIONS).statusCode()).isEqualTo(202);
    JsonNode status = awaitEnd();
    assertThat(status.path("state").asText()).isEqualTo("STOPPED");
    assertThat(status.path("why").asText()).contains("3 were not tried");
    assertThat(ids.stream().map(this::state))
        .containsExactly("CANCELLED", "QUEUED", "QUEUED", "QUEUED");
    assertThat(node.delete(ACTIONS).statusCode()).isEqualTo(404);
  }

  @Test
  void jobsThatSucceededAreRerunOnlyIfAskedFor() {
    List<String> ids = submit(2, "x");
    assertThat(node.post("/api/v1/types/process/resume").statusCode()).isEqualTo(200);
    Eventually.assertThat(
        () -> assertThat(ids).allSatisfy(id -> assertThat(state(id)).isEqualTo("SUCCEEDED")));
    assertThat(extent("rerun").path("matched").asInt()).isZero();
    Eventually.assertThat(
        () -> assertThat(extent("rerun?state=SUCCEEDED").path("matched").asInt()).isEqualTo(2));
    HttpResponse<String> wrong = node.get(ACTIONS + "/cancel?state=SUCCEEDED");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("/state", "RUNNING");
    HttpResponse<String> body = act("cancel", "{'filter':{'state':'SUCCEEDED'},'ratePerSecond':1}");
    assertThat(body.statusCode()).isEqualTo(422);
    assertThat(json(body).at("/errors/0/pointer").asText()).isEqualTo("/filter/state");
    awaitAudited("jobs of state SUCCEEDED, at most 2000");
    assertThat(act("cancel", "{'ratePerSecond':1}").statusCode()).isEqualTo(422);
    assertThat(act("cancel", "{'ids':['a'],'filter':{},'ratePerSecond':1}").statusCode())
        .isEqualTo(422);
    assertThat(act("explode", "{'filter':{},'ratePerSecond':1}").statusCode()).isEqualTo(400);
  }
}

package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.dashboard.internal.contract.Contract;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.Router;
import java.net.BindException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** REST over a real node. */
@Tag("real")
class DashboardTest {
  @TempDir static Path data;
  private static TestNode node;

  @BeforeAll
  static void start() {
    node = new TestNode(data, TestNode.options());
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @CanIgnoreReturnValue
  private static String submit(String command) {
    HttpResponse<String> response =
        node.post("/api/v1/jobs", "{\"command\":[\"sh\",\"-c\",\"%s\"]}".formatted(command));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    return json(response).path("id").asText();
  }

  @CanIgnoreReturnValue
  private static JsonNode awaitState(String id, String state) {
    Instant until = Instant.now().plus(Duration.ofSeconds(20));
    JsonNode job = json(node.get("/api/v1/jobs/" + id));
    while (!job.path("state").asText().equals(state)) {
      assertThat(Instant.now()).as(job.toString()).isBefore(until);
      job = json(node.get("/api/v1/jobs/" + id));
    }
    return job;
  }

  /** Returns a job whose command runs, and so ends by the first signal. */
  private static String running() {
    String id = submit("echo up; sleep 30");
    awaitState(id, "RUNNING");
    Eventually.assertThat(
        () -> assertThat(node.get("/api/v1/jobs/" + id + "/log").body()).isEqualTo("up\n"));
    return id;
  }

  private static void assertProblem(HttpResponse<String> response, int status, String code) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
    JsonNode problem = json(response);
    assertThat(problem.path("status").asInt()).isEqualTo(status);
    assertThat(problem.path("code").asText()).isEqualTo(code);
    assertThat(problem.path("errors").isArray()).isTrue();
    assertThat(problem.path("instance").asText()).isEqualTo(response.uri().getRawPath());
    assertThat(response.body()).doesNotContain("Exception", "\tat ");
  }

  @Test
  void runsAJob() {
    HttpResponse<String> response =
        node.post(
            "/api/v1/jobs",
            "{\"command\":[\"sh\",\"-c\",\"echo one; echo two\"],\"labels\":{\"a\":\"b\"}}");
    assertThat(response.statusCode()).isEqualTo(201);
    String id = json(response).path("id").asText();
    assertThat(UUID.fromString(id).version()).isEqualTo(7);
    assertThat(response.headers().firstValue("Location")).contains("/api/v1/jobs/" + id);

    JsonNode job = awaitState(id, "SUCCEEDED");
    assertThat(job.at("/runs/0/exitCode").asInt(-1)).isZero();
    assertThat(job.at("/runs/0/runId").asInt()).isEqualTo(1);
    assertThat(job.at("/runs/0/host").asText()).isEqualTo("node-a");
    assertThat(job.has("startedAt") && job.has("endedAt")).isTrue();
    assertThat(json(node.get("/api/v1/jobs/" + id + "/runs")).path("items")).hasSize(1);
    assertThat(json(node.get("/api/v1/jobs/" + id + "/events")).path("items")).isNotEmpty();
    assertThat(node.get("/api/v1/jobs/" + id + "/log").body()).isEqualTo("one\ntwo\n");
    assertThat(node.get("/api/v1/jobs/" + id + "/log?run=1&tail=1").body()).isEqualTo("two\n");
    assertProblem(node.get("/api/v1/jobs/" + id + "/log?run=9"), 404, "NOT_FOUND");
    assertThat(json(node.get("/api/v1/jobs/" + id + "/why")).path("blockedBy").isArray()).isTrue();
    assertThat(json(node.get("/api/v1/jobs?label=a=b")).at("/items/0/id").asText()).isEqualTo(id);
  }

  @Test
  void aSingleJobShowsItsSpecification() {
    HttpResponse<String> response =
        node.post(
            "/api/v1/jobs",
            "{\"command\":[\"true\"],\"timeouts\":{\"run\":\"PT10M\"},\"onLost\":\"fail\","
                + "\"retry\":{\"attempts\":2,\"initial\":\"PT1S\",\"max\":\"PT1M\"},\"nice\":3}");
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    String id = json(response).path("id").asText();
    JsonNode job = awaitState(id, "SUCCEEDED");
    assertThat(job.path("timeouts").toString()).isEqualTo("{\"run\":\"PT10M\"}");
    assertThat(job.at("/retry/attempts").asInt()).isEqualTo(2);
    assertThat(job.path("onLost").asText()).isEqualTo("fail");
    assertThat(job.path("nice").asInt()).isEqualTo(3);
    JsonNode listed = json(node.get("/api/v1/jobs?q=" + id)).at("/items/0");
    assertThat(listed.path("id").asText()).isEqualTo(id);
    assertThat(listed.has("timeouts") || listed.has("retry") || listed.has("nice")).isFalse();
  }

  @Test
  void answersUnchangedJobsShortly() {
    String id = submit("true");
    awaitState(id, "SUCCEEDED");
    String tag = node.get("/api/v1/jobs/" + id).headers().firstValue("ETag").orElseThrow();
    HttpResponse<String> again =
        node.send(node.request("/api/v1/jobs/" + id).header("If-None-Match", tag));
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
  }

  @Test
  void makesNoSecondJobForTheSameKey() {
    String body = "{\"command\":[\"true\"]}";
    for (int status : new int[] {201, 200}) {
      HttpResponse<String> response =
          node.send(
              node.request("/api/v1/jobs")
                  .header("Content-Type", "application/json")
                  .header("Idempotency-Key", "order-7")
                  .POST(BodyPublishers.ofString(body)));
      assertThat(response.statusCode()).isEqualTo(status);
    }
    assertProblem(
        node.send(
            node.request("/api/v1/jobs")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "order-7")
                .POST(BodyPublishers.ofString("{\"command\":[\"false\"]}"))),
        422,
        "INVALID");
    String unique =
        "{\"command\":[\"true\"],\"runAt\":\"2099-01-01T00:00:00Z\",\"uniqueKey\":\"u1\"}";
    HttpResponse<String> first = node.post("/api/v1/jobs", unique);
    HttpResponse<String> second = node.post("/api/v1/jobs", unique);
    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(second.statusCode()).isEqualTo(200);
    String id = json(first).path("id").asText();
    assertThat(json(second).path("id").asText()).isEqualTo(id);
    assertThat(node.post("/api/v1/jobs/" + id + "/cancel").statusCode()).isEqualTo(202);
    awaitState(id, "CANCELLED");
  }

  @Test
  void actsOnAJobAndTellsTheStateThatForbidsIt() {
    String id = running();
    HttpResponse<String> rerun = node.post("/api/v1/jobs/" + id + "/rerun");
    assertProblem(rerun, 409, "ILLEGAL_STATE");
    assertThat(json(rerun).path("state").asText()).isEqualTo("RUNNING");
    assertThat(node.post("/api/v1/jobs/" + id + "/cancel").statusCode()).isEqualTo(202);
    awaitState(id, "CANCELLED");
    assertThat(node.post("/api/v1/jobs/" + id + "/cancel").statusCode()).isEqualTo(202);
    assertProblem(node.post("/api/v1/jobs/nope/cancel"), 404, "NOT_FOUND");
  }

  @Test
  void deletingAnEndedJobDeletesTheFilesOfItsRuns() {
    String id = running();
    HttpResponse<String> early = node.delete("/api/v1/jobs/" + id);
    assertProblem(early, 409, "ILLEGAL_STATE");
    assertThat(json(early).path("state").asText()).isEqualTo("RUNNING");
    assertThat(node.post("/api/v1/jobs/" + id + "/cancel").statusCode()).isEqualTo(202);
    awaitState(id, "CANCELLED");
    assertThat(data.resolve("runs").resolve(id)).isDirectory();

    HttpResponse<String> deleted = node.delete("/api/v1/jobs/" + id);
    assertThat(deleted.statusCode()).isEqualTo(204);
    assertThat(deleted.body()).isEmpty();
    assertProblem(node.get("/api/v1/jobs/" + id), 404, "NOT_FOUND");
    assertThat(node.get("/api/v1/jobs").body()).doesNotContain(id);
    assertProblem(node.delete("/api/v1/jobs/" + id), 404, "NOT_FOUND");
    Eventually.assertThat(() -> assertThat(data.resolve("runs").resolve(id)).doesNotExist());
    Eventually.assertThat(() -> assertThat(data.resolve("control").resolve(id)).doesNotExist());
  }

  @Test
  void holdsAndReleases() {
    HttpResponse<String> later =
        node.post("/api/v1/jobs", "{\"command\":[\"true\"],\"runAt\":\"2099-01-01T00:00:00Z\"}");
    String id = json(later).path("id").asText();
    assertThat(json(later).path("state").asText()).isEqualTo("SCHEDULED");
    assertThat(json(node.get("/api/v1/jobs/" + id + "/why")).at("/blockedBy/0/kind").asText())
        .isEqualTo("not-due");
    assertThat(json(node.post("/api/v1/jobs/" + id + "/hold")).path("state").asText())
        .isEqualTo("HELD");
    JsonNode released = json(node.post("/api/v1/jobs/" + id + "/release"));
    assertThat(released.path("state").asText()).isEqualTo("SCHEDULED");
    assertThat(released.path("nextAttemptAt").asText()).isEqualTo("2099-01-01T00:00:00Z");
    assertThat(node.post("/api/v1/jobs/" + id + "/cancel").statusCode()).isEqualTo(202);
  }

  @Test
  void givesALongLogInRanges() {
    // 1,110,000 bytes, of which the first and the last 256 KiB are kept
    String id =
        submit("i=100000; while [ $i -lt 174000 ]; do echo $i-line-xx; i=$((i+1)); done | cat");
    awaitState(id, "SUCCEEDED");
    String path = "/api/v1/jobs/" + id + "/log";
    StringBuilder all = new StringBuilder();
    String kept = "";
    do {
      HttpResponse<String> part = node.get(path + "?offset=" + all.length());
      assertThat(part.statusCode()).isEqualTo(206);
      kept = part.headers().firstValue("Callboard-Log-Kept").orElseThrow();
      assertThat(part.headers().firstValue("Content-Range"))
          .contains(
              "bytes %d-%d/%s"
                  .formatted(all.length(), all.length() + part.body().length() - 1, kept));
      assertThat(part.headers().firstValue("Callboard-Log-Written")).contains("1110000");
      assertThat(part.headers().firstValue("Callboard-Log")).contains("complete, truncated");
      all.append(part.body());
    } while (all.length() < Integer.parseInt(kept));
    assertThat(all)
        .startsWith("100000-line-xx\n100001-line-xx\n")
        .contains("[callboard: " + (1_110_000 - 2 * 256 * 1024) + " bytes left out]")
        .endsWith("173999-line-xx\n");

    assertThat(node.get(path + "?offset=" + kept).statusCode()).isEqualTo(200);
    HttpResponse<String> behind = node.get(path + "?offset=" + (Integer.parseInt(kept) + 1));
    assertProblem(behind, 416, "RANGE_NOT_SATISFIABLE");
    assertThat(behind.headers().firstValue("Content-Range")).contains("bytes */" + kept);
    assertThat(range(path, "bytes=7-10").body()).isEqualTo("line");
    assertThat(range(path, "bytes=-8").body()).isEqualTo("line-xx\n");
    assertThat(range(path, "bytes=" + kept + "-").statusCode()).isEqualTo(416);
    assertThat(range(path, "bytes=0-1,4-5").statusCode()).as("several: ignored").isEqualTo(200);
  }

  private HttpResponse<String> range(String path, String range) {
    return node.send(node.request(path).header("Range", range));
  }

  @Test
  void followsALog() {
    String id = submit("echo a; sleep 0.3; echo b");
    HttpResponse<String> events = node.get("/api/v1/jobs/" + id + "/log?follow=true");
    assertThat(events.headers().firstValue("Content-Type"))
        .contains("text/event-stream; charset=utf-8");
    assertThat(events.body())
        .startsWith("event: reset\n")
        .endsWith("\n\n")
        .contains("event: end\n");
    assertThat(events.body()).contains("b\\n");
    assertProblem(node.get("/api/v1/jobs/nope/log?follow=true"), 404, "NOT_FOUND");
  }

  @Test
  void changesTypes() {
    assertThat(json(node.get("/api/v1/types/process")).path("runner").asText())
        .isEqualTo("process");
    HttpResponse<String> made = put("/api/v1/types/etl", "{\"limit\":2}");
    assertThat(made.statusCode()).isEqualTo(200);
    JsonNode paused = json(node.post("/api/v1/types/etl/pause"));
    assertThat(paused.path("paused").asBoolean()).isTrue();
    assertThat(paused.at("/pause/by").asText()).isEqualTo("a client at 127.0.0.1");
    assertThat(json(node.get("/api/v1/types")).path("items"))
        .as("the list says it, too")
        .contains(paused);
    assertThat(json(node.get("/api/v1/types/etl"))).isEqualTo(paused);
    JsonNode changed = json(put("/api/v1/types/etl", "{\"limit\":3,\"retry\":{\"attempts\":4}}"));
    assertThat(changed.path("paused").asBoolean()).as("a new limit resumes nothing").isTrue();
    assertThat(changed.path("pause")).isEqualTo(paused.path("pause"));
    assertThat(changed.path("limit").asInt()).isEqualTo(3);
    assertThat(changed.at("/retry/attempts").asInt()).isEqualTo(4);
    JsonNode resumed = json(node.post("/api/v1/types/etl/resume"));
    assertThat(resumed.path("paused").asBoolean()).isFalse();
    assertThat(resumed.has("pause")).isFalse();
    assertProblem(put("/api/v1/types/etl", "{\"name\":\"x\",\"limit\":1}"), 422, "INVALID");
    assertProblem(put("/api/v1/types/etl", "{\"limit\":-1}"), 422, "INVALID");
    assertProblem(node.get("/api/v1/types/nope"), 404, "NOT_FOUND");
    assertProblem(node.post("/api/v1/types/nope/pause"), 404, "NOT_FOUND");
  }

  @Test
  void aTypeIsChangedOnlyAsItWasRead() {
    String path = "/api/v1/types/tagged";
    assertThat(ifMatch(path, "*", 1).statusCode()).as("there is none").isEqualTo(412);
    String first = put(path, "{\"limit\":1}").headers().firstValue("ETag").orElseThrow();
    assertThat(node.send(node.request(path).header("If-None-Match", first)).statusCode())
        .isEqualTo(304);
    HttpResponse<String> changed = ifMatch(path, "\"other\", " + first, 2);
    assertThat(changed.statusCode()).isEqualTo(200);
    assertProblem(ifMatch(path, first, 3), 412, "PRECONDITION_FAILED");
    assertProblem(ifMatch(path, "W/" + tag(changed), 3), 412, "PRECONDITION_FAILED");
    assertThat(json(node.get(path)).path("limit").asInt()).isEqualTo(2);
    assertThat(tag(node.get(path))).isEqualTo(tag(changed)).isNotEqualTo(first);
    assertThat(ifMatch(path, "*", 4).statusCode()).isEqualTo(200);
    HttpRequest.Builder pause =
        node.request(path + "/pause")
            .header("If-None-Match", "*")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.noBody());
    assertThat(node.send(pause).statusCode()).as("only reads are 304").isEqualTo(200);
  }

  private static HttpResponse<String> ifMatch(String path, String tags, int limit) {
    return node.send(
        node.request(path)
            .header("Content-Type", "application/json")
            .header("If-Match", tags)
            .PUT(BodyPublishers.ofString("{\"limit\":" + limit + "}")));
  }

  private static String tag(HttpResponse<String> response) {
    return response.headers().firstValue("ETag").orElseThrow();
  }

  @Test
  void eventsAndLogsThatHaveNotChangedAreNotSentAgain() {
    String id = submit("echo out");
    awaitState(id, "SUCCEEDED");
    for (String part : List.of("/events", "/log", "/runs")) {
      String path = "/api/v1/jobs/" + id + part;
      HttpResponse<String> again =
          node.send(node.request(path).header("If-None-Match", tag(node.get(path))));
      assertThat(again.statusCode()).as(part).isEqualTo(304);
      assertThat(again.body()).isEmpty();
    }
  }

  @Test
  void aTypeSaysHowLongItsJobsAreKept() {
    String path = "/api/v1/types/kept";
    JsonNode made =
        json(put(path, "{\"limit\":2,\"retention\":{\"failures\":\"P30D\",\"logs\":\"PT6H\"}}"));
    assertThat(made.path("retention").toString())
        .isEqualTo("{\"failures\":\"PT720H\",\"logs\":\"PT6H\"}");
    assertThat(json(put(path, "{\"limit\":3}")).at("/retention/logs").asText()).isEqualTo("PT6H");
    assertThat(json(node.post(path + "/pause")).at("/retention/logs").asText()).isEqualTo("PT6H");
    HttpResponse<String> brief = put(path, "{\"limit\":2,\"retention\":{\"successes\":\"PT1H\"}}");
    assertProblem(brief, 422, "INVALID");
    assertThat(json(brief).at("/errors/0/pointer").asText()).isEqualTo("/retention/successes");
    assertProblem(put(path, "{\"limit\":2,\"retention\":{\"rows\":\"P9D\"}}"), 422, "INVALID");
    assertThat(json(put(path, "{\"limit\":2,\"retention\":{}}")).has("retention")).isFalse();
  }

  private static HttpResponse<String> put(String path, String json) {
    return node.send(
        node.request(path)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(json)));
  }

  @Test
  void showsTheNode() {
    JsonNode gate = json(node.get("/api/v1/actors/jobs/gate"));
    assertThat(gate.path("state").asText()).isEqualTo("RUNNING");
    assertThat(gate.at("/stored/turn").asLong()).isPositive();
    assertThat(json(node.get("/api/v1/actors?prefix=/jobs&state=RUNNING")).path("items"))
        .isNotEmpty();
    assertProblem(node.get("/api/v1/actors/no/such"), 404, "NOT_FOUND");
    assertProblem(node.get("/api/v1/actors/no%20path"), 400, "MALFORMED");
    assertThat(json(node.get("/api/v1/zones")).path("items"))
        .hasSize(8)
        .allSatisfy(
            zone -> {
              assertThat(zone.path("size").asInt()).isPositive();
              assertThat(zone.path("busy").isInt()).isTrue();
              assertThat(zone.path("queued").isInt()).isTrue();
              assertThat(zone.at("/queueWait/p99").asText()).startsWith("PT");
              assertThat(zone.path("utilisation").asDouble()).isBetween(0.0, 1.0);
              assertThat(zone.path("blocked")).isEmpty();
            });
    assertThat(json(node.get("/api/v1/hosts")).at("/items/0/name").asText()).isEqualTo("node-a");
    assertThat(json(node.get("/api/v1/deadletters")).path("items").isArray()).isTrue();
    JsonNode stats = json(node.get("/api/v1/stats"));
    assertThat(stats.at("/node/name").asText()).isEqualTo("node-a");
    assertThat(node.get("/healthz").statusCode()).isEqualTo(200);
    assertThat(node.get("/readyz").statusCode()).isEqualTo(200);
    assertThat(node.get("/metrics").body())
        .contains(
            "callboard_commits_total ",
            "callboard_zone_threads{zone=\"blocking\",kind=\"fixed\"} 8",
            "callboard_zone_queue_wait_seconds_bucket{zone=\"default\",kind=\"fork-join\",le=\"");
    assertThat(
            node.get("/api/v1/openapi.json")
                .body()
                .getBytes(java.nio.charset.StandardCharsets.UTF_8))
        .isEqualTo(Contract.read().json());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{                                  | 400 | MALFORMED | ''",
        "''                                 | 400 | MALFORMED | ''",
        "{'comand':['a']}                   | 422 | INVALID   | /comand",
        "{'command':['a'],'priority':'x'}   | 422 | INVALID   | /priority",
        "{'command':[' ']}                  | 422 | INVALID   | /command/0",
        "{'command':['a'],'type':'nope'}    | 422 | INVALID   | /type",
        "{'command':['a'],'type':''}        | 422 | INVALID   | /type",
        "{'command':['a'],'runAt':'9999-12-31T23:00:00-02:00'} | 422 | INVALID | /runAt",
      })
  void saysWhatIsWrongWithASubmission(String body, int status, String code, String pointer) {
    HttpResponse<String> response = node.post("/api/v1/jobs", body.replace('\'', '"'));
    assertProblem(response, status, code);
    assertThat(json(response).at("/errors/0/pointer").asText()).isEqualTo(pointer);
  }

  @Test
  void namesTheKnownTypes() {
    HttpResponse<String> response =
        node.post("/api/v1/jobs", "{\"command\":[\"a\"],\"type\":\"nope\"}");
    assertThat(json(response).path("detail").asText()).contains("process");
    HttpResponse<String> empty = node.post("/api/v1/jobs", "{\"command\":[\"a\"],\"type\":\"\"}");
    assertThat(json(empty).at("/errors/0/detail").asText())
        .startsWith("the type name is empty: use up to 63 letters");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limt=3           | /limt         | unknown query parameter \"limt\"; did you mean"
            + " \"limit\"?",
        "limit=0          | /limit        | must be 1 to 200, not 0",
        "limit=x          | /limit        | must be a whole number, not the string \"x\"",
        "limit=1&limit=2  | /limit        | is given 2 times, at most once is allowed",
        "createdAfter=now | /createdAfter | must be an RFC 3339 time with an offset, such as 2026-11-21T05:30:00Z, not \"now\"",
        "cursor=zzz       | /cursor       | \"zzz\" is not a cursor of this list",
      })
  void saysWhatIsWrongWithAQuery(String query, String pointer, String detail) {
    HttpResponse<String> response = node.get("/api/v1/jobs?" + query);
    assertProblem(response, 400, "MALFORMED");
    assertThat(json(response).at("/errors/0/pointer").asText()).isEqualTo(pointer);
    assertThat(json(response).at("/errors/0/detail").asText()).isEqualTo(detail);
  }

  @Test
  void pagesThroughJobs() {
    for (int i = 0; i < 3; i++) {
      submit("true");
    }
    JsonNode first = json(node.get("/api/v1/jobs?limit=2"));
    assertThat(first.path("items")).hasSize(2);
    JsonNode second = json(node.get("/api/v1/jobs?limit=2&cursor=" + first.path("next").asText()));
    assertThat(second.at("/items/0/id").asText()).isLessThan(first.at("/items/1/id").asText());
  }

  @Test
  void refusesBodiesThatAreTooLargeOrNotJson() {
    String big = "{\"command\":[\"" + "a".repeat(300_000) + "\"]}";
    assertProblem(node.post("/api/v1/jobs", big), 413, "TOO_LARGE");
    assertProblem(
        node.send(
            node.request("/api/v1/jobs")
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("{}"))),
        415,
        "UNSUPPORTED_MEDIA_TYPE");
    assertProblem(
        node.send(node.request("/api/v1/jobs/x/cancel").POST(BodyPublishers.ofString("{}"))),
        415,
        "UNSUPPORTED_MEDIA_TYPE");
    assertProblem(node.post("/api/v1/jobs/x/cancel", "{\"reason\":1}"), 422, "INVALID");
  }

  @Test
  void knowsNoOtherPathOrMethod() {
    assertProblem(node.get("/api/v1/nope"), 404, "NOT_FOUND");
    assertProblem(node.get("/nope"), 404, "NOT_FOUND");
    assertProblem(node.get("/js/../../secret"), 404, "NOT_FOUND");
    HttpResponse<String> response = node.send(node.request("/api/v1/jobs").DELETE());
    assertProblem(response, 405, "METHOD_NOT_ALLOWED");
    assertThat(response.headers().firstValue("Allow")).contains("GET, HEAD, POST");
  }

  @Test
  void refusesStrangers() {
    assertProblem(node.send(node.request("/").header("Host", "evil.example")), 403, "FORBIDDEN");
    assertProblem(
        node.send(
            node.request("/api/v1/types/process/pause")
                .header("Origin", "http://evil.example")
                .POST(BodyPublishers.noBody())),
        403,
        "FORBIDDEN");
    assertProblem(
        node.send(
            node.request("/api/v1/types/process/pause")
                .header("Sec-Fetch-Site", "cross-site")
                .POST(BodyPublishers.noBody())),
        403,
        "FORBIDDEN");
    HttpResponse<String> own =
        node.send(
            node.request("/api/v1/types/process/resume")
                .header("Origin", "http://127.0.0.1:" + node.front.port())
                .header("Sec-Fetch-Site", "same-origin")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.noBody()));
    assertThat(own.statusCode()).isEqualTo(200);
  }

  @Test
  void responsesLimitWhatThePageMayDo() {
    HttpResponse<String> page = node.get("/");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(node.get("/api/v1/jobs").headers().firstValue("Cache-Control")).contains("no-store");
    String tag = page.headers().firstValue("ETag").orElseThrow();
    assertThat(node.send(node.request("/").header("If-None-Match", tag)).statusCode())
        .isEqualTo(304);
    assertThat(page.headers().firstValue("Cache-Control")).contains("no-cache");
  }

  @Test
  void theFilesOfThePageAreKeptByBrowsersUntilOneOfThemChanges() {
    Page page = Page.read();
    String index = node.get("/").body();
    for (String file : Page.FILES) {
      HttpResponse<String> served = node.get("/" + page.path(file));
      assertThat(served.statusCode()).as(file).isEqualTo(200);
      boolean itself = file.equals("index.html");
      assertThat(served.headers().firstValue("Cache-Control"))
          .as(file)
          .contains(itself ? "no-cache" : "public, max-age=31536000, immutable");
      assertThat(index).as("the page knows only the addresses").doesNotContain('"' + file + '"');
    }
    assertThat(index).contains('"' + page.path("js/main.js") + '"', page.path("app.css"));
    assertThat(page.path("app.css")).matches("assets/[0-9a-f]{24}/app\\.css");
    assertProblem(node.get("/app.css"), 404, "NOT_FOUND");
    HttpResponse<String> old = node.get("/assets/" + "0".repeat(24) + "/app.css");
    assertProblem(old, 404, "NOT_FOUND");
    assertThat(old.headers().firstValue("Cache-Control")).contains("no-store");
  }

  @Test
  void aPortThatIsTakenIsReported() {
    int taken = node.front.port();
    assertThatThrownBy(() -> await(open(new DashboardOptions().port(taken))))
        .rootCause()
        .isInstanceOf(BindException.class);
    assertThatThrownBy(() -> await(open(new DashboardOptions().port(taken))))
        .hasMessage("port %d on 127.0.0.1 is in use", taken);
  }

  @Test
  void aPortIsNotBlamedForAnAddressOfAnotherMachine() {
    DashboardOptions elsewhere = new DashboardOptions().host("192.0.2.1").insecure(true).port(8080);
    assertThatThrownBy(() -> await(open(elsewhere)))
        .hasMessageContaining("cannot listen on port 8080 of 192.0.2.1: ");
    BindException inAnotherLanguage = new BindException("Adresse déjà utilisée");
    assertThat(DashboardServer.whyNotBound("127.0.0.1", 8080, inAnotherLanguage))
        .isEqualTo("port 8080 on 127.0.0.1 is in use");
    assertThat(DashboardServer.whyNotBound("127.0.0.1", 80, new BindException("Permission denied")))
        .isEqualTo("cannot listen on port 80 of 127.0.0.1: Permission denied");
  }

  private static Future<DashboardServer> open(DashboardOptions options) {
    return DashboardServer.open(node.parts, options);
  }

  @Test
  void listensForOthersOnlyWhereThatWasAccepted() {
    assertThatThrownBy(() -> DashboardServer.check(TestNode.options().host("0.0.0.0")))
        .hasMessageContaining("(insecure)");
    DashboardServer open = await(open(TestNode.options().host("0.0.0.0").insecure(true)));
    assertThat(open.url()).startsWith("http://localhost:");
    await(open.close());
  }

  @Test
  void canBeMounted() {
    Router application = Router.router(node.vertx);
    Dashboard dashboard = await(Dashboard.create(node.parts, TestNode.options()));
    application.route("/board/*").subRouter(dashboard.router());
    application.get("/own").handler(context -> context.end("mine"));
    HttpServer server =
        await(
            node.vertx
                .createHttpServer(
                    Dashboard.serverOptions(
                        new HttpServerOptions().setPort(0).setHost("127.0.0.1")))
                .requestHandler(application)
                .listen());
    String base = "http://127.0.0.1:" + server.actualPort();
    assertThat(get(base + "/board/").body()).contains("<title>Callboard</title>");
    assertThat(get(base + "/board/api/v1/types").statusCode()).isEqualTo(200);
    assertThat(get(base + "/board/healthz").statusCode()).isEqualTo(200);
    assertThat(get(base + "/board").statusCode()).isEqualTo(308);
    assertThat(get(base + "/own").body()).isEqualTo("mine");
    assertThat(overHttp2(server.actualPort(), "127.0.0.1")).isEqualTo(200);
    assertThat(overHttp2(server.actualPort(), "evil.example")).isEqualTo(403);
    await(dashboard.close());
    await(server.close());
  }

  @Test
  void anIdleConnectionEndsAfterTwoMinutesUnlessTheCallerSetsATimeout() {
    HttpServerOptions ours = new HttpServerOptions().setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
    assertThat(Dashboard.serverOptions(ours).getWriteIdleTimeout()).isEqualTo(120_000);
    assertThat(Dashboard.serverOptions(new HttpServerOptions()).getWriteIdleTimeout())
        .isEqualTo(120);
    assertThat(Dashboard.serverOptions(ours.setWriteIdleTimeout(7)).getWriteIdleTimeout())
        .isEqualTo(7);
  }

  /** Returns the status of a request over HTTP/2 for a host. */
  private static int overHttp2(int port, String host) {
    HttpClient client =
        node.vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    try {
      return await(
          client
              .request(
                  new RequestOptions()
                      .setServer(SocketAddress.inetSocketAddress(port, "127.0.0.1"))
                      .setHost(host)
                      .setPort(port)
                      .setURI("/board/api/v1/types"))
              .compose(HttpClientRequest::send)
              .map(HttpClientResponse::statusCode));
    } finally {
      await(client.close());
    }
  }

  private static HttpResponse<String> get(String uri) {
    return node.send(java.net.http.HttpRequest.newBuilder(java.net.URI.create(uri)));
  }
}

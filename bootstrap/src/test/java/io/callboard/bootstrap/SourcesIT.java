package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sources of the built jar: files and requests become workflow instances, over a kill too. */
@Tag("long")
@Tag("real")
class SourcesIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final String SOURCES = "/api/v1/sources";

  /** Its step takes long enough to be killed. */
  private static final String WORKFLOW =
      "{\"name\":\"greet\",\"steps\":{\"say\":{\"run\":\"process\",\"with\":{\"command\":[\"sleep\",\"0.5\"]},\"retry\":{\"attempts\":3}}}}";

  private final Path home;
  private final Path files;
  private final Path conf;

  SourcesIT() throws IOException {
    home = LaunchedNode.directory("sources");
    files = Files.createDirectory(home.resolve("in"));
    conf =
        Files.writeString(
            home.resolve("node.yaml"),
            """
            sources:
              files:
                kind: directory
                settings: {path: "%s", settle: PT0S, lease: PT5S, done: keep}
                credit: 3
                start: {workflow: greet, input: {name: "${/headers/name}"}}
              inbox:
                kind: http
                start: {workflow: greet, input: {name: "${/body/name}"}}
            """
                .formatted(files));
  }

  private LaunchedNode start() throws IOException {
    return LaunchedNode.start(home.resolve("data"), "--conf", conf.toString());
  }

  private static JsonNode json(HttpResponse<String> response) {
    return Json.parse("the answer", response.body().getBytes(StandardCharsets.UTF_8));
  }

  private static JsonNode get(LaunchedNode node, String path) {
    try {
      HttpResponse<String> answer = node.get(path);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      return json(answer);
    } catch (IOException e) {
      throw new AssertionError("no answer to " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static String run(LaunchedNode node, String... command) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of("--url", node.url()));
    CommandRun run = CommandRun.of(all.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  /** Puts a file into the directory, under its name at once. */
  private void put(String name) throws IOException {
    Path written = Files.writeString(home.resolve(name), "{}");
    var unused = Files.move(written, files.resolve(name));
  }

  private List<String> done() {
    try (Stream<Path> all = Files.walk(files.resolve(".callboard/done"))) {
      return all.filter(Files::isRegularFile).map(file -> file.getFileName().toString()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the names with which instances have succeeded. */
  private static List<String> greeted(LaunchedNode node) {
    List<String> names = new ArrayList<>();
    for (JsonNode each : get(node, "/api/v1/workflows?limit=100").path("items")) {
      JsonNode instance = get(node, "/api/v1/workflows/" + each.path("id").asText());
      assertThat(instance.path("state").asText()).isEqualTo("SUCCEEDED");
      names.add(instance.at("/input/name").asText());
    }
    return names;
  }

  private static void awaitStatus(LaunchedNode node, String status) {
    Eventually.assertThat(
        LIMIT,
        () -> assertThat(get(node, SOURCES + "/files").path("status").asText()).isEqualTo(status));
  }

  private static String send(LaunchedNode node, String name) throws Exception {
    HttpResponse<String> answer =
        node.send(
            "POST",
            SOURCES + "/inbox/messages",
            "{\"name\":\"%s\"}".formatted(name),
            "Idempotency-Key",
            name);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    return json(answer).path("key").asText();
  }

  @Test
  void nothingIsLostAndNothingDoneTwice() throws Exception {
    List<String> expected =
        IntStream.range(0, 15).mapToObj("%d.json"::formatted).collect(Collectors.toList());
    try (LaunchedNode node = start()) {
      HttpResponse<String> early =
          node.send("POST", SOURCES + "/inbox/messages", "{\"name\":\"x\"}");
      assertThat(early.statusCode()).as(early.body()).isEqualTo(409);
      HttpResponse<String> put = node.send("PUT", "/api/v1/workflow-definitions/greet", WORKFLOW);
      assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
      assertThat(run(node, "source", "pause", "files"))
          .startsWith("files is PAUSED: it was paused by a client at 127.0.0.1");
      for (String each : expected) {
        put(each);
      }
      assertThat(send(node, "request")).isEqualTo(send(node, "request"));
      assertThat(run(node, "sources"))
          .contains("NAME   KIND       STATUS", "files  directory  PAUSED", "inbox  http  ");
      assertThat(run(node, "source", "resume", "files")).startsWith("files is ");
      Eventually.assertThat(LIMIT, () -> assertThat(done()).isNotEmpty());
      node.kill();
    }
    assertThat(done()).as("killed in the middle").hasSizeLessThan(expected.size());
    try (LaunchedNode node = start()) {
      Eventually.assertThat(
          LIMIT, () -> assertThat(done()).containsExactlyInAnyOrderElementsOf(expected));
      expected.add("request");
      Eventually.assertThat(
          LIMIT, () -> assertThat(greeted(node)).containsExactlyInAnyOrderElementsOf(expected));
      assertThat(send(node, "request")).startsWith("source/inbox/request");
      put("last.json"); // after the repeated request
      expected.add("last.json");
      Eventually.assertThat(
          LIMIT, () -> assertThat(greeted(node)).containsExactlyInAnyOrderElementsOf(expected));
      awaitStatus(node, "POLLING");
      assertThat(home.resolve("data/logs")).isNotEmptyDirectory();
      assertThat(node.errors()).as("the log is in a file").doesNotContain(" INFO ");
      assertThat(run(node, "sources", "files"))
          .contains("starts       workflow greet", "status       POLLING", "dead 0");
    }
  }

  @Test
  void aMistakeInTheSourcesEndsTheStart() throws Exception {
    Path bad =
        Files.writeString(
            home.resolve("bad.yaml"),
            "sources: {a: {kind: directry, start: {workflow: x}}, b: {kind: http, credit: 1}}");
    try (LaunchedNode node = LaunchedNode.launch(Map.of(), "--conf", bad.toString())) {
      assertThat(node.exitCode(LIMIT)).isEqualTo(2);
      assertThat(node.errors().lines()).hasSize(1);
      assertThat(node.errors())
          .contains("/sources/a/kind: there is no kind \"directry\"; there are [directory, ")
          .contains("/sources/b/credit: ", "/sources/b/start: ");
    }
  }
}

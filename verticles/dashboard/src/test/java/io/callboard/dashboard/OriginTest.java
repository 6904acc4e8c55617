package io.callboard.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads on behalf of pages of other sites. */
@Tag("real")
class OriginTest {
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

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/api/v1/jobs", "/api/v1/openapi.json", "/healthz", "/metrics", "/ws"})
  void aStrangersPageReadsNothing(String path) {
    for (String origin : List.of("http://evil.example", "null", "https://127.0.0.1")) {
      HttpResponse<String> refused = node.send(node.request(path).header("Origin", origin));
      assertThat(refused.statusCode()).as(origin).isEqualTo(403);
      assertThat(TestNode.json(refused).path("code").asText()).isEqualTo("FORBIDDEN");
      assertThat(refused.body()).contains(origin);
    }
    HttpResponse<String> head =
        node.send(
            node.request(path)
                .header("Origin", "http://evil.example")
                .method("HEAD", BodyPublishers.noBody()));
    assertThat(head.statusCode()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/api/v1/jobs", "/healthz"})
  void theOwnPageAndFollowedLinksMayRead(String path) {
    String own = "http://127.0.0.1:" + node.front.port();
    assertThat(node.send(node.request(path).header("Origin", own)).statusCode()).isEqualTo(200);
    HttpResponse<String> linked =
        node.send(
            node.request(path)
                .header("Sec-Fetch-Site", "cross-site")
                .header("Sec-Fetch-Mode", "navigate"));
    assertThat(linked.statusCode()).isEqualTo(200);
  }
}

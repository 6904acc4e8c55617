package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.client.ScriptedNode.Reply;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SourceCommandsTest {
  private static final String FILES =
      """
      {"name":"files","kind":"directory","ack":"on_complete","target":"workflow greet",
       "status":"PAUSED","why":"it was paused by ann","node":"n1","mode":"PAUSED","modeBy":"ann",
       "lag":7,"credit":100,"inFlight":2,
       "totals":{"taken":9,"completed":5,"failed":1},"rates":{"taken":0.05,"completed":1.5}}
      """;
  private static final String INBOX =
      """
      {"name":"inbox","kind":"http","ack":"on_accept","target":"job mail","status":"ACCEPTING",
       "credit":0,"inFlight":0,"totals":{"failed":0},"rates":{"completed":0}}
      """;

  private static ScriptedNode node() throws IOException {
    return new ScriptedNode(
        request ->
            switch (request) {
              case "GET /sources" -> Reply.of("{\"items\":[%s,%s]}".formatted(FILES, INBOX));
              case "GET /sources/files", "POST /sources/files/pause" -> Reply.of(FILES);
              default -> Reply.refusal(404, "NOT_FOUND", "there is no source \\\"nobody\\\"");
            });
  }

  @Test
  void listsSourcesWithWhyTheyDoNotPoll() throws IOException {
    try (ScriptedNode node = node()) {
      assertThat(node.run("sources")).isZero();
      assertThat(node.out().lines())
          .containsExactly(
              "NAME   KIND       STATUS     LAG  IN FLIGHT  RATE   FAILED  LAST ACK  WHY",
              "files  directory  PAUSED     7    2          1.5/s  1       -         it was paused by ann",
              "inbox  http       ACCEPTING  -    0          0.0/s  0       -         -");
    }
  }

  @Test
  void showsAllOfOne() throws IOException {
    try (ScriptedNode node = node()) {
      assertThat(node.run("sources", "files")).isZero();
      assertThat(node.out().lines())
          .contains(
              "source       files, of kind directory",
              "starts       workflow greet",
              "status       PAUSED: it was paused by ann",
              "mode         PAUSED, by ann",
              "in flight    2 of 100",
              "totals       taken 9, completed 5, failed 1");
    }
  }

  @Test
  void actsOnOne() throws IOException {
    try (ScriptedNode node = node()) {
      assertThat(node.run("source", "pause", "files")).isZero();
      assertThat(node.out().lines()).containsExactly("files is PAUSED: it was paused by ann");
      assertThat(node.run("source", "drain", "nobody")).isEqualTo(1);
      assertThat(node.err()).contains("there is no source");
      assertThat(node.asked())
          .containsExactly("POST /sources/files/pause", "POST /sources/nobody/drain");
    }
  }
}

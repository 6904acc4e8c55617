package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.client.ScriptedNode.Reply;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Lists, shows and changes actors and failure zones, with a node whose answers are scripted. */
class ActorCommandsTest {
  private static final String ACTOR =
      """
      {"path":"/desk","state":"RUNNING","durable":true,"queued":3,
       "history":[
        {"at":"2026-11-25T10:00:00Z","cause":"java.io.IOException: first","decision":"RESTART"},
        {"at":"2026-11-25T11:00:00Z","cause":"java.io.IOException: second"}]}
      """;

  private static Reply answer(String request) {
    return switch (request) {
      case "GET /actors" ->
          Reply.of(
              """
              {"items":[{"path":"/desk","state":"RUNNING","durable":true,"zone":"default"}],
               "zones":[{"path":"/shop","state":"FAILED","strategy":"ONE_FOR_ONE","children":2}]}
              """);
      case "GET /actors/desk" -> Reply.of(ACTOR);
      case "POST /actors/shop/a%20b/resume" -> Reply.of("{\"state\":\"RUNNING\"}");
      case "GET /actors/desk?node=n%202" -> Reply.of(ACTOR.replace("RUNNING", "FAILED"));
      case "POST /actors/desk/resume?node=n%202" -> Reply.of("{\"state\":\"RUNNING\"}");
      default -> Reply.refusal(404, "NOT_FOUND", "there is nothing at " + request);
    };
  }

  @Test
  void listsActorsAndFailureZones() throws IOException {
    try (ScriptedNode node = new ScriptedNode(ActorCommandsTest::answer)) {
      assertThat(node.run("actors")).isZero();
      assertThat(node.out())
          .containsPattern("(?i)durable +scheduling zone")
          .containsPattern("(?m)^/desk +RUNNING +true +default")
          .containsPattern("(?im)^failure zone +state +strategy")
          .containsPattern("(?m)^/shop +FAILED +ONE_FOR_ONE +2");
    }
  }

  @Test
  void showsAnActorWithItsFailuresNewestFirst() throws IOException {
    try (ScriptedNode node = new ScriptedNode(ActorCommandsTest::answer)) {
      assertThat(node.run("actors", "show", "/desk")).isZero();
      assertThat(node.out())
          .containsPattern("(?m)^queued +3$")
          .doesNotContain("ago ago")
          .containsPattern(
              "(?s)newest first:.*ago: java.io.IOException: second, not decided yet.*ago: java.io.IOException: first, RESTART");
    }
  }

  @Test
  void changesOneByItsPath() throws IOException {
    try (ScriptedNode node = new ScriptedNode(ActorCommandsTest::answer)) {
      assertThat(node.run("actors", "resume", "/shop/a b")).isZero();
      assertThat(node.out()).contains("/shop/a b is RUNNING");
    }
  }

  @Test
  void showsAndChangesOneOfAnotherNode() throws IOException {
    try (ScriptedNode node = new ScriptedNode(ActorCommandsTest::answer)) {
      assertThat(node.run("actors", "show", "/desk", "--node", "n 2")).isZero();
      assertThat(node.out()).contains("FAILED");
      assertThat(node.run("actors", "resume", "/desk", "--node", "n 2")).isZero();
      assertThat(node.out()).contains("/desk is RUNNING");
    }
  }

  @Test
  void unknownPathIsReported() throws IOException {
    try (ScriptedNode node = new ScriptedNode(ActorCommandsTest::answer)) {
      assertThat(node.run("actors", "show", "/dusk")).isEqualTo(1);
      assertThat(node.err()).contains("there is nothing at GET /actors/dusk");
    }
  }
}

package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.client.ScriptedNode.Reply;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class AttentionCommandsTest {
  private static final String PAUSED =
      """
      {"id":"TYPE_PAUSED TYPE ocr","rule":"TYPE_PAUSED","severity":"NOTICE",
       "subject":{"kind":"TYPE","name":"ocr"},"since":"2020-01-01T00:00:00Z",
       "cause":"it is paused, and 7 jobs wait",
       "action":{"label":"resume it","command":"callboard resume ocr","post":"/types/ocr/resume"}}
      """;
  private static final String LOST =
      """
      {"id":"NODE_LOST NODE n2","rule":"NODE_LOST","severity":"CRITICAL",
       "subject":{"kind":"NODE","name":"n2"},"since":"2020-01-01T00:00:00Z","seen":true,
       "cause":"its session has ended","action":{"label":"start it again"}}
      """;

  private static final String THERE =
      """
      {"id":"ACTOR_FAILED ACTOR /a on n2","rule":"ACTOR_FAILED","severity":"CRITICAL",
       "subject":{"kind":"ACTOR","name":"/a","node":"n2"},"since":"2020-01-01T00:00:00Z",
       "cause":"it slipped","action":{"label":"resume it on node n2",
       "command":"callboard actors resume /a --node n2","post":"/actors/a/resume?node=n2"}}
      """;

  private static ScriptedNode node(String items, int omitted) throws IOException {
    return node(items, omitted, omitted == 0 ? "{}" : "{\"WARNING\":%d}".formatted(omitted));
  }

  private static ScriptedNode node(String items, int omitted, String bySeverity)
      throws IOException {
    return new ScriptedNode(
        request ->
            Reply.of(
                "{\"items\":[%s],\"omitted\":%d,\"omittedBySeverity\":%s,\"read\":\"all 2 nodes\"}"
                    .formatted(items, omitted, bySeverity)));
  }

  @Test
  void saysThatAllIsWell() throws IOException {
    try (ScriptedNode node = node("", 0)) {
      assertThat(node.run("doctor")).isZero();
      assertThat(node.out()).startsWith("Nothing is wrong, as far as the node at http://");
      assertThat(node.out()).contains("It has read: all 2 nodes.");
      assertThat(node.run("attention")).isZero();
      assertThat(node.asked()).containsExactly("GET /attention", "GET /attention");
    }
  }

  @Test
  void failsIfSomethingIsWrongAndSaysWhatToDo() throws IOException {
    try (ScriptedNode node = node(LOST + "," + PAUSED, 3)) {
      assertThat(node.run("doctor")).isEqualTo(1);
      assertThat(node.out().lines().map(line -> line.replaceAll("\\d+ d ago", "ago")))
          .anySatisfy(line -> assertThat(line).isEqualTo("critical: node lost n2, seen ago"))
          .contains("  its session has ended", "  -> start it again")
          .anySatisfy(
              line -> assertThat(line).startsWith("  -> resume it: callboard resume ocr --url "));
      assertThat(node.err()).contains("not listed: 3 more warning");
    }
  }

  @Test
  void aTroubleOfAnotherNodeIsNamedWithIt() throws IOException {
    try (ScriptedNode node = node(THERE, 0)) {
      assertThat(node.run("doctor")).isEqualTo(1);
      assertThat(node.out())
          .startsWith("critical: actor failed /a on n2, ")
          .contains("-> resume it on node n2: callboard actors resume /a --node n2 --url ");
    }
  }

  @Test
  void troublesThatAreNotListedCountToo() throws IOException {
    try (ScriptedNode node = node(PAUSED, 5, "{\"CRITICAL\":1,\"NOTICE\":4}")) {
      assertThat(node.run("doctor")).isEqualTo(1);
      assertThat(node.err()).contains("not listed: 1 more critical, 4 more notice");
    }
    try (ScriptedNode node = node(PAUSED, 4, "{\"NOTICE\":4}")) {
      assertThat(node.run("doctor")).isZero();
    }
  }

  @Test
  void hostileTextCommandsNoTerminalAndMakesNoLines() throws IOException {
    String hostile = LOST.replace("its session has ended", "x\\u001b[2J\\ncritical: \\u202ey");
    try (ScriptedNode node = node(hostile, 0)) {
      assertThat(node.run("doctor")).isEqualTo(1);
      assertThat(node.out().lines()).hasSize(3).contains("  x [2J critical: y");
    }
  }

  @Test
  void aStateThatAnOperatorHasSetIsNoFailure() throws IOException {
    try (ScriptedNode node = node(PAUSED, 0)) {
      assertThat(node.run("doctor")).isZero();
      assertThat(node.run("doctor", "--json")).isZero();
    }
  }

  @Test
  void listsTroublesAsATable() throws IOException {
    try (ScriptedNode node = node(LOST + "," + PAUSED, 0)) {
      assertThat(node.run("attention")).isZero();
      assertThat(node.out().lines().map(line -> line.replaceAll("\\d+ d ago", "ago")))
          .containsExactly(
              "SEVERITY  WHAT         SUBJECT  SINCE            CAUSE",
              "critical  node lost    n2       seen ago  its session has ended",
              "notice    type paused  ocr      ago       it is paused, and 7 jobs wait");
    }
  }
}

package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.client.ScriptedNode.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of submissions with all that a job may have of its own, against a scripted node. */
class SubmitCommandTest {
  private static final String ID = "019ac5e8-1a2b-7000-8000-000000000001";

  private static ScriptedNode node() throws Exception {
    return new ScriptedNode(request -> Reply.of("{\"id\":\"%s\"}".formatted(ID)));
  }

  @Test
  void aSubmissionHasItsEnvironmentItsTimeItsRetriesAndItsTimeouts() throws Exception {
    try (ScriptedNode node = node()) {
      assertThat(
              node.run(
                  "submit",
                  "--env",
                  "MODE=a=b",
                  "--env",
                  "EMPTY=",
                  "--run-at",
                  "2026-11-21T06:30:00+01:00",
                  "--retry-attempts",
                  "3",
                  "--retry-initial",
                  "PT5S",
                  "--retry-max",
                  "PT1H",
                  "--queue-timeout",
                  "PT10M",
                  "--run-timeout",
                  "P2D",
                  "--total-timeout",
                  "P3D",
                  "--progress-timeout",
                  "PT1M",
                  "--on-lost",
                  "hold",
                  "--",
                  "true"))
          .isZero();
      assertThat(node.asked())
          .containsExactly(
              "POST /jobs {\"type\":\"process\",\"command\":[\"true\"],"
                  + "\"env\":{\"MODE\":\"a=b\",\"EMPTY\":\"\"},\"runAt\":\"2026-11-21T05:30:00Z\","
                  + "\"retry\":{\"attempts\":3,\"initial\":\"PT5S\",\"max\":\"PT1H\"},"
                  + "\"timeouts\":{\"queue\":\"PT10M\",\"run\":\"PT48H\",\"total\":\"PT72H\","
                  + "\"progress\":\"PT1M\"},\"onLost\":\"hold\"}");
      assertThat(node.out()).isEqualToIgnoringNewLines(ID);
    }
  }

  @Test
  void aSingleRetryOrTimeoutSettingIsEnough() throws Exception {
    try (ScriptedNode node = node()) {
      assertThat(node.run("submit", "--run-timeout", "PT1M", "--retry-attempts", "2", "true"))
          .isZero();
      assertThat(node.asked())
          .containsExactly(
              "POST /jobs {\"type\":\"process\",\"command\":[\"true\"],"
                  + "\"retry\":{\"attempts\":2},\"timeouts\":{\"run\":\"PT1M\"}}");
    }
  }

  @Test
  void argumentsAreJsonOrAFileAndACommandMayNameOne(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("a.json"), "{ \"n\" : \"a b\" }\n");
    try (ScriptedNode node = node()) {
      assertThat(node.run("submit", "--type", "report", "--args", "@" + file)).isZero();
      assertThat(node.run("submit", "--", "cat", "@" + file)).isZero();
      assertThat(node.asked())
          .containsExactly(
              "POST /jobs {\"type\":\"report\",\"args\":{\"n\":\"a b\"}}",
              "POST /jobs {\"type\":\"process\",\"command\":[\"cat\",\"@%s\"]}".formatted(file));
    }
  }

  @Test
  void aResultThatIsNotKeptIsSaidByWhoeverWaitsForIt() throws Exception {
    String job =
        "{\"id\":\"%s\",\"state\":\"SUCCEEDED\",\"runs\":[],\"lacksResult\":\"its result is not kept: it has more than 65,536 bytes as JSON\"}"
            .formatted(ID);
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(job))) {
      assertThat(node.run("submit", "--wait", "--type", "report", "--args", "{}")).isZero();
      assertThat(node.out()).isEmpty();
      assertThat(node.err())
          .contains(
              "job %s succeeded, but its result is not kept: it has more than 65,536 bytes as JSON"
                  .formatted(ID));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--run-timeout | 10m | '--run-timeout': '10m' is not a duration",
        "--queue-timeout | -PT1S | '--queue-timeout': '-PT1S' is not a duration",
        "--run-at | tomorrow | '--run-at': must be an RFC 3339 time",
        "--run-at | 2026-02-30T00:00:00Z | is not a time that exists",
        "--on-lost | drop | --on-lost is rerun, hold or fail, not \"drop\"",
        "--retry-max | PT1H | --retry-initial and --retry-max need --retry-attempts",
        "--env | MODE | '--env' (KEY=VALUE) should be in KEY=VALUE format but was MODE"
      },
      quoteCharacter = '`')
  void aBadValueIsNamedWithWhatWouldBeRightAndNothingIsSent(
      String option, String value, String said) throws Exception {
    try (ScriptedNode node = node()) {
      assertThat(node.run("submit", option, value, "true")).isEqualTo(2);
      assertThat(node.err()).contains(said);
      assertThat(node.asked()).isEmpty();
    }
  }
}

package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("real")
class JobViewTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void showsTheProgressOfTheLastRunAndTheResult() throws Exception {
    JsonNode job =
        JSON.readTree(
            """
            {"id":"j","state":"SUCCEEDED","command":["a"],"endedAt":"2026-11-25T10:00:00Z",
             "result":{"rows":7},"runs":[{"runId":1,"state":"SUCCEEDED","host":"h",
             "progress":"7 of 7","progressAt":"2026-11-25T10:00:00Z"}]}\
            """);
    JsonNode none = JSON.readTree("[]");

    assertThat(new JobView(job, none, none).lines(Instant.parse("2026-11-25T10:00:05Z")))
        .contains(
            "progress     7 of 7, 2026-11-25T10:00:00Z (5 s ago)", "result       {\"rows\":7}");
    JsonNode lacks =
        JSON.readTree("{\"id\":\"j\",\"state\":\"SUCCEEDED\",\"lacksResult\":\"it is not kept\"}");
    assertThat(new JobView(lacks, none, none).lines(Instant.EPOCH))
        .contains("result       none: it is not kept");
  }

  @Test
  void showsItsEventsWithoutWhatCommandsATerminal() throws Exception {
    JsonNode job = JSON.readTree("{\"id\":\"j\",\"state\":\"RUNNING\"}");
    JsonNode events =
        JSON.readTree(
            """
            [{"at":"2026-11-25T10:00:00Z","what":"submitted"},
             {"at":"2026-11-25T10:00:01.25Z","what":"refused: start\\nof run 1 in state RUNNING"}]\
            """);

    assertThat(
            new JobView(job, events, JSON.readTree("{}"))
                .lines(Instant.parse("2026-11-25T10:00:05Z")))
        .endsWith(
            "",
            "2026-11-25T10:00:00Z  submitted",
            "2026-11-25T10:00:01Z  refused: start of run 1 in state RUNNING");
  }
}

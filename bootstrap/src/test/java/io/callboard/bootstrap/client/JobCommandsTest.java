package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.client.ScriptedNode.Reply;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of the commands on one job, type or host, against a scripted node. */
class JobCommandsTest {
  private static final String ID = "019ac5e8-1a2b-7000-8000-000000000001";
  private static final String JOB =
      "{\"id\":\"%s\",\"type\":\"report\",\"state\":\"RETRY_WAIT\",\"priority\":5,".formatted(ID)
          + "\"command\":[\"sh\",\"-c\",\"echo 'a b'\"],\"createdAt\":\"2020-01-01T00:00:00Z\","
          + "\"labels\":{\"team\":\"a\"},\"runs\":[{\"runId\":1,\"state\":\"FAILED\",\"host\":\"n1\","
          + "\"exitCode\":7,\"startedAt\":\"2020-01-01T00:00:01Z\","
          + "\"endedAt\":\"2020-01-01T00:00:03.5Z\",\"error\":\"exit code 7\"}]}";

  private static final String WHY =
      "{\"state\":\"RETRY_WAIT\",\"since\":\"2020-01-01T00:00:03.5Z\",\"blockedBy\":["
          + "{\"kind\":\"paused\",\"detail\":\"type report is paused\","
          + "\"changesWhen\":\"the type is resumed\","
          + "\"remedy\":{\"action\":\"resume-type\",\"subject\":\"report\"},"
          + "\"asked\":\"/jobs/gate\",\"position\":3},"
          + "{\"kind\":\"stalled\",\"detail\":\"it makes no progress\","
          + "\"asked\":\"/jobs/monitor/n1\",\"askedAt\":\"2020-01-01T00:00:03.5Z\","
          + "\"answer\":\"alive with 3 processes\"}]}";

  private static Reply job(String request) {
    return Reply.of(
        request.endsWith("/events")
            ? "{\"items\":[{\"at\":\"2020-01-01T00:00:03.5Z\",\"what\":\"failed\"}]}"
            : request.endsWith("/why")
                ? WHY
                : request.startsWith("GET /jobs?") ? "{\"items\":[" + JOB + "]}" : JOB);
  }

  @Test
  void aJobIsShownForPeople() throws Exception {
    try (ScriptedNode node = new ScriptedNode(JobCommandsTest::job)) {
      assertThat(node.run("job", ID)).isZero();
      assertThat(node.out().lines())
          .contains("job          " + ID, "command      sh -c 'echo '\\''a b'\\'''")
          .anyMatch(
              line ->
                  line.matches(
                      "state        RETRY_WAIT since 2020-01-01T00:00:03Z \\(\\d+ d ago\\)"))
          .anyMatch(line -> line.matches("created      2020-01-01T00:00:00Z \\(\\d+ d ago\\)"))
          .contains(
              "labels       team=a",
              "not running  type report is paused",
              "             changes when the type is resumed: callboard resume report")
          .anyMatch(line -> line.matches("RUN +STATE +HOST +STARTED +TOOK +EXIT +ERROR"))
          .anyMatch(line -> line.matches("1 +FAILED +n1 +\\d+ d ago +2.5 s +7 +exit code 7"))
          .endsWith("", "2020-01-01T00:00:03Z  failed");
    }
  }

  @Test
  void whyAJobDoesNotRunIsShown() throws Exception {
    try (ScriptedNode node = new ScriptedNode(JobCommandsTest::job)) {
      assertThat(node.run("why", ID)).isZero();
      assertThat(node.out().lines())
          .anyMatch(
              line ->
                  line.matches(ID + " is RETRY_WAIT, since 2020-01-01T00:00:03Z \\(\\d+ d ago\\)"))
          .containsSubsequence(
              "",
              "paused: type report is paused, place 3 in the queue",
              "  changes when the type is resumed: callboard resume report",
              "  asked last: /jobs/gate")
          .anyMatch(line -> line.matches("  asked \\d+ d ago: alive with 3 processes"));
      assertThat(node.run("why", ID, "--json")).isZero();
      assertThat(node.out()).endsWith(WHY + System.lineSeparator());
    }
  }

  @Test
  void asJsonAJobIsWhatTheNodeAnswers() throws Exception {
    try (ScriptedNode node = new ScriptedNode(JobCommandsTest::job)) {
      assertThat(node.run("job", ID, "--json")).isZero();
      assertThat(node.out()).isEqualToIgnoringNewLines(JOB);
      assertThat(node.asked()).containsExactly("GET /jobs/" + ID);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cancel", "hold", "release", "rerun"})
  void aJobIsChangedByTheBeginningOfItsId(String action) throws Exception {
    try (ScriptedNode node = new ScriptedNode(JobCommandsTest::job)) {
      assertThat(node.run(action, "019ac5e8")).isZero();
      assertThat(node.asked())
          .containsExactly(
              "GET /jobs?limit=200&q=019ac5e8", "POST /jobs/%s/%s".formatted(ID, action));
      assertThat(node.out()).isEqualToIgnoringNewLines(ID + " is RETRY_WAIT");
    }
  }

  @Test
  void aJobIsDeletedByTheBeginningOfItsId() throws Exception {
    try (ScriptedNode node =
        new ScriptedNode(request -> request.startsWith("DELETE") ? Reply.of("") : job(request))) {
      assertThat(node.run("delete", "019ac5e8")).isZero();
      assertThat(node.asked())
          .containsExactly("GET /jobs?limit=200&q=019ac5e8", "DELETE /jobs/" + ID);
      assertThat(node.out()).isEqualToIgnoringNewLines(ID + " is deleted");
    }
  }

  @Test
  void aJobThatHasNotEndedIsNotDeleted() throws Exception {
    try (ScriptedNode node =
        new ScriptedNode(
            request -> Reply.refusal(409, "ILLEGAL_STATE", "it has not ended: cancel it first"))) {
      assertThat(node.run("delete", ID)).isEqualTo(1);
      assertThat(node.err()).contains("it has not ended: cancel it first");
    }
  }

  @Test
  void aSubmissionHasLabelsOfItsOwnAndOfItsHostAndAUniqueKey() throws Exception {
    try (ScriptedNode node = new ScriptedNode(JobCommandsTest::job)) {
      assertThat(
              node.run(
                  "submit",
                  "--label",
                  "team=a",
                  "--label",
                  "note=x=y",
                  "--requires",
                  "gpu=true",
                  "--unique-key",
                  "nightly",
                  "--",
                  "echo",
                  "a=b"))
          .isZero();
      assertThat(node.asked())
          .containsExactly(
              "POST /jobs {\"type\":\"process\",\"command\":[\"echo\",\"a=b\"],"
                  + "\"labels\":{\"team\":\"a\",\"note\":\"x=y\"},"
                  + "\"requires\":{\"gpu\":\"true\"},\"uniqueKey\":\"nightly\"}");
      assertThat(node.out()).isEqualToIgnoringNewLines(ID);
    }
  }

  @Test
  void aSubmissionWithoutThemAsksForNone() throws Exception {
    try (ScriptedNode node = new ScriptedNode(JobCommandsTest::job)) {
      assertThat(node.run("submit", "true")).isZero();
      assertThat(node.asked())
          .containsExactly("POST /jobs {\"type\":\"process\",\"command\":[\"true\"]}");
    }
  }

  @Test
  void aBeginningOfSeveralIdsNamesSomeOfThem() throws Exception {
    String many =
        IntStream.range(0, 9)
            .mapToObj("{\"id\":\"019a-%d\",\"state\":\"DEAD\"}"::formatted)
            .collect(Collectors.joining(",", "{\"items\":[", "],\"next\":\"x\"}"));
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(many))) {
      assertThat(node.run("hold", "019a")).isEqualTo(1);
      assertThat(node.err())
          .isEqualToIgnoringNewLines(
              "\"019a\" is the beginning of several ids: 019a-0 (DEAD), 019a-1 (DEAD), 019a-2"
                  + " (DEAD), 019a-3 (DEAD), 019a-4 (DEAD) and more; give more of it");
      assertThat(node.asked()).hasSize(1);
    }
  }

  @Test
  void aBeginningIsLookedForOnAllPages() throws Exception {
    String first = "{\"items\":[{\"id\":\"ff\",\"command\":[\"019a\"]}],\"next\":\"ff\"}";
    try (ScriptedNode node =
        new ScriptedNode(
            request ->
                request.endsWith("q=019a") ? Reply.of(first) : job("GET /jobs?" + request))) {
      assertThat(node.run("job", "019a", "--json")).isZero();
      assertThat(node.asked()).element(1).isEqualTo("GET /jobs?limit=200&q=019a&cursor=ff");
    }
  }

  @Test
  void aBeginningOfNoIdIsReported() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of("{\"items\":[]}"))) {
      assertThat(node.run("logs", "abc")).isEqualTo(1);
      assertThat(node.err())
          .contains("no job at %s has an id that is or begins with \"abc\"".formatted(node.url()));
    }
  }

  @Test
  void aTextThatCannotBeAnIdIsLeftToTheNode() throws Exception {
    try (ScriptedNode node =
        new ScriptedNode(request -> Reply.refusal(404, "NOT_FOUND", "there is no job x y"))) {
      assertThat(node.run("job", "x y")).isEqualTo(1);
      assertThat(node.err()).contains("there is no job x y");
      assertThat(node.asked()).containsExactly("GET /jobs/x%20y");
    }
  }

  @Test
  void typesArePausedAndResumed() throws Exception {
    try (ScriptedNode node =
        new ScriptedNode(
            request -> Reply.of("{\"paused\":%s}".formatted(request.endsWith("/pause"))))) {
      assertThat(node.run("pause", "a/b")).isZero();
      assertThat(node.run("resume", "a/b")).isZero();
      assertThat(node.asked())
          .containsExactly("POST /types/a%2Fb/pause", "POST /types/a%2Fb/resume");
      assertThat(node.out().lines()).containsExactly("a/b is paused", "a/b is active");
    }
  }

  @Test
  void theOperatorWhoPausedATypeIsPrinted() throws Exception {
    String pause = "{\"by\":\"anna\",\"reason\":\"disk full\",\"at\":\"2026-01-01T00:00:00.12Z\"}";
    try (ScriptedNode node =
        new ScriptedNode(request -> Reply.of("{\"paused\":true,\"pause\":%s}".formatted(pause)))) {
      assertThat(node.run("pause", "ocr")).isZero();
      assertThat(node.out().lines())
          .containsExactly("ocr is paused by anna since 2026-01-01T00:00:00Z: disk full");
    }
  }

  @Test
  void hostsAreDrainedAndUndrained() throws Exception {
    try (ScriptedNode node =
        new ScriptedNode(
            request -> Reply.of("{\"draining\":%s}".formatted(request.endsWith("/drain"))))) {
      assertThat(node.run("drain", "n1")).isZero();
      assertThat(node.run("undrain", "n1")).isZero();
      assertThat(node.asked()).containsExactly("POST /hosts/n1/drain", "POST /hosts/n1/undrain");
      assertThat(node.out().lines()).containsExactly("n1 is draining", "n1 takes its share again");
    }
  }

  @Test
  void aParkedMessageIsFoundByTheBeginningOfItsId() throws Exception {
    try (ScriptedNode node =
        new ScriptedNode(
            request ->
                request.startsWith("GET")
                    ? Reply.of("{\"items\":[{\"id\":\"x~10\"},{\"id\":\"y~1\"}]}")
                    : request.contains("10/")
                        ? Reply.of("{\"id\":\"x~10\"}")
                        : Reply.refusal(404, "NOT_FOUND", "no message"))) {
      assertThat(node.run("parked", "discard", "x~1")).isZero();
      assertThat(node.out()).isEqualToIgnoringNewLines("x~10 was discarded");
    }
  }

  @Test
  void limitsOfLabelsAreListedSetAndDeleted() throws Exception {
    String limit = "{\"label\":\"db=acme\",\"running\":2,\"used\":1}";
    try (ScriptedNode node =
        new ScriptedNode(
            request ->
                Reply.of(
                    request.startsWith("DELETE")
                        ? ""
                        : request.startsWith("GET") ? "{\"items\":[" + limit + "]}" : limit))) {
      assertThat(node.run("limits")).isZero();
      assertThat(node.out().lines())
          .containsExactly("LABEL    RUNNING  USED", "db=acme  2        1");
      assertThat(node.run("limits", "set", "db=acme", "2")).isZero();
      assertThat(node.run("limits", "delete", "db=acme")).isZero();
      assertThat(node.out().lines())
          .endsWith("db=acme: at most 2 at the same time", "db=acme has no limit");
      assertThat(node.asked())
          .containsExactly(
              "GET /limits", "PUT /limits/db%3Dacme {\"running\":2}", "DELETE /limits/db%3Dacme");
    }
  }

  @Test
  void aTypeIsLimitedWithItsShareItsRetriesAndHowLongItsJobsAreKept() throws Exception {
    String type =
        "{\"name\":\"report\",\"limit\":4,\"maxShare\":0.5,\"retry\":{\"attempts\":3},"
            + "\"retention\":{\"successes\":\"PT48H\",\"logs\":\"PT6H\"}}";
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(type))) {
      assertThat(node.run("limit", "report", "4")).isZero();
      assertThat(
              node.run(
                  "limit",
                  "report",
                  "4",
                  "--max-share",
                  "0.5",
                  "--retry-attempts",
                  "3",
                  "--successes-kept",
                  "P2D",
                  "--logs-kept",
                  "PT6H"))
          .isZero();
      assertThat(node.asked())
          .containsExactly(
              "PUT /types/report {\"limit\":4}",
              "PUT /types/report {\"limit\":4,\"maxShare\":0.5,"
                  + "\"retry\":{\"attempts\":3},"
                  + "\"retention\":{\"successes\":\"PT48H\",\"logs\":\"PT6H\"}}");
      assertThat(node.out().lines())
          .containsExactly(
              "report: at most 4 at the same time",
              "report: at most 4 at the same time, 0.5 of a host's slots, tried up to 3 times,"
                  + " successes kept for PT48H, logs kept for PT6H");
    }
  }

  @Test
  void anOptionThatATypeCannotHaveIsNamed() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of("{}"))) {
      assertThat(node.run("limit", "report", "4", "--max-share", "2")).isEqualTo(2);
      assertThat(node.run("limit", "report", "4", "--files-kept", "2d")).isEqualTo(2);
      assertThat(node.run("limit", "report", "4", "--retry-initial", "PT1S")).isEqualTo(2);
      assertThat(node.err())
          .contains("--max-share is more than 0 and up to 1, such as 0.5, not 2.0")
          .contains("'--files-kept': '2d' is not a duration")
          .contains("--retry-initial and --retry-max need --retry-attempts");
      assertThat(node.asked()).isEmpty();
    }
  }
}

package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.client.ScriptedNode.Reply;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Test of the list of jobs, against a scripted node. */
class JobsCommandTest {
  private static final String OLD = "019ac5e8-1a2b-7000-8000-000000000001";
  private static final String TWIN = "019ac5e8-1a2c-7000-8000-000000000002";
  private static final String NEW = "019ac5e8-1a2c-7100-8000-000000000003";

  private static String jobs(String... ids) {
    return Stream.of(ids)
        .map(
            id ->
                "{\"id\":\"%s\",\"type\":\"process\",\"state\":\"DEAD\",\"priority\":5,\"command\":[\"sleep\",\"1\"],\"createdAt\":\"2020-01-01T00:00:00Z\",\"runs\":[{}]}"
                    .formatted(id))
        .collect(Collectors.joining(",", "{\"items\":[", "]}"));
  }

  @Test
  void anIdIsShortenedToWhatTellsItFromItsNeighbours() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(jobs(NEW, TWIN, OLD)))) {
      assertThat(node.run("jobs", "--limit", "2")).isZero();
      assertThat(node.out().lines())
          .map(line -> line.split(" +")[0])
          .containsExactly("ID", "019ac5e8-1a2c-71", "019ac5e8-1a2c-70");
      assertThat(node.out().lines().skip(1)).allMatch(line -> line.contains(" d ago "));
      assertThat(node.err()).contains("there are more jobs");
      assertThat(node.asked()).containsExactly("GET /jobs?limit=3");
    }
  }

  @Test
  void aJobOfAHandlerShowsItsArguments() throws Exception {
    String job = jobs(NEW).replace("[\"sleep\",\"1\"]", "[],\"args\":{\"customer\":\"acme\"}");
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(job))) {
      assertThat(node.run("jobs")).isZero();
      assertThat(node.out()).contains(" {\"customer\":\"acme\"}");
    }
  }

  @Test
  void jsonIsWhatTheNodeAnswers() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(jobs(NEW)))) {
      assertThat(node.run("jobs", "--json", "--state", "dead", "--label", "a=b")).isZero();
      assertThat(node.out()).isEqualToIgnoringNewLines(jobs(NEW));
      assertThat(node.asked()).containsExactly("GET /jobs?limit=50&state=DEAD&label=a%3Db");
    }
  }

  @Test
  void anEmptyListNamesTheNodeAndTheNextStep() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of("{\"items\":[]}"))) {
      assertThat(node.run("jobs")).isZero();
      assertThat(node.out())
          .isEqualToIgnoringNewLines(
              "No jobs at %s; submit one: callboard submit --wait --url %s -- echo hello"
                  .formatted(node.url(), node.url()));
      for (String list : new String[] {"types", "hosts", "roles", "actors", "parked"}) {
        assertThat(node.run(list)).isZero();
        assertThat(node.out().lines().reduce("", (before, line) -> line)).contains(node.url());
      }
    }
  }

  @Test
  void theLimitIsChecked() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(jobs()))) {
      assertThat(node.run("jobs", "--limit", "200")).isEqualTo(2);
      assertThat(node.err()).contains("--limit is 1 to 199, not 200");
      assertThat(node.asked()).isEmpty();
    }
  }

  @Test
  void jobsAreSelectedByTextAndTime() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of("{\"items\":[]}"))) {
      assertThat(
              node.run(
                  "jobs", "--search", "night run", "--created-after", "2026-11-21T06:30:00+01:00"))
          .isZero();
      assertThat(node.asked())
          .containsExactly(
              "GET /jobs?limit=51&q=night%20run&createdAfter=2026-11-21T05%3A30%3A00Z");
      assertThat(node.out()).contains("No jobs of these at ");
      assertThat(node.run("jobs", "--created-after", "yesterday")).isEqualTo(2);
      assertThat(node.err())
          .contains("'--created-after': must be an RFC 3339 time with an offset, such as ")
          .contains("not \"yesterday\"");
    }
  }
}

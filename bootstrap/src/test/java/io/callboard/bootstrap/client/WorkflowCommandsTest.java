package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.client.ScriptedNode.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on workflows, against a scripted node. */
class WorkflowCommandsTest {
  private static final String ID = "019ac5e8-1a2b-7000-8000-000000000001";
  private static final String OTHER = "019ac5e8-1a2c-7000-8000-000000000002";
  private static final String STORED =
      "{\"name\":\"x\",\"version\":\"0123456789abcdef\",\"graph\":[{}],\"warnings\":[{\"code\":\"WF007\",\"pointer\":\"/steps/a/run\",\"detail\":\"no worker offers a\"}]}";
  private static final String YAML = "name: x\nsteps: {a: {run: 'handler:a'}}\n";

  @TempDir Path directory;

  private static String instance(String state, String steps) {
    return "{\"id\":\"%s\",\"definition\":\"x\",\"version\":\"0123456789abcdef\",\"state\":\"%s\",\"priority\":5,\"labels\":{\"team\":\"a\"},\"createdAt\":\"2020-01-01T00:00:00Z\",\"reason\":\"step b failed\",\"steps\":{%s}}"
        .formatted(ID, state, steps);
  }

  private static String step(String id, String state) {
    return "\"%s\":{\"state\":\"%s\",\"attempts\":1,\"startedAt\":\"2020-01-01T00:00:00Z\",\"endedAt\":\"2020-01-01T00:00:02Z\"}"
        .formatted(id, state);
  }

  private String file(String name, String text) throws Exception {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  @Test
  void fileIsStoredAndItsVersionStarted() throws Exception {
    try (ScriptedNode node =
        new ScriptedNode(
            request -> Reply.of(request.startsWith("PUT") ? STORED : instance("RUNNING", "")))) {
      assertThat(
              node.run(
                  "workflow",
                  "run",
                  file("x.yaml", YAML),
                  "--input",
                  "{\"n\":1}",
                  "--label",
                  "team=a",
                  "--key",
                  "k"))
          .isZero();
      assertThat(node.out()).isEqualToIgnoringNewLines(ID);
      assertThat(node.err())
          .isEqualToIgnoringNewLines(
              "callboard: warning WF007 at /steps/a/run: no worker offers a");
      assertThat(node.asked())
          .containsExactly(
              "PUT /workflow-definitions/x " + YAML,
              "POST /workflows {\"definition\":\"x\",\"version\":\"0123456789abcdef\",\"input\":{\"n\":1},\"uniqueKey\":\"k\",\"labels\":{\"team\":\"a\"}}");
    }
  }

  @Test
  void outputOfAStepIsPrintedForPeopleAndForPrograms() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of("{\"n\":[1]}"))) {
      assertThat(node.run("workflow", "output", ID, "a.b")).isZero();
      assertThat(node.out().lines().toList()).hasSizeGreaterThan(1);
      assertThat(node.run("workflow", "output", ID, "a.b", "--json")).isZero();
      assertThat(node.out()).endsWith("{\"n\":[1]}" + System.lineSeparator());
      assertThat(node.asked())
          .containsExactly(
              "GET /workflows/" + ID + "/outputs/a.b", "GET /workflows/" + ID + "/outputs/a.b");
    }
  }

  @Test
  void defectsAreReportedAsCompilersDoAndNothingIsSent() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(STORED))) {
      String bad = file("bad.yaml", "name: x\nsteps: {a: {run: nothing, after: {b: any}}}\n");
      for (List<String> command :
          List.of(
              List.of("workflow", "check", bad),
              List.of("workflow", "put", bad),
              List.of("workflow", "run", bad, "--wait"))) {
        assertThat(node.run(command.toArray(String[]::new))).isEqualTo(1);
      }
      assertThat(node.err().lines().toList())
          .hasSize(6)
          .startsWith(
              bad
                  + ":2:13: WF012 at /steps/a/run: \"nothing\" is nothing that a step can run; there are process, job, http, handler:<name>, handler:<name>@<major> and subworkflow:<name>",
              bad
                  + ":2:35: WF002 at /steps/a/after/b: there is no step \"b\"; did you mean \"a\"?");
      assertThat(node.asked()).isEmpty();
      assertThat(node.run("workflow", "check", "no/such.yaml")).isEqualTo(1);
      assertThat(node.err()).contains("there is no file no/such.yaml");
    }
  }

  @Test
  void waitingPrintsEachStepOnceAndItsExitCodeIsTheOutcome() throws Exception {
    Queue<String> answers =
        new ArrayDeque<>(
            List.of(
                instance("RUNNING", step("a", "RUNNING")),
                instance("RUNNING", step("a", "SUCCEEDED") + "," + step("b", "RUNNING")),
                instance("FAILED", step("a", "SUCCEEDED") + "," + step("b", "FAILED"))));
    try (ScriptedNode node =
        new ScriptedNode(
            request ->
                Reply.of(String.valueOf(answers.size() > 1 ? answers.poll() : answers.peek())))) {
      assertThat(node.run("workflow", "run", "x", "--wait")).isEqualTo(1);
      assertThat(node.out().lines())
          .containsExactly(
              ID, "  a SUCCEEDED, 2 s", "  b FAILED, 2 s", ID + " is FAILED: step b failed");
    }
  }

  @Test
  void inputIsJsonOrAFile() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(instance("RUNNING", "")))) {
      assertThat(node.run("workflow", "run", "x", "--input", "@" + file("in.json", "[1]")))
          .isZero();
      assertThat(node.run("workflow", "run", "x", "--input", "{x")).isEqualTo(2);
      assertThat(node.err()).contains("--input cannot be read");
      assertThat(node.asked())
          .containsExactly("POST /workflows {\"definition\":\"x\",\"input\":[1]}");
    }
  }

  private static Reply byPath(String request) {
    if (request.startsWith("GET /workflows?")) {
      return Reply.of(
          "{\"items\":[%s,%s]}"
              .formatted(
                  row(OTHER, "{\"SUCCEEDED\":1,\"RUNNING\":2}"), row(ID, "{\"SKIPPED\":1}")));
    } else if (request.endsWith("/why")) {
      return Reply.of(
          "{\"state\":\"RUNNING\",\"summary\":\"it waits for a worker\",\"steps\":{\"b\":{\"kind\":\"queued\",\"text\":\"no worker offers b\"}}}");
    }
    return Reply.of(
        instance(
            "RUNNING", step("a", "SUCCEEDED") + ",\"b\":{\"state\":\"READY\",\"attempts\":0}"));
  }

  private static String row(String id, String steps) {
    return "{\"id\":\"%s\",\"definition\":\"x\",\"version\":\"0123456789abcdef\",\"state\":\"RUNNING\",\"createdAt\":\"2020-01-01T00:00:00Z\",\"steps\":%s}"
        .formatted(id, steps);
  }

  @Test
  void listCountsSettledSteps() throws Exception {
    try (ScriptedNode node = new ScriptedNode(WorkflowCommandsTest::byPath)) {
      assertThat(node.run("workflow", "list", "--state", "running", "--definition", "x")).isZero();
      assertThat(node.out().lines().map(line -> line.replaceAll(" +\\d+ d ago", "")))
          .containsExactly(
              "ID             DEFINITION  VERSION       STATE    SETTLED  CREATED     ENDED",
              "019ac5e8-1a2c  x           0123456789ab  RUNNING  1/3  -",
              "019ac5e8-1a2b  x           0123456789ab  RUNNING  1/1  -");
      assertThat(node.asked())
          .containsExactly("GET /workflows?limit=51&definition=x&state=RUNNING");
    }
  }

  @Test
  void listOfAVersionTakesItsBeginning() throws Exception {
    String one = "0a1b".repeat(16);
    String other = "0a2b".repeat(16);
    String versions =
        "{\"items\":[{\"version\":\"%s\"},{\"version\":\"%s\"}]}".formatted(one, other);
    try (ScriptedNode node =
        new ScriptedNode(
            request -> request.contains("/versions") ? Reply.of(versions) : byPath(request))) {
      assertThat(node.run("workflow", "list", "--definition", "x", "--version", "0a2")).isZero();
      assertThat(node.run("workflow", "list", "--version", one)).isZero();
      assertThat(node.asked())
          .containsExactly(
              "GET /workflow-definitions/x/versions",
              "GET /workflows?limit=51&definition=x&version=" + other,
              "GET /workflows?limit=51&version=" + one);
      assertThat(node.run("workflow", "list", "--definition", "x", "--version", "0a")).isEqualTo(1);
      assertThat(node.err())
          .contains(
              "\"0a\" is the beginning of several versions of x: there are 0a1b0a1b0a1b, 0a2b0a2b0a2b");
      assertThat(node.run("workflow", "list", "--version", "0a1")).isEqualTo(2);
      assertThat(node.err()).contains("give its --definition, too, or all 64 digits");
    }
  }

  @Test
  void shownInstanceHasItsStepsAndWhatTheyWaitFor() throws Exception {
    try (ScriptedNode node = new ScriptedNode(WorkflowCommandsTest::byPath)) {
      assertThat(node.run("workflow", "show", "019ac5e8-1a2b")).isZero();
      assertThat(node.out().lines())
          .contains(
              "workflow     " + ID,
              "definition   x, version 0123456789ab",
              "labels       team=a",
              "waits for    it waits for a worker",
              "STEP  STATE      ATTEMPTS  TOOK  WHERE  REASON",
              "a     SUCCEEDED  1         2 s   -      -",
              "b     READY      0         -     -      no worker offers b");
      assertThat(node.run("workflow", "why", ID)).isZero();
      assertThat(node.out()).contains("RUNNING: it waits for a worker", "b: no worker offers b");
      assertThat(node.run("workflow", "show", "019ac5e8")).isEqualTo(1);
      assertThat(node.err()).contains("\"019ac5e8\" is the beginning of several ids");
    }
  }

  @Test
  void stepsThatAreNotExplainedAreCounted() throws Exception {
    String why =
        "{\"state\":\"RUNNING\",\"summary\":\"it waits for b\",\"steps\":{},\"more\":1234}";
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(why))) {
      assertThat(node.run("workflow", "why", ID)).isZero();
      assertThat(node.out().lines())
          .containsExactly("RUNNING: it waits for b", "and 1,234 more steps that are not settled");
    }
  }

  @Test
  void actionsAreSent() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(instance("CANCELLING", "")))) {
      assertThat(node.run("workflow", "cancel", ID)).isZero();
      assertThat(node.run("workflow", "cancel", ID, "--force")).isZero();
      assertThat(node.run("workflow", "retry", ID)).isZero();
      assertThat(node.run("workflow", "rerun-from", ID, "b")).isZero();
      assertThat(node.out().lines()).containsOnly(ID + " is CANCELLING");
      assertThat(node.asked())
          .containsExactly(
              "POST /workflows/" + ID + "/cancel",
              "POST /workflows/" + ID + "/cancel {\"force\":true}",
              "POST /workflows/" + ID + "/retry",
              "POST /workflows/" + ID + "/rerun-from {\"step\":\"b\"}");
    }
  }

  @Test
  void workersAndQueuesAreTables() throws Exception {
    String workers =
        "{\"awaits\":[],\"workers\":[{\"node\":\"n1\",\"types\":[\"a\",\"b@2\"],\"slots\":4,\"running\":{\"x\":1,\"y\":2},\"draining\":false}],\"queues\":[{\"definition\":\"x\",\"type\":\"c\",\"waiting\":7,\"running\":0,\"why\":\"no worker offers c\"}]}";
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(workers))) {
      assertThat(node.run("workflow", "workers")).isZero();
      assertThat(node.out().lines())
          .containsExactly(
              "NODE  SLOTS  RUNNING  DRAINING  TYPES",
              "n1    4      3        false     a b@2",
              "",
              "DEFINITION  TYPE  WAITING  RUNNING  WHY",
              "x           c     7        0        no worker offers c");
    }
  }

  @Test
  void brakeIsShownSetAndReleased() throws Exception {
    String brake =
        "{\"definition\":\"x\",\"level\":\"OPEN\",\"credit\":1,\"since\":\"2020-01-01T00:00:00Z\",\"cause\":\"9 of 9 failed\",\"badWindows\":5,\"nextProbe\":\"2020-01-01T00:00:30Z\",\"running\":0,\"waiting\":3,\"changes\":[{\"level\":\"OPEN\",\"credit\":1,\"cause\":\"9 of 9 failed\",\"at\":\"2020-01-01T00:00:00Z\"}]}";
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(brake))) {
      assertThat(node.run("workflow", "brake", "x")).isZero();
      assertThat(node.out().lines().map(line -> line.replaceAll("\\d+ d ago", "AGO")))
          .containsExactly(
              "brake        probes only, since AGO",
              "cause        9 of 9 failed",
              "next probe   AGO",
              "running      0 that count",
              "waiting      3",
              "",
              "CHANGED     LEVEL  CREDIT  CAUSE",
              "AGO  OPEN   1       9 of 9 failed");
      assertThat(node.run("workflow", "brake", "x", "--credit", "0", "--reason", "looking"))
          .isZero();
      assertThat(node.run("workflow", "brake", "x", "--off", "--reason", "urgent")).isZero();
      assertThat(node.run("workflow", "brake", "x", "--release")).isZero();
      assertThat(node.asked())
          .containsExactly(
              "GET /workflow-definitions/x/brake",
              "PUT /workflow-definitions/x/brake {\"credit\":0,\"reason\":\"looking\"}",
              "PUT /workflow-definitions/x/brake {\"off\":true,\"reason\":\"urgent\"}",
              "DELETE /workflow-definitions/x/brake",
              "GET /workflow-definitions/x/brake");
    }
  }

  @Test
  void brakeIsNotSetWithoutAReason() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of("{}"))) {
      assertThat(node.run("workflow", "brake", "x", "--off")).isEqualTo(2);
      assertThat(node.err()).contains("give a --reason");
      assertThat(node.run("workflow", "brake", "x", "--off", "--credit", "1")).isEqualTo(2);
      assertThat(node.run("workflow", "brake", "x", "--reason", "none")).isEqualTo(2);
      assertThat(node.run("workflow", "brake", "x", "--release", "--reason", "r")).isEqualTo(2);
      assertThat(node.asked()).isEmpty();
    }
  }

  @Test
  void countsAreATable() throws Exception {
    String stats =
        "{\"definition\":\"x\",\"since\":\"2020-01-01T00:00:00Z\",\"began\":5,\"succeeded\":3,\"failed\":1,\"cancelled\":1,\"endedPerMinute\":0.6,\"durations\":{\"count\":5,\"p50\":\"PT1.5S\",\"p99\":\"PT3M\"},\"steps\":{\"a\":{\"succeeded\":3,\"failed\":1,\"retries\":2,\"lost\":0,\"durations\":{\"count\":0}}},\"partial\":true}";
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(stats))) {
      assertThat(node.run("workflow", "stats", "x")).isZero();
      assertThat(node.out().lines().skip(1))
          .containsExactly(
              "OF         BEGAN  SUCCEEDED  FAILED  CANCELLED  RETRIES  LOST  P50    P99",
              "instances  5      3          1       1          -        -     1.5 s  3 min",
              "a          -      3          1       -          2        0     -      -");
      assertThat(node.out())
          .startsWith("x: 0.6 ended in a minute, over the last five; counted since ");
      assertThat(node.err()).contains("a node did not answer");
      assertThat(node.asked()).containsExactly("GET /workflow-definitions/x/stats");
    }
  }

  @Test
  void definitionsSayWhoseInstancesTheirNumbersLack() throws Exception {
    for (String[] each :
        new String[][] {
          {"[\"two\",\"three\"]", "may be too low: no answer from two, three"},
          {"[]", "may be too low: a node still reads what it has"}
        }) {
      String rows = "{\"items\":[],\"missing\":" + each[0] + "}";
      try (ScriptedNode node = new ScriptedNode(request -> Reply.of(rows))) {
        assertThat(node.run("workflow", "definitions")).isZero();
        assertThat(node.err()).contains(each[1]);
        assertThat(node.run("workflow", "definitions", "x")).isZero();
        assertThat(node.err()).contains(each[1]).doesNotContain("master");
      }
    }
  }

  @Test
  void definitionsSayWhichOfThemTheNodeCannotRead() throws Exception {
    String rows =
        "{\"items\":[],\"unreadable\":[{\"name\":\"x\",\"version\":\"0123456789abcdef\",\"createdAt\":\"2020-01-01T00:00:00Z\",\"current\":true,\"fault\":\"WF013 at /name\"}]}";
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(rows))) {
      assertThat(node.run("workflow", "definitions")).isZero();
      assertThat(node.err()).contains("the node cannot read 0123456789ab of x: WF013 at /name");
      assertThat(node.out()).doesNotContain("No definitions");
    }
  }

  @Test
  void definitionsShowTheirBrakes() throws Exception {
    String rows =
        "{\"partial\":true,\"items\":[{\"name\":\"x\",\"version\":\"0123456789abcdef\",\"steps\":1,\"createdAt\":\"2020-01-01T00:00:00Z\",\"instances\":{\"FAILED\":2},\"brake\":{\"level\":\"REDUCED\",\"credit\":3,\"overridden\":false}},{\"name\":\"y\",\"version\":\"0123456789abcdef\",\"steps\":1,\"createdAt\":\"2020-01-01T00:00:00Z\",\"instances\":{},\"brake\":{\"level\":\"OFF\",\"overridden\":true}},{\"name\":\"z\",\"version\":\"0123456789abcdef\",\"steps\":1,\"createdAt\":\"2020-01-01T00:00:00Z\",\"instances\":{}}]}";
    try (ScriptedNode node = new ScriptedNode(request -> Reply.of(rows))) {
      assertThat(node.run("workflow", "definitions")).isZero();
      assertThat(node.out().lines().map(line -> line.replaceAll(".*(ago|STORED) +", "")))
          .containsExactly(
              "INSTANCES  BRAKE",
              "FAILED=2   credit 3",
              "-          off, overridden",
              "-          -");
      assertThat(node.err()).contains("the role workflow-master does not answer");
    }
  }

  @Test
  void refusalOfTheNodeIsPrinted() throws Exception {
    try (ScriptedNode node =
        new ScriptedNode(
            request ->
                new Reply(
                    422,
                    Map.of(),
                    "{\"errors\":[{\"pointer\":\"/definition\",\"detail\":\"there is no definition y\"}]}"
                        .getBytes(StandardCharsets.UTF_8)))) {
      assertThat(node.run("workflow", "run", "y")).isEqualTo(1);
      assertThat(node.err()).contains("definition: there is no definition y");
    }
  }
}

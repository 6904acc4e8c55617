package io.callboard.workflows.definition;

import static io.callboard.testkit.Futures.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.Json;
import io.callboard.workflows.graph.EdgeCondition;
import io.callboard.workflows.graph.GraphDefect;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DefinitionReaderTest {
  private static final String YAML =
      """
      name: index-document
      failFast: true
      timeout: PT2H
      steps:
        fetch:
          run: process
          with: {command: [curl, -o, page.html, "https://example.org"]}
          retry: {attempts: 5, initial: PT2S, max: PT1M}
          timeout: PT30S
        ocr:
          run: handler:ocr@2
          after: {fetch: success}
          when: $.input.mime == 'image/png'
        extract:
          run: http
          with: {url: "http://localhost/extract", tries: 3, ratio: 0.50}
          after: {fetch: success}
          allowFailure: true
          compensate: handler:forget
        tidy:
          run: process
          with: {command: ["true"], compensate: {command: [rm, tidied]}}
          after: {extract: any}
          compensate: process
        index:
          run: subworkflow:index
          after: {extract: success, ocr: ok}
          join: any
          merge: disjoint
      finally:
        cleanup: {run: "handler:cleanup"}
      """;

  private static CheckedDefinition read(DefinitionReader.Result result) {
    assertThat(result.defects()).isEmpty();
    return result.definition().orElseThrow();
  }

  private static List<String> defects(String yaml) {
    DefinitionReader.Result result = DefinitionReader.yaml(yaml);
    assertThat(result.definition()).isEmpty();
    return result.defects().stream().map(PlacedDefect::toString).toList();
  }

  private static CheckedDefinition built() {
    return Workflow.define("index-document")
        .failFast(true)
        .timeout(Duration.ofHours(2))
        .step(
            "fetch",
            "process",
            s ->
                s.command("curl", "-o", "page.html", "https://example.org")
                    .retry(new StepRetry(5, Duration.ofSeconds(2), Duration.ofMinutes(1)))
                    .timeout(Duration.ofSeconds(30)))
        .step("ocr", "handler:ocr@2", s -> s.after("fetch").when("$.input.mime == 'image/png'"))
        .step(
            "extract",
            "http",
            s ->
                s.with(new Extract("http://localhost/extract", 3, 0.5))
                    .after("fetch")
                    .allowFailure()
                    .compensate("handler:forget"))
        .step(
            "tidy",
            "process",
            s ->
                s.compensate("process", Map.of("command", List.of("rm", "tidied")))
                    .command("true")
                    .after("extract", EdgeCondition.ANY))
        .step(
            "index",
            "subworkflow:index",
            s ->
                s.after("extract")
                    .after("ocr", EdgeCondition.OK)
                    .joinAny()
                    .merge(MergeRule.DISJOINT))
        .last("cleanup", "handler:cleanup", s -> s)
        .build();
  }

  /** Parameters of a step. */
  record Extract(String url, int tries, double ratio) {}

  @Test
  void yamlJsonAndJavaAreTheSame() {
    CheckedDefinition yaml = read(DefinitionReader.yaml(YAML));
    String canonical = DefinitionWriter.json(yaml.definition()).toString();
    CheckedDefinition json = read(DefinitionReader.json(canonical));
    assertThat(json.definition()).isEqualTo(yaml.definition());
    assertThat(DefinitionWriter.json(json.definition()).toString()).isEqualTo(canonical);
    assertThat(json.version()).isEqualTo(yaml.version()).hasSize(64);
    assertThat(DefinitionWriter.json(built().definition()).toString()).isEqualTo(canonical);
    assertThat(built().version()).isEqualTo(yaml.version());
    assertThat(yaml.graph().level(yaml.graph().index("index").orElseThrow())).isEqualTo(2);
  }

  @Test
  void otherContentIsAnotherVersion() {
    CheckedDefinition changed = read(DefinitionReader.yaml(YAML.replace("PT30S", "PT31S")));
    assertThat(changed.version()).isNotEqualTo(built().version());
  }

  @Test
  void allMistakesAreReportedAtOnceWithTheirPlaces() {
    assertThat(
            defects(
                """
                name: "a b"
                failfast: true
                steps:
                  fetch:
                    run: procces
                    timeout: 30s
                  fetch:
                    run: handler:fetch
                  index:
                    run: handler:index
                    after: {fetsh: succes, fetch: 3}
                    retry: {attempts: 0}
                    when: $.msg.x
                    join: some
                  wait: {after: {index: ok, late: ok}}
                  late: {run: "handler:x", after: {wait: any}, when: "$.outputs.fetch.ok"}
                """))
        .containsExactly(
            "7:3 WF004 at /steps/fetch: there are two steps \"fetch\"; give one of them another id",
            "11:13 WF011 at /steps/index/after/fetsh: \"succes\" is no condition of an edge; one of success, failure, any, ok",
            "11:28 WF013 at /steps/index/after/fetch: fetch must be a text, not a number",
            "14:5 WF013 at /steps/index/join: join must be one of all, any, not \"some\"",
            "12:13 WF013 at /steps/index/retry/attempts: attempts must be a whole number from 1 to 100, not 0",
            "15:3 WF012 at /steps/wait/run: the step does not say what it runs; there are process, job, http, handler:<name>, handler:<name>@<major> and subworkflow:<name>",
            "2:1 WF013 at /failfast: failfast is unknown; did you mean \"failFast\"?",
            "1:1 WF013 at /name: \"a b\" is not a name of a definition; 1 to 100 letters, digits and . _ -, a letter or digit first",
            "13:5 WF013 at /steps/index/when: at character 2 of \"$.msg.x\": expected .input or .outputs, found \".msg.x\"",
            "11:13 WF002 at /steps/index/after/fetsh: there is no step \"fetsh\"; did you mean \"fetch\"?",
            "15:29 WF001 at /steps/wait/after/late: these steps wait for each other: wait → late → wait; remove one of these edges");
  }

  @Test
  void conditionReadsOnlyWhatIsSettledBefore() {
    assertThat(
            defects(
                """
                name: x
                steps:
                  a: {run: "handler:a"}
                  b: {run: "handler:b", when: "$.outputs.a.ok or $.outputs.c.ok"}
                """))
        .containsExactly(
            "4:25 WF002 at /steps/b/when: the condition reads a, which need not be settled before b; read the input, or steps that this one waits for",
            "4:25 WF002 at /steps/b/when: the condition reads c, and there is no such step; read the input, or steps that this one waits for");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e99999999999", "-1.5e-99999999999"})
  void aNumberWithTooLargeAnExponentIsRefused(String number) {
    String text =
        "{\"name\":\"x\",\"steps\":{\"a\":{\"run\":\"handler:a\",\"with\":{\"n\":%s}}}}"
            .formatted(number);
    assertThat(DefinitionReader.json(text).defects().toString())
        .contains("the exponent of a number is too large");
    assertThat(DefinitionReader.yaml(text).defects().toString())
        .contains("Malformed numeric value");
  }

  private static final String ANY =
      "{\"name\":\"x\",\"steps\":{\"a\":{\"run\":\"handler:a\"},\"b\":{\"run\":\"handler:b\"},"
          + "\"c\":{\"run\":\"handler:c\",\"after\":{\"a\":\"success\",\"b\":\"success\"},"
          + "\"join\":\"any\",\"when\":\"$.outputs.b.ok\"}}}";

  /** What need not be settled before it need not be before what follows it. */
  @Test
  void conditionOfAStepBehindOneThatJoinsAnyReadsOnlyWhatIsBeforeEachSource() {
    String steps =
        "{\"name\":\"x\",\"steps\":{\"r\":{\"run\":\"handler:r\"},"
            + "\"a\":{\"run\":\"handler:a\",\"after\":{\"r\":\"success\"}},"
            + "\"b\":{\"run\":\"handler:b\",\"after\":{\"r\":\"success\"}},"
            + "\"c\":{\"run\":\"handler:c\",\"after\":{\"a\":\"success\",\"b\":\"success\"},\"join\":\"any\"},"
            + "\"d\":{\"run\":\"handler:d\",\"after\":{\"c\":\"success\"},\"when\":\"$.outputs.%s.ok\"}}}";
    assertThat(DefinitionReader.json(steps.formatted("b")).defects())
        .extracting(each -> each.defect().toString())
        .containsExactly(
            "WF002 at /steps/d/when: the condition reads b, which need not be settled before d; read the input, or steps that this one waits for");
    for (String before : List.of("c", "r")) {
      assertThat(DefinitionReader.json(steps.formatted(before)).defects()).isEmpty();
    }
  }

  @Test
  void conditionBehindJoinAnyReadsOnlyWhatIsBeforeEachSource() {
    assertThat(DefinitionReader.json(ANY).defects())
        .extracting(each -> each.defect().toString())
        .containsExactly(
            "WF002 at /steps/c/when: the condition reads b, which need not be settled before c; read the input, or steps that this one waits for");
    assertThat(read(DefinitionReader.stored(ANY)).version()).hasSize(64); // instances have begun
    assertThat(
            DefinitionReader.yaml(
                    """
                    name: x
                    steps:
                      first: {run: "handler:a"}
                      a: {run: "handler:a", after: {first: success}}
                      b: {run: "handler:b", after: {a: failure, first: ok}}
                      c: {run: "handler:c", after: {a: success, b: success}, join: any, when: "$.outputs.first.ok or $.outputs.a.ok"}
                      d: {run: "handler:d", after: {b: any}, join: any, when: "$.outputs.a.ok"}
                      e: {run: "handler:e", after: {c: any}, when: "$.outputs.first.ok"}
                    """)
                .defects())
        .isEmpty();
  }

  @Test
  void conditionThatReadsWhatIsNotSettledIsReportedBesideOtherMistakes() {
    assertThat(
            defects(
                """
                name: x
                steps:
                  a: {run: "handler:a"}
                  b: {run: "handler:b", when: "$.outputs.a.ok"}
                  c: {run: "handler:c", after: {aa: success}, when: "$.outputs.a.ok"}
                  d: {run: "handler:d", after: {c: any}, when: "$.outputs.b.ok"}
                  e: {run: "handler:e", after: {b: ok, aa: ok}, join: any, when: "$.outputs.a.ok"}
                """))
        .extracting(each -> each.replaceAll(" at (\\S+): .* (\\S+)[,;] .*", " $1"))
        .extracting(each -> each.substring(each.indexOf(' ') + 1))
        .containsExactly(
            "WF002 /steps/c/after/aa",
            "WF002 /steps/e/after/aa",
            "WF002 /steps/b/when",
            "WF002 /steps/e/when"); // c and d may wait for a and b over the edge that is wrong
  }

  @Test
  void finallyStepReadsAnyStep() {
    DefinitionReader.Result result =
        DefinitionReader.yaml(
            """
            name: x
            steps: {a: {run: "handler:a"}}
            finally: {end: {run: "handler:end", when: "$.outputs.a.ok"}}
            """);
    assertThat(result.definition()).isPresent();
  }

  @Test
  void textThatIsNotWellFormedHasAPlace() {
    assertThat(defects("name: x\nsteps: {a: [}"))
        .hasSize(1)
        .allMatch(each -> each.startsWith("2:"));
    assertThat(DefinitionReader.json("{\"name\":\"x\",}").defects())
        .singleElement()
        .asString()
        .startsWith("1:13 WF013 at /: this is no well-formed JSON");
    assertThat(defects("")).hasSize(3);
    assertThat(defects("--- 1\n--- 2\n")).hasSize(1);
    assertThat(defects("[".repeat(200))).hasSize(1);
  }

  @Test
  void mistakeInYamlIsNamedWithItsProblemInOneLine() {
    String yaml = "WF013 at /: this is no well-formed YAML: ";
    assertThat(defects("name: x\nsteps: {a: [1, 2}"))
        .containsExactly(
            "2:17 " + yaml + "while parsing a flow sequence: expected ',' or ']', but got }");
    assertThat(defects("name: x\n\tsteps: 1"))
        .containsExactly(
            "2:1 "
                + yaml
                + "while scanning for the next token: found character '\\t(TAB)' that cannot start any token. (Do not use \\t(TAB) for indentation)");
  }

  @Test
  void aliasIsRefused() {
    assertThat(defects("name: x\nsteps:\n  a: &a {run: \"handler:a\"}\n  b: *a\n"))
        .singleElement()
        .asString()
        .startsWith("4:6 WF013 at /: this is no well-formed YAML: aliases are not supported");
  }

  @Test
  void manyConditionsAreCheckedInTime() {
    Workflow workflow = Workflow.define("x").step("s0", "handler:a", s -> s);
    for (int i = 1; i < 10_000; i++) {
      int before = i - 1 - i % 20;
      workflow.step(
          "s" + i,
          "handler:a",
          s ->
              s.after("s" + Math.max(0, before)).when("$.outputs.s" + Math.max(0, before) + ".ok"));
    }
    var check = CompletableFuture.supplyAsync(workflow::check);
    assertThat(await(Future.fromCompletionStage(check)).defects()).isEmpty();
  }

  @Test
  void processNeedsACommand() {
    assertThat(defects("{name: x, steps: {a: {run: process, with: {command: [1]}}}}"))
        .containsExactly(
            "1:54 WF013 at /steps/a/with/command/0: part 1 of the command is 1, which is no text; quote it, as in command: [sleep, \"5\"]");
    assertThat(defects("{name: x, steps: {a: {run: process, with: {n: 1}}}}"))
        .containsExactly(
            "1:37 WF013 at /steps/a/with: a process needs a command; with: {command: [sh, -c, \"echo hello\"]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                          | WF013 at /steps/a/with: a job needs a type; with: {type: report, args: {customer: \"${/input/customer}\"}}",
        "type: 1                     | WF013 at /steps/a/with/type: the type of a job is 1, not its name; type: report",
        "type: a b                   | WF013 at /steps/a/with/type: \"a b\" is not a type name: use up to 63 letters, digits and - _ ., the first a letter or digit; type: report",
        "type: r, args: [1]          | WF013 at /steps/a/with/args: the args of a job are a list, not an object; args: {customer: acme}, or args: ${/input}",
        "type: r, args: all          | WF013 at /steps/a/with/args: the args of a job are the text \"all\", not an object; args: {customer: acme}, or args: ${/input}",
        "type: r, command: ['true']  | WF013 at /steps/a/with/command: a job of a handler has a type and args, and no command; run: process has a command and env",
        "type: r, args: {c: '${/x}'} | WF013 at /steps/a/with/args/c: \"${/x}\" begins with none of /errors, /input, /key, /large, /merged, /outputs",
        "type: r, args: {c: ['${x']} | WF013 at /steps/a/with/args/c/0: \"${x\" has a ${ without its }; write $${ for a plain one",
        "type: r, args: {c: '${/outputs/z/y}'} | WF002 at /steps/a/with/args/c: the args read z, and there is no such step; read the input, or steps that this one waits for",
        "type: r, args: {c: '${/outputs/b}'} | WF002 at /steps/a/with/args/c: the args read b, which need not be settled before a; read the input, or steps that this one waits for",
        "type: r, args: {c: '${/outputs/a}'} | WF002 at /steps/a/with/args/c: the args read a, which need not be settled before a; read the input, or steps that this one waits for",
      })
  void jobNeedsATypeAndArgumentsThatCanBeFilled(String with, String defect) {
    String text = "{name: x, steps: {a: {run: job, with: {%s}}, b: {run: 'handler:b'}}}";
    assertThat(DefinitionReader.yaml(text.formatted(with)).defects())
        .extracting(each -> each.defect().toString())
        .containsExactly(defect);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/command/0  | command: [' ']              | it must name a program",
        "/type       | command: [a], type: ''      | the type of a job is a blank text, not its name",
        "/type       | command: [a], type: 5       | the type of a job is 5, not its name",
        "/type       | command: [a], type: a b     | \"a b\" is not a type name",
        "/env        | command: [a], env: [1]      | the environment is a list, not an object",
        "/env/a.b    | command: [a], env: {a.b: x} | it must be a name",
        "/env/A      | command: [a], env: {A: [1]} | a variable is a list, not a text",
        "/env/A      | command: [a], env: {A: ~}   | a variable is null, not a text",
      })
  void aProcessIsRefusedThatCouldNotBeStarted(String at, String with, String why) {
    for (String place : List.of("", "/compensate")) {
      String of = place.isEmpty() ? with : "command: [a], compensate: {%s}".formatted(with);
      String undo = place.isEmpty() ? "" : ", compensate: process";
      String text = "{name: x, steps: {a: {run: process, with: {%s}%s}}}".formatted(of, undo);
      assertThat(DefinitionReader.yaml(text).defects())
          .singleElement()
          .satisfies(
              each -> {
                assertThat(each.defect().toString()).contains(why);
                assertThat(each.defect().pointer()).isEqualTo("/steps/a/with" + place + at);
              });
    }
  }

  @Test
  void aProcessMayHaveVariablesThatAreNoTexts() {
    String text =
        "{name: x, steps: {a: {run: process, with: {command: [a], env: {A: 1, B: true}}}}}";
    assertThat(DefinitionReader.yaml(text).defects()).isEmpty();
  }

  @Test
  void aJobThatUndoesAStepHasANameForItsType() {
    String text =
        "{name: x, steps: {a: {run: job, with: {type: r, compensate: {type: 'a b'}}, compensate: job}}}";
    assertThat(DefinitionReader.yaml(text).defects())
        .extracting(each -> each.defect().pointer())
        .containsExactly("/steps/a/with/compensate/type");
  }

  @Test
  void everyWrongPlaceInTheParametersOfAStepIsNamed() {
    String yaml =
        """
        name: x
        steps:
          a:
            run: job
            with: {env: {}, args: {ok: "${/input}", b: "${/x}", c: ["${y", "${/z}"]}}
          p: {run: process, with: {command: [sleep, 5, "x", true]}}
          u:
            run: "handler:u"
            with: {compensate: {type: 1, args: {d: "${/x}", e: "${"}}}
            compensate: job
        """;
    assertThat(defects(yaml))
        .extracting(each -> each.replaceFirst("^[0-9:]+ ", "").replaceFirst(": .*", ""))
        .containsExactly(
            "WF013 at /steps/a/with",
            "WF013 at /steps/a/with/env",
            "WF013 at /steps/a/with/args/b",
            "WF013 at /steps/a/with/args/c/0",
            "WF013 at /steps/a/with/args/c/1",
            "WF013 at /steps/p/with/command/1",
            "WF013 at /steps/p/with/command/3",
            "WF014 at /steps/u/with/compensate/type",
            "WF014 at /steps/u/with/compensate/args/d",
            "WF014 at /steps/u/with/compensate/args/e");
  }

  @Test
  void jobReadsWhatIsBeforeItAndWhatUndoesAStepItsOutput() {
    String yaml =
        """
        name: x
        steps:
          a: {run: job, with: {type: r}}
          b:
            run: job
            with:
              type: r
              args: {of: "${/outputs/a/n}", key: "${/key}", plain: "$${/outputs/z}"}
              compensate: {type: r, args: {of: "${/outputs/b}"}}
            compensate: job
            after: {a: success}
          c: {run: job, with: {type: r, args: "${/input}", compensate: {type: r, args: 1}}, compensate: job}
          d: {run: job, with: {type: r}, compensate: job}
        """;
    assertThat(defects(yaml))
        .containsExactly(
            "12:74 WF014 at /steps/c/with/compensate/args: the args of a job are 1, not an object; args: {customer: acme}, or args: ${/input}",
            "13:34 WF014 at /steps/d/compensate: a job that undoes a step needs a type of its own; with: {compensate: {type: cancel-report, args: {…}}}");
  }

  @Test
  void processOrRequestThatUndoesAStepNeedsParametersOfItsOwn() {
    String yaml =
        """
        name: x
        steps:
          a: {run: process, with: {command: [touch, x]}, compensate: process}
          b: {run: http, with: {url: "http://x", compensate: {body: 1}}, compensate: http}
          c: {run: "handler:c", with: {compensate: [1]}, compensate: "handler:undo"}
          d: {run: "handler:d", with: {n: 1}, compensate: "handler:undo"}
          e: {run: "handler:e", with: {compensate: [1]}}
        """;
    assertThat(defects(yaml))
        .containsExactly(
            "3:50 WF014 at /steps/a/compensate: a process that undoes a step needs a command of its own; with: {compensate: {command: [sh, -c, \"echo undone\"]}}",
            "4:42 WF014 at /steps/b/with/compensate: a request that undoes a step needs a url of its own; with: {compensate: {url: …}}",
            "5:32 WF014 at /steps/c/with/compensate: the parameters of what undoes a step are an object; with: {compensate: {…}}");
  }

  @Test
  void storedDefinitionWhoseCompensationLacksParametersIsStillRead() {
    String json =
        "{\"name\":\"x\",\"steps\":{\"a\":{\"run\":\"process\",\"with\":{\"command\":[\"true\"]},\"compensate\":\"process\"}}}";
    assertThat(DefinitionReader.json(json).definition()).isEmpty();
    CheckedDefinition stored = read(DefinitionReader.stored(json));
    assertThat(DefinitionCheck.stored(stored.definition()).definition()).isPresent();
    assertThat(DefinitionWarnings.undoLacks(stored))
        .extracting(GraphDefect::toString)
        .containsExactly(
            "WF014 at /steps/a/compensate: a process that undoes a step needs a command of its own; with: {compensate: {command: [sh, -c, \"echo undone\"]}}");
    assertThat(DefinitionWarnings.undoLacks(built())).isEmpty();
    assertThat(DefinitionReader.stored("{\"name\":\"x\",\"steps\":{}}").definition()).isEmpty();
  }

  @Test
  void conditionThatReadsNoStepIsReportedBesideOtherMistakes() {
    assertThat(
            defects(
                """
                name: x
                steps:
                  a: {run: "handler:a", after: {b: any}, when: "$.outputs.c.ok"}
                """))
        .containsExactly(
            "3:33 WF002 at /steps/a/after/b: there is no step \"b\"; did you mean \"a\"?",
            "3:42 WF002 at /steps/a/when: the condition reads c, and there is no such step; read the input, or steps that this one waits for");
  }

  @Test
  void valuesThatNoReaderTakesAreErrorsOfTheBuilder() {
    Duration tooLong = Duration.ofDays(4_000);
    assertThat(
            Workflow.define("x")
                .input(true)
                .timeout(tooLong)
                .step("a", "handler:a", s -> s.attempts(0).timeout(Duration.ZERO))
                .step("b", "handler:b", s -> s.attempts(200).with(List.of(1)))
                .step("c", "handler:c", s -> s.with("text").compensate("bad"))
                .last(
                    "d/",
                    "handler:d",
                    s ->
                        s.with(2)
                            .compensate("handler:undo", Map.of())
                            .retry(new StepRetry(1, Duration.ofSeconds(-1), tooLong)))
                .check()
                .defects())
        .extracting(GraphDefect::toString)
        .containsExactly(
            "WF012 at /steps/c/compensate: \"bad\" is nothing that a step can run; there are process, job, http, handler:<name>, handler:<name>@<major> and subworkflow:<name>",
            "WF013 at /input: input must be an object, not true",
            "WF013 at /timeout: timeout must be a duration of more than zero and at most ten years, not PT96000H",
            "WF013 at /steps/a/retry/attempts: attempts must be a whole number from 1 to 100, not 0",
            "WF013 at /steps/a/timeout: timeout must be a duration of more than zero and at most ten years, not PT0S",
            "WF013 at /steps/b/with: with must be an object, not a list",
            "WF013 at /steps/b/retry/attempts: attempts must be a whole number from 1 to 100, not 200",
            "WF013 at /steps/c/with: with must be an object, not the text \"text\"",
            "WF013 at /finally/d~1: \"d/\" is not an id of a step; 1 to 100 letters, digits and . _ -, a letter or digit first",
            "WF013 at /finally/d~1/with: with must be an object, not 2",
            "WF013 at /finally/d~1/retry/initial: initial must be a duration of more than zero and at most ten years, not PT-1S",
            "WF013 at /finally/d~1/retry/max: max must be a duration of more than zero and at most ten years, not PT96000H");
  }

  /** What the builder takes at its bounds can be read again. */
  @Test
  void valuesAtTheirBoundsAreReadAgain() {
    Duration longest = Duration.ofDays(3_650);
    CheckedDefinition built =
        Workflow.define("x")
            .timeout(longest)
            .step(
                "a",
                "handler:a",
                s ->
                    s.retry(new StepRetry(StepRetry.MOST_ATTEMPTS, Duration.ofNanos(1), longest))
                        .timeout(Duration.ofNanos(1)))
            .build();
    String json = DefinitionWriter.json(built.definition()).toString();
    assertThat(read(DefinitionReader.stored(json)).definition()).isEqualTo(built.definition());
  }

  @Test
  void builderReportsAllErrors() {
    assertThatThrownBy(
            () ->
                Workflow.define("x")
                    .step("a", "shell", s -> s.after("b"))
                    .step("a", "handler:a", s -> s)
                    .build())
        .hasMessage(
            """
            the definition "x" has errors:
            WF012 at /steps/a/run: "shell" is nothing that a step can run; there are process, job, http, handler:<name>, handler:<name>@<major> and subworkflow:<name>
            WF004 at /steps/a: there are two steps "a"; give one of them another id
            WF002 at /steps/a/after/b: there is no step "b"; did you mean "a"?""");
  }

  /** As YAML reads it, it has a command, and one part of that is no text. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "command: [sleep, 5]   | part 2 of the command is 5, which is no text  | quote it, as in command: [sleep, \"5\"]",
        "command: [echo, on]   | part 2 of the command is true, which is no text | quote it",
        "command: [echo, 3.10] | part 2 of the command is 3.1, which is no text | quote it",
        "command: [[a], b]     | part 1 of the command is a list, which is no text | quote it",
        "command: echo hi      | the command is the text \"echo hi\", not a list | [echo, hi]",
        "command: []           | a process needs a command | with: {command:"
      })
  void aCommandThatIsNoneSaysWhichPart(String with, String message, String hint) {
    DefinitionReader.Result read =
        DefinitionReader.yaml("name: x\nsteps:\n  a: {run: process, with: {%s}}\n".formatted(with));
    assertThat(read.defects()).singleElement();
    assertThat(read.defects().get(0).defect().message()).contains(message);
    assertThat(read.defects().get(0).defect().hint()).contains(hint);
  }

  /** Returns parameters of so many levels. */
  private static String nested(int levels) {
    return "{\"v\":".repeat(levels - 1) + "{}" + "}".repeat(levels - 1);
  }

  @Test
  void parametersThatNoWorkerCouldReadAreRefused() {
    String text = "{\"name\":\"w\",\"steps\":{\"a\":{\"run\":\"handler:x\",\"with\":%s}}}";
    for (int levels : List.of(81, 95)) {
      for (DefinitionReader.Result read :
          List.of(
              DefinitionReader.json(text.formatted(nested(levels))),
              DefinitionReader.yaml(text.formatted(nested(levels))))) {
        assertThat(read.definition()).isEmpty();
        assertThat(read.defects())
            .singleElement()
            .satisfies(
                each ->
                    assertThat(each.defect().toString())
                        .startsWith("WF013 at /steps/a/with: with")
                        .contains("nested deeper than 80 levels"));
      }
      Workflow built =
          Workflow.define("w")
              .step(
                  "a",
                  "handler:x",
                  s -> s.with(Json.parse("with", nested(levels).getBytes(UTF_8))));
      assertThatThrownBy(built::build)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("nested deeper than 80 levels");
    }
    assertThat(DefinitionReader.json(text.formatted(nested(80))).definition()).isPresent();
  }
}

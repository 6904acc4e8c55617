package io.callboard.pollers.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.callboard.pollers.model.AckMode;
import io.callboard.pollers.model.AttemptPolicy;
import io.callboard.pollers.model.BodyFormat;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.model.SourceTarget;
import io.callboard.pollers.source.Settings;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContext;
import io.callboard.pollers.source.SourceKind;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SourceReaderTest {
  /** Kind of sources that nobody creates; those that are {@code quiet} send nothing. */
  private static final class QueueKind implements SourceKind {
    @Override
    public String name() {
      return "queue";
    }

    @Override
    public Optional<String> artifact() {
      return Optional.empty();
    }

    @Override
    public void check(JsonObject settings) {
      Settings its = new Settings(settings);
      String unused = its.required("url");
      boolean unusedToo = its.flag("quiet").orElse(false);
      its.end();
    }

    @Override
    public boolean sends(JsonObject settings) {
      return !settings.getBoolean("quiet", false);
    }

    @Override
    public Source create(SourceContext its) {
      throw new UnsupportedOperationException("no source is made here");
    }
  }

  private static List<SourceConfig> read(String json) {
    return SourceReader.read(new JsonObject(json.replace('\'', '"')), List.of(new QueueKind()));
  }

  private static SourceConfig one(String inside) {
    return read("{'a': {'kind': 'queue', 'settings': {'url': 'x'}, %s}}".formatted(inside)).get(0);
  }

  private static List<String> defects(String json) {
    PollersException refusal = catchThrowableOfType(PollersException.class, () -> read(json));
    assertThat(refusal).as(json).isNotNull();
    return refusal.defects().stream().map(Object::toString).toList();
  }

  private static List<String> defectsOf(String inside) {
    return defects("{'a': {'kind': 'queue', 'settings': {'url': 'x'}, %s}}".formatted(inside));
  }

  @Test
  void aSettingThatIsLeftOutHasItsDefault() {
    SourceConfig read = one("'start': {'workflow': 'index'}");
    assertThat(read.name()).isEqualTo("a");
    assertThat(read.settings()).isEqualTo(new JsonObject().put("url", "x"));
    assertThat(read.ack()).isEqualTo(AckMode.ON_COMPLETE);
    assertThat(read.credit()).isEqualTo(100);
    assertThat(read.body()).isEqualTo(BodyFormat.JSON);
    assertThat(read.policy()).isEqualTo(AttemptPolicy.DEFAULT);
    assertThat(((SourceTarget.StartWorkflow) read.target()).input().text()).isEqualTo("${/body}");
    assertThat(read.target().words()).isEqualTo("workflow index");
  }

  @Test
  void everySettingCanBeGiven() {
    SourceConfig read =
        one(
            """
            'ack': 'on_complete', 'credit': 7, 'body': 'text',
            'retry': {'attempts': 3, 'initial': 'PT2S', 'max': 'PT5M'},
            'start': {'job': 'process', 'command': ['echo', '${/body}'], 'env': {'ID': '${/id}'},
              'labels': {'team': 'x'}, 'priority': 7},
            'onSuccess': [{'emit': 'done', 'body': {'job': '${/result/ref}'},
              'headers': {'id': '${/id}'}}, {'emit': 'other', 'source': 'a'}]
            """);
    assertThat(read.policy())
        .isEqualTo(new AttemptPolicy(3, Duration.ofSeconds(2), Duration.ofMinutes(5)));
    SourceTarget.SubmitJob job = (SourceTarget.SubmitJob) read.target();
    assertThat(job.command()).hasSize(2);
    assertThat(job.priority()).isEqualTo(7);
    assertThat(read.onSuccess()).hasSize(2);
    assertThat(read.onSuccess().get(1).body().text()).isEqualTo("${/body}");
  }

  @Test
  void aJobHasACommandOrArgsForAHandler() {
    SourceTarget.SubmitJob job =
        (SourceTarget.SubmitJob)
            one("'start': {'job': 'mail', 'args': {'to': '${/body/to}', 'n': 1}}").target();
    assertThat(job.command()).isEmpty();
    assertThat(job.args()).hasToString("{\"to\":\"${/body/to}\",\"n\":1}");
    assertThat(one("'start': {'job': 'mail', 'args': '${/body}'}").target())
        .extracting(target -> String.valueOf(((SourceTarget.SubmitJob) target).args()))
        .isEqualTo("\"${/body}\"");
    assertThat(defectsOf("'start': {'job': 'mail'}"))
        .containsExactly(
            "/a/start/command: is missing: give a command, or args for a type whose runner is handler");
    assertThat(
            defectsOf(
                "'start': {'job': 'mail', 'args': {'to': '${/bdy/to}'}, 'command': ['x'], 'env': {}}"))
        .containsExactly(
            "/a/start/command: goes with processes, not with args for a handler",
            "/a/start/env: goes with processes, not with args for a handler",
            "/a/start/args/to: \"${/bdy/to}\" begins with none of /body, /headers, /id, /source");
    for (String args : List.of("[1]", "'all'", "7")) {
      assertThat(defectsOf("'start': {'job': 'mail', 'args': %s}".formatted(args)))
          .singleElement()
          .asString()
          .startsWith("/a/start/args: must be an object, or a place of one as ${/body}");
    }
  }

  @Test
  void aLabelThatTheSchedulerWouldRefuseIsRefusedHere() {
    String start = "'start': {'job': 'process', 'command': ['x'], 'labels': {%s}}";
    String longest = "x".repeat(200);
    assertThat(one(start.formatted("'a/b': '%s', 'n': 7".formatted(longest))).target())
        .isInstanceOf(SourceTarget.SubmitJob.class);
    assertThat(
            defectsOf(
                start.formatted(
                    "'a b': 'c', '': 'c', 'long': '%1$sx', '%2$s': 'c', 'plain': '$${%1$s', 'source': 'c', 'free': '${/body/any}'"
                        .formatted(longest, "k".repeat(64)))))
        .containsExactly(
            "/a/start/labels/a b: \"a b\" is no label key: up to 63 letters, digits and - _ . /, the first and the last a letter or digit",
            "/a/start/labels/: \"\" is no label key: up to 63 letters, digits and - _ . /, the first and the last a letter or digit",
            "/a/start/labels/long: a value has at most 200 characters, this has 201",
            "/a/start/labels/%1$s: \"%1$s\" is no label key: up to 63 letters, digits and - _ . /, the first and the last a letter or digit"
                .formatted("k".repeat(64)),
            "/a/start/labels/plain: a value has at most 200 characters, this has 202",
            "/a/start/labels/source: is the name of the source in each of its jobs: choose another key");
    String many =
        IntStream.range(0, 32).mapToObj("'l%d': 'x'"::formatted).collect(Collectors.joining(", "));
    assertThat(defectsOf(start.formatted(many)))
        .containsExactly("/a/start/labels: must be an object of up to 31 texts");
  }

  @Test
  void aPlaceThatNoMessageHasIsRefused() {
    assertThat(
            defectsOf(
                """
                'start': {'job': 'process', 'command': ['x', '${/id/a}'], 'env': {'E': '${/headers/a/b}'},
                  'labels': {'all': '${/headers}', 'a/b': 'of ${/source/name}', 'open': '${/nope',
                    'nope': '${/nope}', 'one': '${/headers/a} in ${/headers}', 'body': '${/body/a}'}},
                'onSuccess': {'emit': 'q', 'body': {'r': '${/result/code}', 'all': '${/result}'},
                  'headers': {'h': '${/result}'}}
                """))
        .containsExactly(
            "/a/start/command/1: there is nothing at /id/a of any message: /id is a text",
            "/a/start/env/E: there is nothing at /headers/a/b of any message: /headers has texts",
            "/a/start/labels/all: must be a text, and /headers is an object",
            "/a/start/labels/a~1b: there is nothing at /source/name of any message: /source is a text",
            "/a/start/labels/open: \"${/nope\" has a ${ without its }; write $${ for a plain one",
            "/a/start/labels/nope: \"${/nope}\" begins with none of /body, /headers, /id, /source",
            "/a/onSuccess/body/r: there is nothing at /result/code of any message: /result has the texts outcome and ref",
            "/a/onSuccess/headers/h: must be a text, and /result is an object");
    String start = "'start': {'workflow': 'w', 'input': {'b': ['${/body/a}']}}";
    assertThat(defectsOf("'body': 'text', " + start))
        .containsExactly(
            "/a/start/input/b/0: there is nothing at /body/a of any message: /body is a text, as the body of this source is");
    assertThat(one(start).body()).isEqualTo(BodyFormat.JSON);
  }

  @Test
  void aCommandThatNoProcessCanBeGivenIsRefused() {
    assertThat(
            defectsOf(
                "'start': {'job': 'a b', 'command': [' ', '${/body}', 'a\\u0000'], 'env': {'A-B': 'x', 'C': '${/id}'}}"))
        .containsExactly(
            "/a/start/job: \"a b\" is not a type name: use up to 63 letters, digits and - _ ., the first a letter or digit",
            "/a/start/command/0: must name a program",
            "/a/start/command/2: must not contain NUL or an unpaired surrogate",
            "/a/start/env/A-B: must be a name of up to 200 letters, digits and _ that starts with no digit");
    assertThat(one("'start': {'job': 'process', 'command': ['${/body/program}']}").target())
        .isInstanceOf(SourceTarget.SubmitJob.class);
  }

  @Test
  void everyWrongPlaceOfATemplateIsNamed() {
    assertThat(
            defectsOf(
                "'start': {'job': 'mail', 'args': {'a': '${/x}', 'b': ['${/body}', '${y'], 'c': '${'}}"))
        .extracting(each -> each.replaceFirst(": .*", ""))
        .containsExactly("/a/start/args/a", "/a/start/args/b/1", "/a/start/args/c");
  }

  @Test
  void aTemplateThatCanGiveNoTextIsRefused() {
    assertThat(
            defectsOf(
                """
                'start': {'job': 'process', 'command': ['x', null, {'a': '${/body}'}],
                  'env': {'E': ['${/body}']}, 'labels': {'l': null}},
                'onSuccess': {'emit': 'q', 'headers': {'h': {}}}
                """))
        .containsExactly(
            "/a/start/command/1: must be a text, not null",
            "/a/start/command/2: must be a text, not an object",
            "/a/start/env/E: must be a text, not a list",
            "/a/start/labels/l: must be a text, not null",
            "/a/onSuccess/headers/h: must be a text, not an object");
    assertThat(defectsOf("'start': {'tell': ['/a'], 'type': 'order'}"))
        .contains("/a/start/tell: must be a text, not a list");
  }

  @Test
  void aTemplateIsNoDeeperThanItsResultMayBe() {
    String deep = "[".repeat(82) + "]".repeat(82);
    for (String start :
        List.of(
            "'job': 'mail', 'args': {'a': %s}",
            "'workflow': 'w', 'input': %s", "'builder': 'b', 'message': %s")) {
      assertThat(defectsOf("'start': {%s}".formatted(start.formatted(deep))))
          .singleElement()
          .asString()
          .startsWith("/a/start/")
          .endsWith("it is nested deeper than 80 levels");
    }
  }

  @Test
  void aMessageToAnActorIsAcknowledgedWhenItIsDurable() {
    SourceConfig read = one("'start': {'tell': '/desk/${/body/desk}', 'type': 'order'}");
    assertThat(read.ack()).isEqualTo(AckMode.ON_ACCEPT);
    assertThat(defectsOf("'ack': 'on_complete', 'start': {'tell': '/a', 'type': 'order'}"))
        .containsExactly(
            "/a/start/tell: a message to an actor has no end: acknowledge it with \"ack:"
                + " on_accept\"");
  }

  @Test
  void everyDefectIsNamedWithItsPlace() {
    assertThat(
            defects(
                """
                {'A b': {'kind': 'carrier-pigeon', 'start': {'workflow': 'x', 'input': '${body}'}},
                 'b': {'kind': 'queue', 'settings': {'uri': 'x'}, 'credit': 0, 'colour': 'red',
                       'start': {'workflow': 'x', 'job': 'y'}},
                 'c': {'kind': 'queue', 'settings': {'url': 'x'}, 'body': 'xml',
                       'retry': {'attempts': 20, 'initial': 'PT1S', 'max': 'PT1H', 'often': true},
                       'start': {'workflow': 'x', 'imput': 1},
                       'onSuccess': {'emit': 'q', 'source': 'nobody'}}}
                """))
        .anySatisfy(each -> assertThat(each).startsWith("/A b: a source's name has 1 to 60"))
        .anySatisfy(
            each ->
                assertThat(each)
                    .isEqualTo(
                        "/A b/kind: there is no kind \"carrier-pigeon\"; there are [http, queue]"))
        .anySatisfy(each -> assertThat(each).startsWith("/A b/start/input: \"${body}\" is no"))
        .anySatisfy(each -> assertThat(each).startsWith("/b/settings/url: is missing"))
        .anySatisfy(
            each ->
                assertThat(each)
                    .isEqualTo("/b/credit: must be a whole number from 1 to 10,000, not 0"))
        .anySatisfy(
            each -> assertThat(each).startsWith("/b/colour: is unknown; there are ack, body,"))
        .anySatisfy(
            each -> assertThat(each).startsWith("/b/start: must have exactly one of [workflow,"))
        .anySatisfy(
            each -> assertThat(each).isEqualTo("/c/body: must be one of json, text, not \"xml\""))
        .anySatisfy(
            each ->
                assertThat(each)
                    .isEqualTo(
                        "/c/retry: 20 attempts with delays of up to PT1H last longer than PT12H:"
                            + " lower one of them"))
        .anySatisfy(each -> assertThat(each).startsWith("/c/retry/often: is unknown"))
        .anySatisfy(each -> assertThat(each).startsWith("/c/start/imput: is unknown"))
        .anySatisfy(
            each -> assertThat(each).startsWith("/c/onSuccess: there is no source \"nobody\""))
        .anySatisfy(
            each ->
                assertThat(each).isEqualTo("/b/settings/uri: is unknown; did you mean \"url\"?"))
        .hasSize(13);
  }

  @Test
  void aDelayThatIsTooLongIsRefusedByItself() {
    assertThat(
            defectsOf(
                "'start': {'workflow': 'w'}, 'retry': {'attempts': 1, 'initial': 'PT1S', 'max':"
                    + " 'P10001D'}"))
        .containsExactly("/a/retry: a delay of up to PT240024H is longer than PT12H: lower max");
  }

  @Test
  void noDefectShowsAValue() {
    String secret = "amqp://shop:secret@host";
    assertThat(
            defects(
                """
                {'a': '%1$s',
                 'b': {'kind': 'queue', 'settings': ['%1$s'], 'start': '%1$s', 'credit': '%1$s'},
                 'c': {'kind': ['%1$s'], 'settings': '%1$s', 'start': {'workflow': {'x': '%1$s'}},
                       'retry': '%1$s', 'body': ['%1$s'], 'onSuccess': ['%1$s']}}
                """
                    .formatted(secret)))
        .noneMatch(each -> each.contains("secret"))
        .contains(
            "/a: must be an object, not a text",
            "/b/settings: must be an object, not a list",
            "/b/start: must be an object, not a text",
            "/b/credit: must be a whole number from 1 to 10,000, not a text");
  }

  @Test
  void aSettingWithoutEffectIsRefused() {
    assertThat(
            defectsOf(
                "'ack': 'on_accept', 'retry': {}, 'onSuccess': {'emit': 'q'}, 'start': {'builder':"
                    + " 'b'}"))
        .hasSize(2)
        .anySatisfy(each -> assertThat(each).startsWith("/a/retry: a message that is acknowledged"))
        .anySatisfy(
            each -> assertThat(each).startsWith("/a/onSuccess: needs \"ack: on_complete\""));
    assertThat(
            defects(
                "{'h': {'kind': 'http', 'ack': 'on_complete', 'credit': 3, 'settings': {'x': 1},"
                    + " 'start': {'builder': 'b'}}}"))
        .hasSize(3);
  }

  @Test
  void aSourceThatSendsNothingIsNotAskedTo() {
    String sources =
        """
        {'a': {'kind': 'queue', 'settings': {'url': 'x', 'quiet': true},
           'start': {'workflow': 'w'}, 'onSuccess': {'emit': 'q'%s}},
         'b': {'kind': 'queue', 'settings': {'url': 'x'},
           'start': {'workflow': 'w'}, 'onSuccess': {'emit': 'q'%s}},
         'h': {'kind': 'http', 'start': {'workflow': 'w'}}}
        """;
    assertThat(read(sources.formatted(", 'source': 'b'", ""))).hasSize(3);
    assertThat(defects(sources.formatted("", ", 'source': 'a'")))
        .containsExactly(
            "/a/onSuccess: this source of kind queue, as it is set, sends nothing: name another as"
                + " \"source\"; there are [b]",
            "/b/onSuccess: there is no source \"a\" that can send; there are [b]");
    assertThat(defects(sources.formatted(", 'source': 'h'", "")))
        .containsExactly("/a/onSuccess: there is no source \"h\" that can send; there are [b]");
  }

  @Test
  void sourcesOfRequestsNeedOnlyATarget() {
    SourceConfig read = read("{'h': {'kind': 'http', 'start': {'builder': 'b'}}}").get(0);
    assertThat(read.isPolled()).isFalse();
    assertThat(read.ack()).isEqualTo(AckMode.ON_ACCEPT);
    assertThat(((SourceTarget.AskBuilder) read.target()).message().isConstant()).isFalse();
  }
}

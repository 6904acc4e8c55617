package io.callboard.dashboard.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaCheckTest {
  private static final Contract CONTRACT = Contract.read();
  private static final JsonNode JOB = CONTRACT.tree().at("/components/schemas/JobRequest");

  private static List<Fault> check(String json) {
    return SchemaCheck.check(
        CONTRACT.tree(), JOB, JsonBody.parse(json.getBytes(StandardCharsets.UTF_8)), "");
  }

  @Test
  void acceptsEveryField() {
    assertThat(
            check(
                """
                {"type":"process","command":["sh","-c",""],"env":{"A_1":"x"},"priority":9,
                 "runAt":"2026-11-21T05:30:00Z","uniqueKey":"k","labels":{"a.b/c":"","d":"e"},
                 "retry":{"attempts":3,"initial":"PT5S","max":"PT1H"},
                 "timeouts":{"queue":"P1D","run":"PT1M","total":"PT2H"},"onLost":"hold"}\
                """))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]                                          | ''       | must be an object, not a list",
        "{'command':'ls'}                            | /command | must be a list, not the string"
            + " \"ls\"",
        "{'command':[]}                              | /command | must have 1 to 1000 items, not 0",
        "{'command':['a',1]}                         | /command/1 | must be a string, not the"
            + " number 1",
        "{'command':['a\\u0000']}                    | /command/0 | must not contain NUL or an unpaired surrogate",
        "{'command':['\\ud800']}                     | /command/0 | must not contain NUL or an unpaired surrogate",
        "{'command':['a'],'comand':1}                | /comand  | unknown field \"comand\"; did you"
            + " mean \"command\"?",
        "{'command':['a'],'a/b~c':1}                 | /a~1b~0c | unknown field \"a/b~c\"; there"
            + " are args, command, env, labels, nice, onLost, priority, requires, retry, runAt, timeouts, type,"
            + " uniqueKey",
        "{'command':['a'],'priority':10}             | /priority | must be 0 to 9, not 10",
        "{'command':['a'],'priority':'5'}            | /priority | must be a whole number, not the"
            + " string \"5\"",
        "{'command':['a'],'priority':5.5}            | /priority | must be a whole number, not the"
            + " number 5.5",
        "{'command':['a'],'runAt':null}              | /runAt | must be a string, not null: omit it instead",
        "{'command':['a'],'runAt':'soon'}            | /runAt | must be an RFC 3339 time with an offset, such as 2026-11-21T05:30:00Z, not \"soon\"",
        "{'command':['a'],'uniqueKey':''}            | /uniqueKey | must have 1 to 200 characters,"
            + " not 0",
        "{'command':['a'],'env':{'1A':'x'}}          | /env/1A | must be a name of letters, digits"
            + " and _ that starts with no digit and not with CALLBOARD_, not \"1A\"",
        "{'command':['a'],'env':{'CALLBOARD_X':''}}  | /env/CALLBOARD_X | must be a name of"
            + " letters, digits and _ that starts with no digit and not with CALLBOARD_, not"
            + " \"CALLBOARD_X\"",
        "{'command':['a'],'env':{'A':1}}             | /env/A | must be a string, not the number 1",
        "{'command':['a'],'labels':{'-':'x'}}        | /labels/- | must be a label key: up to 63"
            + " letters, digits and - _ . /, the first and the last a letter or digit, not \"-\"",
        "{'command':['a'],'onLost':'rerum'}          | /onLost | must be one of rerun, hold, fail,"
            + " not \"rerum\"; did you mean \"rerun\"?",
        "{'command':['a'],'retry':{}}                | /retry/attempts | is required",
        "{'command':['a'],'retry':{'attempts':0}}    | /retry/attempts | must be 1 to 1000, not 0",
        "{'command':['a'],'retry':{'attempts':1,'initial':'5s'}} | /retry/initial | must be an ISO 8601 duration in days, hours, minutes and seconds, such as PT30S or PT1H30M, not \"5s\"",
        "{'command':['a'],'timeouts':{'runs':'PT1S'}}| /timeouts/runs | unknown field \"runs\"; did"
            + " you mean \"run\"?"
      })
  void saysWhereAndWhat(String json, String pointer, String detail) {
    assertThat(check(json.replace('\'', '"'))).containsExactly(new Fault(pointer, detail));
  }

  @Test
  void everyFaultIsReportedUpToALimit() {
    assertThat(check("{\"priority\":\"5\",\"env\":[]}")).hasSize(2);
    assertThat(check("{\"command\":[" + "1,".repeat(99) + "1]}")).hasSize(20);
  }

  @Test
  void itemsOfAListThatIsTooLongAreNotChecked() {
    assertThat(check("{\"command\":[" + "1,".repeat(1_000) + "1]}"))
        .containsExactly(new Fault("/command", "must have 1 to 1000 items, not 1001"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{\"a\":1,}",
        "{} {}",
        "{'a':1}",
        "{\"a\":1,\"a\":2}",
        "nope",
        "{\"a\":\"\u0001\"}"
      })
  void thePlaceOfBrokenJsonIsReported(String json) {
    assertThatThrownBy(() -> JsonBody.parse(json.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> {
              assertThat(e.problem().kind()).isEqualTo(Problem.Kind.MALFORMED);
              assertThat(e.problem().detail()).containsAnyOf("line 1, column", "body is empty");
            });
  }

  @Test
  void decimalsKeepEveryDigit() {
    for (String number :
        List.of("12345678901234567.89", "0.1000000000000000055511151231257827", "1E+400", "1.50")) {
      assertThat(JsonBody.parse(number.getBytes(StandardCharsets.UTF_8))).hasToString(number);
    }
  }

  @Test
  void refusesJsonThatIsNotUtf8OrTooDeep() {
    assertThatThrownBy(() -> JsonBody.parse(new byte[] {'"', (byte) 0xff, '"'}))
        .isInstanceOf(ProblemException.class);
    assertThatThrownBy(() -> JsonBody.parse("[".repeat(100_000).getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("deeper than 32 levels");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1,\"a\":2} | the key \"a\" is there twice: keep one of them, at line 1",
        "[40]             | it is nested deeper than 32 levels",
        "{\"a\":          | Unexpected end-of-input",
        "{} {}            | something follows after its end, at line 1",
      })
  void anUnreadableBodyIsReportedWithoutTheParsersVocabulary(String body, String why) {
    String json = body.equals("[40]") ? "[".repeat(40) + "]".repeat(40) : body;
    assertThatThrownBy(() -> JsonBody.parse(json.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(ProblemException.class)
        .hasMessageStartingWith("the body cannot be read as JSON: " + why)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("`", "Source"));
  }
}

package io.callboard.workflows.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionTest {
  private static final StepData DATA =
      new StepData(
          json(
              """
              {"mime":"image/png","size":10,"ratio":1.50,"deep":{"a b":[1,{"x":true}]},"no":false,"it's":1}
              """),
          Map.of("fetch", json("{\"bytes\":2048}"), "my-step", json("[\"x\"]")));

  private static JsonNode json(String text) {
    return Json.parse("test", text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "$.input.mime == 'image/png'",
        "$.input.mime != 'text/plain'",
        "$.input.size == 10.0 and $.input.ratio == 1.5",
        "$.input.size > 9 and not $.input.size >= 11",
        "$.input.size < 5 or $.input.size <= 10",
        "$.input.deep['a b'][1].x",
        "not $.input.no",
        "not $.input.size", // a value alone holds only if it is true
        "$.input.missing == null and $.input.missing.more[3] == null",
        "$.outputs.fetch.bytes >= 2048",
        "$.outputs.my-step[0] == 'x'",
        "$.outputs.other == null",
        "$.input['it\\'s'] == 1",
        "not ($.input.no or $.input.size == 11)",
        "not ($.input.mime < 5)", // nothing orders a text and a number
        "true and not false or false",
        "  $.input.size==10  ",
        "$.input.deep == $.input.deep",
        "-1 < 0",
        "'a' < 'b'",
      })
  void holds(String text) {
    assertThat(Condition.parse(text).holds(DATA)).isTrue();
    assertThat(Condition.parse("not (" + text + ")").holds(DATA)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "''|1|expected a path such as $.input.size, a 'text', a number, true, false or null, found the end",
        "$.msg.mime|2|expected .input or .outputs, found \"\".msg.mime\"\"",
        "$.input.a = 1|11|expected and, or, a comparison, or the end, found \"\"= 1\"\"",
        "$.input.a == 'x|16|expected a closing ', found the end",
        "$.input.a && true|11|expected and, or, a comparison, or the end, found \"\"&& true\"\"",
        "($.input.a|11|expected ), found the end",
        "$.input.|9|expected the name of a field, found the end",
        "$.input[x]|9|expected an index or a 'name', found \"\"x]\"\"",
        "$.outputs|10|expected the id of a step, as in $.outputs.fetch.size, found the end",
        "size > 3|1|expected a path such as $.input.size, a 'text', a number, true, false or null, found \"\"size > 3\"\"",
      })
  void mistakes(String text, int position, String message) {
    String given = text.equals("''") ? "" : text;
    assertThatThrownBy(() -> Condition.parse(given))
        .isInstanceOfSatisfying(
            ConditionException.class, mistake -> assertThat(mistake.position()).isEqualTo(position))
        .hasMessage(message.replace("\"\"", "\""));
  }

  @Test
  void conditionsHaveLimits() {
    assertThatThrownBy(() -> Condition.parse("not ".repeat(51) + "true"))
        .hasMessage("a condition is nested at most 50 deep");
    assertThatThrownBy(() -> Condition.parse("(".repeat(1_000)))
        .hasMessage("a condition is nested at most 50 deep");
    assertThatThrownBy(() -> Condition.parse(" ".repeat(2_001)))
        .hasMessage("a condition has at most 2,000 characters");
  }

  @Test
  void aConditionNamesTheStepsThatItReads() {
    assertThat(
            Condition.parse("$.outputs.a.x == 1 or not ($.outputs.b or 2 < $.outputs['c d'])")
                .steps())
        .containsExactly("a", "b", "c d");
  }

  /** Random texts of tokens either parse and never fail, or are refused with a position. */
  @Test
  void noTextBreaksTheParser() {
    String[] tokens = {
      "$",
      ".input",
      ".outputs",
      ".a",
      "['b']",
      "[0]",
      "(",
      ")",
      "'x'",
      "'",
      "1",
      "-2.5",
      "==",
      "<",
      "and",
      "or",
      "not",
      "true",
      "null",
      " ",
      "é",
      "\\"
    };
    SplittableRandom random = new SplittableRandom(1);
    int parsed = 0;
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(8); i >= 0; i--) {
        text.append(tokens[random.nextInt(tokens.length)]);
        text.append(random.nextBoolean() ? " " : "");
      }
      try {
        boolean unused = Condition.parse(text.toString()).holds(DATA);
        parsed++;
      } catch (ConditionException e) {
        assertThat(e.position()).isBetween(1, text.length() + 1);
      }
    }
    assertThat(parsed).isGreaterThan(100);
  }
}

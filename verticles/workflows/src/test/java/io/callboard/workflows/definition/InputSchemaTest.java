package io.callboard.workflows.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.workflows.definition.InputSchema.Mismatch;
import io.callboard.workflows.definition.SchemaForm.Defect;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas of inputs: what is refused when they are defined, and what they refuse. */
class InputSchemaTest {
  private static final String ORDER =
      """
      {"type":"object","required":["items"],"additionalProperties":false,
       "properties":{
         "items":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/item"}},
         "note":{"type":["string","null"],"maxLength":10,"pattern":"^[a-z ]*$"},
         "tree":{"$ref":"#/$defs/tree"}},
       "$defs":{
         "item":{"type":"object","required":["sku"],"properties":{"sku":{"type":"string"},"n":{"type":"integer","minimum":1}}},
         "tree":{"type":"object","properties":{"left":{"$ref":"#/$defs/tree"},"right":{"$ref":"#/$defs/tree"}},"additionalProperties":false}}}
      """;

  private static JsonNode json(String text) {
    return Json.parse("a test", text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<Defect> defects(String schema) {
    return SchemaForm.check(json(schema.replace('\'', '"')), "/input", false);
  }

  private static Mismatch mismatch(String schema, String input) {
    assertThat(SchemaForm.check(json(schema), "", false)).isEmpty();
    return new InputSchema(json(schema)).mismatch(json(input)).orElse(null);
  }

  @Test
  void anInputThatMatchesIsAccepted() {
    assertThat(mismatch(ORDER, "{\"items\":[{\"sku\":\"a\",\"n\":2}],\"note\":null}")).isNull();
    assertThat(mismatch(ORDER, "{\"items\":[{\"sku\":\"a\"}],\"tree\":{\"left\":{\"right\":{}}}}"))
        .isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"type\":\"integer\"}|1|true",
        "{\"type\":\"integer\"}|1.0|true",
        "{\"type\":\"integer\"}|1e0|true",
        "{\"type\":\"integer\"}|1e2|true",
        "{\"type\":\"integer\"}|1.5|false",
        "{\"type\":\"integer\"}|9007199254740993|true",
        "{\"type\":\"integer\"}|12345678901234567890123|true",
        "{\"type\":\"integer\"}|1e30|true",
        "{\"type\":\"number\"}|1e400|true",
        "{\"maximum\":12345678901234567}|12345678901234567|true",
        "{\"maximum\":100}|12345678901234567890123|false",
        "{\"minimum\":1e300}|1e400|true",
        "{\"maximum\":1e300}|1e400|false",
        "{\"multipleOf\":0.1}|0.3|true",
        "{\"multipleOf\":0.01}|19.99|true",
        "{\"multipleOf\":0.01}|19.995|false",
        "{\"enum\":[1]}|1.0|true",
        "{\"const\":1}|1e0|true",
        "{\"const\":9007199254740993}|9007199254740992|false",
        "{\"const\":0.1}|0.10|true",
        "{\"const\":12345678901234567890123}|12345678901234567890123|true",
        "{\"const\":12345678901234567890123}|12345678901234567890124|false",
        "{\"uniqueItems\":true}|[1,1.0]|false",
        "{\"uniqueItems\":true}|[9007199254740993,9007199254740992]|true"
      })
  void numbersAreComparedByTheirValue(String schema, String input, boolean matches) {
    assertThat(mismatch(schema, input) == null).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"items\":[{\"sku\":\"a\"},{\"sku\":\"a\",\"n\":0}]}|/items/1/n",
        "{\"items\":[{\"sku\":7}]}|/items/0/sku",
        "{\"items\":[{\"sku\":\"a\"}],\"note\":\"UPPER\"}|/note",
        "{\"items\":[{\"sku\":\"a\"}],\"other\":1}|/other",
        "{\"items\":[{\"sku\":\"a\"}],\"tree\":{\"left\":{\"x\":1}}}|/tree/left/x"
      })
  void aValueThatDoesNotMatchIsNamed(String input, String pointer) {
    Mismatch mismatch = mismatch(ORDER, input);
    assertThat(mismatch).isNotNull();
    assertThat(mismatch.pointer()).isEqualTo(pointer);
    assertThat(mismatch.message()).isNotBlank();
  }

  @Test
  void aMissingFieldIsNamed() {
    assertThat(mismatch(ORDER, "{\"items\":[{}]}").message()).contains("sku");
    assertThat(mismatch(ORDER, "[1]").pointer()).isEmpty();
    assertThat(mismatch("{\"type\":\"string\"}", "7")).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'typ':'string'}|/input/typ|did you mean \"type\"?",
        "{'type':'text'}|/input/type|a type, or a list of types",
        "{'type':[]}|/input/type|a type, or a list of types",
        "{'properties':{'a':{'minimum':'3'}}}|/input/properties/a/minimum|must be a number",
        "{'properties':{'a~/b':7}}|/input/properties/a~0~1b|a schema must be an object",
        "{'items':{'maxItems':-1}}|/input/items/maxItems|a whole number from 0 on",
        "{'required':['a','a']}|/input/required|different texts",
        "{'dependentRequired':{'a':'b'}}|/input/dependentRequired|lists of different texts",
        "{'anyOf':[]}|/input/anyOf|a list of schemas",
        "{'pattern':'('}|/input/pattern|no regular expression",
        "{'patternProperties':{'[':{}}}|/input/patternProperties/[|no regular expression",
        "{'$ref':'https://example.com/x'}|/input/$ref|is not a place in this schema",
        "{'$ref':'#/$defs/x'}|/input/$ref|there is no schema at #/$defs/x",
        "{'$ref':'#/properties'}|/input/$ref|there is no schema",
        "{'$ref':'#/patternProperties/a','patternProperties':{'a':{}}}|/input/$ref|name it in $defs",
        "{'$id':'x'}|/input/$id|there is no keyword",
        "{'$schema':'http://json-schema.org/draft-07/schema#'}|/input/$schema|is not supported",
        "{'$ref':'#'}|/input|would never end",
        "{'multipleOf':0}|/input/multipleOf|over 0",
        "{'enum':{}}|/input/enum|a list with 1 to 1,000 values",
        "{'uniqueItems':1}|/input/uniqueItems|true or false"
      })
  void aMistakeInASchemaIsNamedWithItsPlace(String schema, String pointer, String text) {
    List<Defect> defects = defects(schema);
    assertThat(defects).hasSize(1);
    assertThat(defects.get(0).pointer()).isEqualTo(pointer);
    assertThat(defects.get(0).message() + "; " + defects.get(0).hint()).contains(text);
  }

  @Test
  void aPatternIsTriedOnShortTextsOnly() {
    String schema =
        """
        {"properties":{"a":{"pattern":"a.*b"},"b":{"format":"date-time"},"c":{"type":"string"}},
         "allOf":[{"$ref":"#/$defs/d"}],"$defs":{"d":{"properties":{"d":{"pattern":"^x"}}}}}
        """;
    String longText = "a".repeat(250_000);
    assertThat(mismatch(schema, "{\"c\":\"%s\",\"a\":\"aab\"}".formatted(longText))).isNull();
    assertThat(mismatch(schema, "{\"a\":7}")).as("the type is not said").isNull();
    for (String field : List.of("a", "b")) {
      Mismatch mismatch = mismatch(schema, "{\"%s\":\"%s\"}".formatted(field, longText));
      assertThat(mismatch.pointer()).isEqualTo("/" + field);
      assertThat(mismatch.message()).contains("4096");
    }
    assertThat(mismatch(schema, "{\"a\":\"bb\"}").message()).contains("pattern", "a.*b");
    assertThat(mismatch(schema, "{\"d\":\"y\"}").pointer()).isEqualTo("/d");
    assertThat(mismatch("{\"pattern\":\"^(.|y)*$\"}", "\"" + "x".repeat(1_000) + "\"")).isNull();
  }

  /** With a matcher that backtracks, each of these takes longer than there is time. */
  @ParameterizedTest
  @ValueSource(strings = {"(x+x+)+y", "^(x|xx)+$", "^(?:x*)*y", "(x?){30}x{30}y"})
  void aPatternTakesTimeThatIsLinearInTheText(String pattern) {
    String text = "x".repeat(4_000) + "!";
    String schema = "{\"pattern\":\"%s\"}".formatted(pattern);
    assertThat(mismatch(schema, "\"" + text + "\"").message()).contains("pattern", pattern);
    String names = "{\"patternProperties\":{\"%s\":false}}".formatted(pattern);
    assertThat(mismatch(names, "{\"%s\":1}".formatted(text))).isNull();
  }

  /** The library's own expression for this format, which is not of the draft, backtracks. */
  @Test
  void aFormatTakesTimeThatIsLinearInTheText() {
    for (String format : List.of("url", "uri", "uri-template", "email", "hostname", "regex")) {
      String schema = "{\"format\":\"%s\"}".formatted(format);
      for (String text :
          List.of("http://" + "a".repeat(4_000) + "!", "a".repeat(4_000) + "\\\\!", "")) {
        Mismatch unused = mismatch(schema, "\"" + text + "\"");
      }
    }
    assertThat(mismatch("{\"format\":\"url\"}", "\"http://example.com/a\"")).isNull();
    assertThat(mismatch("{\"format\":\"url\"}", "\"a b\"")).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "(?=a)b|no lookahead",
        "(a)\\1|no lookahead, lookbehind and back references",
        "x{1001}|invalid repeat count",
        "((x{100}){100}){100}|more than 5,000 states",
        "(((x{1000}){1000}){1000}){1000}|more than 5,000 states",
        "(x{0,1000}){0,1000}|more than 5,000 states"
      })
  void aPatternThatCannotBeMatchedInLinearTimeIsADefect(String pattern, String text) {
    String escaped = pattern.replace("\\", "\\\\");
    assertThat(defects("{'pattern':'%s'}".formatted(escaped)))
        .singleElement()
        .satisfies(defect -> assertThat(defect.message()).contains(text));
    assertThat(defects("{'patternProperties':{'%s':{}}}".formatted(escaped))).hasSize(1);
    InputSchema stored = // by a version that took it
        new InputSchema(json("{\"properties\":{\"a\":{\"pattern\":\"%s\"}}}".formatted(escaped)));
    assertThat(stored.mismatch(json("{\"b\":\"x\"}"))).isEmpty();
    assertThat(stored.mismatch(json("{\"a\":\"x\"}")))
        .hasValueSatisfying(
            mismatch -> assertThat(mismatch.message()).contains("cannot be checked", text));
  }

  @Test
  void patternsHaveTheDialectOfTheDraft() {
    String schema = "{\"pattern\":\"%s\"}";
    assertThat(mismatch(schema.formatted("^\\\\d{3}-[\\\\w.]+\\\\/$"), "\"123-a.b/\"")).isNull();
    assertThat(mismatch(schema.formatted("^[\\\\u00e0-\\\\u00ff]+$"), "\"\u00e9\u00e8\"")).isNull();
    assertThat(mismatch(schema.formatted("^\\\\p{Lu}\\\\p{L}*$"), "\"\u00c9mile\"")).isNull();
    assertThat(mismatch(schema.formatted("^a$"), "\"a\\n\"")).isNotNull();
    assertThat(mismatch(schema.formatted("^([a-z]{1,63}[.]){1,5}[a-z]{2,63}$"), "\"a.b.cd\""))
        .isNull();
  }

  @Test
  void namesAreMatchedAsPatternsSay() {
    String schema =
        """
        {"properties":{"s_x":{"minLength":2},"other":{"$ref":"#/properties/s_x"},"plain":true},
         "patternProperties":{"^s_":{"type":"string"},"_i$":{"type":"integer"},
           "^o_":{"patternProperties":{"^s_":{"type":"boolean"}},"additionalProperties":false}},
         "additionalProperties":false}
        """;
    assertThat(mismatch(schema, "{\"s_x\":\"ab\",\"s_a/b~\":\"\",\"a b_i\":1,\"plain\":{}}"))
        .isNull();
    assertThat(mismatch(schema, "{\"o_a\":{\"s_x\":true}}")).isNull();
    assertThat(mismatch(schema, "{\"other\":12}")).as("the pattern is not for it").isNull();
    assertThat(mismatch(schema, "{\"s_x\":7}").pointer()).isEqualTo("/s_x");
    assertThat(mismatch(schema, "{\"s_x\":\"a\"}").pointer()).isEqualTo("/s_x");
    assertThat(mismatch(schema, "{\"s_a\":7}").message()).contains("Expected string");
    assertThat(mismatch(schema, "{\"s_i\":7}").pointer()).isEqualTo("/s_i");
    assertThat(mismatch(schema, "{\"else\":7}").pointer()).isEqualTo("/else");
    assertThat(mismatch(schema, "{\"o_a\":{\"s_x\":7}}").pointer()).isEqualTo("/o_a/s_x");
    assertThat(mismatch(schema, "{\"o_a\":{\"x\":7}}").pointer()).isEqualTo("/o_a/x");
    String unevaluated =
        "{\"allOf\":[{\"patternProperties\":{\"^a\":{}}}],\"unevaluatedProperties\":false}";
    assertThat(mismatch(unevaluated, "{\"a1\":1}")).isNull();
    assertThat(mismatch(unevaluated, "{\"b1\":1}").pointer()).isEqualTo("/b1");
  }

  @Test
  void anInputIsCheckedForALimitedNumberOfSteps() {
    String texts = "[" + "\"%s\",".formatted("x".repeat(4_000)).repeat(60) + "\"\"]";
    String schema = "{\"items\":{\"pattern\":\"^y(x?){500}x{1,1000}$\"}}";
    assertThat(mismatch(schema, texts).message())
        .contains("cannot be checked", "200,000,000 steps");
    StringBuilder names = new StringBuilder("{\"a\":1");
    StringBuilder patterns = new StringBuilder("{\"patternProperties\":{\"^a\":{}");
    for (int i = 0; i < 2_500; i++) {
      names.append(",\"a%d\":{\"%d\":1}".formatted(i, i));
      patterns.append(",\"a%d\":{}".formatted(i));
    }
    assertThat(mismatch(patterns + "}}", names + "}").message()).contains("200,000,000 steps");
    assertThat(mismatch("{\"patternProperties\":{\"^a\":{}}}", names + "}")).isNull();
  }

  @Test
  void itemsAreComparedInShortListsOnly() {
    String schema = "{\"uniqueItems\":true,\"allOf\":[{\"minItems\":1}]}";
    assertThat(mismatch(schema, "[1,2,3]")).isNull();
    assertThat(mismatch(schema, "[1,2,1]")).isNotNull();
    assertThat(mismatch(schema, "[]")).isNotNull();
    assertThat(mismatch(schema, "[" + "7,".repeat(100_000) + "7]").message()).contains("1000");
  }

  @Test
  void valuesOfConstAndEnumAreNoSchemas() {
    assertThat(defects("{'const':{'typ':1},'enum':[{'$ref':7}],'default':{'$id':1}}")).isEmpty();
    assertThat(defects("{'properties':{'typ':true,'$ref':{'type':'string'}}}")).isEmpty();
  }

  @Test
  void aSchemaIsBounded() {
    StringBuilder doubling = new StringBuilder("{'$defs':{'s0':{}");
    for (int i = 1; i <= 30; i++) {
      doubling.append(
          ",'s%d':{'allOf':[{'$ref':'#/$defs/s%d'},{'$ref':'#/$defs/s%d'}]}"
              .formatted(i, i - 1, i - 1));
    }
    assertThat(defects(doubling + "},'$ref':'#/$defs/s30'}"))
        .singleElement()
        .satisfies(defect -> assertThat(defect.message()).contains("more than 200 schemas"));
    assertThat(defects("{'allOf':[{'$ref':'#/$defs/a'}],'$defs':{'a':{'not':{'$ref':'#'}}}}"))
        .singleElement()
        .satisfies(defect -> assertThat(defect.message()).contains("would never end"));
    assertThat(defects("{'not':".repeat(40) + "{}" + "}".repeat(40)))
        .extracting(Defect::message)
        .contains("the schema has more than 32 levels");
    assertThat(defects("{'title':'" + "x".repeat(65_536) + "'}"))
        .extracting(Defect::message)
        .singleElement()
        .asString()
        .contains("the limit is 65,536");
    assertThat(defects("{" + many() + "}")).hasSize(20);
  }

  private static String many() {
    StringBuilder many = new StringBuilder("'x0':1");
    for (int i = 1; i < 50; i++) {
      many.append(",'x%d':1".formatted(i));
    }
    return many.toString();
  }

  @Test
  void defectsOfAnInputComeWithTheOthersAndItsLine() {
    DefinitionReader.Result read =
        DefinitionReader.yaml(
            """
            name: x
            input:
              type: object
              requierd: [a]
            weight: 1001
            steps: {}
            """);
    assertThat(read.defects())
        .extracting(
            each -> each.defect().code() + " " + each.defect().pointer() + " " + each.line())
        .containsExactly("WF013 /weight 5", "WF013 /input/requierd 4", "WF010 /steps 6");
  }

  @Test
  void inputAndWeightGoRoundAndDefaultsAreNotWritten() {
    CheckedDefinition made =
        Workflow.define("x")
            .input(Map.of("type", "object", "properties", Map.of("n", Map.of("minimum", 1.50))))
            .weight(7)
            .step("a", "handler:a", s -> s)
            .build();
    JsonNode written = DefinitionWriter.json(made.definition());
    assertThat(written.at("/input/properties/n/minimum").decimalValue().toString())
        .isEqualTo("1.5");
    CheckedDefinition read = DefinitionReader.json(written.toString()).definition().orElseThrow();
    assertThat(read.definition()).isEqualTo(made.definition());
    assertThat(read.version()).isEqualTo(made.version());
    JsonNode plain =
        DefinitionWriter.json(
            Workflow.define("x").step("a", "handler:a", s -> s).build().definition());
    assertThat(plain.has("input") || plain.has("weight")).isFalse();
  }

  /** The library writes into the schema that it checks with: each check has one of its own. */
  @Test
  void manyThreadsMayCheckAtOnce() throws Exception {
    JsonNode right = json("{\"items\":[{\"sku\":\"a\",\"n\":2}],\"note\":\"abc\"}");
    JsonNode wrong = json("{\"items\":[{\"sku\":\"a\",\"n\":0}],\"note\":\"abc\"}");
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 100; round++) {
        InputSchema schema = new InputSchema(json(ORDER)); // which nothing has checked yet
        CyclicBarrier together = new CyclicBarrier(8);
        Callable<Boolean> check =
            () -> {
              int place = together.await();
              return schema.mismatch(place % 2 == 0 ? right : wrong).isEmpty() == (place % 2 == 0);
            };
        for (Future<Boolean> each : threads.invokeAll(Collections.nCopies(8, check))) {
          assertThat(each.get()).isTrue();
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }
}

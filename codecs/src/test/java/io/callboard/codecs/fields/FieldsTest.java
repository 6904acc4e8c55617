package io.callboard.codecs.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldsTest {
  private enum Colour {
    RED,
    DARK_BLUE
  }

  private final List<FieldDefect> defects = new ArrayList<>();

  private Fields fields(String json) {
    JsonNode tree = Fields.tree("test", new JsonObject(json.replace('\'', '"')));
    return new Fields(tree, "", defects::add);
  }

  @Test
  void rightValuesAreReadWithoutAReport() {
    Fields fields =
        fields(
            "{'t':'x','n':7.0,'f':true,'d':'PT5S','w':'b','c':'dark-blue','l':['a','b'],"
                + "'m':{'k':''},'o':{'x':1},'absent':null}");
    assertThat(fields.required("t")).isEqualTo("x");
    assertThat(fields.number("n", 0, 7)).contains(7);
    assertThat(fields.flag("f")).contains(true);
    assertThat(fields.duration("d")).contains(Duration.ofSeconds(5));
    assertThat(fields.word("w", List.of("a", "b"))).contains("b");
    assertThat(fields.constant("c", Colour.class)).contains(Colour.DARK_BLUE);
    assertThat(fields.texts("l", 2)).contains(List.of("a", "b"));
    assertThat(fields.textsByName("m", 1)).contains(Map.of("k", ""));
    assertThat(fields.object("o").number("x")).contains(1);
    assertThat(fields.text("absent")).isEmpty();
    assertThat(fields.texts("absent", 2)).isEmpty();
    assertThat(fields.object("absent").names()).isEmpty();
    fields.noOthers();
    assertThat(defects).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5                      | must be a text, not a number",
        "true                   | must be a text, not true",
        "[1]                    | must be a text, not a list",
        "{'a':'secret'}         | must be a text, not an object",
        "\"  \"                   | must be a text, not a blank text",
      })
  void aValueInThePlaceOfATextIsNotRepeated(String value, String problem) {
    assertThat(fields("{'a':%s}".formatted(value)).text("a")).isEmpty();
    assertProblem(problem);
  }

  private void assertProblem(String problem) {
    assertThat(defects).extracting(FieldDefect::toString).containsExactly("/a: " + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0       | must be a whole number from 1 to 1,000, not 0",
        "1001    | must be a whole number from 1 to 1,000, not 1001",
        "1.5     | must be a whole number from 1 to 1,000, not 1.5",
        "9e99    | must be a whole number from 1 to 1,000, not 9.0E+99",
        "\"7\"     | must be a whole number from 1 to 1,000, not a text",
        "{'a':1} | must be a whole number from 1 to 1,000, not an object",
      })
  void aNumberThatIsNoneOrOutOfRangeIsToldTheRange(String value, String problem) {
    assertThat(fields("{'a':%s}".formatted(value)).number("a", 1, 1_000)).isEmpty();
    assertProblem(problem);
  }

  @Test
  void aValueOfAnotherKindIsReportedWithWhatWouldBeRight() {
    Fields fields =
        fields("{'f':'yes','d':'5s','z':'PT0S','w':'rad','l':['a',1],'m':{'k':1},'o':[],'n':5e9}");
    List<Function<Fields, Object>> readers =
        List.of(
            it -> it.flag("f"),
            it -> it.duration("d"),
            it -> it.duration("z", each -> !each.isZero(), "more than zero"),
            it -> it.constant("w", Colour.class),
            it -> it.texts("l", 5),
            it -> it.textsByName("m", 5),
            it -> it.object("o").names(),
            it -> it.number("n"),
            it -> it.required("missing"));
    assertThat(readers).allSatisfy(each -> assertThat(each.apply(fields)).isNotNull());
    assertThat(defects)
        .extracting(FieldDefect::toString)
        .containsExactly(
            "/f: must be true or false, not a text",
            "/d: must be an ISO 8601 duration such as PT30S, not the text \"5s\"",
            "/z: must be more than zero, not PT0S",
            "/w: must be one of red, dark-blue, not \"rad\"; did you mean \"red\"?",
            "/l: must be a list of up to 5 texts",
            "/m: must be an object of up to 5 texts",
            "/o: must be an object, not a list",
            "/n: must be a whole number, not 5.0E+9",
            "/missing: is missing");
  }

  @Test
  void allUnknownFieldsAreReportedWithTheOnesThatAreMeant() {
    Fields fields = fields("{'o':{'a~/b':{'siz':1,'other-thing':2}}}");
    Fields inner = fields.object("o").object("a~/b");
    assertThat(inner.number("size")).isEmpty();
    assertThat(inner.text("zone")).isEmpty();
    inner.noOthers();
    fields.noOthers();
    assertThat(defects)
        .containsExactly(
            new FieldDefect("/o/a~0~1b/siz", "is unknown", "did you mean \"size\"?"),
            new FieldDefect("/o/a~0~1b/other-thing", "is unknown", "there are size, zone"));
    assertThat(defects.get(0).field()).isEqualTo("siz");
    assertThat(new FieldDefect("/o/a~0~1b", "", "").field()).isEqualTo("a~/b");
  }

  @Test
  void aConverterIsGivenOnlyWhatIsRightAndItsRefusalIsReported() {
    Fields fields = fields("{'a':1,'b':'x','c':3}");
    List<Integer> set = new ArrayList<>();
    fields.convert("a", fields::number, set::add);
    fields.convert("b", fields::number, set::add);
    fields.convert("none", fields::number, set::add);
    fields.convert(
        "c",
        fields::number,
        value -> {
          throw new IllegalArgumentException("c must be odd and small");
        });
    assertThat(set).containsExactly(1);
    assertThat(defects)
        .extracting(FieldDefect::toString)
        .containsExactly("/b: must be a whole number, not a text", "/c: c must be odd and small");
  }

  @Test
  void aNullIsRefusedWhereItCouldBeTakenForSomething() {
    fields("{'b':1,'c':{'d':null}}").noNulls();
    assertThat(defects)
        .extracting(FieldDefect::toString)
        .containsExactly("/c/d: is empty: give it a value, or delete the key");
  }

  @Test
  void aValueThatJsonHasNotIsRefused() {
    assertThatThrownBy(() -> Fields.tree("options", new JsonObject().put("a", new Object())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the values of options must be those of JSON: texts, numbers, objects");
  }

  @Test
  void aTextInPlaceOfTheObjectIsReportedOnce() {
    Fields fields = new Fields(JsonNodeFactory.instance.textNode("x"), "", defects::add);
    assertThat(fields.text("a")).isEmpty();
    fields.noOthers();
    assertThat(defects)
        .extracting(FieldDefect::toString)
        .containsExactly("it must be an object, not a text");
  }
}

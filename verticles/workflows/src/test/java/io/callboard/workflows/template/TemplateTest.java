package io.callboard.workflows.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TemplateTest {
  private static final Set<String> ROOTS = Set.of("body", "id", "headers");
  private static final JsonNode DATA =
      json(
          """
          {"id": "m1", "headers": {"lang": "en", "a/b": "x"},
           "body": {"title": "Ink", "n": 3, "tags": ["a", "b"], "none": null, "deep": {"yes": true}}}
          """);

  private static JsonNode json(String text) {
    return Json.parse("test", text.getBytes(StandardCharsets.UTF_8));
  }

  private static String fill(String template) {
    return Template.of(json(template), ROOTS).fill(DATA).toString();
  }

  @Test
  void aPlaceAloneBecomesTheValueItself() {
    assertThat(fill("\"${/body/n}\"")).isEqualTo("3");
    assertThat(fill("\"${/body/tags}\"")).isEqualTo("[\"a\",\"b\"]");
    assertThat(fill("\"${/body/none}\"")).isEqualTo("null");
    assertThat(fill("{\"url\": \"${/body/title}\", \"all\": [\"${/body/deep}\", 7]}"))
        .isEqualTo("{\"url\":\"Ink\",\"all\":[{\"yes\":true},7]}");
  }

  @Test
  void aPlaceInATextBecomesText() {
    assertThat(fill("\"${/id}: ${/body/title} (${/body/n}) ${/body/tags}\""))
        .isEqualTo("\"m1: Ink (3) [\\\"a\\\",\\\"b\\\"]\"");
    assertThat(fill("\"${/headers/a~1b}-\"")).isEqualTo("\"x-\"");
  }

  @Test
  void aTextThatIsNoPlaceStaysAsItIs() {
    assertThat(fill("\"$5 $${/id} {} $\"")).isEqualTo("\"$5 ${/id} {} $\"");
    assertThat(fill("{\"${/id}\": 1, \"\": \"\"}")).isEqualTo("{\"${/id}\":1,\"\":\"\"}");
    assertThat(Template.of(json("\"$5\""), ROOTS).isConstant()).isTrue();
    assertThat(Template.of(json("{\"a\": [\"$${/id}\", 1]}"), ROOTS).constant())
        .hasValue(json("{\"a\": [\"${/id}\", 1]}"));
    assertThat(Template.of(json("[\"$${\", \"${/id}\"]"), ROOTS).constant()).isEmpty();
  }

  @Test
  void aMissingValueIsNamed() {
    Template template = Template.of(json("{\"a\": {\"b\": \"${/body/url}\"}}"), ROOTS);
    assertThatThrownBy(() -> template.fill(DATA))
        .isInstanceOf(TemplateException.class)
        .hasMessage("there is nothing at /body/url, which /a/b needs");
    Template text = Template.of(json("\"${/body/deep}\""), ROOTS);
    assertThatThrownBy(() -> text.fillText("/labels/a", DATA))
        .hasMessage("/labels/a: ${/body/deep} gives no text but {\"yes\":true}");
  }

  @Test
  void aWrongPlaceIsRefusedWhenItIsRead() {
    for (String[] each :
        new String[][] {
          {
            "[\"${body}\"]",
            "/0",
            "\"${body}\" is no place: give a JSON pointer, which begins with /"
          },
          {"{\"a/b\": \"x ${/id\"}", "/a~1b", "has a ${ without its }"},
          {"\"${/bdy}\"", "", "\"${/bdy}\" begins with none of /body, /headers, /id"},
          {"\"${}\"", "", "begins with none of"}
        }) {
      assertThatThrownBy(() -> Template.of(json(each[0]), ROOTS))
          .isInstanceOf(TemplateException.class)
          .hasMessageContaining(each[2])
          .extracting(cause -> ((TemplateException) cause).pointer())
          .isEqualTo(each[1]);
    }
  }
}

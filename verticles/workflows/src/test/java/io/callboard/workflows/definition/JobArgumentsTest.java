package io.callboard.workflows.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.workflows.template.TemplateException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobArgumentsTest {
  private static final JsonNode INPUT =
      Json.tree(
          Map.of(
              "input",
              Map.of("n", 1),
              "outputs",
              Map.of("small", Map.of("pages", 2)),
              "large",
              Map.of("scan", Map.of("instance", "i1", "bytes", 30_000))));

  private static JsonNode args(Object args) {
    return JobArguments.of(Json.tree(Map.of("type", "report", "args", args)), INPUT, "i1/a");
  }

  @Test
  void placesKeepTheTypesOfTheirValues() {
    assertThat(args(Map.of("pages", "${/outputs/small/pages}"))).hasToString("{\"pages\":2}");
    assertThat(args(Map.of("key", "<${/key}>"))).hasToString("{\"key\":\"<i1/a>\"}");
    assertThat(args("${/input}")).hasToString("{\"n\":1}");
    assertThat(JobArguments.of(Json.tree(Map.of("type", "report")), INPUT, "k")).hasToString("{}");
  }

  @Test
  void anOutputByReferenceIsRefusedWithThePlaceOfItsReference() {
    assertThatThrownBy(() -> args(Map.of("text", "${/outputs/scan/text}")))
        .isInstanceOf(TemplateException.class)
        .hasMessage(
            "/args/text reads the output of step scan, which has 30,000 bytes and is by reference: its place is ${/large/scan}");
    assertThat(args(Map.of("scan", "${/large/scan/bytes}"))).hasToString("{\"scan\":30000}");
  }
}

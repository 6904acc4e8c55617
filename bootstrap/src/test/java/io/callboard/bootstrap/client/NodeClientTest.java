package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NodeClientTest {
  private static String sentence(String problem) {
    return NodeClient.sentence(Json.parse("a problem", problem.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aFaultIsToldOnce() {
    assertThat(
            sentence(
                "{\"title\":\"Invalid request\",\"detail\":\"limit: must be at least 0, not -4\","
                    + "\"errors\":[{\"pointer\":\"/limit\",\"detail\":\"must be at least 0, not"
                    + " -4\"}]}"))
        .isEqualTo("limit: must be at least 0, not -4");
    assertThat(
            sentence(
                "{\"detail\":\"a (and 1 more)\",\"errors\":[{\"pointer\":\"\",\"detail\":\"a\"},"
                    + "{\"pointer\":\"/b\",\"detail\":\"c\"}]}"))
        .isEqualTo("a; b: c");
  }

  @Test
  void aProblemWithoutFaultsIsItsDetail() {
    assertThat(sentence("{\"title\":\"Not found\",\"detail\":\"no job 1\",\"errors\":[]}"))
        .isEqualTo("no job 1");
    assertThat(sentence("{\"title\":\"Not found\"}")).isEqualTo("Not found");
    assertThat(sentence("{}")).isEqualTo("refused");
  }
}

package io.callboard.chaos.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the judge of workflows takes from a list: nothing that it should have asked for alone. */
class ListedInstancesTest {
  private final ListedInstances listed = new ListedInstances();

  private static Map<String, Object> instance(String id, String state) {
    return Map.of("id", id, "state", state);
  }

  private static JsonNode page(Map<String, Object> body) throws Exception {
    return Json.parse("workflows", Json.bytes(body));
  }

  private static JsonNode page(String id, String next) throws Exception {
    return page(Map.of("items", List.of(instance(id, "SUCCEEDED")), "next", next));
  }

  @Test
  void theLastPageEndsTheList() throws Exception {
    assertThat(listed.query()).isEqualTo("limit=200");
    assertThat(listed.add(page("c", "c"))).isTrue();
    assertThat(listed.isWhole()).isFalse();
    assertThat(listed.query()).isEqualTo("limit=200&cursor=c");
    assertThat(listed.add(page(Map.of("items", List.of(instance("b", "SUCCEEDED")))))).isTrue();
    assertThat(listed.isWhole()).isTrue();
    assertThat(listed.hasSucceeded("c")).isTrue();
    assertThat(listed.hasSucceeded("b")).isTrue();
    assertThat(listed.hasSucceeded("a")).isFalse();
  }

  @Test
  void onlySuccessIsBelieved() throws Exception {
    List<Object> items = List.of(instance("a", "RUNNING"), instance("b", "FAILED"));
    assertThat(listed.add(page(Map.of("items", items)))).isTrue();
    assertThat(listed.hasSucceeded("a")).isFalse();
    assertThat(listed.hasSucceeded("b")).isFalse();
  }

  @Test
  void aPartialPageIsAskedForAgain() throws Exception {
    assertThat(listed.add(page("c", "c"))).isTrue();
    List<Object> items = List.of(instance("b", "SUCCEEDED"));
    assertThat(listed.add(page(Map.of("items", items, "partial", true)))).isFalse();
    assertThat(listed.hasSucceeded("b")).isFalse();
    assertThat(listed.isWhole()).isFalse();
    assertThat(listed.query()).isEqualTo("limit=200&cursor=c");
  }

  @Test
  void aListThatGoesInCirclesIsRefused() throws Exception {
    assertThat(listed.add(page("c", "c"))).isTrue();
    assertThatThrownBy(() -> listed.add(page("c", "c")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the page behind c");
    assertThat(listed.isWhole()).isFalse();
  }
}

package io.callboard.dashboard.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.dashboard.contract.ApiResponse;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.model.DefinitionVersion;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceCounts;
import io.callboard.workflows.model.InstanceState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Lists with numbers of instances say whose they lack. */
class DefinitionApiTest {
  private static final DefinitionVersion ORDERS =
      new DefinitionVersion(
          "orders",
          "v1",
          Instant.EPOCH,
          Workflow.define("orders").step("a", "handler:a", step -> step).build().definition(),
          false);

  private static InstanceCounts counted(boolean partial, String... missing) {
    return new InstanceCounts(
        List.of(new InstanceCount("orders", "v1", InstanceState.RUNNING, 3)),
        partial,
        List.of(missing));
  }

  private static String list(InstanceCounts counted) {
    return text(DefinitionApi.list(List.of(ORDERS), counted, Optional.of(Map.of())));
  }

  private static String versions(InstanceCounts counted) {
    return text(DefinitionApi.versions(ORDERS, List.of(ORDERS), counted));
  }

  private static String text(ApiResponse response) {
    assertThat(response.status()).isEqualTo(200);
    return response.body().toString();
  }

  @Test
  void nodesThatDoNotAnswerAreNamed() {
    for (String body :
        List.of(list(counted(true, "two", "three")), versions(counted(true, "two", "three")))) {
      assertThat(body)
          .contains("\"instances\":{\"RUNNING\":3}")
          .endsWith(",\"missing\":[\"two\",\"three\"]}");
    }
  }

  @Test
  void whileANodeReadsWhatItHasNobodyIsNamed() {
    assertThat(list(counted(true))).endsWith(",\"missing\":[]}");
    assertThat(versions(counted(true))).endsWith(",\"missing\":[]}");
  }

  @Test
  void numbersThatAreWholeSayNothing() {
    assertThat(list(counted(false))).doesNotContain("missing", "partial");
    assertThat(versions(counted(false))).doesNotContain("missing");
  }

  @Test
  void thatBrakesAreNotKnownIsSaidApart() {
    String body = text(DefinitionApi.list(List.of(ORDERS), counted(true, "two"), Optional.empty()));
    assertThat(body).endsWith(",\"missing\":[\"two\"],\"partial\":true}");
  }
}

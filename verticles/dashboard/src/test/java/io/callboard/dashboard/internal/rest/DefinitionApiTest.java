package io.callboard.dashboard.internal.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Fault;
import io.callboard.workflows.definition.DefinitionReader;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.model.DefinitionVersion;
import io.callboard.workflows.model.DefinitionVersions;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceCounts;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.UnreadableVersion;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Lists say what they lack, and whose instances their numbers lack; faults of definitions. */
class DefinitionApiTest {
  private static final DefinitionVersion ORDERS =
      new DefinitionVersion(
          "orders",
          "v1",
          Instant.EPOCH,
          Workflow.define("orders").step("a", "handler:a", step -> step).build().definition(),
          false);

  private static final DefinitionVersions ALL = new DefinitionVersions(List.of(ORDERS), List.of());

  private static InstanceCounts counted(boolean partial, String... missing) {
    return new InstanceCounts(
        List.of(new InstanceCount("orders", "v1", InstanceState.RUNNING, 3)),
        partial,
        List.of(missing));
  }

  private static String list(InstanceCounts counted) {
    return text(DefinitionApi.list(ALL, counted, Optional.of(Map.of())));
  }

  private static String versions(InstanceCounts counted) {
    return text(DefinitionApi.versions(ALL, counted));
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
  void missingIsEmptyWhileANodeStillReadsItsIndex() {
    assertThat(list(counted(true))).endsWith(",\"missing\":[]}");
    assertThat(versions(counted(true))).endsWith(",\"missing\":[]}");
  }

  @Test
  void completeNumbersHaveNoNoteOfMissingNodes() {
    assertThat(list(counted(false))).doesNotContain("missing", "partial");
    assertThat(versions(counted(false))).doesNotContain("missing");
  }

  private static DefinitionVersions withUnreadable(boolean current) {
    UnreadableVersion other = new UnreadableVersion("bad", "v2", Instant.EPOCH, current, "no");
    return new DefinitionVersions(List.of(ORDERS), List.of(other));
  }

  @Test
  void aDefinitionThatCannotBeReadIsListedBesideTheOthers() {
    String row =
        "\"unreadable\":[{\"name\":\"bad\",\"version\":\"v2\",\"createdAt\":\"1970-01-01T00:00:00Z\",\"current\":%s,\"fault\":\"no\"}]";
    assertThat(
            text(DefinitionApi.list(withUnreadable(true), counted(false), Optional.of(Map.of()))))
        .contains("\"name\":\"orders\"", row.formatted(true));
    assertThat(text(DefinitionApi.versions(withUnreadable(true), counted(false))))
        .contains("\"version\":\"v1\",\"createdAt\":\"1970-01-01T00:00:00Z\",\"current\":false")
        .contains(row.formatted(true));
    assertThat(text(DefinitionApi.versions(withUnreadable(false), counted(false))))
        .contains("\"version\":\"v1\",\"createdAt\":\"1970-01-01T00:00:00Z\",\"current\":true")
        .contains(row.formatted(false));
    assertThat(list(counted(false)) + versions(counted(false))).doesNotContain("unreadable");
  }

  @Test
  void faultsThatAreNotNamedAreCounted() {
    StringBuilder json = new StringBuilder("{\"name\":\"x\",\"steps\":{");
    for (int i = 0; i < 1_234; i++) {
      json.append(i == 0 ? "" : ",").append("\"s%d\":{\"run\":\"nothing\"}".formatted(i));
    }
    DefinitionReader.Result read = DefinitionReader.json(json.append("}}").toString());
    List<Fault> faults = DefinitionBody.faults(read, "x");
    assertThat(faults).hasSize(1_001);
    assertThat(faults.get(999).pointer()).isEqualTo("/steps/s999/run");
    assertThat(faults.get(1_000)).isEqualTo(new Fault("", "and 234 more"));
  }

  @Test
  void nameOfThePathIsComparedBesideOtherFaults() {
    DefinitionReader.Result read = DefinitionReader.yaml("{name: x, steps: {}}");
    assertThat(DefinitionBody.faults(read, "y"))
        .extracting(Fault::pointer)
        .containsExactly("/name", "/steps");
    assertThat(DefinitionBody.faults(DefinitionReader.yaml("{steps: {}}"), "y"))
        .extracting(Fault::detail)
        .hasSize(2)
        .contains(
            "the definition has no name; 1 to 100 letters, digits and . _ -, a letter or digit first (line 1, column 1)");
    assertThat(DefinitionBody.faults(DefinitionReader.yaml("[".repeat(200)), "y")).hasSize(1);
  }

  @Test
  void unknownBrakesMakeTheListPartial() {
    String body = text(DefinitionApi.list(ALL, counted(true, "two"), Optional.empty()));
    assertThat(body).endsWith(",\"missing\":[\"two\"],\"partial\":true}");
  }
}

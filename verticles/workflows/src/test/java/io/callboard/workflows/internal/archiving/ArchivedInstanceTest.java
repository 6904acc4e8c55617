package io.callboard.workflows.internal.archiving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.archive.WorkflowRow;
import io.callboard.codecs.Json;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceChange;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.StepView;
import io.callboard.workflows.model.WorkflowException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Instances as rows, and back. */
class ArchivedInstanceTest {
  private static final Instant NOW = Instant.parse("2026-11-25T09:00:00.123456Z");
  private static final String ID = "01a20b82-0000-7000-becb-509436418496";

  private static StepView step(StepState state, @Nullable String reason, @Nullable String output) {
    return new StepView(
        state,
        2,
        3,
        NOW,
        NOW.plusSeconds(1),
        null,
        reason,
        output == null ? null : JsonNodeFactory.instance.objectNode().put("text", output),
        "n1",
        null,
        null,
        null);
  }

  private static ArchivedInstance sample() {
    Map<String, StepView> steps = new LinkedHashMap<>();
    steps.put("z", step(StepState.SUCCEEDED, null, "é\0"));
    steps.put("a", step(StepState.FAILED, "no", null));
    steps.put("b", StepView.PENDING);
    Instance instance =
        new Instance(
            ID,
            "Nightly",
            "v1",
            InstanceState.FAILED,
            5,
            Map.of("Team", "Blue", "area", "x"),
            "key",
            "parent",
            JsonNodeFactory.instance.objectNode().put("n", new BigDecimal("1.5")),
            NOW,
            NOW.plusSeconds(1),
            "a failed",
            false,
            steps);
    return new ArchivedInstance(
        instance,
        List.of(
            new InstanceChange(NOW, null, "created", "version v1"),
            new InstanceChange(NOW, "z", "started", null)));
  }

  @Test
  void theBodyIsReadAsItWasWritten() {
    WorkflowRow row = sample().row(17);
    assertThat(ArchivedInstance.of(row.body())).isEqualTo(sample());
    assertThat(List.copyOf(ArchivedInstance.of(row.body()).instance().steps().keySet()))
        .containsExactly("z", "a", "b");
    assertThat(Json.read("a row", row.view().getBytes(StandardCharsets.UTF_8), InstanceRow.class))
        .isEqualTo(
            new InstanceRow(
                ID,
                17,
                "Nightly",
                "v1",
                InstanceState.FAILED,
                5,
                Map.of("Team", "Blue", "area", "x"),
                "parent",
                NOW,
                NOW.plusSeconds(1),
                Map.of(StepState.SUCCEEDED, 1, StepState.FAILED, 1, StepState.PENDING, 1)));
  }

  @Test
  void theRowHasWhatReadersAndSearchesLookFor() {
    WorkflowRow row = sample().row(17);
    assertThat(row.search()).isEqualTo(ID + "\nnightly\nteam=blue\narea=x");
    assertThat(row.version()).isEqualTo(17);
    assertThat(row.state()).isEqualTo("FAILED");
    assertThat(row.steps()).extracting(WorkflowRow.Step::id).containsExactly("z", "a", "b");
    assertThat(row.steps().get(0).output()).isEqualTo("{\"text\":\"é\\u0000\"}");
    assertThat(row.steps().get(1).reason()).isEqualTo("no");
    assertThat(row.events()).extracting(WorkflowRow.Event::step).containsExactly(null, "z");
  }

  @Test
  void aNewerFormatIsRefusedByName() {
    String newer = sample().row(17).body().replace("\"format\":1", "\"format\":2");
    assertThatThrownBy(() -> ArchivedInstance.of(newer))
        .isInstanceOf(WorkflowException.class)
        .hasMessageContaining("has format 2, and this node reads up to 1");
  }

  @Test
  void unknownFieldsAreTolerated() {
    String more = sample().row(17).body().replace("\"format\":1", "\"format\":1,\"more\":true");
    assertThat(ArchivedInstance.of(more)).isEqualTo(sample());
  }
}

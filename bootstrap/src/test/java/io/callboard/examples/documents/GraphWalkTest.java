package io.callboard.examples.documents;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.testkit.Futures;
import io.callboard.workflows.StepHandler;
import io.callboard.workflows.condition.StepData;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.graph.GraphRun;
import io.callboard.workflows.graph.InstanceOutcome;
import io.callboard.workflows.graph.StepDecision;
import io.callboard.workflows.graph.StepState;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole library through the graph of its definition and its steps, one after the other, without
 * an engine: what becomes of each document.
 */
class GraphWalkTest {
  @TempDir Path directory;

  /** Walk of one document. */
  private static final class Walk {
    private final CheckedDefinition definition = DocumentWorkflows.indexDocument();
    private final Map<String, StepHandler> handlers;
    private final Map<String, JsonNode> outputs = new HashMap<>();
    private final Map<String, Integer> attempts = new HashMap<>();
    private final ObjectNode data = JsonNodeFactory.instance.objectNode();
    private final String name;

    Walk(Path document, Map<String, StepHandler> handlers) {
      this.name = document.getFileName().toString();
      this.handlers = handlers;
      data.putObject("input").put("path", document.toString());
      data.putObject("outputs");
    }

    InstanceOutcome walk() throws Exception {
      GraphRun run =
          new GraphRun(
              definition.graph(),
              definition.definition().failFast(),
              step ->
                  definition
                      .condition(step)
                      .map(when -> when.holds(new StepData(data.path("input"), outputs)))
                      .orElse(true));
      ArrayDeque<StepDecision> decisions = new ArrayDeque<>(run.decisions());
      for (StepDecision each = decisions.poll(); each != null; each = decisions.poll()) {
        if (each instanceof StepDecision.Ready ready) {
          assertThat(run.put(ready.step(), settle(ready.step()))).isTrue();
          decisions.addAll(run.decisions());
        }
      }
      return run.outcome().orElseThrow();
    }

    private StepState settle(int step) throws Exception {
      String id = definition.graph().step(step).id();
      StepHandler handler = handlers.get(definition.step(step).run().name() + "@1");
      String why = "";
      for (int i = 1; i <= definition.step(step).retry().attempts(); i++) {
        attempts.put(id, i);
        try {
          JsonNode output =
              Futures.await(handler.run(new DocumentStepsTest.Call(name, id, i, data.deepCopy())));
          outputs.put(id, output);
          data.set("outputs", Json.tree(outputs));
          return StepState.SUCCEEDED;
        } catch (Exception e) {
          why = String.valueOf(e.getMessage());
        }
      }
      data.putObject("errors").put(id, why);
      return StepState.FAILED;
    }
  }

  @Test
  void eachDocumentComesToItsEnd() throws Exception {
    Path library = directory.resolve("library");
    Library.write(library);
    Workspace workspace = new Workspace(directory.resolve("work"));
    Map<String, InstanceOutcome> outcomes = new TreeMap<>();
    int repeated = 0;
    try (DocumentIndex index = DocumentIndex.open(workspace.index())) {
      DocumentSteps steps = new DocumentSteps(workspace, index, Gazetteer.bundled());
      for (Path document : Library.documents(library, 100)) {
        Walk walk = new Walk(document, steps.handlers());
        outcomes.put(document.getFileName().toString(), walk.walk());
        repeated += walk.attempts.getOrDefault("announce", 0) > 1 ? 1 : 0;
        assertThat(workspace.scratch(walk.name)).doesNotExist();
        assertThat(walk.attempts).containsKey("cleanup");
      }
      assertThat(index.all()).hasSize(14);
    }
    assertThat(outcomes.remove("turing.html")).isEqualTo(InstanceOutcome.SUCCEEDED_WITH_WARNINGS);
    assertThat(outcomes).hasSize(14).containsKey("scan.txt");
    assertThat(outcomes.values()).containsOnly(InstanceOutcome.SUCCEEDED);
    assertThat(new Quarantine(workspace.quarantine()).documents()).containsExactly("scan.txt");
    assertThat(repeated).isPositive();
  }
}

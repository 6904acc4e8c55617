package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.codecs.internal.text.Digest;
import io.callboard.workflows.graph.Join;
import java.util.Map;

/** Writer of the canonical JSON of a definition. */
public final class DefinitionWriter {
  private DefinitionWriter() {}

  /** Returns the canonical JSON: no defaults, fields in a fixed order. */
  public static ObjectNode json(WorkflowDefinition definition) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", definition.name());
    if (definition.input() != null) {
      json.set("input", definition.input());
    }
    if (definition.weight() != WorkflowDefinition.DEFAULT_WEIGHT) {
      json.put("weight", definition.weight());
    }
    if (definition.failFast()) {
      json.put("failFast", true);
    }
    if (definition.timeout() != null) {
      json.put("timeout", definition.timeout().toString());
    }
    json.set("steps", steps(definition.steps()));
    if (!definition.last().isEmpty()) {
      json.set("finally", steps(definition.last()));
    }
    return json;
  }

  /** Returns the version of a definition: the SHA-256 of its canonical JSON. */
  static String version(WorkflowDefinition definition) {
    return Digest.whole(Json.bytes(json(definition)));
  }

  private static ObjectNode steps(Map<String, StepDefinition> steps) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    steps.forEach((id, step) -> json.set(id, step(step)));
    return json;
  }

  private static ObjectNode step(StepDefinition step) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("run", step.run().text());
    if (!step.with().isEmpty()) {
      json.set("with", step.with());
    }
    if (!step.after().isEmpty()) {
      ObjectNode after = json.putObject("after");
      step.after().forEach(edge -> after.put(edge.from(), edge.on().word()));
    }
    if (step.join() == Join.ANY) {
      json.put("join", "any");
    }
    if (step.when() != null) {
      json.put("when", step.when());
    }
    if (!step.retry().equals(StepRetry.ONCE)) {
      json.putObject("retry")
          .put("attempts", step.retry().attempts())
          .put("initial", step.retry().initial().toString())
          .put("max", step.retry().max().toString());
    }
    if (step.timeout() != null) {
      json.put("timeout", step.timeout().toString());
    }
    if (step.allowFailure()) {
      json.put("allowFailure", true);
    }
    if (!step.merge().equals(MergeRule.NAMESPACED)) {
      json.put("merge", step.merge().text());
    }
    if (step.compensate() != null) {
      json.put("compensate", step.compensate().text());
    }
    return json;
  }
}

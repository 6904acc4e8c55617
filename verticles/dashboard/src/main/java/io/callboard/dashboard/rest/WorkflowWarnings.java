package io.callboard.dashboard.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.DefinitionWarnings;
import io.callboard.workflows.graph.GraphDefect;
import io.callboard.workflows.model.WorkView;
import io.callboard.workflows.model.WorkerView;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Warnings about definitions, in replies. */
public final class WorkflowWarnings {
  private static final String HANDLER = "handler:";

  private final Workflows workflows;

  /** Creates the source of warnings. */
  public WorkflowWarnings(Workflows workflows) {
    this.workflows = workflows;
  }

  /** Adds the warnings about a definition to a reply, if there are any. */
  Future<ObjectNode> add(ObjectNode body, CheckedDefinition definition) {
    return workflows
        .workers()
        .ofCell()
        .map(Optional::of)
        .otherwise(Optional.empty()) // what workers offer is not known then, so nothing is said
        .map(
            work -> {
              List<GraphDefect> all =
                  new ArrayList<>(DefinitionWarnings.mergeConflicts(definition));
              all.addAll(DefinitionWarnings.undoLacks(definition));
              work.map(WorkflowWarnings::offered)
                  .ifPresent(types -> all.addAll(DefinitionWarnings.notOffered(definition, types)));
              return with(body, all);
            });
  }

  private static Set<String> offered(WorkView work) {
    Set<String> types = new HashSet<>();
    for (WorkerView worker : work.workers()) {
      worker.types().forEach(type -> types.add(named(type)));
    }
    return types;
  }

  /** Returns the name of a type as workers offer it, without its kind. */
  static String named(String type) {
    return type.startsWith(HANDLER) ? type.substring(HANDLER.length()) : type;
  }

  private static ObjectNode with(ObjectNode body, List<GraphDefect> warnings) {
    if (!warnings.isEmpty()) {
      ArrayNode list = body.putArray("warnings");
      for (GraphDefect each : warnings) {
        list.addObject()
            .put("code", each.code().name())
            .put("pointer", each.pointer())
            .put("detail", DefinitionBody.sentence(each));
      }
    }
    return body;
  }
}

package io.callboard.dashboard.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobType;
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
  private final Optional<Jobs> jobs;

  /** Creates the source of warnings. */
  public WorkflowWarnings(Workflows workflows, Optional<Jobs> jobs) {
    this.workflows = workflows;
    this.jobs = jobs;
  }

  /** Adds the warnings about a definition to a reply, if there are any. */
  Future<ObjectNode> add(ObjectNode body, CheckedDefinition definition) {
    Future<Optional<WorkView>> workers = known(workflows.workers().ofCell());
    Future<Optional<List<JobType>>> types =
        jobs.map(all -> known(all.types())).orElse(Future.succeededFuture(Optional.empty()));
    return Future.all(workers, types)
        .map(
            read -> {
              List<GraphDefect> all =
                  new ArrayList<>(DefinitionWarnings.mergeConflicts(definition));
              all.addAll(DefinitionWarnings.undoLacks(definition));
              workers
                  .result()
                  .map(WorkflowWarnings::offered)
                  .ifPresent(its -> all.addAll(DefinitionWarnings.notOffered(definition, its)));
              types
                  .result()
                  .map(its -> its.stream().map(JobType::name).toList())
                  .ifPresent(its -> all.addAll(DefinitionWarnings.withoutType(definition, its)));
              return with(body, all);
            });
  }

  /** What cannot be read is not known, so nothing is said of it. */
  private static <T> Future<Optional<T>> known(Future<T> read) {
    return read.map(Optional::of).otherwise(Optional.empty());
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

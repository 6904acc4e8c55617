package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.jobs.Jobs;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.DefinitionWarnings;
import io.callboard.workflows.graph.GraphDefect;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Warnings about definitions, in replies. */
public final class WorkflowWarnings {
  private static final String HANDLER = "handler:";

  /** Time that a reply waits for the types of jobs, in milliseconds. */
  private static final long WITHIN_MS = 2_000;

  private final Workflows workflows;
  private final Optional<Jobs> jobs;

  /** Types of jobs that are known to exist; none is ever removed. */
  private final Set<String> typesKnown = ConcurrentHashMap.newKeySet();

  /** Creates the source of warnings. */
  public WorkflowWarnings(Workflows workflows, Optional<Jobs> jobs) {
    this.workflows = workflows;
    this.jobs = jobs;
  }

  /** Adds the warnings about a definition to a reply, if there are any. */
  Future<ObjectNode> add(ObjectNode body, CheckedDefinition definition) {
    Future<Optional<Set<String>>> offered = known(workflows.workers().offered());
    Future<Optional<Set<String>>> types = known(types(DefinitionWarnings.jobTypes(definition)));
    return Future.all(offered, types)
        .map(
            read -> {
              List<GraphDefect> all =
                  new ArrayList<>(DefinitionWarnings.mergeConflicts(definition));
              all.addAll(DefinitionWarnings.undoLacks(definition));
              offered
                  .result()
                  .map(its -> its.stream().map(WorkflowWarnings::named).toList())
                  .ifPresent(its -> all.addAll(DefinitionWarnings.notOffered(definition, its)));
              types
                  .result()
                  .ifPresent(its -> all.addAll(DefinitionWarnings.withoutType(definition, its)));
              return with(body, all);
            });
  }

  /** Completes with the types of jobs that there are; asks only if some may be missing. */
  private Future<Set<String>> types(Set<String> needed) {
    if (typesKnown.containsAll(needed)) {
      return Future.succeededFuture(Set.copyOf(typesKnown));
    }
    return jobs.map(Jobs::types)
        .orElseGet(() -> Future.failedFuture("this node has no jobs"))
        .timeout(WITHIN_MS, TimeUnit.MILLISECONDS)
        .map(
            all -> {
              all.forEach(type -> typesKnown.add(type.name()));
              return Set.copyOf(typesKnown);
            });
  }

  /** Returns what was read; empty if it could not be read, so that nothing is said of it. */
  private static <T> Future<Optional<T>> known(Future<T> read) {
    return read.map(Optional::of).otherwise(Optional.empty());
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

package io.callboard.workflows.definition;

import io.callboard.codecs.internal.text.Suggestions;
import io.callboard.jobs.model.JobType;
import io.callboard.workflows.graph.EdgeCondition;
import io.callboard.workflows.graph.ExclusiveSteps;
import io.callboard.workflows.graph.GraphDefect;
import io.callboard.workflows.graph.GraphDefect.Code;
import io.callboard.workflows.graph.GraphStep;
import io.callboard.workflows.graph.Join;
import io.callboard.workflows.graph.StepEdge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Warnings about a definition that has no errors: what will let an instance wait or fail, as far as
 * that can be known before it runs.
 */
public final class DefinitionWarnings {
  /** Maximum number of warnings of one code. */
  public static final int MOST = 100;

  private DefinitionWarnings() {}

  /**
   * Returns a warning WF007 for each type that steps need and no worker offers. Such a step stays
   * READY until a worker offers its type.
   *
   * @param offered types that workers offer: {@code http}, or a name of a handler with or without
   *     its major version, as {@code ocr@2}
   */
  public static List<GraphDefect> notOffered(
      CheckedDefinition definition, Collection<String> offered) {
    Set<String> all = new HashSet<>(offered);
    offered.forEach(type -> all.add(type.split("@", 2)[0]));
    List<GraphDefect> warnings = new ArrayList<>();
    Set<String> reported = new HashSet<>();
    for (int index = 0; index < definition.graph().size(); index++) {
      StepDefinition step = definition.step(index);
      GraphStep its = definition.graph().step(index);
      notOffered(its, "/run", its.id(), step.run(), all, reported).ifPresent(warnings::add);
      if (step.compensate() != null) {
        notOffered(its, "/compensate", "what undoes " + its.id(), step.compensate(), all, reported)
            .ifPresent(warnings::add);
      }
    }
    return List.copyOf(warnings.subList(0, Math.min(MOST, warnings.size())));
  }

  private static Optional<GraphDefect> notOffered(
      GraphStep step,
      String field,
      String waiting,
      StepRun run,
      Set<String> offered,
      Set<String> reported) {
    Optional<String> type = run.workerType();
    if (type.isEmpty() || offered.contains(type.get()) || !reported.add(type.get())) {
      return Optional.empty();
    }
    Set<String> others = new TreeSet<>();
    offered.stream().filter(each -> each.startsWith(run.name() + "@")).forEach(others::add);
    return Optional.of(
        new GraphDefect(
            Code.WF007,
            step.id(),
            step.pointer() + field,
            "no worker offers %s, so %s will wait for one".formatted(type.get(), waiting),
            others.isEmpty() || run.kind() != StepRun.Kind.HANDLER
                ? "start a worker that does"
                : "workers offer " + String.join(", ", others)));
  }

  /**
   * Returns a warning WF007 for each type of jobs that steps need and the cell does not have, by
   * kind of step: a {@code job} waits a day for it at most, a {@code process} fails.
   *
   * @param types the types that there are
   */
  public static List<GraphDefect> withoutType(
      CheckedDefinition definition, Collection<String> types) {
    List<GraphDefect> warnings = new ArrayList<>();
    Map<StepRun.Kind, Set<String>> known = new EnumMap<>(StepRun.Kind.class);
    for (int index = 0; index < definition.graph().size(); index++) {
      StepDefinition step = definition.step(index);
      GraphStep its = definition.graph().step(index);
      jobType(step, false)
          .filter(type -> isNew(step.run(), type, types, known))
          .map(type -> withoutType(its, "/with", its.id(), step.run(), type, types))
          .ifPresent(warnings::add);
      StepRun undo = step.compensate();
      if (undo != null) {
        String field = "/with/" + StepParameters.UNDO;
        jobType(step, true)
            .filter(type -> isNew(undo, type, types, known))
            .map(type -> withoutType(its, field, "what undoes " + its.id(), undo, type, types))
            .ifPresent(warnings::add);
      }
    }
    return List.copyOf(warnings.subList(0, Math.min(MOST, warnings.size())));
  }

  private static boolean isNew(
      StepRun run, String type, Collection<String> types, Map<StepRun.Kind, Set<String>> known) {
    return known.computeIfAbsent(run.kind(), kind -> new HashSet<>(types)).add(type);
  }

  /** Returns the types of the jobs of a definition. */
  public static Set<String> jobTypes(CheckedDefinition definition) {
    Set<String> types = new HashSet<>();
    for (int index = 0; index < definition.graph().size(); index++) {
      jobType(definition.step(index), false).ifPresent(types::add);
      jobType(definition.step(index), true).ifPresent(types::add);
    }
    return types;
  }

  /**
   * Returns the type of the job of a step, if it is one.
   *
   * @param undo whether that of what undoes it
   */
  private static Optional<String> jobType(StepDefinition step, boolean undo) {
    StepRun run = undo ? step.compensate() : step.run();
    return run == null || !run.isJob()
        ? Optional.empty()
        : Optional.of(StepParameters.of(step, undo).path("type").asText(JobType.PROCESS));
  }

  private static GraphDefect withoutType(
      GraphStep step,
      String field,
      String waiting,
      StepRun run,
      String type,
      Collection<String> types) {
    return new GraphDefect(
        Code.WF007,
        step.id(),
        step.pointer() + field + "/type",
        "no node has made the job type \"%s\", so %s will %s"
            .formatted(
                type,
                waiting,
                run.kind() == StepRun.Kind.JOB ? "wait a day for it at most" : "fail"),
        Suggestions.remedyOfMany(type, types));
  }

  /**
   * Returns a warning WF014 for each step of a stored definition whose compensation lacks
   * parameters, so that it will fail. A new definition of that kind is refused.
   */
  public static List<GraphDefect> undoLacks(CheckedDefinition definition) {
    List<GraphDefect> warnings = new ArrayList<>();
    for (int index = 0; index < definition.graph().size() && warnings.size() < MOST; index++) {
      GraphStep its = definition.graph().step(index);
      StepParameters.lackOfUndo(definition.step(index))
          .map(lack -> lack.of(its, Code.WF014))
          .ifPresent(warnings::add);
    }
    return List.copyOf(warnings);
  }

  /**
   * Returns a warning WF008 for each {@code disjoint} merge of sources that run the same: their
   * outputs have the same fields, unless the code of the step takes care of that. Sources of which
   * at most one succeeds are no conflict, nor are those of {@code join: any}, where the winner's
   * output alone counts.
   */
  public static List<GraphDefect> mergeConflicts(CheckedDefinition definition) {
    List<GraphDefect> warnings = new ArrayList<>();
    ExclusiveSteps exclusive = null;
    for (int index = 0; index < definition.graph().size() && warnings.size() < MOST; index++) {
      StepDefinition step = definition.step(index);
      if (step.merge().kind() == MergeRule.Kind.DISJOINT && step.join() == Join.ALL) {
        for (List<Integer> same : sameRun(definition, step)) {
          exclusive = exclusive == null ? new ExclusiveSteps(definition.graph()) : exclusive;
          conflict(definition, index, same, exclusive).ifPresent(warnings::add);
        }
      }
    }
    return List.copyOf(warnings);
  }

  /** Returns the sources that give an output to a step, in groups that run the same. */
  private static List<List<Integer>> sameRun(CheckedDefinition definition, StepDefinition step) {
    Map<StepRun, List<Integer>> groups = new HashMap<>();
    for (StepEdge edge : step.after()) {
      if (edge.on() != EdgeCondition.FAILURE) {
        int source = definition.graph().index(edge.from()).orElseThrow();
        groups.computeIfAbsent(definition.step(source).run(), run -> new ArrayList<>()).add(source);
      }
    }
    return groups.values().stream().filter(group -> group.size() > 1).toList();
  }

  private static Optional<GraphDefect> conflict(
      CheckedDefinition definition, int step, List<Integer> sources, ExclusiveSteps exclusive) {
    for (int i = 0; i < sources.size(); i++) {
      for (int j = i + 1; j < sources.size(); j++) {
        if (!exclusive.areExclusive(sources.get(i), sources.get(j))) {
          return Optional.of(conflict(definition, step, sources.get(i), sources.get(j)));
        }
      }
    }
    return Optional.empty();
  }

  private static GraphDefect conflict(CheckedDefinition definition, int step, int one, int other) {
    GraphStep its = definition.graph().step(step);
    StepRun run = definition.step(one).run();
    String first = definition.graph().step(one).id();
    String second = definition.graph().step(other).id();
    return new GraphDefect(
        Code.WF008,
        its.id(),
        its.pointer() + "/merge",
        run.kind() == StepRun.Kind.HTTP // whose outputs are {status, headers, body}
            ? "%s and %s both run http: their outputs both have a value at /status, so %s fails"
                .formatted(first, second, its.id())
            : "%s and %s both run %s: if their outputs have a field in common, %s fails"
                .formatted(first, second, run.text(), its.id()),
        "use merge: topo, or read the outputs by their steps");
  }
}

package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.fields.Fields;
import io.callboard.workflows.condition.Condition;
import io.callboard.workflows.condition.ConditionException;
import io.callboard.workflows.definition.StepParameters.Lack;
import io.callboard.workflows.graph.GraphCheck;
import io.callboard.workflows.graph.GraphDefect;
import io.callboard.workflows.graph.GraphDefect.Code;
import io.callboard.workflows.graph.GraphStep;
import io.callboard.workflows.graph.SoundSteps;
import io.callboard.workflows.graph.StepAncestors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks a definition: its graph, names and conditions, and the parameters of its steps. */
public final class DefinitionCheck {
  /** Names of definitions, and ids of steps. */
  static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  /** Durations that a definition may have, in words. */
  static final String DURATIONS = "a duration of more than zero and at most ten years";

  private static final Duration LONGEST = Duration.ofDays(3_650);

  private final WorkflowDefinition definition;
  private final boolean stored;
  private final List<GraphDefect> defects;
  private final Map<String, Condition> conditions = new HashMap<>();

  private DefinitionCheck(WorkflowDefinition definition, List<GraphDefect> found, boolean stored) {
    this.definition = definition;
    this.stored = stored;
    this.defects = new ArrayList<>(found);
  }

  /**
   * Result of a check.
   *
   * @param definition the definition; empty if there are defects
   * @param defects all of them
   */
  public record Result(Optional<CheckedDefinition> definition, List<GraphDefect> defects) {}

  /** Checks a definition that was made in Java. */
  public static Result of(WorkflowDefinition definition) {
    return of(definition, List.of(), false);
  }

  /**
   * Checks a stored definition, which may have two defects that earlier versions did not find:
   * parameters that a compensation lacks, and conditions that read steps which need not be settled
   * before.
   */
  public static Result stored(WorkflowDefinition definition) {
    return of(definition, List.of(), true);
  }

  /**
   * Checks a definition.
   *
   * @param found defects that were found before, in its text
   * @param stored whether it was stored before
   */
  static Result of(WorkflowDefinition definition, List<GraphDefect> found, boolean stored) {
    return new DefinitionCheck(definition, found, stored).check();
  }

  private Result check() {
    if (!NAME.matcher(definition.name()).matches()) {
      invalid(
          "",
          "/name",
          definition.name().isEmpty()
              ? "the definition has no name"
              : "\"%.100s\" is not a name of a definition".formatted(definition.name()),
          "1 to 100 letters, digits and . _ -, a letter or digit first");
    }
    if (definition.weight() < 1 || definition.weight() > WorkflowDefinition.MOST_WEIGHT) {
      invalid(
          "",
          "/weight",
          "the weight is 1 to %,d, not %,d"
              .formatted(WorkflowDefinition.MOST_WEIGHT, definition.weight()),
          "");
    }
    if (definition.input() != null && !stored && definition.input().isBoolean()) {
      wrong("", "/input", "an object", Fields.shown(definition.input()));
    } else if (definition.input() != null) {
      SchemaForm.check(definition.input(), "/input", stored)
          .forEach(each -> invalid("", each.pointer(), each.message(), each.hint()));
    }
    duration("", "/timeout", definition.timeout());
    List<GraphStep> steps = new ArrayList<>();
    definition.steps().forEach((id, step) -> steps.add(step(id, step, false)));
    definition.last().forEach((id, step) -> steps.add(step(id, step, true)));
    GraphCheck.Result graph = GraphCheck.of(steps);
    defects.addAll(graph.defects());
    readsOnlyWhatIsBefore(graph.sound());
    return new Result(
        defects.isEmpty()
            ? graph
                .graph()
                .map(
                    checked ->
                        new CheckedDefinition(
                            definition, checked, conditions, DefinitionWriter.version(definition)))
            : Optional.empty(),
        List.copyOf(defects));
  }

  private void invalid(String step, String pointer, String message, String hint) {
    defects.add(new GraphDefect(Code.WF013, step, pointer, message, hint));
  }

  private void wrong(String step, String pointer, String right, String found) {
    String name = pointer.substring(pointer.lastIndexOf('/') + 1);
    invalid(step, pointer, "%s must be %s, not %s".formatted(name, right, found), "");
  }

  private GraphStep step(String id, StepDefinition step, boolean last) {
    GraphStep its = new GraphStep(id, step.after(), step.join(), step.allowFailure(), last);
    if (!NAME.matcher(id).matches()) {
      invalid(
          id,
          its.pointer(),
          "\"%.100s\" is not an id of a step".formatted(id),
          "1 to 100 letters, digits and . _ -, a letter or digit first");
    }
    StepParameters.lacks(step).forEach(lack -> defects.add(lack.of(its, Code.WF013)));
    if (!stored) {
      values(its, step);
      StepParameters.faults("/with", step.run(), step.with())
          .forEach(lack -> defects.add(lack.of(its, Code.WF013)));
      List<Lack> ofUndo = StepParameters.lacksOfOwn(step);
      (ofUndo.isEmpty() ? StepParameters.formOfUndo(step).stream() : ofUndo.stream())
          .forEach(lack -> defects.add(lack.of(its, Code.WF014)));
    }
    if (step.when() != null) {
      condition(its, step.when());
    }
    return its;
  }

  /** Reports values that a reader would not take, of a step that was made in Java. */
  private void values(GraphStep its, StepDefinition step) {
    if (!step.with().isObject()) {
      wrong(its.id(), its.pointer() + "/with", "an object", Fields.shown(step.with()));
    } else {
      data(its, step.with());
    }
    int attempts = step.retry().attempts();
    if (attempts < 1 || attempts > StepRetry.MOST_ATTEMPTS) {
      wrong(
          its.id(),
          its.pointer() + "/retry/attempts",
          "a whole number from 1 to " + StepRetry.MOST_ATTEMPTS,
          String.valueOf(attempts));
    }
    duration(its.id(), its.pointer() + "/retry/initial", step.retry().initial());
    duration(its.id(), its.pointer() + "/retry/max", step.retry().max());
    duration(its.id(), its.pointer() + "/timeout", step.timeout());
  }

  /** Reports parameters that whoever runs the step could not be given. */
  private void data(GraphStep its, JsonNode with) {
    try {
      byte[] unused = Json.data("with", with);
    } catch (CodecException e) {
      invalid(its.id(), its.pointer() + "/with", String.valueOf(e.getMessage()), "");
    }
  }

  private void duration(String step, String pointer, @Nullable Duration duration) {
    if (!stored && duration != null && !isInRange(duration)) {
      wrong(step, pointer, DURATIONS, duration.toString());
    }
  }

  /** Returns whether a duration is within the limits of definitions. */
  static boolean isInRange(Duration duration) {
    return !duration.isNegative() && !duration.isZero() && duration.compareTo(LONGEST) <= 0;
  }

  private void condition(GraphStep step, String text) {
    try {
      Condition unused = conditions.put(step.id(), Condition.parse(text));
    } catch (ConditionException e) {
      invalid(
          step.id(),
          step.pointer() + "/when",
          "at character %d of \"%.200s\": %s".formatted(e.position(), text, e.getMessage()),
          "");
    }
  }

  /**
   * Reading of a step.
   *
   * @param reader what reads it, in words
   * @param pointer JSON pointer to that, from its step
   * @param read id of the step that is read
   * @param itself whether it may be its own step
   */
  private record Reading(String reader, String pointer, String read, boolean itself) {}

  /** Reports what reads no step, or one that need not be before its own. */
  private void readsOnlyWhatIsBefore(SoundSteps steps) {
    StepAncestors ancestors = null;
    for (int step = 0; step < steps.size(); step++) {
      for (Reading reading : readings(steps.step(step).id())) {
        ancestors = ancestors == null && !stored ? new StepAncestors(steps) : ancestors;
        reads(steps, ancestors, step, reading);
      }
    }
  }

  /** Returns the steps that a step reads by its condition and the arguments of its jobs. */
  private List<Reading> readings(String id) {
    List<Reading> readings = new ArrayList<>();
    Condition condition = conditions.get(id);
    if (condition != null) {
      condition
          .steps()
          .forEach(read -> readings.add(new Reading("the condition reads", "/when", read, false)));
    }
    StepDefinition step = definition.step(id);
    if (step.run().kind() == StepRun.Kind.JOB && StepParameters.lacks(step).isEmpty()) {
      arguments("/with", StepParameters.of(step, false), false, readings);
    }
    StepRun undo = step.compensate();
    if (undo != null
        && undo.kind() == StepRun.Kind.JOB
        && StepParameters.lackOfUndo(step).isEmpty()) {
      arguments("/with/compensate", StepParameters.of(step, true), true, readings);
    }
    return readings;
  }

  private static void arguments(String at, JsonNode with, boolean itself, List<Reading> readings) {
    JobArguments.steps(with)
        .forEach(
            (pointer, steps) ->
                steps.forEach(
                    read ->
                        readings.add(new Reading("the args read", at + pointer, read, itself))));
  }

  private void reads(
      SoundSteps steps, @Nullable StepAncestors ancestors, int step, Reading reading) {
    GraphStep its = steps.step(step);
    OptionalInt source = steps.index(reading.read());
    if (source.isEmpty()) {
      cannotRead(its, reading, "and there is no such step");
    } else if (ancestors != null
        && !(reading.itself() && source.getAsInt() == step)
        && !ancestors.isBefore(source.getAsInt(), step)) {
      cannotRead(its, reading, "which need not be settled before " + its.id());
    }
  }

  private void cannotRead(GraphStep step, Reading reading, String why) {
    defects.add(
        new GraphDefect(
            Code.WF002,
            step.id(),
            step.pointer() + reading.pointer(),
            "%s %s, %s".formatted(reading.reader(), reading.read(), why),
            "read the input, or steps that this one waits for"));
  }
}

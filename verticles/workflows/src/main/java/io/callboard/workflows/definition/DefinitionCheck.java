package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.workflows.condition.Condition;
import io.callboard.workflows.condition.ConditionException;
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

/** Check of a definition: its graph, its names, its conditions, what its steps run. */
public final class DefinitionCheck {
  /** Names of definitions, and ids of steps. */
  static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

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
   * Checks a definition that was stored: one of a version that did not check what undoes its steps,
   * or let a condition read what need not be settled before, has no defect because of that.
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
      String found = Fields.kind(definition.input());
      invalid("", "/input", Fields.wrong("input", "an object", found), "");
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

  private GraphStep step(String id, StepDefinition step, boolean last) {
    GraphStep its = new GraphStep(id, step.after(), step.join(), step.allowFailure(), last);
    if (!NAME.matcher(id).matches()) {
      invalid(
          id,
          its.pointer(),
          "\"%.100s\" is not an id of a step".formatted(id),
          "1 to 100 letters, digits and . _ -, a letter or digit first");
    }
    StepParameters.lack(step).map(lack -> lack.of(its, Code.WF013)).ifPresent(defects::add);
    if (!stored) {
      values(its, step);
      StepParameters.lackOfOwn(step)
          .or(() -> StepParameters.formOfUndo(step))
          .map(lack -> lack.of(its, Code.WF014))
          .ifPresent(defects::add);
    }
    if (step.when() != null) {
      condition(its, step.when());
    }
    return its;
  }

  /** Reports values that a reader would not take, of a step that was made in Java. */
  private void values(GraphStep its, StepDefinition step) {
    if (!step.with().isObject()) {
      invalid(
          its.id(),
          its.pointer() + "/with",
          Fields.wrong("with", "an object", Fields.kind(step.with())),
          "");
    } else {
      data(its, step.with());
    }
    int attempts = step.retry().attempts();
    if (attempts < 1 || attempts > StepRetry.MOST_ATTEMPTS) {
      invalid(
          its.id(),
          its.pointer() + "/retry/attempts",
          Fields.wrong(
              "attempts", Fields.wholeNumber(1, StepRetry.MOST_ATTEMPTS), String.valueOf(attempts)),
          "");
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
    if (!stored && duration != null && !Fields.isInRange(duration)) {
      invalid(step, pointer, Fields.NO_DURATION.formatted(duration), Fields.DURATIONS);
    }
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

  /** Reports conditions that read what is no step, or one that need not be before theirs. */
  private void readsOnlyWhatIsBefore(SoundSteps steps) {
    if (conditions.values().stream().allMatch(condition -> condition.steps().isEmpty())) {
      return;
    }
    StepAncestors ancestors = stored ? null : new StepAncestors(steps);
    for (int step = 0; step < steps.size(); step++) {
      Condition condition = conditions.get(steps.step(step).id());
      if (condition != null) {
        for (String read : condition.steps()) {
          reads(steps, ancestors, step, read);
        }
      }
    }
  }

  private void reads(SoundSteps steps, @Nullable StepAncestors ancestors, int step, String read) {
    GraphStep its = steps.step(step);
    OptionalInt source = steps.index(read);
    if (source.isEmpty()) {
      cannotRead(its, "the condition reads %s, and there is no such step".formatted(read));
    } else if (ancestors != null && !ancestors.isBefore(source.getAsInt(), step)) {
      cannotRead(
          its,
          "the condition reads %s, which need not be settled before %s".formatted(read, its.id()));
    }
  }

  private void cannotRead(GraphStep step, String message) {
    defects.add(
        new GraphDefect(
            Code.WF002,
            step.id(),
            step.pointer() + "/when",
            message,
            "read the input, or steps that this one waits for"));
  }
}

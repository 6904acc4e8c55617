package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.fields.Fields;
import io.callboard.workflows.graph.GraphDefect;
import io.callboard.workflows.graph.GraphStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Parameters of what a step runs: its {@code with}, and {@code with.compensate} for what undoes it.
 *
 * <p>A handler or a sub-workflow that undoes a step gets the step's own parameters if it has none.
 * A process, a job or a request needs its own: with those of a step of the same kind it would do
 * the same again instead of undoing it. A definition that was stored before that was so may have
 * the parameters of a process beside those of a handler or a request; it is undone with these.
 */
public final class StepParameters {
  /** Parameter that has the parameters of what undoes the step. */
  static final String UNDO = "compensate";

  private StepParameters() {}

  /**
   * Returns the parameters of a step, an object.
   *
   * @param undo whether those of what undoes it
   */
  public static JsonNode of(StepDefinition step, boolean undo) {
    StepRun compensate = step.compensate();
    if (compensate == null) {
      return step.with();
    }
    JsonNode given = step.with().path(UNDO);
    if (undo && given.isObject()) {
      return given;
    }
    return undo && repeats(step, compensate)
        ? JsonNodeFactory.instance.objectNode()
        : own(step.with());
  }

  private static JsonNode own(JsonNode with) {
    if (!(with instanceof ObjectNode object) || !with.has(UNDO)) {
      return with;
    }
    ObjectNode own = JsonNodeFactory.instance.objectNode();
    object.properties().forEach(each -> own.set(each.getKey(), each.getValue()));
    own.remove(UNDO);
    return own;
  }

  /** Returns whether what undoes a step would do the same again with the step's parameters. */
  private static boolean repeats(StepDefinition step, StepRun undo) {
    return needsOwn(undo) && undo.kind() == step.run().kind();
  }

  private static boolean needsOwn(StepRun run) {
    return run.isJob() || run.kind() == StepRun.Kind.HTTP;
  }

  /** Returns all parameters that the run of a step lacks. */
  static List<Lack> lacks(StepDefinition step) {
    return switch (step.run().kind()) {
      case PROCESS ->
          isCommand(step.with()) ? List.of() : lacksOfCommand(step.with().path("command"));
      case JOB -> JobArguments.lacks("/with", step.with());
      case HTTP ->
          isUrl(step.with())
              ? List.of()
              : List.of(new Lack("/with", "a request needs a url", "with: {url: …}"));
      case HANDLER, SUBWORKFLOW -> List.of();
    };
  }

  private static List<Lack> lacksOfCommand(JsonNode command) {
    List<Lack> lacks = new ArrayList<>();
    for (int i = 0; i < command.size() && command.isArray(); i++) {
      JsonNode part = command.get(i);
      if (!part.isTextual()) {
        lacks.add(
            new Lack(
                "/with/command/" + i,
                "part %d of the command is %s, which is no text"
                    .formatted(i + 1, Fields.shown(part)),
                "quote it, as in command: [sleep, \"5\"]"));
      }
    }
    if (lacks.isEmpty()) {
      lacks.add(lackOfCommand(command));
    }
    return lacks;
  }

  private static Lack lackOfCommand(JsonNode command) {
    return command.isTextual()
        ? new Lack(
            "/with/command",
            "the command is %s, not a list of texts".formatted(Fields.shown(command)),
            "command: [echo, hi], or [sh, -c, \"echo hi\"]")
        : new Lack(
            "/with", "a process needs a command", "with: {command: [sh, -c, \"echo hello\"]}");
  }

  /** Returns what a process, job or request that undoes a step lacks to run; empty if nothing. */
  public static Optional<Lack> lackOfUndo(StepDefinition step) {
    return lacksOfUndo(step, of(step, true)).stream().findFirst();
  }

  /** Returns all that a process, job or request that undoes a step lacks of its own. */
  static List<Lack> lacksOfOwn(StepDefinition step) {
    JsonNode own = step.with().path(UNDO);
    StepRun undo = step.compensate();
    if (undo == null || !needsOwn(undo)) {
      return List.of();
    }
    JsonNode with = own.isObject() ? own : JsonNodeFactory.instance.objectNode();
    List<Lack> lacks = lacksOfUndo(step, with);
    return lacks.isEmpty() ? faults("/with/" + UNDO, undo, with) : lacks;
  }

  /**
   * Returns the defects of parameters that are present, but that no process or job could be given.
   */
  static List<Lack> faults(String at, StepRun run, JsonNode with) {
    return switch (run.kind()) {
      case PROCESS -> ProcessParameters.faults(at, with);
      case JOB -> JobArguments.lackOfName(at, with.path(JobArguments.TYPE)).stream().toList();
      case HANDLER, SUBWORKFLOW, HTTP -> List.of();
    };
  }

  private static List<Lack> lacksOfUndo(StepDefinition step, JsonNode with) {
    StepRun run = step.compensate();
    if (run == null) {
      return List.of();
    }
    String pointer = step.with().has(UNDO) ? "/with/" + UNDO : "/" + UNDO;
    if (run.kind() == StepRun.Kind.PROCESS && !isCommand(with)) {
      return List.of(
          new Lack(
              pointer,
              "a process that undoes a step needs a command of its own",
              "with: {compensate: {command: [sh, -c, \"echo undone\"]}}"));
    } else if (run.kind() == StepRun.Kind.JOB && !with.has(JobArguments.TYPE)) {
      return List.of(
          new Lack(
              pointer,
              "a job that undoes a step needs a type of its own",
              "with: {compensate: {type: cancel-report, args: {…}}}"));
    } else if (run.kind() == StepRun.Kind.JOB) {
      return JobArguments.lacks(pointer, with);
    } else if (run.kind() == StepRun.Kind.HTTP && !isUrl(with)) {
      return List.of(
          new Lack(
              pointer,
              "a request that undoes a step needs a url of its own",
              "with: {compensate: {url: …}}"));
    }
    return List.of();
  }

  /**
   * Returns the defect of a compensation whose parameters are not an object; empty if they are one.
   */
  static Optional<Lack> formOfUndo(StepDefinition step) {
    return step.compensate() == null || !step.with().has(UNDO) || step.with().path(UNDO).isObject()
        ? Optional.empty()
        : Optional.of(
            new Lack(
                "/with/" + UNDO,
                "the parameters of what undoes a step are an object",
                "with: {compensate: {…}}"));
  }

  private static boolean isCommand(JsonNode with) {
    boolean texts = with.path("command").size() > 0;
    for (JsonNode part : with.path("command")) {
      texts &= part.isTextual();
    }
    return texts;
  }

  private static boolean isUrl(JsonNode with) {
    return with.path("url").isTextual();
  }

  /**
   * Lack of a parameter.
   *
   * @param pointer JSON pointer to the place, from the step
   * @param message what is wrong
   * @param hint what would be right
   */
  public record Lack(String pointer, String message, String hint) {
    GraphDefect of(GraphStep step, GraphDefect.Code code) {
      return new GraphDefect(code, step.id(), step.pointer() + pointer, message, hint);
    }
  }
}

package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.fields.Fields;
import io.callboard.jobs.model.CommandLimits;
import io.callboard.time.Machine;
import io.callboard.workflows.definition.StepParameters.Lack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Parameters of a process that a step runs: its command, its environment, and the type of its job.
 */
@Machine
final class ProcessParameters {
  private static final String ENV = "env";
  private static final String HINT = "with: {command: [sh, -c, \"echo hello\"], env: {NAME: text}}";

  private ProcessParameters() {}

  /**
   * Returns the defects of parameters that no process can be given. A command that is missing, or
   * has parts that are no texts, is reported elsewhere.
   *
   * @param at JSON pointer to the parameters, from the step
   */
  static List<Lack> faults(String at, JsonNode with) {
    List<Lack> faults = new ArrayList<>();
    type(at, with.path(JobArguments.TYPE), faults);
    List<String> command = new ArrayList<>();
    with.path("command").forEach(part -> command.add(part.isTextual() ? part.textValue() : "-"));
    Map<String, String> env = new HashMap<>();
    env(at, with.path(ENV), env, faults);
    CommandLimits.faults(command, env)
        .forEach(each -> faults.add(new Lack(at + each.pointer(), "it " + each.problem(), HINT)));
    return faults;
  }

  private static void type(String at, JsonNode type, List<Lack> faults) {
    if (!type.isMissingNode() && (!type.isTextual() || type.textValue().isBlank())) {
      faults.add(
          new Lack(
              at + "/" + JobArguments.TYPE,
              "the type of a job is %s, not its name".formatted(Fields.shown(type)),
              "type: process"));
    } else {
      JobArguments.lackOfName(at, type).ifPresent(faults::add);
    }
  }

  private static void env(String at, JsonNode given, Map<String, String> env, List<Lack> faults) {
    if (!given.isMissingNode() && !given.isObject()) {
      faults.add(
          new Lack(
              at + "/" + ENV,
              "the environment is %s, not an object".formatted(Fields.shown(given)),
              HINT));
      return;
    }
    for (Map.Entry<String, JsonNode> each : given.properties()) {
      if (each.getValue().isValueNode() && !each.getValue().isNull()) {
        env.put(each.getKey(), each.getValue().asText());
      } else {
        faults.add(
            new Lack(
                at + "/" + ENV + "/" + Fields.escaped(each.getKey()),
                "a variable is %s, not a text".formatted(Fields.shown(each.getValue())),
                HINT));
      }
    }
  }
}

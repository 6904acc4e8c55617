package io.callboard.workflows.definition;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.fields.Fields;
import io.callboard.jobs.model.JobNames;
import io.callboard.time.Machine;
import io.callboard.workflows.definition.StepParameters.Lack;
import io.callboard.workflows.template.Template;
import io.callboard.workflows.template.TemplateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Arguments of a job that a step runs: {@code with.args}, a {@link Template} that is filled from
 * what the step sees: its input, and {@code /key}, its key for effects elsewhere.
 */
@Machine
public final class JobArguments {
  /** Parameter with the type of the job. */
  static final String TYPE = "type";

  private static final String ARGS = "args";
  private static final String KEY = "key";
  private static final String LARGE = "large";

  /** Parts of what a step sees that have a value for each step before it. */
  private static final Set<String> OF_STEPS = Set.of("outputs", "errors", LARGE);

  private static final Set<String> ROOTS =
      Set.of("input", "outputs", "errors", "merged", LARGE, KEY);

  private JobArguments() {}

  private static Template template(JsonNode with) {
    return Template.of(filled(with), ROOTS);
  }

  private static ObjectNode filled(JsonNode with) {
    JsonNode given = with.path(ARGS);
    ObjectNode args = JsonNodeFactory.instance.objectNode();
    args.set(ARGS, given.isMissingNode() ? JsonNodeFactory.instance.objectNode() : given);
    return args;
  }

  /**
   * Returns all that is wrong with the parameters of a job.
   *
   * @param at JSON pointer to them, from the step
   */
  static List<Lack> lacks(String at, JsonNode with) {
    List<Lack> lacks = new ArrayList<>();
    JsonNode type = with.path(TYPE);
    JsonNode args = with.path(ARGS);
    if (type.isMissingNode()) {
      lacks.add(
          new Lack(
              at,
              "a job needs a type",
              "with: {type: report, args: {customer: \"${/input/customer}\"}}"));
    } else if (!type.isTextual() || type.textValue().isBlank()) {
      lacks.add(
          new Lack(
              at + "/" + TYPE,
              "the type of a job is %s, not its name".formatted(Fields.shown(type)),
              "type: report"));
    }
    for (Map.Entry<String, JsonNode> each : with.properties()) {
      if (!Set.of(TYPE, ARGS, StepParameters.UNDO).contains(each.getKey())) {
        lacks.add(
            new Lack(
                at + "/" + Fields.escaped(each.getKey()),
                "a job of a handler has a type and args, and no %.100s".formatted(each.getKey()),
                "run: process has a command and env"));
      }
    }
    List<TemplateException> faults = Template.faults(filled(with), ROOTS);
    faults.forEach(e -> lacks.add(new Lack(at + e.pointer(), String.valueOf(e.getMessage()), "")));
    boolean isObject = args.isMissingNode() || args.isObject();
    if (!isObject && faults.isEmpty() && !(args.isTextual() && !template(with).isConstant())) {
      lacks.add(
          new Lack(
              at + "/" + ARGS,
              "the args of a job are %s, not an object".formatted(Fields.shown(args)),
              "args: {customer: acme}, or args: ${/input}"));
    }
    return lacks;
  }

  /**
   * Returns the defect of a job's type that cannot be a name, or has a place (places in it are not
   * filled); empty if there is none.
   */
  static Optional<Lack> lackOfName(String at, JsonNode type) {
    if (!type.isTextual() || type.textValue().isBlank()) {
      return Optional.empty();
    }
    Optional<String> why =
        type.textValue().contains("${")
            ? Optional.of("the type of a job is its name: no place in it is filled")
            : JobNames.fault("type", type.textValue());
    return why.map(each -> new Lack(at + "/" + TYPE, each, "type: report"));
  }

  /**
   * Returns the steps that valid parameters of a job read, by the pointer of the text that reads
   * them.
   */
  static Map<String, Set<String>> steps(JsonNode with) {
    Map<String, Set<String>> steps = new TreeMap<>();
    template(with)
        .places()
        .forEach(
            (at, places) -> {
              for (JsonPointer place : places) {
                if (OF_STEPS.contains(place.getMatchingProperty()) && !place.tail().matches()) {
                  steps
                      .computeIfAbsent(at, none -> new TreeSet<>())
                      .add(place.tail().getMatchingProperty());
                }
              }
            });
    return steps;
  }

  /**
   * Returns the arguments of a job.
   *
   * @param with parameters of the step
   * @param input what the step sees
   * @param key its key for effects elsewhere
   * @throws TemplateException if that lacks a value; names it, and the argument that needs it
   */
  public static JsonNode of(JsonNode with, JsonNode input, String key) {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    input.properties().forEach(each -> data.set(each.getKey(), each.getValue()));
    Template template = template(with);
    template
        .places()
        .forEach((at, places) -> places.forEach(place -> checkSize(at, place, input.path(LARGE))));
    JsonNode args = template.fill(data.put(KEY, key)).path(ARGS);
    if (!args.isObject()) {
      throw new TemplateException("/args", "%s gives no object".formatted(with.path(ARGS)));
    }
    return args;
  }

  /** Refuses a place in an output that is by reference. */
  private static void checkSize(String at, JsonPointer place, JsonNode large) {
    String step = place.tail() == null ? null : place.tail().getMatchingProperty();
    if ("outputs".equals(place.getMatchingProperty()) && step != null && large.has(step)) {
      throw new TemplateException(
          at,
          "%s reads the output of step %s, which has %,d bytes and is by reference: its place is ${/large/%s}"
              .formatted(at, step, large.path(step).path("bytes").asLong(), step));
    }
  }
}

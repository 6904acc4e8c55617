package io.callboard.pollers.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.ActorPath;
import io.callboard.jobs.model.CommandLimits;
import io.callboard.jobs.model.JobLabels;
import io.callboard.jobs.model.JobNames;
import io.callboard.jobs.model.JobSpec;
import io.callboard.pollers.model.AckMode;
import io.callboard.pollers.model.SourceTarget;
import io.callboard.workflows.template.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reader of the target of a source. */
final class TargetReader {
  /** Names of what templates see. */
  static final Set<String> ROOTS = Set.of("body", "id", "headers", "source");

  private static final int MOST_ARGUMENTS = 1_000;
  private static final int MOST_VARIABLES = 200;

  /** Label that all jobs of a source have, beside those that are configured. */
  private static final String OWN_LABEL = "source";

  private static final List<String> FORMS = List.of("workflow", "builder", "job", "tell");

  private TargetReader() {}

  static SourceTarget read(SourceFields start, AckMode ack) {
    List<String> given = FORMS.stream().filter(start::has).toList();
    if (given.size() != 1) {
      start.defect("", "must have exactly one of %s, not %s".formatted(FORMS, given));
      return new SourceTarget.StartWorkflow("", everything());
    }
    SourceTarget read =
        switch (given.get(0)) {
          case "workflow" ->
              new SourceTarget.StartWorkflow(
                  start.required("workflow"), start.template("input", "${/body}", ROOTS));
          case "builder" ->
              new SourceTarget.AskBuilder(
                  start.required("builder"),
                  start.value("message").isEmpty()
                      ? everything()
                      : start.template("message", "", ROOTS));
          case "job" -> job(start);
          default -> tell(start, ack);
        };
    start.noOthers();
    return read;
  }

  private static SourceTarget job(SourceFields start) {
    boolean ofHandler = start.value("args").isPresent();
    for (String each : List.of("command", "env")) {
      if (ofHandler && start.value(each).isPresent()) {
        start.defect(each, JobSpec.OF_PROCESSES);
      }
    }
    List<Template> command = List.of();
    if (!ofHandler && start.value("command").isEmpty()) {
      start.defect("command", JobSpec.NO_COMMAND);
    } else if (!ofHandler) {
      command = start.templates("command", MOST_ARGUMENTS, ROOTS);
    }
    String type = start.required("job");
    if (!type.isEmpty()) {
      JobNames.fault("type", type).ifPresent(fault -> start.defect("job", fault));
    }
    Map<String, Template> env = ofHandler ? Map.of() : start.map("env", MOST_VARIABLES, ROOTS);
    Map<String, String> variables = new LinkedHashMap<>();
    env.forEach((name, value) -> variables.put(name, known(value)));
    CommandLimits.faults(command.stream().map(TargetReader::known).toList(), variables)
        .forEach(start::defectBelow);
    return new SourceTarget.SubmitJob(
        type,
        command,
        env,
        labels(start),
        start.number("priority", 0, JobSpec.MOST_PRIORITY).orElse(JobSpec.DEFAULT_PRIORITY),
        ofHandler ? start.objectTemplate("args", ROOTS) : null);
  }

  /** Returns what a template gives for each message; itself if that depends on the message. */
  private static String known(Template template) {
    return template.constant().map(JsonNode::asText).orElseGet(template::text);
  }

  /** Reports keys, and values that no message changes, which the scheduler would refuse. */
  private static Map<String, Template> labels(SourceFields start) {
    Map<String, Template> read = start.map("labels", JobLabels.MOST - 1, ROOTS);
    read.forEach(
        (key, value) -> {
          if (key.equals(OWN_LABEL)) {
            start.defectWithin(
                "labels", key, "is the name of the source in each of its jobs: choose another key");
          }
          JobLabels.faultOfKey(key).ifPresent(fault -> start.defectWithin("labels", key, fault));
          value
              .constant()
              .flatMap(text -> JobLabels.faultOfValue(text.asText()))
              .ifPresent(fault -> start.defectWithin("labels", key, fault));
        });
    return read;
  }

  /** Returns the template of a message with its id, its headers and the name of its source. */
  private static Template everything() {
    return Template.of(
        JsonNodeFactory.instance
            .objectNode()
            .put("id", "${/id}")
            .put("source", "${/source}")
            .put("headers", "${/headers}")
            .put("body", "${/body}"),
        ROOTS);
  }

  private static SourceTarget tell(SourceFields start, AckMode ack) {
    if (ack != AckMode.ON_ACCEPT) {
      start.defect(
          "tell", "a message to an actor has no end: acknowledge it with \"ack: on_accept\"");
    }
    Template path = start.textTemplate("tell", ROOTS);
    if (path.constant().isPresent()) {
      try {
        ActorPath unused = ActorPath.of(path.constant().get().asText());
      } catch (IllegalArgumentException e) {
        start.defect("tell", String.valueOf(e.getMessage()));
      }
    }
    return new SourceTarget.TellActor(
        path, start.required("type"), start.template("message", "${/body}", ROOTS));
  }
}

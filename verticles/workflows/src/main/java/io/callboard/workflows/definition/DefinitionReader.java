package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.fields.Fields;
import io.callboard.workflows.graph.EdgeCondition;
import io.callboard.workflows.graph.GraphDefect;
import io.callboard.workflows.graph.GraphDefect.Code;
import io.callboard.workflows.graph.Join;
import io.callboard.workflows.graph.StepEdge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reader of definitions in YAML or JSON. */
public final class DefinitionReader {
  private final List<GraphDefect> defects = new ArrayList<>();

  private DefinitionReader() {}

  /**
   * Result of a reading.
   *
   * @param definition the definition; empty if there are defects
   * @param defects all of them
   * @param wellFormed false if the text is no YAML or JSON at all, which is its only defect then
   * @param name its name, though there may be defects; empty if it has none
   */
  public record Result(
      Optional<CheckedDefinition> definition,
      List<PlacedDefect> defects,
      boolean wellFormed,
      String name) {}

  /** Reads a definition in YAML, of which JSON is a part. */
  public static Result yaml(String text) {
    return read(text, PlacedTree.Format.YAML, false);
  }

  /** Reads a definition in JSON. */
  public static Result json(String text) {
    return read(text, PlacedTree.Format.JSON, false);
  }

  /**
   * Reads a definition in JSON that was stored. One of an earlier version may have steps whose
   * compensation lacks parameters: that is no defect then, and such a compensation fails. Nor is it
   * one if a condition reads what need not be settled before, with {@code join: any}.
   */
  public static Result stored(String text) {
    return read(text, PlacedTree.Format.JSON, true);
  }

  private static Result read(String text, PlacedTree.Format format, boolean stored) {
    PlacedTree tree;
    try {
      tree = PlacedTree.read(text, format);
    } catch (PlacedTree.SyntaxException e) {
      GraphDefect defect =
          new GraphDefect(
              Code.WF013,
              "",
              "/",
              "this is no well-formed %s: %s".formatted(format, e.getMessage()),
              "");
      return new Result(
          Optional.empty(),
          List.of(new PlacedDefect(defect, e.place().line(), e.place().column())),
          false,
          "");
    }
    DefinitionReader reader = new DefinitionReader();
    tree.duplicates().forEach(reader::twice);
    WorkflowDefinition definition = reader.definition(tree.root());
    DefinitionCheck.Result checked = DefinitionCheck.of(definition, reader.defects, stored);
    return new Result(
        checked.definition(),
        checked.defects().stream().map(each -> PlacedDefect.of(each, tree)).toList(),
        true,
        definition.name());
  }

  private void twice(String pointer) {
    String[] parts = pointer.split("/", -1);
    boolean step = parts.length == 3 && (parts[1].equals("steps") || parts[1].equals("finally"));
    boolean edge = parts.length == 5 && parts[3].equals("after");
    String name = parts[parts.length - 1];
    invalid(
        step ? Code.WF004 : edge ? Code.WF005 : Code.WF013,
        pointer,
        step
            ? "there are two steps \"%s\"".formatted(name)
            : "\"%s\" is there twice".formatted(name),
        step ? "give one of them another id" : "keep one");
  }

  /** Reports a mistake in a field. */
  private void defect(FieldDefect defect) {
    invalid(
        Code.WF013,
        defect.pointer(),
        "%s %s".formatted(defect.field(), defect.problem()),
        defect.hint());
  }

  private void invalid(Code code, String pointer, String message, String hint) {
    String[] parts = pointer.split("/", 4);
    boolean ofStep = parts.length > 2 && (parts[1].equals("steps") || parts[1].equals("finally"));
    defects.add(
        new GraphDefect(
            code,
            ofStep ? Fields.unescaped(parts[2]) : "",
            pointer.isEmpty() ? "/" : pointer,
            message,
            hint));
  }

  private WorkflowDefinition definition(JsonNode root) {
    Fields fields = new Fields(root, "", this::defect);
    WorkflowDefinition definition =
        new WorkflowDefinition(
            fields.text("name").orElse(""),
            fields.anyObject("input").orElse(null),
            fields
                .number("weight", 1, WorkflowDefinition.MOST_WEIGHT)
                .orElse(WorkflowDefinition.DEFAULT_WEIGHT),
            fields.flag("failFast").orElse(false),
            duration(fields, "timeout").orElse(null),
            steps(fields.object("steps")),
            steps(fields.object("finally")));
    fields.noOthers();
    return definition;
  }

  private Map<String, StepDefinition> steps(Fields section) {
    Map<String, StepDefinition> steps = new LinkedHashMap<>();
    section.objects().forEach((id, fields) -> steps.put(id, step(fields)));
    return steps;
  }

  private StepDefinition step(Fields fields) {
    StepDefinition step =
        new StepDefinition(
            run(fields, "run", true).orElse(StepRun.UNKNOWN),
            fields.anyObject("with").orElseGet(JsonNodeFactory.instance::objectNode),
            after(fields),
            fields.constant("join", Join.class).orElse(Join.ALL),
            fields.text("when").orElse(null),
            retry(fields.object("retry")),
            duration(fields, "timeout").orElse(null),
            fields.flag("allowFailure").orElse(false),
            merge(fields),
            run(fields, "compensate", false).orElse(null));
    fields.noOthers();
    return step;
  }

  private static Optional<Duration> duration(Fields fields, String name) {
    return fields.duration(name, DefinitionCheck::isInRange, DefinitionCheck.DURATIONS);
  }

  private Optional<StepRun> run(Fields fields, String field, boolean required) {
    if (required && !fields.has(field)) {
      invalid(Code.WF012, fields.at(field), "the step does not say what it runs", RUN_HINT);
    }
    Optional<String> text = fields.text(field);
    Optional<StepRun> run = text.flatMap(StepRun::of);
    if (text.isPresent() && run.isEmpty()) {
      invalid(
          Code.WF012,
          fields.at(field),
          "\"%.100s\" is nothing that a step can run".formatted(text.get()),
          RUN_HINT);
    }
    return run;
  }

  static final String RUN_HINT =
      "there are process, job, http, handler:<name>, handler:<name>@<major> and subworkflow:<name>";

  private List<StepEdge> after(Fields fields) {
    List<StepEdge> edges = new ArrayList<>();
    Fields words = fields.object("after");
    for (String source : words.names()) {
      Optional<String> word = words.text(source);
      Optional<EdgeCondition> on = word.flatMap(EdgeCondition::of);
      if (word.isPresent() && on.isEmpty()) {
        List<String> all = Arrays.stream(EdgeCondition.values()).map(EdgeCondition::word).toList();
        invalid(
            Code.WF011,
            words.at(source),
            "\"%.100s\" is no condition of an edge".formatted(word.get()),
            "one of " + String.join(", ", all));
      }
      edges.add(new StepEdge(source, on.orElse(EdgeCondition.SUCCESS)));
    }
    return edges;
  }

  private MergeRule merge(Fields fields) {
    Optional<String> text = fields.text("merge");
    Optional<MergeRule> rule = text.flatMap(MergeRule::of);
    if (text.isPresent() && rule.isEmpty()) {
      invalid(
          Code.WF013,
          fields.at("merge"),
          "\"%.100s\" is no rule of merging".formatted(text.get()),
          "one of " + MergeRule.WORDS);
    }
    return rule.orElse(MergeRule.NAMESPACED);
  }

  private static StepRetry retry(Fields fields) {
    StepRetry usual = StepRetry.ONCE;
    Optional<Duration> initial = duration(fields, "initial");
    Optional<Duration> max = duration(fields, "max");
    StepRetry retry =
        new StepRetry(
            fields.number("attempts", 1, StepRetry.MOST_ATTEMPTS).orElse(usual.attempts()),
            initial.orElse(usual.initial()),
            max.orElse(usual.max()));
    fields.noOthers();
    return retry;
  }
}

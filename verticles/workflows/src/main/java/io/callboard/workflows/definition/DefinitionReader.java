package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.graph.EdgeCondition;
import io.callboard.workflows.graph.GraphDefect;
import io.callboard.workflows.graph.GraphDefect.Code;
import io.callboard.workflows.graph.GraphStep;
import io.callboard.workflows.graph.Join;
import io.callboard.workflows.graph.StepEdge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
    defects.add(
        new GraphDefect(
            step ? Code.WF004 : edge ? Code.WF005 : Code.WF013,
            parts.length > 2 ? parts[2] : "",
            pointer,
            step
                ? "there are two steps \"%s\"".formatted(name)
                : "\"%s\" is there twice".formatted(name),
            step ? "give one of them another id" : "keep one"));
  }

  private WorkflowDefinition definition(JsonNode root) {
    Fields fields = new Fields(root, "", "", defects);
    String name = fields.text("name");
    WorkflowDefinition definition =
        new WorkflowDefinition(
            name == null ? "" : name,
            fields.node("input").isNull() ? null : fields.object("input"),
            fields.number(
                "weight", 1, WorkflowDefinition.MOST_WEIGHT, WorkflowDefinition.DEFAULT_WEIGHT),
            fields.truth("failFast"),
            fields.duration("timeout"),
            steps(fields.object("steps"), "/steps"),
            steps(fields.object("finally"), "/finally"));
    fields.noOthers();
    return definition;
  }

  private Map<String, StepDefinition> steps(JsonNode section, String pointer) {
    Map<String, StepDefinition> steps = new LinkedHashMap<>();
    section
        .properties()
        .forEach(
            each ->
                steps.put(
                    each.getKey(),
                    step(
                        new Fields(
                            each.getValue(),
                            pointer + "/" + GraphStep.escaped(each.getKey()),
                            each.getKey(),
                            defects),
                        each.getKey())));
    return steps;
  }

  private StepDefinition step(Fields fields, String id) {
    StepDefinition step =
        new StepDefinition(
            run(fields, "run", true).orElse(StepRun.UNKNOWN),
            fields.object("with"),
            after(fields, id),
            word(fields, "join", Join.ALL, Join.values()),
            fields.text("when"),
            retry(fields, id),
            fields.duration("timeout"),
            fields.truth("allowFailure"),
            merge(fields),
            run(fields, "compensate", false).orElse(null));
    fields.noOthers();
    return step;
  }

  private static Optional<StepRun> run(Fields fields, String field, boolean required) {
    String text = fields.text(field);
    if (text == null) {
      if (required && fields.node(field).isNull()) {
        fields.invalid(Code.WF012, field, "the step does not say what it runs", RUN_HINT);
      }
      return Optional.empty();
    }
    Optional<StepRun> run = StepRun.of(text);
    if (run.isEmpty()) {
      fields.invalid(
          Code.WF012, field, "\"%.100s\" is nothing that a step can run".formatted(text), RUN_HINT);
    }
    return run;
  }

  static final String RUN_HINT =
      "there are process, job, http, handler:<name>, handler:<name>@<major> and subworkflow:<name>";

  private List<StepEdge> after(Fields fields, String id) {
    List<StepEdge> edges = new ArrayList<>();
    JsonNode after = fields.object("after");
    Fields words = new Fields(after, fields.at("after"), id, defects);
    for (Map.Entry<String, JsonNode> each : after.properties()) {
      String word = words.text(each.getKey());
      EdgeCondition on = word == null ? null : EdgeCondition.of(word).orElse(null);
      if (word != null && on == null) {
        List<String> all = Arrays.stream(EdgeCondition.values()).map(EdgeCondition::word).toList();
        words.invalid(
            Code.WF011,
            each.getKey(),
            "\"%.100s\" is no condition of an edge".formatted(word),
            "one of " + String.join(", ", all));
      }
      edges.add(new StepEdge(each.getKey(), on == null ? EdgeCondition.SUCCESS : on));
    }
    return edges;
  }

  private static MergeRule merge(Fields fields) {
    String text = fields.text("merge");
    Optional<MergeRule> rule =
        text == null ? Optional.of(MergeRule.NAMESPACED) : MergeRule.of(text);
    if (rule.isEmpty()) {
      fields.invalid(
          Code.WF013,
          "merge",
          "\"%.100s\" is no rule of merging".formatted(text),
          "one of " + MergeRule.WORDS);
    }
    return rule.orElse(MergeRule.NAMESPACED);
  }

  private static <E extends Enum<E>> E word(Fields fields, String field, E otherwise, E[] all) {
    String text = fields.text(field);
    if (text == null) {
      return otherwise;
    }
    List<String> words =
        Arrays.stream(all).map(each -> each.name().toLowerCase(Locale.ROOT)).toList();
    int index = words.indexOf(text);
    if (index < 0) {
      fields.invalid(
          Code.WF013,
          field,
          "\"%.100s\" is no %s".formatted(text, field),
          "one of " + String.join(", ", words));
      return otherwise;
    }
    return all[index];
  }

  private StepRetry retry(Fields step, String id) {
    JsonNode node = step.object("retry");
    Fields fields = new Fields(node, step.at("retry"), id, defects);
    Duration initial = fields.duration("initial");
    Duration max = fields.duration("max");
    StepRetry retry =
        new StepRetry(
            fields.number("attempts", 1, StepRetry.MOST_ATTEMPTS, StepRetry.ONCE.attempts()),
            initial == null ? StepRetry.ONCE.initial() : initial,
            max == null ? StepRetry.ONCE.max() : max);
    fields.noOthers();
    return retry;
  }
}

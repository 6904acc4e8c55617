package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.codecs.fields.Fields;
import io.callboard.workflows.graph.EdgeCondition;
import io.callboard.workflows.graph.GraphDefect;
import io.callboard.workflows.graph.GraphDefect.Code;
import io.callboard.workflows.graph.Join;
import io.callboard.workflows.graph.StepEdge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Builder of a definition.
 *
 * <pre>{@code
 * CheckedDefinition definition =
 *     Workflow.define("index-document")
 *         .step("fetch", "handler:fetch", s -> s.timeout(Duration.ofSeconds(30)).attempts(5))
 *         .step("ocr", "handler:ocr@2", s -> s.after("fetch").when("$.input.mime == 'image/png'"))
 *         .step("index", "handler:index", s -> s.after("fetch").after("ocr", EdgeCondition.OK))
 *         .step("notify", "handler:notify", s -> s.after("index", EdgeCondition.FAILURE))
 *         .last("cleanup", "handler:cleanup", s -> s)
 *         .build();
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class Workflow {
  private final String name;
  private final Map<String, StepDefinition> steps = new LinkedHashMap<>();
  private final Map<String, StepDefinition> last = new LinkedHashMap<>();
  private final List<GraphDefect> defects = new ArrayList<>();
  private @Nullable JsonNode input;
  private int weight = WorkflowDefinition.DEFAULT_WEIGHT;
  private boolean failFast;
  private @Nullable Duration timeout;

  private Workflow(String name) {
    this.name = name;
  }

  /** Begins a definition. */
  public static Workflow define(String name) {
    return new Workflow(name);
  }

  /**
   * Sets the JSON Schema (draft 2020-12) of the input of an instance: a record, a map or a tree.
   */
  public Workflow input(Object schema) {
    input = Json.tree(schema);
    return this;
  }

  /**
   * Sets the share of the definition among those that wait, to begin or for a worker.
   *
   * @param share 1, the default, to {@link WorkflowDefinition#MOST_WEIGHT}
   */
  public Workflow weight(int share) {
    weight = share;
    return this;
  }

  /** Sets whether an instance ends at its first failure for good. */
  public Workflow failFast(boolean ends) {
    failFast = ends;
    return this;
  }

  /** Sets the longest time of an instance. */
  public Workflow timeout(Duration longest) {
    timeout = longest;
    return this;
  }

  /**
   * Adds a step.
   *
   * @param run what it runs: {@code process}, {@code job}, {@code http}, {@code
   *     handler:<name>[@<major>]}, {@code subworkflow:<name>}
   * @param options sets its options
   */
  public Workflow step(String id, String run, UnaryOperator<Step> options) {
    add(steps, "/steps/", id, run, options);
    return this;
  }

  /** Adds a step to the section {@code finally}; otherwise as {@link #step}. */
  public Workflow last(String id, String run, UnaryOperator<Step> options) {
    add(last, "/finally/", id, run, options);
    return this;
  }

  private void add(
      Map<String, StepDefinition> section,
      String pointer,
      String id,
      String run,
      UnaryOperator<Step> options) {
    String its = pointer + Fields.escaped(id);
    Optional<StepRun> what = StepRun.of(run);
    if (what.isEmpty()) {
      defects.add(noRun(id, its + "/run", run));
    }
    Step step =
        new Step(
            what.orElse(StepRun.UNKNOWN),
            undo -> defects.add(noRun(id, its + "/compensate", undo)));
    StepDefinition before = section.putIfAbsent(id, options.apply(step).build());
    if (before != null) {
      defects.add(
          new GraphDefect(
              Code.WF004,
              id,
              its,
              "there are two steps \"%s\"".formatted(id),
              "give one of them another id"));
    }
  }

  private static GraphDefect noRun(String id, String pointer, String text) {
    return new GraphDefect(
        Code.WF012,
        id,
        pointer,
        "\"%.100s\" is nothing that a step can run".formatted(text),
        DefinitionReader.RUN_HINT);
  }

  /** Returns the definition, or its defects. */
  public DefinitionCheck.Result check() {
    return DefinitionCheck.of(
        new WorkflowDefinition(name, input, weight, failFast, timeout, steps, last),
        defects,
        false);
  }

  /**
   * Returns the definition.
   *
   * @throws IllegalArgumentException with all errors, if there are any
   */
  public CheckedDefinition build() {
    DefinitionCheck.Result result = check();
    return result
        .definition()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the definition \"%s\" has errors:\n%s"
                        .formatted(
                            name,
                            result.defects().stream()
                                .map(GraphDefect::toString)
                                .collect(Collectors.joining("\n")))));
  }

  /** Builder of a step. */
  public static final class Step {
    private final StepRun run;
    private final Consumer<String> noUndo; // is given what cannot undo a step
    private final List<StepEdge> after = new ArrayList<>();
    private JsonNode with = Json.tree(Map.of());
    private Join join = Join.ALL;
    private @Nullable String when;
    private StepRetry retry = StepRetry.ONCE;
    private @Nullable Duration timeout;
    private boolean allowFailure;
    private MergeRule merge = MergeRule.NAMESPACED;
    private @Nullable StepRun compensate;
    private @Nullable JsonNode undoWith;

    private Step(StepRun run, Consumer<String> noUndo) {
      this.run = run;
      this.noUndo = noUndo;
    }

    /** Sets the parameters: a record, a map or a tree. {@link Workflow#build} checks them. */
    public Step with(Object parameters) {
      with = Json.uncheckedTree(parameters);
      return this;
    }

    /** Sets the command of a process. */
    public Step command(String... parts) {
      return with(Map.of("command", List.of(parts)));
    }

    /**
     * Sets the type and the arguments of a job. In texts of these, {@code ${/input/…}}, {@code
     * ${/outputs/<step>/…}} and {@code ${/key}} stand for what the step sees.
     *
     * @param args a record, a map or a tree
     */
    public Step job(String type, Object args) {
      return with(Map.of("type", type, "args", Json.uncheckedTree(args)));
    }

    /** Makes the step wait for the success of another one. */
    public Step after(String step) {
      return after(step, EdgeCondition.SUCCESS);
    }

    /** Makes the step wait for another one. */
    public Step after(String step, EdgeCondition on) {
      after.add(new StepEdge(step, on));
      return this;
    }

    /** Makes one satisfied edge suffice. */
    public Step joinAny() {
      join = Join.ANY;
      return this;
    }

    /** Sets the condition under which the step runs. */
    public Step when(String condition) {
      when = condition;
      return this;
    }

    /** Sets the number of attempts in all, with the default pauses. */
    public Step attempts(int number) {
      return retry(StepRetry.ONCE.attempts(number));
    }

    /** Sets the retries of the step. */
    public Step retry(StepRetry retries) {
      retry = retries;
      return this;
    }

    /** Sets the longest time of one attempt. */
    public Step timeout(Duration longest) {
      timeout = longest;
      return this;
    }

    /** Allows the step to fail without failing the instance. */
    public Step allowFailure() {
      allowFailure = true;
      return this;
    }

    /** Sets the rule for merging the outputs of the step's sources. */
    public Step merge(MergeRule rule) {
      merge = rule;
      return this;
    }

    /**
     * Sets the handler or sub-workflow that compensates the step, with the step's own parameters.
     */
    public Step compensate(String undo) {
      compensate = StepRun.of(undo).orElse(null);
      if (compensate == null) {
        noUndo.accept(undo);
      }
      return this;
    }

    /**
     * Sets the run that compensates the step, and its parameters: {@code compensate("process",
     * Map.of("command", List.of("rm", "-f", file)))}.
     *
     * @param parameters a record, a map or a tree
     */
    public Step compensate(String undo, Object parameters) {
      undoWith = Json.uncheckedTree(parameters);
      return compensate(undo);
    }

    private StepDefinition build() {
      return new StepDefinition(
          run, parameters(), after, join, when, retry, timeout, allowFailure, merge, compensate);
    }

    private JsonNode parameters() {
      return undoWith != null && with instanceof ObjectNode own
          ? own.deepCopy().set(StepParameters.UNDO, undoWith)
          : with; // one that is no object is a defect
    }
  }
}

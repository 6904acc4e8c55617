package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.supervision.Causes;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.definition.MergeRule;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.actor.InstanceActor;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.ParentStep;
import io.callboard.workflows.merge.Merger;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.StepView;
import io.callboard.workflows.model.WorkflowsOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Data that can be written, and not be read back: it fails its step for good where it comes into
 * being, and its instance ends.
 */
class UnreadableDataTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Deepest data that is taken. */
  private static final int MOST_LEVELS = 80;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private Callboard callboard;
  private OpenEngine engine;
  private Workflows workflows;

  /** What the handler {@code make} returns, and the merger {@code own}. */
  private volatile Supplier<JsonNode> made = JSON::objectNode;

  /** What the handler {@code hang} returns. */
  private final Promise<JsonNode> hanging = Promise.promise();

  @BeforeEach
  void start() throws Exception {
    Merger own = outputs -> made.get();
    callboard = nodes.open("n1");
    engine =
        OpenEngine.on(
            callboard, new WorkflowsOptions(WorkflowsOptions.DEFAULT_SLOTS, Map.of("own", own)));
    workflows = engine.workflows();
    workflows.workers().handle("make", step -> Future.succeededFuture(made.get()));
    workflows.workers().handle("echo", step -> Future.succeededFuture(JSON.numberNode(1)));
    workflows.workers().handle("hang", step -> hanging.future());
    workflows.workers().handle("big", step -> Future.succeededFuture(big(deep(MOST_LEVELS))));
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  /** Returns a list of so many levels. */
  private static JsonNode deep(int levels) {
    ArrayNode list = JSON.arrayNode();
    for (int i = 1; i < levels; i++) {
      list = JSON.arrayNode().add(list);
    }
    return list;
  }

  /** Returns data beyond the size that is in an instance. */
  private static JsonNode big(JsonNode with) {
    return JSON.arrayNode().add("x".repeat(30_000)).addAll((ArrayNode) with);
  }

  private static JsonNode named(int bytes) {
    return JSON.objectNode().put("x".repeat(bytes), 1);
  }

  private static JsonNode tokens(int tokens) {
    ArrayNode list = JSON.arrayNode();
    for (int i = 0; i < tokens; i++) {
      list.add(1);
    }
    return list;
  }

  static Stream<Arguments> unreadable() {
    BigInteger digits = new BigInteger("9".repeat(2_000));
    return Stream.of(
        Arguments.of(deep(MOST_LEVELS + 1), "it is nested deeper than 80 levels"),
        Arguments.of(deep(600), "it is nested deeper than 80 levels"),
        Arguments.of(deep(1_500), "nesting depth"),
        Arguments.of(big(deep(100)), "it is nested deeper than 80 levels"),
        Arguments.of(named(5_000), "a field name in it is longer than 4,096 bytes"),
        Arguments.of(JSON.arrayNode().add(digits), "a number in it has more than 1,000 digits"),
        Arguments.of(tokens(1 << 20), "it has more than 1,046,576 tokens"));
  }

  private Instance run(Workflow workflow) {
    String name = await(workflows.put(workflow.build().definition())).definition().name();
    String id = await(workflows.run(StartRequest.of(name))).id();
    Eventually.assertThat(
        () -> assertThat(await(workflows.instance(id)).state().isEnded()).isTrue());
    return await(workflows.instance(id));
  }

  private static void failedOnce(Instance instance, String step, String why) {
    assertThat(instance.state()).isEqualTo(InstanceState.FAILED);
    StepView its = instance.steps().get(step);
    assertThat(its.state()).isEqualTo(StepState.FAILED);
    assertThat(its.reason()).contains(why);
    assertThat(its.attempts()).as("for good").isLessThan(2);
  }

  @ParameterizedTest(name = "{index}: {1}")
  @MethodSource("unreadable")
  void anUnreadableOutputFailsItsStep(JsonNode output, String why) {
    made = () -> output;
    Instance instance = run(Workflow.define("w").step("a", "handler:make", s -> s.attempts(3)));
    failedOnce(instance, "a", why);
    assertThat(instance.steps().get("a").reason()).contains("the output of step a");
  }

  @Test
  void theDeepestOutputIsSeenEverywhere() {
    made = () -> deep(MOST_LEVELS);
    Instance instance =
        run(
            Workflow.define("w")
                .step("a", "handler:make", s -> s)
                .step("b", "handler:echo", s -> s.after("a"))
                .step("c", "process", s -> s.after("a").command("true")));
    assertThat(instance.state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(instance.steps().get("a").output()).isEqualTo(deep(MOST_LEVELS));
    assertThat(await(workflows.rerunFrom(instance.id(), "a")).id()).isEqualTo(instance.id());
  }

  @Test
  void anUnreadableResultOfAProcessFailsItsStep() {
    for (int levels : List.of(MOST_LEVELS + 1, 90, 101)) {
      String command =
          "printf '%s' '" + "[".repeat(levels) + "]".repeat(levels) + "' > $CALLBOARD_RESULT_FILE";
      Instance instance =
          run(
              Workflow.define("p" + levels)
                  .step("a", "process", s -> s.command("sh", "-c", command).attempts(3)));
      failedOnce(instance, "a", "nested deeper than");
    }
  }

  @Test
  void aResultOfAProcessThatIsNotKeptFailsItsStep() {
    String command = "head -c 70000 /dev/zero | tr '\\0' x > $CALLBOARD_RESULT_FILE";
    failedOnce(
        run(
            Workflow.define("large")
                .step("a", "process", s -> s.command("sh", "-c", command).attempts(3))),
        "a",
        "succeeded, but its file result is not kept: it has more than 65536 bytes");
  }

  @ParameterizedTest(name = "{index}: {1}")
  @MethodSource("unreadable")
  void anUnreadableResultOfAnOwnMergerFailsTheStep(JsonNode merged, String why) {
    made = () -> merged;
    failedOnce(merge(), "c", why);
  }

  private Instance merge() {
    return run(
        Workflow.define("w")
            .step("a", "handler:echo", s -> s)
            .step("b", "handler:echo", s -> s)
            .step("c", "handler:echo", s -> s.after("a").after("b").merge(MergeRule.own("own"))));
  }

  @Test
  void aMergerThatThrowsAnErrorFailsTheStep() {
    for (Error each :
        List.of(new StackOverflowError(), new AssertionError(), new OutOfMemoryError())) {
      made =
          () -> {
            throw each;
          };
      failedOnce(merge(), "c", "the merger \"own\" failed: " + Causes.message(each));
    }
  }

  @Test
  void theResultOfAnOwnMergerHasALimit() {
    made = () -> JSON.textNode("x".repeat(300_000));
    failedOnce(merge(), "c", "the limit is 262,144");
  }

  @Test
  void anUnreadableInputOfASubWorkflowFailsItsStep() {
    put(Workflow.define("child").step("x", "handler:echo", s -> s));
    made = () -> deep(MOST_LEVELS);
    Instance instance =
        run(
            Workflow.define("w")
                .step("a", "handler:make", s -> s)
                .step("b", "subworkflow:child", s -> s.after("a").attempts(3)));
    failedOnce(instance, "b", "the input of its sub-workflow");
    assertThat(instance.steps().get("b").reason()).contains("nested deeper than 80 levels");
  }

  @Test
  void anUnreadableOutputOfASubWorkflowFailsItsStep() {
    put(Workflow.define("small").step("x", "handler:make", s -> s));
    put(Workflow.define("large").step("x", "handler:big", s -> s));
    made = () -> deep(MOST_LEVELS);
    for (String child : List.of("small", "large")) {
      Instance instance =
          run(Workflow.define("w").step("b", "subworkflow:" + child, s -> s.attempts(3)));
      failedOnce(instance, "b", "the output of step b");
    }
  }

  /** As a node of an older version would send it: the turn is over the limits of a commit. */
  @Test
  void aSubWorkflowThatCannotBeCreatedFailsItsStep() {
    put(Workflow.define("child").step("x", "handler:hang", s -> s));
    String name =
        await(
                workflows.put(
                    Workflow.define("w")
                        .step("b", "subworkflow:child", s -> s)
                        .build()
                        .definition()))
            .definition()
            .name();
    String id = await(workflows.run(StartRequest.of(name))).id();
    Eventually.assertThat(
        () -> assertThat(await(workflows.instance(id)).steps().get("b").runs()).isEqualTo(1));
    JsonNode large = JSON.textNode("x".repeat(1 << 20));
    ParentStep parent = new ParentStep(id, "b", 1, 1, null, null, null);
    String child = "00000000-0000-7000-8000-000000000001";
    InstanceCommand start =
        new InstanceCommand.Start(
            child, "child", null, large, 5, Map.of(), null, parent, Instant.EPOCH, null);
    await(callboard.durableRef(InstanceActor.path(child), InstanceCommand.class).tell(start));
    Eventually.assertThat(
        () ->
            assertThat(await(workflows.instance(id)).steps().get("b").state())
                .isEqualTo(StepState.FAILED));
    hanging.complete(JSON.numberNode(1)); // what is cancelled has ten seconds to end
    Eventually.assertThat(
        () -> assertThat(await(workflows.instance(id)).state()).isEqualTo(InstanceState.FAILED));
    assertThat(await(workflows.instance(id)).steps().get("b").reason())
        .contains("the instance cannot be created")
        .contains("the limit is 921600");
    assertThat(await(callboard.admin().parked(10))).isEmpty();
  }

  /** In one turn they would be over the limit of a commit, and it would be parked. */
  @Test
  void manySubWorkflowsWithInputsBeginInSeveralTurns() {
    put(Workflow.define("child").step("x", "handler:echo", s -> s));
    made = () -> JSON.textNode("x".repeat(20_000));
    Workflow fan = Workflow.define("fan").step("a", "handler:make", s -> s);
    for (int i = 0; i < 60; i++) {
      fan.step("s" + i, "subworkflow:child", s -> s.after("a"));
    }
    assertThat(run(fan).state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(await(callboard.admin().parked(10))).isEmpty();
  }

  private void put(Workflow workflow) {
    assertThat(await(workflows.put(workflow.build().definition())).isNew()).isTrue();
  }

  @Test
  void anUnreadableInputOfAnInstanceIsRefused() {
    put(Workflow.define("w").step("a", "handler:echo", s -> s));
    StartRequest deep = new StartRequest("w", null, deep(MOST_LEVELS + 1), null, 5, Map.of());
    assertThatThrownBy(() -> await(workflows.run(deep)))
        .hasMessageContaining("the input")
        .hasMessageContaining("nested deeper than 80 levels");
  }
}

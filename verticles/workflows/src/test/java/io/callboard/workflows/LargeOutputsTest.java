package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static io.callboard.workflows.Answers.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.codecs.BlobRef;
import io.callboard.store.StoreException;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.actor.InstanceActor;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.StepView;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowRetention;
import io.callboard.workflows.model.WorkflowsOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Outputs by reference, of real instances with real jobs. */
class LargeOutputsTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int LARGE = 100_000;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final Map<String, JsonNode> inputs = new ConcurrentHashMap<>();
  private final List<BlobRef> abandoned = new CopyOnWriteArrayList<>();
  private Callboard callboard;
  private OpenEngine engine;
  private Workflows workflows;

  private void open(String name, WorkflowRetention retention) throws Exception {
    callboard = nodes.open(name);
    engine = OpenEngine.on(callboard, WorkflowsOptions.DEFAULT.retention(retention));
    workflows = engine.workflows();
    workflows.workers().handle("make", step -> Future.succeededFuture(made(step.with())));
    workflows.workers().handle("see", this::see);
    workflows.workers().handle("open", LargeOutputsTest::openAll);
    workflows.workers().handle("die", this::dieOnce);
  }

  private void open() throws Exception {
    open("n1", WorkflowRetention.DEFAULT);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  /** Returns a text of so many bytes as JSON. */
  private static JsonNode made(JsonNode with) {
    return JSON.textNode("x".repeat(with.path("bytes").asInt() - 2));
  }

  private Future<JsonNode> see(StepContext step) {
    inputs.put(step.step(), step.input());
    return Future.succeededFuture(JSON.textNode("seen"));
  }

  /** Opens the outputs of the steps a and b, and returns their sizes. */
  private static Future<JsonNode> openAll(StepContext step) {
    return step.output("a")
        .compose(
            a ->
                step.output("b")
                    .map(b -> JSON.arrayNode().add(a.asText().length()).add(b.asText().length())));
  }

  /** Stores an output as an attempt does, and ends before the report; the next one is small. */
  private Future<JsonNode> dieOnce(StepContext step) {
    return step.attempt() > 1
        ? Future.succeededFuture(JSON.textNode("small"))
        : callboard
            .blobs()
            .write(InstanceActor.path(step.instance()), new byte[LARGE])
            .compose(
                blob -> {
                  abandoned.add(blob);
                  return Future.failedFuture("the worker died");
                });
  }

  private Instance run(Workflow workflow) {
    String definition = await(workflows.put(workflow.build().definition())).definition().name();
    String id = await(workflows.run(StartRequest.of(definition))).id();
    return ended(id);
  }

  private Instance ended(String id) {
    Eventually.assertThat(
        () -> assertThat(answer(workflows.instance(id)).state().isEnded()).isTrue());
    return await(workflows.instance(id));
  }

  private static Workflow one(int bytes) {
    return Workflow.define("one").step("a", "handler:make", s -> s.with(Map.of("bytes", bytes)));
  }

  private int left(String instance) {
    return await(callboard.blobs().removeAll(InstanceActor.path(instance)));
  }

  private boolean isThere(String instance, BlobRef blob) {
    try {
      return await(callboard.blobs().read(InstanceActor.path(instance), blob)).length > 0;
    } catch (StoreException e) {
      assertThat(e.kind()).isEqualTo(StoreException.Kind.CORRUPT);
      return false;
    }
  }

  @Test
  void aLargeOutputIsByReferenceAndWholeForWhoeverReadsIt() throws Exception {
    open();
    Instance instance =
        run(
            Workflow.define("reads")
                .step("a", "handler:make", s -> s.with(Map.of("bytes", LARGE)))
                .step("b", "handler:see", s -> s.after("a"))
                .step("c", "handler:make", s -> s.with(Map.of("bytes", 24 * 1024))));
    assertThat(instance.state()).isEqualTo(InstanceState.SUCCEEDED);
    StepView a = instance.steps().get("a");
    assertThat(a.output()).isNull();
    assertThat(a.outputBytes()).isEqualTo(LARGE);
    assertThat(inputs.get("b").at("/outputs/a").asText()).hasSize(LARGE - 2);
    assertThat(inputs.get("b").has("large")).isFalse();
    assertThat(instance.steps().get("c").outputBytes()).as("just small enough").isNull();
    assertThat(await(workflows.output(instance.id(), "a")).length()).isEqualTo(LARGE);
    assertThat(await(workflows.output(instance.id(), "b"))).hasToString("\"seen\"");
    for (String missing : List.of("z", "a b")) {
      assertThatThrownBy(() -> await(workflows.output(instance.id(), missing)))
          .isInstanceOfSatisfying(
              WorkflowException.class,
              e -> assertThat(e.code()).isEqualTo(WorkflowException.Code.NOT_FOUND))
          .hasMessageContaining(missing);
    }
  }

  @Test
  void outputsThatAreTooLargeTogetherAreReadOneByOne() throws Exception {
    open();
    int half = 600_000;
    Instance instance =
        run(
            Workflow.define("opens")
                .step("a", "handler:make", s -> s.with(Map.of("bytes", half)))
                .step("b", "handler:make", s -> s.with(Map.of("bytes", half)))
                .step("c", "handler:see", s -> s.after("a").after("b"))
                .step("d", "handler:open", s -> s.after("a").after("b"))
                .step("e", "handler:open", s -> s.after("a")));
    assertThat(inputs.get("c").path("outputs").isEmpty()).isTrue();
    assertThat(inputs.get("c").at("/large/a/bytes").asInt()).isEqualTo(half);
    assertThat(inputs.get("c").at("/large/b/instance").asText()).isEqualTo(instance.id());
    assertThat(instance.steps().get("d").output()).hasToString("[599998,599998]");
    assertThat(instance.steps().get("e").state()).isEqualTo(StepState.FAILED);
    assertThat(instance.steps().get("e").reason()).contains("\"b\"", "before step e");
  }

  @Test
  void anOutputOverTheLimitOfAllFailsItsStepForGood() throws Exception {
    open();
    int most = 16 << 20;
    Instance whole = run(one(most));
    assertThat(whole.steps().get("a").outputBytes()).isEqualTo(most);
    Instance instance = run(one(most + 1));
    assertThat(instance.steps().get("a").state()).isEqualTo(StepState.FAILED);
    assertThat(instance.steps().get("a").reason()).contains("step a", "16,777,217", "16,777,216");
    assertThat(left(instance.id())).isZero();
  }

  @Test
  void largeOutputsGoWithTheirInstance() throws Exception {
    open();
    Instance instance = run(one(LARGE));
    Instance other = run(one(LARGE));
    assertThat(await(workflows.delete(instance.id())).id()).isEqualTo(instance.id());
    assertThat(left(instance.id())).isZero();
    assertThat(await(workflows.output(other.id(), "a")).length()).isEqualTo(LARGE);
    assertThat(left(other.id())).isEqualTo(1);
    assertThatThrownBy(() -> await(workflows.output(other.id(), "a")))
        .isInstanceOfSatisfying(
            WorkflowException.class,
            e -> assertThat(e.code()).isEqualTo(WorkflowException.Code.NOT_FOUND))
        .hasMessageContainingAll("step a", other.id(), "is gone");
  }

  @Test
  void theRetentionRemovesLargeOutputsAsWell() throws Exception {
    open("n1", new WorkflowRetention(0, Duration.ofDays(7)));
    String name = await(workflows.put(one(LARGE).build().definition())).definition().name();
    String id = await(workflows.run(StartRequest.of(name))).id();
    Eventually.assertThat(
        () ->
            assertThatThrownBy(() -> answer(workflows.instance(id)))
                .isInstanceOfSatisfying(
                    WorkflowException.class,
                    e -> assertThat(e.code()).isEqualTo(WorkflowException.Code.NOT_FOUND)));
    assertThat(left(id)).isZero();
  }

  @Test
  void anOutputStoredBeforeItsWorkerDiedGoesWithTheInstance() throws Exception {
    open();
    Instance instance = run(Workflow.define("dies").step("a", "handler:die", s -> s.attempts(2)));
    assertThat(instance.state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(isThere(instance.id(), abandoned.get(0))).isTrue();
    assertThat(await(workflows.delete(instance.id())).id()).isEqualTo(instance.id());
    assertThat(isThere(instance.id(), abandoned.get(0))).isFalse();
  }

  private void report(String instance, int run, BlobRef blob) {
    await(
        callboard
            .durableRef(InstanceActor.path(instance), InstanceCommand.class)
            .tell(
                new InstanceCommand.Done("a", run, StepOutcome.stored(blob), "n9", Instant.EPOCH)));
  }

  @Test
  void theOutputOfALostRunThatReportsAfterAllIsRemovedEvenIfTheInstanceIsGone() throws Exception {
    open();
    Instance instance = run(one(LARGE));
    BlobRef late = await(callboard.blobs().write(InstanceActor.path(instance.id()), new byte[9]));
    report(instance.id(), 7, late);
    Eventually.assertThat(() -> assertThat(isThere(instance.id(), late)).isFalse());
    assertThat(await(workflows.output(instance.id(), "a")).length()).isEqualTo(LARGE);
    assertThat(await(workflows.delete(instance.id())).id()).isEqualTo(instance.id());
    BlobRef later = await(callboard.blobs().write(InstanceActor.path(instance.id()), new byte[9]));
    report(instance.id(), 1, later);
    Eventually.assertThat(() -> assertThat(isThere(instance.id(), later)).isFalse());
  }

  @Test
  void aStepThatRunsAgainReplacesItsLargeOutput() throws Exception {
    open();
    Instance instance = run(one(LARGE));
    assertThat(await(workflows.rerunFrom(instance.id(), "a")).id()).isEqualTo(instance.id());
    ended(instance.id());
    assertThat(await(workflows.output(instance.id(), "a")).length()).isEqualTo(LARGE);
    Eventually.assertThat(() -> assertThat(kept()).isEqualTo(1));
    assertThat(left(instance.id())).isEqualTo(1);
  }

  /** Returns how many blobs there are, of large messages and snapshots, too. */
  private int kept() {
    return nodes.cell().blobs();
  }

  @Test
  void aParentMakesTheLargeOutputsOfItsSubworkflowItsOwn() throws Exception {
    open();
    assertThat(
            await(
                    workflows.put(
                        Workflow.define("child")
                            .step("x", "handler:make", s -> s.with(Map.of("bytes", LARGE)))
                            .step("y", "handler:make", s -> s.with(Map.of("bytes", 10)))
                            .build()
                            .definition()))
                .isNew())
        .isTrue();
    Instance parent =
        run(
            Workflow.define("parent")
                .step("a", "subworkflow:child", s -> s)
                .step("b", "handler:see", s -> s.after("a")));
    assertThat(parent.state()).as(parent.toString()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(inputs.get("b").at("/outputs/a/x").asText()).hasSize(LARGE - 2);
    assertThat(inputs.get("b").at("/outputs/a/y").asText()).hasSize(8);
    String child = String.valueOf(parent.steps().get("a").child());
    assertThat(await(workflows.delete(child)).id()).isEqualTo(child);
    assertThat(await(workflows.output(parent.id(), "a")).length()).isGreaterThan(LARGE);
    assertThat(left(child)).isZero();
  }

  @Test
  void aLargeResultOfAProcessIsByReference() throws Exception {
    open();
    String write = "(printf '\"'; head -c 40000 /dev/zero | tr '\\0' x; printf '\"') > ";
    Instance instance =
        run(
            Workflow.define("process")
                .step(
                    "a",
                    "process",
                    s -> s.command("sh", "-c", write + "\"$CALLBOARD_RESULT_FILE\"")));
    assertThat(instance.steps().get("a").outputBytes()).as(instance.toString()).isEqualTo(40_002);
    assertThat(await(workflows.output(instance.id(), "a")).length()).isEqualTo(40_002);
  }

  @Test
  void anotherNodeReadsWhatOneHasStored() throws Exception {
    open();
    Instance instance = run(one(LARGE));
    engine.close();
    nodes.close(callboard);
    open("n2", WorkflowRetention.DEFAULT);
    Eventually.assertThat(
        () -> assertThat(answer(workflows.output(instance.id(), "a")).length()).isEqualTo(LARGE));
  }
}

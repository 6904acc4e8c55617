package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.jobs.model.JobState;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.store.Store;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.actor.DefinitionActor;
import io.callboard.workflows.internal.actor.DefinitionCache;
import io.callboard.workflows.internal.actor.InstanceActor;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceChange;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowQuery;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Instances that cannot decide how they go on: an operator ends them by force all the same. */
class UnendableInstanceTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final List<String> ran = new CopyOnWriteArrayList<>();

  /** Path of the instance of which no turn is committed but the one that ends it at once. */
  private volatile String refused = "";

  /** Path of the definition that cannot be read. */
  private volatile String unread = "";

  /** Path of the definition whose actor cannot start, as its journal is damaged. */
  private volatile String damaged = "";

  private Callboard callboard;
  private OpenEngine engine;
  private Workflows workflows;

  @BeforeEach
  void start() throws Exception {
    open("n1");
    put(Workflow.define("inner").step("x", "handler:hang", s -> s));
    put(
        Workflow.define("outer")
            .step("a", "handler:echo", s -> s.compensate("handler:echo"))
            .step("h", "handler:hang", s -> s.after("a"))
            .step("p", "process", s -> s.after("a").command("sleep", "600"))
            .step("s", "subworkflow:inner", s -> s.after("a"))
            .last("z", "handler:echo", s -> s));
  }

  private void open(String name) throws Exception {
    callboard = nodes.open(name, options -> options.store(this::store));
    engine = OpenEngine.on(callboard);
    workflows = engine.workflows();
    workflows.workers().handle("echo", step -> Future.succeededFuture(step.input()));
    workflows.workers().handle("hang", this::hang);
  }

  /** Never answers, unless it is told to end. */
  private Future<JsonNode> hang(StepContext step) {
    Promise<JsonNode> end = Promise.promise();
    step.cancelled()
        .onSuccess(
            v -> {
              ran.add(step.step() + " told to end");
              end.tryFail("told to end");
            });
    ran.add(step.step());
    return end.future();
  }

  /** Returns a store that refuses turns of an instance, and has a definition of another version. */
  private Store store() {
    MemoryStore store = new MemoryStore(nodes.cell());
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, args) -> {
              if (method.getName().equals("commit")) {
                int unit = refusedOf(((Commit) args[0]).units());
                if (unit >= 0) {
                  return Future.succeededFuture(new Refused(unit, Reason.TOO_LARGE, "too large"));
                }
              }
              try {
                Object result = method.invoke(store, args);
                if (method.getName().equals("entries") && args[0].toString().equals(damaged)) {
                  return Future.succeededFuture(
                      List.of("garbage".getBytes(StandardCharsets.UTF_8)));
                }
                return method.getName().equals("entries") && args[0].toString().equals(unread)
                    ? changed(result)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private int refusedOf(List<CommitUnit> units) {
    return IntStream.range(0, units.size())
        .filter(
            i ->
                units.get(i).write().stream()
                    .filter(write -> write.actor().toString().equals(refused))
                    .map(write -> write.journal().entry())
                    .anyMatch(entry -> entry != null && !text(entry).contains("could not go on")))
        .findFirst()
        .orElse(-1);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @SuppressWarnings("unchecked")
  private static Future<List<byte[]>> changed(Object entries) {
    return ((Future<List<byte[]>>) entries)
        .map(all -> all.stream().map(UnendableInstanceTest::changed).toList());
  }

  /** Returns an entry of the journal with another content, and its checksum. */
  private static byte[] changed(byte[] entry) {
    String[] parts = text(entry).split("\n", 2);
    String other = parts[1].replace("\"steps\"", "\"parts\"");
    String header = parts[0].replace(checksum(parts[1]), checksum(other));
    return (header + "\n" + other).getBytes(StandardCharsets.UTF_8);
  }

  private static String checksum(String content) {
    CRC32C crc = new CRC32C();
    crc.update(content.getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(crc.getValue());
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private void put(Workflow workflow) {
    assertThat(await(workflows.put(workflow.build().definition())).isNew()).isTrue();
  }

  private Instance instance(String id) {
    return await(workflows.instance(id));
  }

  /** Starts an instance that has one step of each kind running. */
  private Instance runs() {
    String id = await(workflows.run(StartRequest.of("outer"))).id();
    Eventually.assertThat(
        () -> {
          assertThat(ran).contains("h", "x");
          Instance its = instance(id);
          assertThat(its.steps().get("p").child()).isNotNull();
          assertThat(await(engine.jobs().job(its.steps().get("p").child())).state())
              .isEqualTo(JobState.RUNNING);
        });
    return instance(id);
  }

  private void nothingOfItRuns(String child, String job) {
    Eventually.assertThat(
        () -> {
          assertThat(instance(child).state()).isEqualTo(InstanceState.CANCELLED);
          assertThat(instance(child).reason()).contains("by force of ann");
          assertThat(await(engine.jobs().job(job)).state()).isEqualTo(JobState.CANCELLED);
          assertThat(ran).contains("h told to end", "x told to end");
        });
  }

  @Test
  void aForceAtTheLastAttemptCancelsAllOpenRuns() {
    Instance before = runs();
    String id = before.id();
    refused = InstanceActor.path(id);
    assertThat(await(workflows.forceCancel(id, "ann")).state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(instance(id).reason())
        .startsWith("it was cancelled; by force of ann; it could not go on: ")
        .endsWith("; did not end: h, p, s; finally did not complete: z; not compensated: a");
    assertThat(await(workflows.events(id)))
        .extracting(InstanceChange::what)
        .containsSubsequence("cancelling", "cancelling by force", "cancelled");
    nothingOfItRuns(
        String.valueOf(before.steps().get("s").child()),
        String.valueOf(before.steps().get("p").child()));
    assertThat(await(workflows.stats("outer")).cancelled()).isEqualTo(1);
  }

  @Test
  void aRetryAfterAForceAtTheLastAttemptRunsAgain() {
    String id = runs().id();
    refused = InstanceActor.path(id);
    assertThat(await(workflows.forceCancel(id, "ann")).state()).isEqualTo(InstanceState.CANCELLED);
    refused = "";
    ran.clear();
    assertThat(await(workflows.retry(id)).state()).isEqualTo(InstanceState.RUNNING);
    Eventually.assertThat(() -> assertThat(ran).contains("h", "x"));
    assertThat(await(workflows.forceCancel(id, "ann")).id()).isEqualTo(id);
    Eventually.assertThat(
        () -> assertThat(instance(id).state()).isEqualTo(InstanceState.CANCELLED));
    assertThat(instance(id).steps().get("h").state()).isEqualTo(StepState.CANCELLED);
  }

  @Test
  void theReportOfALostRunThatCannotBeHandledFailsItsStep() {
    String id = runs().id();
    refused = InstanceActor.path(id);
    InstanceCommand lost = new InstanceCommand.Lost("h", 1, "its worker died", Instant.EPOCH);
    await(callboard.durableRef(InstanceActor.path(id), InstanceCommand.class).tell(lost));
    Eventually.assertThat(
        () -> assertThat(instance(id).steps().get("h").state()).isEqualTo(StepState.FAILED));
    assertThat(instance(id).steps().get("h").reason()).contains("its instance could not go on");
    assertThat(await(callboard.admin().parked(10))).isEmpty();
    refused = "";
    assertThat(await(workflows.forceCancel(id, "ann")).id()).isEqualTo(id);
  }

  /** It was stored by a node of a later version. */
  @Test
  void anInstanceWhoseDefinitionCannotBeReadIsEndedByForce() throws Exception {
    Instance before = runs();
    String id = before.id();
    engine.close();
    nodes.close();
    unread = DefinitionActor.path("outer");
    open("n2");
    assertThat(instance(id).state()).isEqualTo(InstanceState.RUNNING);
    assertThat(instance(id).steps().get("a").state()).isEqualTo(StepState.SUCCEEDED);
    assertThat(await(workflows.why(id)).summary())
        .contains("of the definition outer cannot be read by this node", "cancellation with force");
    Instance ended = await(workflows.forceCancel(id, "ann"));
    assertThat(ended.state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(ended.reason())
        .startsWith("it was cancelled; by force of ann; it could not go on: ")
        .contains(
            "did not end: h, p, s; finally steps and compensation that were left did not run");
    nothingOfItRuns(
        String.valueOf(before.steps().get("s").child()),
        String.valueOf(before.steps().get("p").child()));
    assertThatThrownBy(() -> await(workflows.retry(id)))
        .hasMessageContaining("cannot be read by this node");
    assertThat(await(workflows.delete(id)).id()).isEqualTo(id);
  }

  /** What comes meanwhile is not lost: it goes on once its definition can be read. */
  @Test
  void reportsThatComeWhileTheDefinitionCannotBeReadCountLater() throws Exception {
    put(Workflow.define("late").step("s", "subworkflow:inner", s -> s));
    String id = await(workflows.run(StartRequest.of("late"))).id();
    Eventually.assertThat(() -> assertThat(ran).contains("x"));
    String child = String.valueOf(instance(id).steps().get("s").child());
    engine.close();
    nodes.close();
    unread = DefinitionActor.path("late");
    open("n2");
    assertThat(await(workflows.cancel(child)).id()).isEqualTo(child);
    Eventually.assertThat(
        () -> assertThat(instance(child).state()).isEqualTo(InstanceState.CANCELLED));
    assertThat(await(workflows.why(id)).summary()).contains("cannot be read by this node");
    engine.close();
    nodes.close();
    unread = "";
    open("n3");
    Eventually.assertThat(() -> assertThat(instance(id).state().isEnded()).isTrue());
    assertThat(instance(id).reason()).contains("step s failed");
  }

  @Test
  void reportsBeforeAStuckInstanceWasForcedLeaveItsMailbox() throws Exception {
    put(Workflow.define("late").step("s", "subworkflow:inner", s -> s));
    String id = await(workflows.run(StartRequest.of("late"))).id();
    Eventually.assertThat(() -> assertThat(ran).contains("x"));
    String child = String.valueOf(instance(id).steps().get("s").child());
    engine.close();
    nodes.close();
    unread = DefinitionActor.path("late");
    open("n2");
    assertThat(await(workflows.why(id)).summary()).contains("cannot be read by this node");
    assertThat(await(workflows.cancel(child)).id()).isEqualTo(child);
    Eventually.assertThat(() -> assertThat(waiting(id)).as("the report is stashed").isPositive());
    assertThat(await(workflows.forceCancel(id, "ann")).state()).isEqualTo(InstanceState.CANCELLED);
    Eventually.assertThat(() -> assertThat(waiting(id)).isZero());
  }

  private long waiting(String id) {
    return await(callboard.admin().stored(InstanceActor.path(id))).orElseThrow().waiting();
  }

  @Test
  void aDefinitionWhoseActorCannotStartIsNamedWithItsVersionAndItsDamage() throws Exception {
    engine.close();
    nodes.close();
    damaged = DefinitionActor.path("outer");
    open("n2");
    DefinitionCache cache = new DefinitionCache(callboard, Duration.ofSeconds(1), Map.of());
    assertThatThrownBy(() -> await(cache.load("outer", "abc")))
        .hasMessageStartingWith("version abc of the definition outer cannot be read: ")
        .hasMessageContaining("its actor /workflows/d/outer cannot start: ")
        .hasMessageContaining("garbage");
  }

  @Test
  void anEndedInstanceIsShownThoughItsDefinitionDoesNotAnswer() throws Exception {
    put(Workflow.define("quick").step("e", "handler:echo", s -> s));
    String id = await(workflows.run(StartRequest.of("quick"))).id();
    Eventually.assertThat(
        () -> assertThat(instance(id).state()).isEqualTo(InstanceState.SUCCEEDED));
    engine.close();
    nodes.close();
    damaged = DefinitionActor.path("quick");
    open("n2");
    assertThat(instance(id).state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(instance(id).steps().get("e").state()).isEqualTo(StepState.SUCCEEDED);
    Eventually.assertThat(
        () ->
            assertThat(await(workflows.list(WorkflowQuery.newest(10))).items())
                .extracting(Object::toString)
                .anySatisfy(row -> assertThat(row).contains(id)));
  }
}

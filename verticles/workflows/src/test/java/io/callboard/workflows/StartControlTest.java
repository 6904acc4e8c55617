package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.testkit.Eventually;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.model.BrakeLevel;
import io.callboard.workflows.model.DefinitionStats;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.MessageReceipt;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowWhy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Brakes, counts and messages as real actors on one node. */
class StartControlTest extends WorkflowsOfOneNode {
  private StartControl starts;

  @BeforeEach
  void start() throws Exception {
    open("n1");
    put("good", "handler:echo");
    put("bad", "handler:fail");
  }

  private void open(String name) throws Exception {
    engine(name);
    starts = workflows.starts();
    workflows.workers().handle("echo", step -> Future.succeededFuture(step.input()));
    workflows.workers().handle("fail", step -> Future.failedFuture("no"));
    workflows
        .workers()
        .handle("hold", step -> step.cancelled().compose(v -> Future.failedFuture("told to end")));
  }

  private void put(String name, String run) {
    assertThat(
            await(workflows.put(Workflow.define(name).step("a", run, s -> s).build().definition()))
                .isNew())
        .isTrue();
  }

  private Instance run(String definition) {
    return await(workflows.run(StartRequest.of(definition, JSON.objectNode())));
  }

  private void ends(String id, InstanceState state) {
    Eventually.assertThat(() -> assertThat(await(workflows.instance(id)).state()).isEqualTo(state));
  }

  /** Returns statistics of all nodes: one that is late is asked again. */
  private DefinitionStats whole(String definition) {
    AtomicReference<DefinitionStats> whole = new AtomicReference<>();
    Eventually.assertThat(
        () -> {
          DefinitionStats stats = await(workflows.stats(definition));
          assertThat(stats.partial()).as("partial").isFalse();
          whole.set(stats);
        });
    return whole.get();
  }

  private MessageReceipt settled(String id) {
    Eventually.assertThat(
        () -> assertThat(await(starts.receipt(id)).state().isSettled()).as("settled").isTrue());
    return await(starts.receipt(id));
  }

  @Test
  void anInstanceWaitsForCreditAndItsReasonSaysSo() {
    assertThat(await(workflows.brake("good")).level()).isEqualTo(BrakeLevel.OFF);
    assertThat(await(workflows.override("good", 0, "ann", "we look")).credit()).isZero();
    assertThat(starts.gate().brake("good")).as("the gate knows").isNotNull();
    Instance held = run("good");
    assertThat(held.state()).isEqualTo(InstanceState.RUNNING);
    assertThat(held.steps().get("a").state()).isIn(StepState.READY, StepState.PENDING);
    WorkflowWhy why = await(workflows.why(held.id()));
    assertThat(why.summary())
        .startsWith("it has not begun: its definition may have 0 instances running")
        .endsWith("as ann has set: we look");
    ends(run("bad").id(), InstanceState.FAILED);
    Eventually.assertThat(() -> assertThat(await(workflows.brake("good")).waiting()).isEqualTo(1));
    assertThat(await(workflows.brakes())).hasSize(1);
    assertThat(await(starts.release("good")).credit()).isNull();
    ends(held.id(), InstanceState.SUCCEEDED);
  }

  @Test
  void anInstanceWhoseTimeoutPassesWhileItBeginsEnds() {
    await(
        workflows.put(
            Workflow.define("short")
                .timeout(Duration.ofNanos(1))
                .step("a", "handler:hold", s -> s)
                .build()
                .definition()));
    Instance started = run("short");
    ends(started.id(), InstanceState.FAILED);
    assertThat(await(workflows.instance(started.id())).reason()).contains("over its timeout");
  }

  @Test
  void theTimeoutOfAnInstanceCountsFromItsBegin() {
    Duration timeout = Duration.ofMillis(200);
    for (String name : List.of("held", "free")) {
      await(
          workflows.put(
              Workflow.define(name)
                  .timeout(timeout)
                  .step("a", "handler:hold", s -> s)
                  .build()
                  .definition()));
    }
    assertThat(await(workflows.override("held", 0, "ann", "we look")).isOn()).isTrue();
    assertThat(starts.gate().brake("held")).as("the gate knows").isNotNull();
    Instance held = run("held");
    for (int i = 0; i < 2; i++) { // one after the other, each for that timeout
      ends(run("free").id(), InstanceState.FAILED);
    }
    assertThat(await(workflows.instance(held.id())).state()).isEqualTo(InstanceState.RUNNING);
    assertThat(await(workflows.why(held.id())).summary()).startsWith("it has not begun");
    Instant released = Instant.now();
    assertThat(await(starts.release("held")).credit()).isNull();
    ends(held.id(), InstanceState.FAILED);
    Instance ended = await(workflows.instance(held.id()));
    assertThat(ended.reason()).contains("over its timeout");
    assertThat(ended.steps().get("a").attempts()).isEqualTo(1);
    assertThat(ended.endedAt()).isAfterOrEqualTo(released.plus(timeout));
  }

  @Test
  void anInstanceThatBeginsAfterARestartHasItsTimeout() throws Exception {
    await(
        workflows.put(
            Workflow.define("held")
                .timeout(Duration.ofMillis(200))
                .step("a", "handler:hold", s -> s)
                .build()
                .definition()));
    assertThat(await(workflows.override("held", 0, "ann", "we look")).isOn()).isTrue();
    assertThat(starts.gate().brake("held")).as("the gate knows").isNotNull();
    String held = run("held").id();
    assertThat(await(workflows.why(held)).summary()).startsWith("it has not begun");
    engine.close();
    nodes.close();
    open("n2"); // it begins now, or when the brake is off
    assertThat(await(starts.release("held")).credit()).isNull();
    ends(held, InstanceState.FAILED);
    assertThat(await(workflows.instance(held)).reason()).contains("over its timeout");
  }

  @Test
  void anInstanceThatWaitsCanBeCancelled() {
    assertThat(await(workflows.override("good", 0, "ann", "we look")).isOn()).isTrue();
    assertThat(starts.gate().brake("good")).as("the gate knows").isNotNull();
    Instance held = run("good");
    assertThat(await(workflows.cancel(held.id())).state()).isEqualTo(InstanceState.CANCELLED);
    Eventually.assertThat(() -> assertThat(starts.gate().waits()).isFalse());
  }

  @Test
  void endsAreCountedByDefinitionAndStep() {
    for (int i = 0; i < 3; i++) {
      ends(run("good").id(), InstanceState.SUCCEEDED);
    }
    ends(run("bad").id(), InstanceState.FAILED);
    DefinitionStats good = whole("good");
    assertThat(good.began()).isEqualTo(3);
    assertThat(good.succeeded()).isEqualTo(3);
    assertThat(good.steps().get("a").succeeded()).isEqualTo(3);
    assertThat(good.steps().get("a").durations().count()).isEqualTo(3);
    assertThat(good.durations().p99()).isLessThan(Duration.ofSeconds(30));
    assertThat(good.endedPerMinute()).isEqualTo(0.6);
    assertThat(whole("bad").steps().get("a").failed()).isEqualTo(1);
    assertThatThrownBy(() -> await(workflows.stats("nothing"))).hasMessageContaining("nothing");
  }

  @Test
  void aMessageIsOneInstanceHoweverOftenItIsRepeated() {
    MessageReceipt first = await(starts.accept(Intake.of("m1", "good", JSON.objectNode())));
    assertThat(first.state()).isEqualTo(MessageReceipt.State.STARTED);
    MessageReceipt ended = settled("m1");
    assertThat(ended.outcome()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(await(starts.accept(Intake.of("m1", "good", JSON.objectNode())))).isEqualTo(ended);
    assertThat(ended.instance()).isEqualTo(first.instance());
    assertThatThrownBy(() -> await(starts.accept(Intake.of("m2", "nothing", JSON.objectNode()))))
        .hasMessage("there is no definition nothing");
    assertThatThrownBy(() -> await(starts.receipt("m2"))).hasMessage("there is no message \"m2\"");
    assertThatThrownBy(() -> await(starts.receipt("m3"))).hasMessage("there is no message \"m3\"");
  }

  @Test
  void anotherMessageUnderAnIdIsRefusedIfItHasADigest() {
    Intake message = Intake.of("m1", "good", JSON.objectNode());
    MessageReceipt first = await(starts.accept(message.digest("d1")));
    assertThatThrownBy(() -> await(starts.accept(message.digest("d2"))))
        .hasMessageContaining("another message with the id \"m1\" was accepted at");
    assertThat(await(starts.accept(message.digest("d1"))).instance()).isEqualTo(first.instance());
    assertThat(await(starts.accept(message)).instance())
        .as("an older node does not say it")
        .isEqualTo(first.instance());
    typed("object");
    Intake typed = Intake.of("m2", "typed", JSON.objectNode());
    assertThat(await(starts.accept(typed.digest("d1"))).instance()).isNotNull();
    assertThatThrownBy(
            () -> await(starts.accept(Intake.of("m2", "typed", JSON.textNode("x")).digest("d2"))))
        .as("also if the definition does not take it")
        .hasMessageContaining("another message");
  }

  private void typed(String type) {
    assertThat(
            await(
                    workflows.put(
                        Workflow.define("typed")
                            .input(Map.of("type", type))
                            .step("a", "handler:echo", s -> s)
                            .build()
                            .definition()))
                .isNew())
        .isTrue();
  }

  @Test
  void aMessageThatItsDefinitionRefusesIsNotAccepted() {
    typed("integer");
    assertThatThrownBy(() -> await(starts.accept(Intake.of("m1", "typed", JSON.textNode("x")))))
        .isInstanceOfSatisfying(
            WorkflowException.class,
            e -> assertThat(e.code()).isEqualTo(WorkflowException.Code.INVALID))
        .hasMessageContaining("does not match its schema at /input");
    assertThatThrownBy(() -> await(starts.receipt("m1"))).hasMessage("there is no message \"m1\"");
    MessageReceipt first = await(starts.accept(Intake.of("m2", "typed", JSON.numberNode(1))));
    typed("string");
    assertThat(await(starts.accept(Intake.of("m2", "typed", JSON.numberNode(1)))).instance())
        .as("it stays accepted")
        .isEqualTo(first.instance());
    assertThat(settled("m2").outcome()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void anInputOfABuilderThatNoDefinitionTakesFailsBeforeItsStart() {
    typed("integer");
    starts.builder(
        "b",
        asked -> Future.succeededFuture(Optional.of(StartRequest.of("typed", asked.message()))));
    assertThat(starts.hasBuilder("b")).isTrue();
    assertThat(starts.hasBuilder("c")).isFalse();
    assertThat(await(starts.accept(Intake.built("b1", "b", JSON.textNode("x"))))).isNotNull();
    MessageReceipt failed = settled("b1");
    assertThat(failed.state()).isEqualTo(MessageReceipt.State.FAILED);
    assertThat(failed.instance()).as("nothing has started").isNull();
    assertThat(failed.error()).contains("does not match its schema at /input");
    assertThat(await(starts.accept(Intake.built("b2", "b", JSON.numberNode(1))))).isNotNull();
    assertThat(settled("b2").outcome()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void aMessageWaitsForABuilderThatIsRegisteredLate() {
    assertThat(await(starts.accept(Intake.built("b1", "late", JSON.objectNode()))).state())
        .isEqualTo(MessageReceipt.State.BUILDING);
    Eventually.assertThat(
        () ->
            assertThat(await(starts.receipt("b1")).error())
                .isEqualTo("this node has no builder \"late\": register it on all nodes"));
    AtomicInteger attempt = new AtomicInteger();
    starts.builder(
        "late",
        message -> {
          attempt.set(message.attempt());
          return Future.succeededFuture(Optional.of(StartRequest.of("good", message.message())));
        });
    assertThat(settled("b1").outcome()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(attempt).as("no attempt was its").hasValue(1);
  }

  @Test
  void messagesOfOneDefinitionDoNotWaitForEachOther() {
    Promise<JsonNode> open = Promise.promise();
    Set<String> running = ConcurrentHashMap.newKeySet();
    workflows
        .workers()
        .handle(
            "keep",
            step -> {
              running.add(step.key());
              return open.future();
            });
    put("held", "handler:keep");
    for (String id : List.of("m1", "m2")) {
      assertThat(await(starts.accept(Intake.of(id, "held", JSON.objectNode()))).state())
          .isEqualTo(MessageReceipt.State.STARTED);
    }
    Eventually.assertThat(() -> assertThat(running).hasSize(2));
    open.complete(JSON.textNode("done"));
    assertThat(settled("m1").outcome()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(settled("m2").outcome()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void aBuilderMakesTheRequestAndTheNextOnes() {
    AtomicInteger asked = new AtomicInteger();
    starts.builder(
        "chain",
        new WorkflowBuilder() {
          @Override
          public Future<Optional<StartRequest>> build(Build message) {
            return asked.incrementAndGet() == 1
                ? Future.failedFuture("not yet")
                : Future.succeededFuture(Optional.of(StartRequest.of("good", message.message())));
          }

          @Override
          public Future<Optional<NextStart>> next(Link ended) {
            return Future.succeededFuture(
                ended.links() < 3
                    ? Optional.of(new NextStart(StartRequest.of("good"), Duration.ofMillis(10)))
                    : Optional.empty());
          }
        });
    MessageReceipt first = await(starts.accept(Intake.built("b1", "chain", JSON.objectNode())));
    assertThat(first.state()).isEqualTo(MessageReceipt.State.BUILDING);
    assertThat(settled("b1").attempts()).isEqualTo(1);
    Eventually.assertThat(() -> assertThat(await(starts.receipt("b1")).chain()).isEqualTo(3));
    Eventually.assertThat(
        () -> assertThat(await(workflows.stats("good")).succeeded()).isEqualTo(3));
    starts.builder("none", message -> Future.succeededFuture(Optional.empty()));
    MessageReceipt unused = await(starts.accept(Intake.built("b2", "none", JSON.objectNode())));
    assertThat(settled("b2").state()).isEqualTo(MessageReceipt.State.EMPTY);
  }
}

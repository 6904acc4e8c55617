package io.callboard.workflows.internal.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.store.Limits;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.StepRun;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceSpec;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.internal.protocol.ParentStep;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An instance that is played without actors; its state is always that of its events. */
final class PlayedInstance {
  /** Size of a message to an instance, without its input. */
  private static final int MESSAGE = 300;

  /** Room for the report of an instance, and for what its actor has in each commit. */
  private static final int REST = 64 << 10;

  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  final CheckedDefinition definition;
  final List<InstanceEvent> events = new ArrayList<>();
  final Map<String, OpenRun> requested = new TreeMap<>();
  final List<OpenRun> started = new ArrayList<>();
  final List<OpenRun> aborted = new ArrayList<>();
  private final StepInputs inputs;
  private final InstanceMachine machine;
  private InstanceProgress progress;
  private final List<InstanceData> states = new ArrayList<>();
  private InstanceData data = InstanceData.NONE;
  private InstanceData base = InstanceData.NONE;
  private int afterBase;
  Instant now = BEGIN;
  boolean more;

  PlayedInstance(Workflow workflow) {
    this(workflow.build(), JsonNodeFactory.instance.objectNode(), new Random(1));
  }

  PlayedInstance(CheckedDefinition definition, JsonNode input, Random random) {
    this(definition, input, random, null);
  }

  PlayedInstance(
      CheckedDefinition definition, JsonNode input, Random random, @Nullable ParentStep parent) {
    this.definition = definition;
    this.inputs = new StepInputs(definition, Map.of());
    this.machine = new InstanceMachine(random);
    this.progress =
        machine.create(
            definition,
            inputs,
            new InstanceSpec(
                "i1",
                definition.definition().name(),
                definition.version(),
                input,
                5,
                Map.of(),
                null,
                parent,
                now,
                null));
    carryOut();
  }

  private void carryOut() {
    InstanceDecision decision = progress.take();
    for (InstanceEvent event : decision.events()) {
      data = InstanceFold.apply(data, event);
      events.add(event);
      states.add(data);
    }
    assertThat(progress.data().change()).isEqualTo(data.change());
    progress.follow(data);
    decision.closed().forEach(run -> requested.remove(run.id(), run));
    for (OpenRun run : decision.starts()) {
      requested.put(run.id(), run);
      started.add(run);
    }
    aborted.addAll(decision.aborts());
    more = decision.more();
    fitsACommit(decision);
  }

  /** What a turn emits has room in its commit. */
  private void fitsACommit(InstanceDecision decision) {
    long bytes = 0;
    for (InstanceEvent event : decision.events()) {
      bytes += Json.uncheckedBytes(event).length;
    }
    long large = 0;
    for (OpenRun run : decision.starts()) {
      StepRun.Kind kind = definition.step(run.step()).run(run.undo()).kind();
      if (kind == StepRun.Kind.SUBWORKFLOW) {
        int input = Json.uncheckedBytes(inputs.ofChild(run.step(), data, run.undo())).length;
        bytes += MESSAGE + (input + MESSAGE > Limits.INLINE_BYTES ? 0 : input);
        large += input + MESSAGE > Limits.INLINE_BYTES ? input : 0;
      }
    }
    assertThat(bytes).as("bytes of a turn").isLessThan(Limits.UNIT_BYTES - REST);
    assertThat(large).as("bytes of large messages").isLessThan(Limits.TURN_BLOB_BYTES);
  }

  InstanceData data() {
    return data;
  }

  InstanceProgress progress() {
    return progress;
  }

  StepRecord step(String id) {
    return data.steps().get(id);
  }

  StepState state(String id) {
    return step(id).state();
  }

  /** Returns the input of a run as it is requested now. */
  JsonNode input(OpenRun run) {
    return inputs.of(run.step(), data, run.undo());
  }

  void done(String step, StepOutcome outcome) {
    OpenRun run = requested.get(step);
    assertThat(run).as("the open run of " + step).isNotNull();
    done(step, run.run(), outcome);
  }

  void done(String step, int run, StepOutcome outcome) {
    machine.renew(progress, now);
    machine.done(progress, step, run, outcome, "w1", null, now);
    carryOut();
  }

  void ok(String... steps) {
    for (String step : steps) {
      done(step, StepOutcome.succeeded(JsonNodeFactory.instance.textNode(step)));
    }
  }

  void fail(String... steps) {
    for (String step : steps) {
      done(step, StepOutcome.failed("no " + step));
    }
  }

  void lost(String step) {
    lost(step, requested.get(step).run());
  }

  void lost(String step, int run) {
    machine.renew(progress, now);
    machine.lost(progress, step, run, "its worker died", now);
    carryOut();
  }

  void stop(InstanceStop cause) {
    machine.renew(progress, now);
    machine.stop(progress, cause, now);
    carryOut();
  }

  void force(String by) {
    machine.renew(progress, now);
    machine.cancel(progress, by, now);
    carryOut();
  }

  /** Ends it as its actor does when each of its turns fails. */
  void endAtOnce(String by, Throwable cause) {
    endAtOnce(definition, by, cause);
  }

  /** Ends it as its actor does that cannot go on, with its definition or without. */
  void endAtOnce(@Nullable CheckedDefinition read, String by, Throwable cause) {
    for (InstanceEvent event : ForcedEnd.atOnce(data, read, by, cause, now)) {
      data = InstanceFold.apply(data, event);
      events.add(event);
      states.add(data);
    }
    begin();
  }

  /** Makes it one that a node has forced which did not note when. */
  void forgetForcedAt() {
    forget("forcedAt");
  }

  /** Makes it one of a version that knew no force. */
  void forgetForced() {
    forget("forcedAt", "forcedBy");
  }

  private void forget(String... fields) {
    ObjectNode stored = (ObjectNode) Json.tree(data);
    stored.remove(List.of(fields));
    data = Json.convert("state", stored, InstanceData.class);
    base = data;
    afterBase = events.size();
    begin();
  }

  void retry() {
    machine.reopen(progress, Reopening.retry(progress), now);
    carryOut();
  }

  /** Runs it again from a step; returns why it does not. */
  Optional<String> rerun(String from) {
    Reopening again = Reopening.rerun(progress, from);
    Optional<String> refusal = ChangeRefusals.ofRerun(progress, again);
    if (refusal.isEmpty()) {
      machine.reopen(progress, again, now);
      carryOut();
    }
    return refusal;
  }

  /** Advances the time, and lets the instance look what is due. */
  void later(Duration by) {
    now = now.plus(by);
    machine.renew(progress, now);
    machine.goOn(progress, now);
    carryOut();
  }

  /** Makes it anew from its events, as a start on another node does. */
  void restart() {
    InstanceData folded = base;
    for (InstanceEvent event : events.subList(afterBase, events.size())) {
      folded = InstanceFold.apply(folded, event);
    }
    assertThat(folded).isEqualTo(data);
    data = folded;
    begin();
  }

  /** Returns the number of its last event, with the restorations. */
  int last() {
    return states.size();
  }

  /** Restores it to the state after an event, as an operator does. */
  void restore(int event) {
    data = Restoration.of(states.get(event - 1), event, last(), now);
    states.add(data);
    base = data;
    afterBase = events.size();
    begin();
  }

  private void begin() {
    progress = new InstanceProgress(definition, inputs, data);
    InstanceDecision left = progress.take();
    assertThat(left.events()).isEmpty();
    requested.clear();
    left.starts().forEach(run -> requested.put(run.id(), run));
    more = left.more();
  }
}

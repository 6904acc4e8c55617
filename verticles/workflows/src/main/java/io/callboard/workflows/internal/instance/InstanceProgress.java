package io.callboard.workflows.internal.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.StepRun;
import io.callboard.workflows.graph.GraphRun;
import io.callboard.workflows.graph.StepDecision;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceSpec;
import io.callboard.workflows.internal.protocol.StepRecord;
import io.callboard.workflows.internal.protocol.StepUndo;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Cursor of one instance: its durable state, its progress through the graph, its open runs, and
 * what was emitted since the last {@link #take}. Not thread-safe.
 */
@Machine
public final class InstanceProgress {
  private final CheckedDefinition definition;
  private final StepInputs inputs;
  private final Map<Integer, OpenRun> open = new LinkedHashMap<>();
  private final Map<StepState, Integer> counts = new EnumMap<>(StepState.class);
  private final Set<Integer> aborting = new TreeSet<>();
  private final ArrayDeque<StepDecision> pending = new ArrayDeque<>();
  private final List<InstanceEvent> events = new ArrayList<>();
  private final List<OpenRun> starts = new ArrayList<>();
  private final List<OpenRun> aborts = new ArrayList<>();
  private final List<OpenRun> closed = new ArrayList<>();
  private TurnSize size = new TurnSize();
  private InstanceData data;
  private GraphRun run;
  private int subworkflows = -1;

  /**
   * Creates the cursor of an instance.
   *
   * @param inputs the inputs of the same definition
   */
  public InstanceProgress(CheckedDefinition definition, StepInputs inputs, InstanceData data) {
    this.definition = definition;
    this.inputs = inputs;
    this.data = data;
    this.run = rebuilt();
    for (OpenRun each : open.values()) {
      if (each.dueAt() == null && !isOfEarlierLife(each)) {
        starts.add(each);
      }
    }
    if (data.forcedBy() != null) {
      cancelOpen();
    }
    decide();
  }

  /** Creates the cursor of a new instance, whose creation is its first event. */
  static InstanceProgress created(
      CheckedDefinition definition, StepInputs inputs, InstanceSpec spec) {
    InstanceEvent.Created created = new InstanceEvent.Created(spec);
    InstanceProgress its =
        new InstanceProgress(definition, inputs, InstanceFold.apply(InstanceData.NONE, created));
    its.events.add(created);
    its.size.event(created);
    return its;
  }

  private GraphRun rebuilt() {
    pending.clear();
    aborting.clear();
    open.clear();
    counts.clear();
    GraphRun made =
        new GraphRun(
            definition.graph(),
            definition.definition().failFast(),
            step -> inputs.holds(step, data()));
    for (int step = 0; step < definition.graph().size(); step++) {
      StepRecord record = record(step);
      counts.merge(record.state(), 1, Integer::sum);
      if (record.state() != StepState.PENDING && !made.put(step, record.state())) {
        throw new IllegalStateException("step %d was recorded twice".formatted(step));
      }
      if (record.isOpen()) {
        open.put(step, openRun(step, record));
      }
    }
    if (data.stop() != null) {
      made.cancel();
    }
    if (data.forcedBy() != null) {
      made.force();
    }
    return made;
  }

  private OpenRun openRun(int step, StepRecord record) {
    StepUndo undo = record.undo();
    return new OpenRun(
        step,
        id(step),
        record.run(),
        undo == null ? record.attempt() : undo.attempt(),
        record.startedAt() == null ? data.created().createdAt() : record.startedAt(),
        undo == null ? record.dueAt() : undo.dueAt(),
        record.child(),
        undo != null);
  }

  /** Returns the definition of the instance. */
  public CheckedDefinition definition() {
    return definition;
  }

  /** Returns the inputs of its steps. */
  public StepInputs inputs() {
    return inputs;
  }

  /** Returns the state, with all emitted events. */
  public InstanceData data() {
    return data;
  }

  /** Returns the open steps: those that run, and those whose next attempt is due. */
  public Collection<OpenRun> open() {
    return List.copyOf(open.values());
  }

  /**
   * Returns the next time at which an attempt of a step begins, or a run whose end is forced is
   * given up; null if there is none.
   */
  public @Nullable Instant nextDue() {
    return open.values().stream()
        .map(each -> each.dueAt() == null ? ForcedEnd.limit(data, each) : each.dueAt())
        .filter(Objects::nonNull)
        .min(Instant::compareTo)
        .orElse(null);
  }

  /** Returns how many sub-workflows its definition has, with those that undo a step. */
  int subworkflows() {
    if (subworkflows < 0) {
      subworkflows =
          (int)
              IntStream.range(0, definition.graph().size())
                  .mapToObj(definition::step)
                  .flatMap(step -> Stream.of(step.run(), step.compensate()))
                  .filter(run -> run != null && run.kind() == StepRun.Kind.SUBWORKFLOW)
                  .count();
    }
    return subworkflows;
  }

  /** Returns the number of open steps. */
  int openCount() {
    return open.size();
  }

  /** Returns the open run of a step; null if it has none. */
  public @Nullable OpenRun open(int step) {
    return open.get(step);
  }

  /** Returns whether the present run of a step, or the attempt that is due, is to be cancelled. */
  public boolean isAborting(int step) {
    return aborting.contains(step);
  }

  /** Returns the state of a step as the graph has it: READY if it waits for others to end. */
  public StepState stateInGraph(int step) {
    return run.state(step);
  }

  /** Returns whether this is the cursor of that same object. */
  public boolean isOf(InstanceData state) {
    return data == state;
  }

  /** Replaces the state by an equal one. */
  public void follow(InstanceData same) {
    data = same;
  }

  /** Returns what was emitted since the last call. */
  public InstanceDecision take() {
    InstanceDecision taken =
        new InstanceDecision(events, starts, aborts, closed, data.outcome() == null && hasMore());
    events.clear();
    starts.clear();
    aborts.clear();
    closed.clear();
    size = new TurnSize();
    return taken;
  }

  private boolean hasMore() {
    return !ofEarlierLife().isEmpty()
        || (!pending.isEmpty() && open.size() < InstanceMachine.MOST_OPEN);
  }

  /**
   * Returns the open runs that were requested before the instance was restored; their outcomes do
   * not count, as events that do not count any more may have settled them.
   */
  List<OpenRun> ofEarlierLife() {
    return data.restored() == null
        ? List.of()
        : open.values().stream().filter(this::isOfEarlierLife).toList();
  }

  boolean isOfEarlierLife(OpenRun its) {
    return its.dueAt() == null && its.run() <= data.runsBefore();
  }

  GraphRun run() {
    return run;
  }

  ArrayDeque<StepDecision> pending() {
    return pending;
  }

  /** Returns whether the present turn is to emit nothing more. */
  boolean isFull() {
    return size.isFull();
  }

  /** Records that the present turn sends an instance an input of so many bytes. */
  void sends(int input) {
    size.message(input);
  }

  String id(int step) {
    return definition.graph().step(step).id();
  }

  StepRecord record(int step) {
    return data.steps().get(id(step));
  }

  /** Emits the decisions that follow in the graph, cancellations first; marks runs to cancel. */
  void decide() {
    for (StepDecision decision : run.decisions()) {
      OpenRun its = open.get(decision.step());
      if (decision instanceof StepDecision.Abort && its != null && its.dueAt() == null) {
        abort(its);
      } else if (decision instanceof StepDecision.Abort) {
        aborting.add(decision.step()); // its next attempt may be due before this is carried out
        pending.addFirst(decision);
      } else {
        pending.addLast(decision);
      }
    }
  }

  /** Emits an event of the instance as a whole. */
  void emit(InstanceEvent event) {
    data = InstanceFold.apply(data, event);
    events.add(event);
    size.event(event);
  }

  /** Emits an event of a step. */
  void emit(int step, InstanceEvent event) {
    counts.merge(record(step).state(), -1, Integer::sum);
    emit(event);
    counts.merge(record(step).state(), 1, Integer::sum);
  }

  /**
   * Returns the number of steps by their states, without states that no step is in; those that an
   * end by force has left are CANCELLED.
   */
  public Map<StepState, Integer> counts() {
    Map<StepState, Integer> some = new EnumMap<>(StepState.class);
    counts.forEach(
        (state, count) -> some.merge(InstanceViews.shown(data, state), count, Integer::sum));
    some.values().removeIf(count -> count == 0);
    return some;
  }

  /** Emits the start of a run and opens it. */
  void start(int step, InstanceEvent.StepStarted event) {
    emit(step, event);
    OpenRun started = openRun(step, record(step));
    OpenRun now =
        new OpenRun(
            step,
            started.id(),
            started.run(),
            started.attempt(),
            event.at(),
            null,
            started.child(),
            started.undo());
    open.put(step, now);
    starts.add(now);
  }

  /** Closes the open run of a step. */
  void close(int step) {
    OpenRun was = open.remove(step);
    if (was != null) {
      closed.add(was);
      boolean unused = starts.remove(was); // nobody is to be asked for it
    }
    aborting.remove(step);
  }

  /** Lets a step wait for its next attempt. */
  void await(int step) {
    close(step);
    open.put(step, openRun(step, record(step)));
  }

  /** Closes the run of a step that was requested before the instance was restored. */
  void forsake(OpenRun its) {
    close(its.step());
    asksToEnd(its);
  }

  private void asksToEnd(OpenRun its) {
    aborts.add(its);
    if (its.child() != null) {
      size.message(0);
    }
  }

  /** Cancels all that is open, finally steps and compensation, too; nothing more begins. */
  void force() {
    run.force();
    cancelOpen();
    decide();
  }

  /** Marks also runs that were asked to end already: a sub-workflow is asked for more now. */
  private void cancelOpen() {
    for (OpenRun each : open.values()) {
      aborting.add(each.step());
      if (each.dueAt() == null) {
        asksToEnd(each);
      }
    }
  }

  private void abort(OpenRun its) {
    if (aborting.add(its.step())) {
      asksToEnd(its);
    }
  }

  /** Begins anew from the state, after steps of it were opened again. */
  void reopen() {
    run = rebuilt();
    decide();
  }
}

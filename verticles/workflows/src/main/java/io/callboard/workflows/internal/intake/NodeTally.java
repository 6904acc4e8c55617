package io.callboard.workflows.internal.intake;

import io.callboard.time.Machine;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.starts.DefinitionCounts;
import io.callboard.workflows.internal.starts.DurationCounts;
import io.callboard.workflows.model.InstanceState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts of a node of its instances since it started, by definition and step. Thread-safe.
 *
 * <p>In memory only. At most {@value #MOST_STEPS} steps have counts of their own; those beyond are
 * counted together as {@value #OTHERS}.
 */
@Machine
public final class NodeTally {
  /** Name under which steps beyond the limit are counted. */
  public static final String OTHERS = "(others)";

  private static final int MOST_STEPS = 5_000;
  private static final Duration SLOT = Duration.ofSeconds(10);
  private static final Duration RECENT = Duration.ofMinutes(DefinitionCounts.RECENT_MINUTES);

  private final Instant since;
  private final Map<String, Definition> definitions = new HashMap<>();
  private int steps;

  /** Counts of one definition. */
  private static final class Definition {
    final Map<String, Step> steps = new TreeMap<>();
    final long[] durations = new long[DurationCounts.bucket(Duration.ofDays(10_000)) + 1];
    final Deque<Slot> slots = new ArrayDeque<>();
    long began;
    long succeeded;
    long failed;
    long cancelled;
  }

  /** Instances that ended in some seconds. */
  private static final class Slot {
    final Instant begin;
    long ended;

    Slot(Instant begin) {
      this.begin = begin;
    }
  }

  /** Counts of one step. */
  private static final class Step {
    final long[] durations = new long[DurationCounts.bucket(Duration.ofDays(10_000)) + 1];
    long succeeded;
    long failed;
    long retries;
    long lost;

    DefinitionCounts.OfStep counts() {
      return new DefinitionCounts.OfStep(
          succeeded, failed, retries, lost, DurationCounts.of(durations));
    }
  }

  /** Creates the tally of a node that starts now. */
  public NodeTally(Instant since) {
    this.since = since;
  }

  /**
   * Counts what an instance has committed; its compensations are not counted.
   *
   * @param data state after the events
   */
  public synchronized void committed(List<InstanceEvent> events, InstanceData data) {
    Definition its =
        definitions.computeIfAbsent(data.created().definition(), name -> new Definition());
    boolean begins = events.stream().anyMatch(InstanceEvent.UndoBegan.class::isInstance);
    boolean undoes = data.undoing() != null && !begins;
    for (InstanceEvent event : events) {
      undoes |= event instanceof InstanceEvent.UndoBegan;
      boolean last = !begins && isOfUndo(event, data); // it has ended with that
      if ((!undoes && !last) || event instanceof InstanceEvent.Ended) {
        count(its, event, data);
      }
    }
  }

  private static boolean isOfUndo(InstanceEvent event, InstanceData data) {
    return event instanceof InstanceEvent.StepEnded ended
        && data.steps().get(ended.step()).undo() != null;
  }

  private void count(Definition its, InstanceEvent event, InstanceData data) {
    if (event instanceof InstanceEvent.Created) {
      its.began++;
    } else if (event instanceof InstanceEvent.StepEnded ended) {
      Step step = step(its, ended.step());
      step.succeeded += ended.state() == StepState.SUCCEEDED ? 1 : 0;
      step.failed += ended.state() == StepState.FAILED ? 1 : 0;
      add(step.durations, data.steps().get(ended.step()).startedAt(), ended.at());
    } else if (event instanceof InstanceEvent.StepRetries retries) {
      step(its, retries.step()).retries++;
    } else if (event instanceof InstanceEvent.StepLost lost) {
      step(its, lost.step()).lost++;
    } else if (event instanceof InstanceEvent.Ended ended) {
      InstanceState state = InstanceState.of(ended.outcome());
      its.cancelled += state == InstanceState.CANCELLED ? 1 : 0;
      its.failed += state == InstanceState.FAILED ? 1 : 0;
      boolean good =
          state == InstanceState.SUCCEEDED || state == InstanceState.SUCCEEDED_WITH_WARNINGS;
      its.succeeded += good ? 1 : 0;
      add(its.durations, data.begunAt(), ended.at());
      slot(its, ended.at()).ended++;
    }
  }

  private Step step(Definition its, String id) {
    Step known = its.steps.get(id);
    if (known != null) {
      return known;
    } else if (steps >= MOST_STEPS) {
      return its.steps.computeIfAbsent(OTHERS, name -> new Step());
    }
    steps++;
    return its.steps.computeIfAbsent(id, name -> new Step());
  }

  private static void add(long[] durations, @Nullable Instant begin, Instant end) {
    if (begin != null) {
      durations[DurationCounts.bucket(Duration.between(begin, end))]++;
    }
  }

  private static Slot slot(Definition its, Instant now) {
    Slot last = its.slots.peekLast();
    if (last == null || !now.isBefore(last.begin.plus(SLOT))) {
      last = new Slot(now);
      its.slots.addLast(last);
    }
    forget(its, now);
    return last;
  }

  private static void forget(Definition its, Instant now) {
    while (!its.slots.isEmpty() && its.slots.element().begin.plus(RECENT).isBefore(now)) {
      its.slots.remove();
    }
  }

  /** Returns what was counted of a definition. */
  public synchronized DefinitionCounts counts(String definition, Instant now) {
    Definition its = definitions.get(definition);
    if (its == null) {
      return DefinitionCounts.none(since);
    }
    forget(its, now);
    Map<String, DefinitionCounts.OfStep> counted = new TreeMap<>();
    its.steps.forEach((id, step) -> counted.put(id, step.counts()));
    return new DefinitionCounts(
        since,
        its.began,
        its.succeeded,
        its.failed,
        its.cancelled,
        its.slots.stream().mapToLong(slot -> slot.ended).sum(),
        DurationCounts.of(its.durations),
        counted);
  }
}

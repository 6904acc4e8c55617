package io.callboard.workflows.internal.archiving;

import io.callboard.archive.WorkflowRow;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceChange;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.StepView;
import io.callboard.workflows.model.WorkflowException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Ended instance as the database has it, whole.
 *
 * @param format version of this format
 * @param instance the instance with its steps and their outputs
 * @param events its timeline, the oldest change first
 */
public record ArchivedInstance(int format, Instance instance, List<InstanceChange> events) {
  /** Format that this code writes; it also reads every older one. */
  public static final int FORMAT = 1;

  private static final String WHAT = "an archived workflow instance";

  /** Copies the list. */
  public ArchivedInstance {
    events = List.copyOf(events);
  }

  /** Creates the archived form of an instance that has ended. */
  public ArchivedInstance(Instance instance, List<InstanceChange> events) {
    this(FORMAT, instance, events);
  }

  /**
   * Returns the instance of {@link WorkflowRow#body}.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be read
   * @throws WorkflowException if it is newer than this code
   */
  static ArchivedInstance of(String body) {
    ArchivedInstance read =
        Json.read(WHAT, body.getBytes(StandardCharsets.UTF_8), ArchivedInstance.class);
    if (read.format() > FORMAT) {
      throw new WorkflowException(
          WorkflowException.Code.UNAVAILABLE,
          "%s has format %d, and this node reads up to %d: ask a newer node, or update this one"
              .formatted(WHAT, read.format(), FORMAT));
    }
    return read;
  }

  /** Returns the id of {@link WorkflowRow#view}, or the words for a missing one. */
  static String id(String view) {
    try {
      return Json.parse(WHAT, view.getBytes(StandardCharsets.UTF_8)).path("id").asText();
    } catch (CodecException e) {
      return "without an id";
    }
  }

  /** Returns the row in a list of {@link WorkflowRow#view}. */
  static InstanceRow view(String view) {
    return Json.read(WHAT, view.getBytes(StandardCharsets.UTF_8), InstanceRow.class);
  }

  /**
   * Returns the row of the database.
   *
   * @param change number of the last change of the instance
   */
  WorkflowRow row(long change) {
    return new WorkflowRow(
        instance.id(),
        change,
        instance.definition(),
        instance.version(),
        instance.state().name(),
        instance.parent(),
        instance.createdAt(),
        Objects.requireNonNull(instance.endedAt(), "only an instance that has ended has a row"),
        instance.labels(),
        search(),
        json(this),
        json(listed(change)),
        instance.steps().entrySet().stream()
            .map(step -> step(step.getKey(), step.getValue()))
            .toList(),
        events.stream()
            .map(each -> new WorkflowRow.Event(each.at(), each.step(), each.what(), each.detail()))
            .toList());
  }

  private InstanceRow listed(long change) {
    Map<StepState, Integer> counts = new EnumMap<>(StepState.class);
    instance.steps().values().forEach(step -> counts.merge(step.state(), 1, Integer::sum));
    return new InstanceRow(
        instance.id(),
        change,
        instance.definition(),
        instance.version(),
        instance.state(),
        instance.priority(),
        instance.labels(),
        instance.parent(),
        instance.createdAt(),
        instance.endedAt(),
        counts);
  }

  /** Returns the searchable text, a field a line: those that lists in the cell search, too. */
  private String search() {
    return Stream.concat(
            Stream.of(instance.id(), instance.definition()),
            instance.labels().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::toString))
        .collect(Collectors.joining("\n"))
        .toLowerCase(Locale.ROOT);
  }

  private static WorkflowRow.Step step(String id, StepView step) {
    return new WorkflowRow.Step(
        id,
        step.state().name(),
        step.attempts(),
        step.startedAt(),
        step.endedAt(),
        step.reason(),
        step.output() == null ? null : json(step.output()));
  }

  private static String json(Object value) {
    return new String(Json.uncheckedBytes(value), StandardCharsets.UTF_8);
  }
}

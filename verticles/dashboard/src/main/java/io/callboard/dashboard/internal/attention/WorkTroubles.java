package io.callboard.dashboard.internal.attention;

import io.callboard.dashboard.internal.attention.Subject.Kind;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceView;
import io.callboard.workflows.model.BrakeChange;
import io.callboard.workflows.model.BrakeOverride;
import io.callboard.workflows.model.BrakeView;
import io.callboard.workflows.model.QueueView;
import io.callboard.workflows.model.WorkView;
import io.callboard.workflows.model.WorkerView;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rules about workflows and sources. Pure. */
final class WorkTroubles {
  private static final Set<SourceStatus> WORKS =
      EnumSet.of(
          SourceStatus.POLLING, SourceStatus.FULL, SourceStatus.ACCEPTING, SourceStatus.OPENING);

  private static final Set<SourceStatus> AS_WANTED =
      EnumSet.of(SourceStatus.PAUSED, SourceStatus.DRAINING, SourceStatus.DRAINED);

  /** Beginning of the types of steps whose jobs are of a type that no node has made. */
  private static final String OF_JOBS = "job:";

  private WorkTroubles() {}

  static void check(Facts facts, Instant now, Consumer<Trouble> found) {
    facts.work().orElse(Optional.empty()).ifPresent(work -> steps(work, now, found));
    facts.brakes().orElse(List.of()).forEach(brake -> brake(brake, found));
    facts.sources().orElse(List.of()).forEach(source -> source(source, found));
  }

  /** Steps of a type wait for the same reason, whatever workflow they are of. */
  private static void steps(WorkView work, Instant now, Consumer<Trouble> found) {
    work.queues().stream()
        .filter(queue -> isLong(queue.oldest()))
        .collect(Collectors.groupingBy(QueueView::type, TreeMap::new, Collectors.toList()))
        .forEach((type, queues) -> found.accept(steps(type, queues, work.workers(), now)));
  }

  private static boolean isLong(@Nullable Duration wait) {
    return wait != null && wait.compareTo(JobTroubles.PATIENCE) > 0;
  }

  private static Trouble steps(
      String type, List<QueueView> queues, List<WorkerView> workers, Instant now) {
    boolean offered =
        workers.stream().anyMatch(worker -> worker.member() && worker.types().contains(type));
    QueueView oldest =
        Collections.max(
            queues, Comparator.comparing(queue -> Objects.requireNonNull(queue.oldest())));
    int waiting = queues.stream().mapToInt(QueueView::waiting).sum();
    String of =
        queues.size() == 1
            ? oldest.definition()
            : "%d definitions, %s among them".formatted(queues.size(), oldest.definition());
    return Trouble.of(
        Rule.STEPS_WAIT,
        offered ? Severity.WARNING : Severity.CRITICAL,
        Subject.of(Kind.PART, type),
        now.minus(Objects.requireNonNull(oldest.oldest())),
        "%s of %s: %s"
            .formatted(
                ActorTroubles.counted(waiting, "step waits", "steps wait"), of, oldest.why()),
        offered
            ? Action.look("see what the workers do", "callboard workflow workers")
            : Action.advice(
                type.startsWith(OF_JOBS)
                    ? "start a node whose application has that handler, or correct the definition and end what needs it"
                    : "start a node whose application offers it, or end what needs it"));
  }

  private static void brake(BrakeView brake, Consumer<Trouble> found) {
    if (!brake.isOn()) {
      return;
    }
    BrakeOverride set = brake.override();
    found.accept(
        Trouble.of(
            Rule.BRAKE_ON,
            set == null ? Severity.WARNING : Severity.NOTICE,
            Subject.of(Kind.DEFINITION, brake.definition()),
            set == null ? brake.since() : set.at(),
            "%s%s; %s".formatted(brake.why(), lowered(brake), waiting(brake.waiting())),
            Action.look("see what fails", "callboard workflow brake " + brake.definition())));
  }

  /** Returns why the credit fell last, if it has risen since and its level says only that. */
  private static String lowered(BrakeView brake) {
    List<BrakeChange> changes = brake.changes();
    for (int i = 0; i < changes.size(); i++) {
      Integer credit = changes.get(i).credit();
      Integer before = i + 1 < changes.size() ? changes.get(i + 1).credit() : null;
      if (credit != null && (before == null || credit < before)) {
        return i == 0 ? "" : "; it fell last because " + changes.get(i).cause();
      }
    }
    return "";
  }

  private static String waiting(int instances) {
    return ActorTroubles.counted(instances, "instance waits", "instances wait");
  }

  private static void source(SourceView source, Consumer<Trouble> found) {
    SourceStatus status = source.status();
    if (WORKS.contains(status)) {
      if (status == SourceStatus.POLLING && source.why() != null) {
        found.accept(
            Trouble.of(
                Rule.SOURCE_TROUBLED,
                Severity.WARNING,
                Subject.of(Kind.SOURCE, source.name()),
                null, // its last failure is not its first
                source.why(),
                seeWhy(source)));
      }
      return;
    }
    boolean wanted = AS_WANTED.contains(status);
    String lag =
        source.lag() == null
            ? ""
            : "; " + ActorTroubles.counted(source.lag(), "message waits", "messages wait");
    String name = source.name();
    String why = source.why();
    found.accept(
        Trouble.of(
            Rule.SOURCE_STOPPED,
            wanted ? Severity.NOTICE : Severity.WARNING,
            Subject.of(Kind.SOURCE, name),
            wanted ? source.modeAt() : null, // its last failure is not its first
            (why == null ? "it does not poll: " + status : why) + lag,
            wanted
                ? Action.request(
                    "resume it",
                    "callboard source resume " + name,
                    "/sources/" + Encoded.segment(name) + "/resume")
                : seeWhy(source)));
  }

  private static Action seeWhy(SourceView source) {
    return Action.look("see why", "callboard sources " + source.name());
  }
}

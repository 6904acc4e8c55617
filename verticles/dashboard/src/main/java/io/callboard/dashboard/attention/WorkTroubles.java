package io.callboard.dashboard.attention;

import io.callboard.dashboard.attention.Subject.Kind;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceView;
import io.callboard.workflows.model.BrakeOverride;
import io.callboard.workflows.model.BrakeView;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Rules about jobs, workflows and sources. Pure. */
final class WorkTroubles {
  /** Time for which jobs may wait at a full gate. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Time for which a dead job is a trouble. */
  static final Duration RECENT = Duration.ofHours(1);

  private static final Set<SourceStatus> WORKS =
      EnumSet.of(
          SourceStatus.POLLING, SourceStatus.FULL, SourceStatus.ACCEPTING, SourceStatus.OPENING);

  private static final Set<SourceStatus> AS_WANTED =
      EnumSet.of(SourceStatus.PAUSED, SourceStatus.DRAINING, SourceStatus.DRAINED);

  private WorkTroubles() {}

  static void check(Facts facts, Instant now, Consumer<Trouble> found) {
    facts.types().orElse(List.of()).forEach(type -> type(type, now, found));
    dead(facts.dead().orElse(List.of()), now, found);
    facts.brakes().orElse(List.of()).forEach(brake -> brake(brake, found));
    facts.sources().orElse(List.of()).forEach(source -> source(source, found));
  }

  private static void type(TypeLoad type, Instant now, Consumer<Trouble> found) {
    Subject subject = Subject.of(Kind.TYPE, type.name());
    if (!type.isShut()) {
      return;
    }
    if (type.paused()) {
      found.accept(
          Trouble.of(
              Rule.TYPE_PAUSED,
              Severity.NOTICE,
              subject,
              type.oldest(),
              "it is paused, and %s"
                  .formatted(ActorTroubles.counted(type.queued(), "job waits", "jobs wait")),
              Action.request(
                  "resume it",
                  "callboard resume " + type.name(),
                  "/types/" + Encoded.segment(type.name()) + "/resume")));
      return;
    }
    Instant oldest = type.oldest();
    if (oldest != null && Duration.between(oldest, now).compareTo(PATIENCE) > 0) {
      Subject longest =
          type.longest() == null ? null : Subject.of(Kind.JOB, String.valueOf(type.longest()));
      String of =
          longest == null
              ? ""
              : "; the longest run is that of job %s, since %s"
                  .formatted(longest.name(), type.longestSince());
      Action action =
          longest == null
              ? Action.advice("raise its limit: callboard limit %s N".formatted(type.name()))
              : Action.look("see its longest run", "callboard job " + longest.name())
                  .opens(longest);
      found.accept(
          Trouble.of(
              Rule.GATE_FULL,
              Severity.WARNING,
              subject,
              oldest,
              "%d of %d runs are taken, and %s%s"
                  .formatted(
                      type.running(),
                      type.limit(),
                      ActorTroubles.counted(type.queued(), "job waits", "jobs wait"),
                      of),
              action));
    }
  }

  private static void dead(List<DeadJob> dead, Instant now, Consumer<Trouble> found) {
    Map<String, List<DeadJob>> byCause =
        dead.stream()
            .filter(job -> Duration.between(job.at(), now).compareTo(RECENT) <= 0)
            .collect(
                Collectors.groupingBy(
                    job -> job.type() + " " + Fingerprint.of(job.cause()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    byCause.forEach(
        (print, jobs) -> {
          DeadJob first = jobs.stream().min(Comparator.comparing(DeadJob::at)).orElseThrow();
          DeadJob last = jobs.stream().max(Comparator.comparing(DeadJob::at)).orElseThrow();
          String type = first.type();
          found.accept(
              Trouble.of(
                      Rule.JOBS_DEAD,
                      Severity.WARNING,
                      Subject.of(Kind.DEAD_JOBS, type),
                      first.at(),
                      "%s in the last hour: %s"
                          .formatted(
                              ActorTroubles.counted(jobs.size(), "job has died", "jobs have died"),
                              last.cause()),
                      Action.look("see the last one", "callboard jobs --state DEAD --type " + type)
                          .opens(Subject.of(Kind.JOB, last.id())))
                  .of(print));
        });
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
            "%s; %s".formatted(brake.why(), waiting(brake.waiting())),
            Action.look("see what fails", "callboard workflow brake " + brake.definition())));
  }

  private static String waiting(int instances) {
    return ActorTroubles.counted(instances, "instance waits", "instances wait");
  }

  private static void source(SourceView source, Consumer<Trouble> found) {
    SourceStatus status = source.status();
    if (WORKS.contains(status)) {
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
            wanted ? source.modeAt() : status == SourceStatus.BACKOFF ? source.lastErrorAt() : null,
            (why == null ? "it does not poll: " + status : why) + lag,
            wanted
                ? Action.request(
                    "resume it",
                    "callboard source resume " + name,
                    "/sources/" + Encoded.segment(name) + "/resume")
                : Action.look("see why", "callboard sources " + name)));
  }
}

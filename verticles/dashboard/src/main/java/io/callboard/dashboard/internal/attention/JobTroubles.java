package io.callboard.dashboard.internal.attention;

import io.callboard.dashboard.internal.attention.Subject.Kind;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.GateLoad;
import io.callboard.jobs.model.TypePause;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rules about jobs. Pure. */
final class JobTroubles {
  /** Time for which jobs may wait at a full gate, or for a host. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Time for which a dead job is a trouble. */
  static final Duration RECENT = Duration.ofHours(1);

  /** Beginning of a number that may be larger. */
  static final String AT_LEAST = "at least ";

  private static final int MOST_REASONS = 3;
  private static final String DRAINING = "draining";
  private static final String UNREADABLE = "unreadable";

  /** Kinds of reasons for which a host does not take a job at all. */
  private static final Set<String> OF_HOSTS =
      Set.of("no-host", UNREADABLE, "silent-host", "host-fault", DRAINING);

  private JobTroubles() {}

  static void check(Facts facts, Instant now, Consumer<Trouble> found) {
    items(facts.types()).forEach(type -> type(type, now, found));
    dead(facts.dead(), now, found);
  }

  private static <T> List<T> items(Reading<Listing<T>> reading) {
    Listing<T> listing = reading.value();
    return listing == null ? List.of() : listing.items();
  }

  /** Returns whether jobs have waited too long, or may have because the time is not known. */
  static boolean isLong(@Nullable Instant since, Instant now) {
    return since == null || Duration.between(since, now).compareTo(PATIENCE) > 0;
  }

  private static void type(TypeLoad type, Instant now, Consumer<Trouble> found) {
    if (type.isShut() && type.type().paused()) {
      found.accept(paused(type));
    } else if (type.load().due() > 0 && isLong(type.load().oldestSince(), now)) {
      if (type.isShut()) {
        found.accept(full(type));
      } else if (isWithoutHost(type.blockedBy())) {
        found.accept(withoutHost(type));
      }
    }
  }

  private static String waiting(TypeLoad type) {
    return ActorTroubles.counted(type.load().due(), "job waits", "jobs wait");
  }

  private static Trouble paused(TypeLoad type) {
    String name = type.type().name();
    TypePause pause = type.view().pause();
    return Trouble.of(
        Rule.TYPE_PAUSED,
        Severity.NOTICE,
        Subject.of(Kind.TYPE, name),
        type.load().oldestSince(),
        "it is paused, and " + waiting(type) + (pause == null ? "" : "; paused " + pause.text()),
        Action.request(
            "resume it",
            "callboard resume " + name,
            "/types/" + Encoded.segment(name) + "/resume"));
  }

  private static Trouble full(TypeLoad type) {
    String name = type.type().name();
    GateLoad load = type.load();
    String id = load.longest();
    Subject longest = id == null ? null : Subject.of(Kind.JOB, id);
    Instant since = load.longestSince();
    String of =
        longest == null || since == null
            ? ""
            : "; the longest has run since %s: job %s"
                .formatted(since.truncatedTo(ChronoUnit.SECONDS), longest.name());
    Action action =
        longest == null
            ? Action.advice("raise its limit: callboard limit %s N".formatted(name))
            : Action.look("see its longest run", "callboard job " + longest.name()).opens(longest);
    return Trouble.of(
        Rule.GATE_FULL,
        Severity.WARNING,
        Subject.of(Kind.TYPE, name),
        load.oldestSince(),
        "%s, as its limit is reached: %d of %d runs are taken%s"
            .formatted(waiting(type), load.granted(), type.type().limit(), of),
        action);
  }

  private static boolean isWithoutHost(List<Blocked> reasons) {
    return !reasons.isEmpty()
        && reasons.stream().allMatch(reason -> OF_HOSTS.contains(reason.kind()));
  }

  private static Trouble withoutHost(TypeLoad type) {
    String why =
        type.blockedBy().stream()
            .limit(MOST_REASONS)
            .map(Blocked::detail)
            .collect(Collectors.joining("; "));
    String job = String.valueOf(type.load().oldest());
    return Trouble.of(
        Rule.NO_HOST,
        severity(type.blockedBy()),
        Subject.of(Kind.TYPE, type.type().name()),
        type.load().oldestSince(),
        "%s, and no host takes the oldest: %s".formatted(waiting(type), why),
        Action.look("see why", "callboard why " + job).opens(Subject.of(Kind.JOB, job)));
  }

  /** Returns how bad it is: an unreadable job ends by itself, and others of its type run. */
  private static Severity severity(List<Blocked> reasons) {
    if (reasons.stream().allMatch(each -> each.kind().equals(DRAINING))) {
      return Severity.NOTICE;
    }
    return reasons.stream().allMatch(each -> each.kind().equals(UNREADABLE))
        ? Severity.WARNING
        : Severity.CRITICAL;
  }

  private static void dead(
      Reading<Listing<DeadJob>> reading, Instant now, Consumer<Trouble> found) {
    Listing<DeadJob> listing = reading.value();
    boolean more = listing != null && listing.more();
    Map<String, List<DeadJob>> byCause =
        items(reading).stream()
            .filter(job -> Duration.between(job.at(), now).compareTo(RECENT) <= 0)
            .collect(
                Collectors.groupingBy(
                    job -> job.type() + " " + Fingerprint.of(job.cause()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    byCause.forEach((print, jobs) -> found.accept(dead(print, jobs, more)));
  }

  private static Trouble dead(String print, List<DeadJob> jobs, boolean more) {
    DeadJob first = jobs.stream().min(Comparator.comparing(DeadJob::at)).orElseThrow();
    DeadJob last = jobs.stream().max(Comparator.comparing(DeadJob::at)).orElseThrow();
    String type = first.type();
    String counted = ActorTroubles.counted(jobs.size(), "job has died", "jobs have died");
    return Trouble.of(
            Rule.JOBS_DEAD,
            Severity.WARNING,
            Subject.of(Kind.DEAD_JOBS, type),
            first.at(),
            "%s%s in the last hour: %s".formatted(more ? AT_LEAST : "", counted, last.cause()),
            Action.look("see the last one", "callboard jobs --state DEAD --type " + type)
                .opens(Subject.of(Kind.JOB, last.id())))
        .of(print);
  }
}

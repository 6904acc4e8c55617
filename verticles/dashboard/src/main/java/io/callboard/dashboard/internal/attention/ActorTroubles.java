package io.callboard.dashboard.internal.attention;

import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.CircuitDetails;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.MailboxStatus;
import io.callboard.admin.StuckMail;
import io.callboard.admin.ZoneStatus;
import io.callboard.dashboard.internal.attention.Subject.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rules about actors, failure zones, mailboxes and scheduling zones of this node. Pure. */
final class ActorTroubles {
  /** Time after which waiting is a trouble. */
  static final Duration LONG = Duration.ofMinutes(1);

  private static final int MOST_NAMES = 3;

  private ActorTroubles() {}

  static void check(Facts facts, Instant now, Consumer<Trouble> found) {
    NotableActors actors = facts.actors().orElse(new NotableActors(List.of(), null, Map.of(), 0));
    boolean storeAnswers = facts.members().isFresh();
    boolean oneByOne = storeAnswers && InterruptedTroubles.areFew(actors.interrupted());
    facts
        .failureZones()
        .forEach(
            zone ->
                failureZone(zone, actors.dependants().getOrDefault(zone.path(), 0L), now, found));
    actors.items().forEach(actor -> actor(actor, oneByOne, storeAnswers, now, found));
    if (storeAnswers) {
      InterruptedTroubles.ofMany(facts.node(), actors.interrupted(), actors.items())
          .ifPresent(found);
    }
    facts.zones().forEach(zone -> schedulingZone(zone, now, found));
    parked(facts.parked().orElse(List.of()), found);
    stuck(facts.stuck(), found);
  }

  private static void stuck(List<StuckMail> mail, Consumer<Trouble> found) {
    mail.stream()
        .collect(
            Collectors.groupingBy(StuckMail::receiver, LinkedHashMap::new, Collectors.toList()))
        .forEach(
            (receiver, lanes) ->
                found.accept(
                    Trouble.of(
                        Rule.MAIL_STUCK,
                        Severity.WARNING,
                        Subject.of(Kind.ACTOR, receiver.toString()),
                        lanes.stream().map(StuckMail::since).min(Instant::compareTo).orElse(null),
                        "%s in the outbox of %s cannot be sent to it: %s"
                            .formatted(
                                counted(
                                    lanes.stream().mapToLong(StuckMail::messages).sum(),
                                    "message",
                                    "messages"),
                                lanes.size() == 1
                                    ? lanes.get(0).sender()
                                    : "%d actors".formatted(lanes.size()),
                                lanes.get(0).why()),
                        Action.advice(
                            "repair its mailbox (callboard fsck names what is damaged), or grant access to it; they are sent by themselves then"))));
  }

  private static void failureZone(
      FailureZoneStatus zone, long resting, Instant now, Consumer<Trouble> found) {
    Subject subject = Subject.of(Kind.ACTOR, zone.path().toString());
    if (zone.state() == FailureZoneStatus.State.FAILED) {
      found.accept(
          Trouble.of(
              Rule.FAILURE_ZONE_FAILED,
              Severity.CRITICAL,
              subject,
              zone.lastFailureAt(),
              "%s; %s".formatted(cause(zone.lastFailure()), resting(resting)),
              Action.resume(subject)));
      return;
    }
    Optional<Trouble> failing = FailingTroubles.of(subject, zone, now);
    failing.ifPresent(found);
    if (failing.isEmpty() && zone.state() == FailureZoneStatus.State.WAITS) {
      longWait(subject, zone.lastFailure(), zone.lastFailureAt(), zone.nextAttempt(), now, found);
    }
  }

  private static String resting(long actors) {
    return actors == 1 ? "1 actor rests with it" : actors + " actors rest with it";
  }

  static String cause(@Nullable String failure) {
    return failure == null ? "its failure is not known" : failure;
  }

  /**
   * @param interrupted whether it is listed if it stays interrupted
   * @param storeAnswers whether durable mail can be handled at all
   */
  private static void actor(
      ActorStatus actor,
      boolean interrupted,
      boolean storeAnswers,
      Instant now,
      Consumer<Trouble> found) {
    Subject subject = Subject.of(Kind.ACTOR, actor.path().toString());
    Optional<Trouble> failing = FailingTroubles.of(subject, actor, now);
    if (failing.isEmpty() && interrupted) {
      failing = InterruptedTroubles.of(subject, actor);
    }
    failing.ifPresent(found);
    if (actor.state() == State.FAILED) {
      found.accept(
          Trouble.of(
              Rule.ACTOR_FAILED,
              Severity.CRITICAL,
              subject,
              actor.lastFailureAt(),
              failed(actor.lastFailure(), waiting(actor)),
              Action.resume(subject)));
    } else if (failing.isEmpty() && actor.state() == State.WAITS) {
      longWait(
          subject, actor.lastFailure(), actor.lastFailureAt(), actor.nextAttempt(), now, found);
    } else if (failing.isEmpty() && isUp(actor)) {
      oldMail(actor, storeAnswers, now, found);
    }
    if (actor.details() instanceof CircuitDetails open && open.openedAt() != null) {
      found.accept(
          circuit(subject, open.openedAt(), open.halfOpen(), open.failures(), open.held()));
    }
  }

  private static boolean isUp(ActorStatus actor) {
    return actor.state() == State.RUNNING || actor.state() == State.STARTING;
  }

  static Trouble circuit(
      Subject subject, @Nullable Instant since, boolean halfOpen, long failures, long held) {
    return Trouble.of(
        Rule.CIRCUIT_OPEN,
        Severity.WARNING,
        subject,
        since,
        "its circuit is %s after %d failures in a row; %d messages are held"
            .formatted(halfOpen ? "half open" : "open", failures, held),
        Action.show("see why the guarded actor fails", subject));
  }

  private static long waiting(ActorStatus actor) {
    MailboxStatus mailbox = actor.mailbox();
    return mailbox == null ? actor.queued() : mailbox.depth();
  }

  static String failed(@Nullable String failure, long waiting) {
    return "%s; %d messages wait".formatted(cause(failure), waiting);
  }

  static void longWait(
      Subject subject,
      @Nullable String failure,
      @Nullable Instant since,
      @Nullable Instant next,
      Instant now,
      Consumer<Trouble> found) {
    boolean waited = since != null && isLong(since, now);
    boolean willWait = next != null && isLong(since == null ? now : since, next);
    if (waited || willWait) {
      String until =
          next == null
              ? "it is not known until when"
              : "the next attempt is at " + next.truncatedTo(ChronoUnit.SECONDS);
      found.accept(
          Trouble.of(
              Rule.LONG_WAIT,
              Severity.WARNING,
              subject,
              since,
              "it waits for its restart after %s; %s".formatted(cause(failure), until),
              Action.resume(subject)));
    }
  }

  static boolean isLong(Instant from, Instant to) {
    return Duration.between(from, to).compareTo(LONG) > 0;
  }

  private static void oldMail(
      ActorStatus actor, boolean storeAnswers, Instant now, Consumer<Trouble> found) {
    MailboxStatus mailbox = actor.mailbox();
    if (mailbox == null || mailbox.oldestAt() == null || !isLong(mailbox.oldestAt(), now)) {
      return;
    }
    found.accept(
        oldMail(
            Subject.of(Kind.ACTOR, actor.path().toString()),
            mailbox.oldestAt(),
            mailbox.depth(),
            storeAnswers ? handled(mailbox.perSecond()) : "none is handled: the store is away",
            mailbox.attempts()));
  }

  static String handled(double perSecond) {
    return "%.1f a second are handled".formatted(perSecond);
  }

  static Trouble oldMail(
      Subject subject, Instant since, long depth, String handled, long attempts) {
    return Trouble.of(
        Rule.OLD_MAIL,
        Severity.WARNING,
        subject,
        since,
        "at least %d messages wait, and %s%s"
            .formatted(
                depth,
                handled,
                attempts == 0 ? "" : "; the first has failed %d times".formatted(attempts)),
        Action.show("see what it does", subject));
  }

  private static void schedulingZone(ZoneStatus zone, Instant now, Consumer<Trouble> found) {
    Subject subject = Subject.of(Kind.ZONE, zone.name());
    if (!zone.blocked().isEmpty()) {
      Duration longest =
          zone.blocked().stream()
              .map(ZoneStatus.Blocked::blockedFor)
              .max(Duration::compareTo)
              .orElse(Duration.ZERO);
      String holders =
          names(
              zone.blocked().stream()
                  .map(each -> each.actor() == null ? each.thread() : each.actor())
                  .toList());
      found.accept(
          blocked(
              subject,
              now.minus(longest),
              zone.blocked().size(),
              holders,
              !zone.starvedFor().isZero(),
              zone.queued()));
    }
    if (zone.full()) {
      found.accept(full(subject, zone.queued(), zone.maxSize()));
    }
  }

  static Trouble blocked(
      Subject subject,
      @Nullable Instant since,
      long threads,
      String holders,
      boolean starved,
      long queued) {
    return Trouble.of(
        Rule.THREAD_BLOCKED,
        starved ? Severity.CRITICAL : Severity.WARNING,
        subject,
        since,
        "%d of its threads are held by %s%s; %d slices wait"
            .formatted(threads, holders, starved ? ", and none is free" : "", queued),
        Action.advice(
            subject.node() == null
                ? "see where they are: the zone has their stacks"
                : "see where they are: the page of node %s has their stacks"
                    .formatted(subject.node())));
  }

  static Trouble full(Subject subject, long queued, long most) {
    return Trouble.of(
        Rule.SCHEDULING_ZONE_FULL,
        Severity.WARNING,
        subject,
        null,
        "%d slices wait for its %d threads, more than it is configured for".formatted(queued, most),
        Action.advice("give it more threads, or its actors less work"));
  }

  private static void parked(List<ParkedMessage> parked, Consumer<Trouble> found) {
    boolean more = parked.size() >= FactsReader.MOST_PARKED;
    Map<String, List<ParkedMessage>> byCause =
        parked.stream()
            .collect(
                Collectors.groupingBy(
                    ParkedMessage::fingerprint, LinkedHashMap::new, Collectors.toList()));
    byCause.forEach(
        (print, messages) -> {
          TreeSet<String> actors =
              messages.stream()
                  .map(ParkedMessage::actor)
                  .collect(Collectors.toCollection(TreeSet::new));
          String name = actors.size() == 1 ? actors.first() : "%d actors".formatted(actors.size());
          found.accept(
              Trouble.of(
                      Rule.MESSAGES_PARKED,
                      Severity.WARNING,
                      Subject.of(Kind.PARKED, name),
                      null,
                      "%s%s parked: %s"
                          .formatted(
                              more ? JobTroubles.AT_LEAST : "",
                              counted(messages.size(), "message is", "messages are"),
                              print),
                      Action.look("see them, and replay or discard each", "callboard parked"))
                  .of(print));
        });
  }

  static String counted(long n, String one, String more) {
    return n == 1 ? "1 " + one : n + " " + more;
  }

  private static String names(List<String> names) {
    String first = names.stream().distinct().limit(MOST_NAMES).collect(Collectors.joining(", "));
    long more = names.stream().distinct().count() - MOST_NAMES;
    return more > 0 ? "%s and %d more".formatted(first, more) : first;
  }
}

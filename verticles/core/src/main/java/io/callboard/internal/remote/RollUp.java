package io.callboard.internal.remote;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.ActorCounts;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.CircuitDetails;
import io.callboard.admin.DownActors;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.InterruptedActors;
import io.callboard.admin.MailSurvey;
import io.callboard.admin.MailboxStatus;
import io.callboard.admin.RemoteAdmin;
import io.callboard.admin.StatusJson;
import io.callboard.admin.ZoneStatus;
import io.callboard.supervision.FailureStreak;
import io.callboard.time.Machine;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Form of a node's roll-up. Pure. */
@Machine
final class RollUp {
  private static final int FORMAT = 1;

  /** Maximum length of the text of a failure. */
  private static final int MOST_TEXT = 300;

  /** Maximum number of holders of blocked threads that are named. */
  private static final int MOST_HOLDERS = 3;

  /** Maximum number of actors that report details, whose circuits are looked at. */
  static final int MOST_REPORTING = 1_000;

  private RollUp() {}

  static ObjectNode of(
      ActorCounts counts,
      DownActors down,
      MailSurvey mail,
      List<FailureZoneStatus> failureZones,
      List<ZoneStatus> zones,
      List<ActorStatus> reporting,
      List<ActorStatus> failing,
      InterruptedActors interrupted,
      Instant now) {
    ObjectNode form = JsonNodeFactory.instance.objectNode().put("f", FORMAT);
    form.put("at", now.toString());
    counted(form.putObject("actors").put("queued", mail.queued()), counts.application());
    counted(form.putObject("system"), counts.toolkit());
    Map<FailureZoneStatus.State, Long> byState = new TreeMap<>();
    failureZones.forEach(zone -> byState.merge(zone.state(), 1L, Long::sum));
    ObjectNode ofZones = form.putObject("zones");
    byState.forEach((state, count) -> ofZones.put(state.name(), count));
    ObjectNode mailboxes =
        form.putObject("mailboxes").put("count", mail.mailboxes()).put("depth", mail.depth());
    StatusJson.putOldest(mailboxes, mail.oldestAt(), now);
    form.put("down", down.count());
    ArrayNode worst = form.putArray("worst");
    down.worst().stream()
        .limit(RemoteAdmin.MOST)
        .forEach(actor -> worst.add(brief(StatusJson.of(actor, now))));
    ArrayNode failed = form.putArray("failedZones");
    failureZones.stream()
        .filter(zone -> zone.state() != FailureZoneStatus.State.RUNNING)
        .sorted(Comparator.comparingInt(zone -> urgency(zone.state())))
        .limit(RemoteAdmin.MOST)
        .forEach(zone -> failed.add(brief(StatusJson.of(zone))));
    failing(form, failing, failureZones, now);
    form.put("interruptedActors", interrupted.count());
    ArrayNode longest = form.putArray("interrupted");
    interrupted.longest().stream()
        .limit(RemoteAdmin.MOST)
        .forEach(actor -> longest.add(brief(StatusJson.of(actor, now))));
    ArrayNode fullest = form.putArray("fullest");
    mail.fullest().stream()
        .limit(RemoteAdmin.MOST)
        .forEach(
            actor ->
                fullest
                    .addObject()
                    .put("path", actor.path().toString())
                    .put("queued", waiting(actor)));
    oldest(form.putArray("oldest"), mail, now);
    circuits(form, reporting);
    threads(form.putArray("threads"), zones);
    return form;
  }

  /** Returns the place of a zone in the list: first those to be resumed, then those that wait. */
  private static int urgency(FailureZoneStatus.State state) {
    return switch (state) {
      case FAILED -> 0;
      case WAITS -> 1;
      default -> 2;
    };
  }

  /** Adds actors and zones that keep failing, those that do for longest first. */
  private static void failing(
      ObjectNode form, List<ActorStatus> actors, List<FailureZoneStatus> zones, Instant now) {
    List<Failing> all = new ArrayList<>();
    for (FailureZoneStatus zone : zones) {
      Failing.add(all, zone.failing(), () -> StatusJson.of(zone));
    }
    for (ActorStatus actor : actors) {
      Failing.add(all, actor.failing(), () -> StatusJson.of(actor, now));
    }
    ArrayNode rows = form.putArray("failing");
    all.stream()
        .sorted(Comparator.comparing(Failing::since))
        .limit(RemoteAdmin.MOST)
        .forEach(each -> rows.add(brief(each.row().get())));
    if (all.size() > RemoteAdmin.MOST) {
      form.put("failingFurther", true);
    }
  }

  /** Actor or failure zone that fails. */
  private record Failing(Instant since, Supplier<ObjectNode> row) {
    static void add(List<Failing> all, @Nullable FailureStreak streak, Supplier<ObjectNode> row) {
      if (streak != null) {
        all.add(new Failing(streak.since(), row));
      }
    }
  }

  /** Mailboxes of actors that run: why the mail of others waits, their state tells. */
  private static void oldest(ArrayNode rows, MailSurvey mail, Instant now) {
    for (ActorStatus actor : mail.oldest()) {
      boolean runs =
          actor.state() == ActorStatus.State.RUNNING || actor.state() == ActorStatus.State.STARTING;
      MailboxStatus mailbox = actor.mailbox();
      if (runs && mailbox != null && rows.size() < RemoteAdmin.MOST) {
        rows.addObject()
            .put("path", actor.path().toString())
            .set("mailbox", StatusJson.of(mailbox, now));
      }
    }
  }

  private static void circuits(ObjectNode form, List<ActorStatus> reporting) {
    if (reporting.size() > MOST_REPORTING) {
      form.put("circuitsOf", MOST_REPORTING); // else it is of all
    }
    List<Open> open =
        reporting.stream()
            .limit(MOST_REPORTING)
            .flatMap(Open::of)
            .sorted(Comparator.comparing(Open::since))
            .toList();
    form.put("openCircuits", open.size());
    ArrayNode rows = form.putArray("circuits");
    open.stream()
        .limit(RemoteAdmin.MOST)
        .forEach(
            each ->
                rows.addObject()
                    .put("path", each.path())
                    .put("openedAt", each.since().toString())
                    .put("halfOpen", each.circuit().halfOpen())
                    .put("failures", each.circuit().failures())
                    .put("held", each.circuit().held()));
  }

  /** Circuit that is not closed. */
  private record Open(String path, Instant since, CircuitDetails circuit) {
    static Stream<Open> of(ActorStatus actor) {
      if (actor.details() instanceof CircuitDetails circuit) {
        Instant since = circuit.openedAt();
        if (since != null) {
          return Stream.of(new Open(actor.path().toString(), since, circuit));
        }
      }
      return Stream.empty();
    }
  }

  /** Zones with blocked threads come first, then those that are full. */
  private static void threads(ArrayNode rows, List<ZoneStatus> zones) {
    zones.stream()
        .sorted(
            Comparator.comparingInt((ZoneStatus zone) -> -zone.blocked().size())
                .thenComparing(zone -> !zone.full()))
        .limit(RemoteAdmin.MOST)
        .forEach(zone -> threads(rows.addObject(), zone));
  }

  private static void threads(ObjectNode row, ZoneStatus zone) {
    row.put("name", zone.name())
        .put("size", zone.size())
        .put("maxSize", zone.maxSize())
        .put("busy", zone.busy())
        .put("queued", zone.queued())
        .put("full", zone.full())
        .put("blocked", zone.blocked().size());
    if (!zone.blocked().isEmpty()) {
      row.put("starved", !zone.starvedFor().isZero());
      zone.blocked().stream()
          .map(ZoneStatus.Blocked::blockedFor)
          .max(Comparator.naturalOrder())
          .ifPresent(
              longest -> row.put("blockedFor", longest.truncatedTo(ChronoUnit.MILLIS).toString()));
      ArrayNode holders = row.putArray("holders");
      zone.blocked().stream()
          .map(each -> each.actor() == null ? each.thread() : each.actor())
          .distinct()
          .limit(MOST_HOLDERS)
          .forEach(holders::add);
    }
  }

  private static long waiting(ActorStatus actor) {
    return actor.mailbox() == null ? actor.queued() : actor.mailbox().depth();
  }

  private static void counted(ObjectNode form, Map<ActorStatus.State, Long> counts) {
    form.put("count", counts.values().stream().mapToLong(Long::longValue).sum());
    ObjectNode byState = form.putObject("byState");
    counts.forEach((state, count) -> byState.put(state.name(), count));
  }

  /** Cuts the text of a failure. */
  static ObjectNode brief(ObjectNode row) {
    String text = row.path("lastFailure").asText("");
    return text.length() > MOST_TEXT
        ? row.put("lastFailure", text.substring(0, MOST_TEXT) + "…")
        : row;
  }
}

package io.callboard.internal.remote;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.ActorCounts;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.DownActors;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.MailSurvey;
import io.callboard.admin.RemoteAdmin;
import io.callboard.admin.StatusJson;
import io.callboard.admin.ZoneStatus;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Form of a node's roll-up. Pure. */
@Machine
final class RollUp {
  private static final int FORMAT = 1;

  /** Maximum length of the text of a failure. */
  private static final int MOST_TEXT = 300;

  private RollUp() {}

  static ObjectNode of(
      ActorCounts counts,
      DownActors down,
      MailSurvey mail,
      List<FailureZoneStatus> failureZones,
      List<ZoneStatus> zones,
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
        .limit(RemoteAdmin.MOST)
        .forEach(zone -> failed.add(brief(StatusJson.of(zone))));
    ArrayNode fullest = form.putArray("fullest");
    mail.fullest().stream()
        .limit(RemoteAdmin.MOST)
        .forEach(
            actor ->
                fullest
                    .addObject()
                    .put("path", actor.path().toString())
                    .put("queued", waiting(actor)));
    ArrayNode threads = form.putArray("threads");
    zones.stream()
        .limit(RemoteAdmin.MOST)
        .forEach(
            zone ->
                threads
                    .addObject()
                    .put("name", zone.name())
                    .put("size", zone.size())
                    .put("busy", zone.busy())
                    .put("queued", zone.queued())
                    .put("blocked", zone.blocked().size()));
    return form;
  }

  private static long waiting(ActorStatus actor) {
    return actor.mailbox() == null ? actor.queued() : actor.mailbox().depth();
  }

  private static void counted(ObjectNode form, Map<ActorStatus.State, Long> counts) {
    form.put("count", counts.values().stream().mapToLong(Long::longValue).sum());
    ObjectNode byState = form.putObject("byState");
    counts.forEach((state, count) -> byState.put(state.name(), count));
  }

  private static ObjectNode brief(ObjectNode row) {
    String text = row.path("lastFailure").asText("");
    return text.length() > MOST_TEXT
        ? row.put("lastFailure", text.substring(0, MOST_TEXT) + "…")
        : row;
  }
}

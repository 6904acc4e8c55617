package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.cell.NodeVersion;
import io.callboard.dashboard.internal.attention.MemberRollUps;
import io.callboard.dashboard.internal.attention.Reading;
import io.callboard.grid.GridEvent;
import io.callboard.grid.MissingNode;
import io.callboard.jobs.model.JobHost;
import io.callboard.store.Member;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the nodes of the cell: its members with the contents of their roll-ups, and the nodes
 * that have gone within a day, as far as the events of the cell reach back. A machine without I/O.
 */
@Machine
final class NodeRows {
  /** Time for which a node that has gone is shown. */
  static final Duration REMEMBERED = Duration.ofHours(24);

  private static final String HTTP = "http";
  private static final String STATE = "state";
  private static final String SINCE = "since";
  private static final String ERROR = "error";
  private static final String LOST = "LOST";

  private NodeRows() {}

  /**
   * Returns the rows, in the order of their names.
   *
   * @param self name of this node
   * @param missing suspects, and nodes that went without leaving the cell
   * @param events of the cell, oldest first
   * @param hosts slots for job runs, as far as they are known
   * @param rollUps last roll-ups of members, by their boot ids
   * @param unread what else could not be read, and why; null if all was
   */
  static List<ObjectNode> of(
      String self,
      List<Member> members,
      List<MissingNode> missing,
      List<GridEvent> events,
      List<JobHost> hosts,
      Map<String, Reading<ObjectNode>> rollUps,
      @Nullable String unread,
      Instant now) {
    Map<String, ObjectNode> rows = new TreeMap<>();
    for (GridEvent event : events) {
      if (isGone(event) && isNews(event.at(), now)) {
        rows.put(
            event.subject(),
            gone(event.subject(), event.kind().equals(GridEvent.NODE_LOST), event.at()));
      }
    }
    for (MissingNode node : missing) {
      if (!node.member() && isNews(node.since(), now)) {
        rows.put(node.name(), gone(node.name(), true, node.since()));
      }
    }
    for (Member member : members) {
      boolean suspect =
          missing.stream().anyMatch(each -> each.member() && each.bootId().equals(member.bootId()));
      ObjectNode row = row(member, self);
      put(row, rollUps.get(member.bootId()), suspect, unread);
      hosts.stream()
          .filter(host -> host.name().equals(member.name()))
          .findFirst()
          .ifPresent(host -> row.put("used", host.used()).put("slots", host.slots()));
      rows.put(member.name(), row);
    }
    return List.copyOf(rows.values());
  }

  private static boolean isGone(GridEvent event) {
    return event.kind().equals(GridEvent.NODE_LEFT) || event.kind().equals(GridEvent.NODE_LOST);
  }

  private static ObjectNode gone(String name, boolean lost, @Nullable Instant since) {
    ObjectNode row =
        JsonNodeFactory.instance.objectNode().put("name", name).put(STATE, lost ? LOST : "GONE");
    return since == null ? row : row.put(SINCE, since.toString());
  }

  private static boolean isNews(@Nullable Instant since, Instant now) {
    return since == null || since.plus(REMEMBERED).isAfter(now);
  }

  private static ObjectNode row(Member member, String self) {
    ObjectNode row =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", member.name())
            .put("bootId", member.bootId())
            .put("here", member.name().equals(self))
            .put(SINCE, member.since().toString());
    String version = member.facts().get(NodeVersion.FACT);
    if (version != null) {
      row.put("version", version);
    }
    String http = member.facts().get(HTTP);
    return http == null ? row : row.put(HTTP, http);
  }

  /** Adds the figures of a roll-up; those of the last one and why there is none now. */
  private static void put(
      ObjectNode row,
      @Nullable Reading<ObjectNode> rollUp,
      boolean suspect,
      @Nullable String unread) {
    String silent = silence(rollUp);
    row.put(STATE, suspect ? "SUSPECT" : silent == null ? "LIVE" : "SILENT");
    String error =
        Stream.of(silent, unread).filter(Objects::nonNull).collect(Collectors.joining("; "));
    if (!error.isEmpty()) {
      row.put(ERROR, error);
    }
    if (rollUp == null) {
      return;
    }
    ObjectNode figures = rollUp.value();
    if (figures != null) {
      long failed =
          figures.at("/actors/byState/FAILED").asLong() + figures.at("/zones/FAILED").asLong();
      row.put("actors", figures.at("/actors/count").asLong())
          .put("failed", failed)
          .put("down", figures.path("down").asLong())
          .put("mail", figures.at("/actors/queued").asLong());
    }
  }

  /** Returns why there are no present figures of a member; null if there are. */
  private static @Nullable String silence(@Nullable Reading<ObjectNode> rollUp) {
    if (rollUp == null) {
      return "it was not asked: of the members, %d are".formatted(MemberRollUps.MOST);
    }
    String figures = rollUp.asOf() == null ? "" : "; figures of " + rollUp.asOf();
    return rollUp.isFresh() ? null : rollUp.error() + figures;
  }
}

package io.callboard.dashboard.model;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.cell.NodeVersion;
import io.callboard.dashboard.attention.Reading;
import io.callboard.grid.MissingNode;
import io.callboard.jobs.model.JobHost;
import io.callboard.store.Member;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the nodes of the cell: its members with what their roll-ups say, and those that are gone,
 * which are remembered for a day. A machine without I/O. Not thread-safe.
 */
@Machine
final class NodeRows {
  /** Time for which a node that has gone is shown. */
  static final Duration REMEMBERED = Duration.ofHours(24);

  /** Maximum number of nodes that are remembered: of more, those that went last. */
  static final int MOST_GONE = 100;

  private static final String HTTP = "http";

  /** Members when they were last seen, by name. */
  private final Map<String, Member> seen = new TreeMap<>();

  private final Map<String, Gone> gone = new TreeMap<>();

  /** Node that was a member, and since when it is none. */
  private record Gone(Member member, Instant at) {}

  /**
   * Returns the rows, in the order of their names.
   *
   * @param self name of this node
   * @param missing suspects, and nodes that went without leaving the cell
   * @param hosts slots for job runs, as far as they are known
   * @param rollUps last roll-ups of members, by their boot ids
   */
  List<ObjectNode> rows(
      String self,
      List<Member> members,
      List<MissingNode> missing,
      List<JobHost> hosts,
      Map<String, Reading<ObjectNode>> rollUps,
      Instant now) {
    remember(members, now);
    Map<String, ObjectNode> rows = new TreeMap<>();
    for (Member member : members) {
      boolean suspect =
          missing.stream().anyMatch(each -> each.member() && each.bootId().equals(member.bootId()));
      ObjectNode row = row(member, self).put("since", member.since().toString());
      put(row, rollUps.get(member.bootId()), suspect);
      hosts.stream()
          .filter(host -> host.name().equals(member.name()))
          .findFirst()
          .ifPresent(host -> row.put("used", host.used()).put("slots", host.slots()));
      rows.put(member.name(), row);
    }
    gone.forEach(
        (name, each) ->
            rows.put(
                name,
                row(each.member(), self).put("state", "GONE").put("since", each.at().toString())));
    for (MissingNode node : missing) {
      if (!node.member() && !isMember(members, node.name()) && isNews(node.since(), now)) {
        ObjectNode row =
            rows.computeIfAbsent(
                node.name(), name -> JsonNodeFactory.instance.objectNode().put("name", name));
        row.put("state", "LOST");
        if (node.since() != null) {
          row.put("since", node.since().toString());
        }
      }
    }
    return List.copyOf(rows.values());
  }

  private static boolean isMember(List<Member> members, String name) {
    return members.stream().anyMatch(member -> member.name().equals(name));
  }

  private static boolean isNews(@Nullable Instant since, Instant now) {
    return since == null || since.plus(REMEMBERED).isAfter(now);
  }

  private void remember(List<Member> members, Instant now) {
    seen.values().stream()
        .filter(before -> !isMember(members, before.name()))
        .forEach(before -> gone.put(before.name(), new Gone(before, now)));
    seen.clear();
    members.forEach(member -> seen.put(member.name(), member));
    gone.keySet().removeAll(seen.keySet());
    gone.values().removeIf(each -> !isNews(each.at(), now));
    while (gone.size() > MOST_GONE) {
      gone.values().stream()
          .min(Comparator.comparing(Gone::at))
          .ifPresent(first -> gone.remove(first.member().name()));
    }
  }

  private static ObjectNode row(Member member, String self) {
    ObjectNode row =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", member.name())
            .put("bootId", member.bootId())
            .put("here", member.name().equals(self));
    String version = member.facts().get(NodeVersion.FACT);
    if (version != null) {
      row.put("version", version);
    }
    String http = member.facts().get(HTTP);
    return http == null ? row : row.put(HTTP, http);
  }

  /** Adds the figures of a roll-up; those of the last one and why there is none now. */
  private static void put(ObjectNode row, @Nullable Reading<ObjectNode> rollUp, boolean suspect) {
    row.put("state", suspect ? "SUSPECT" : "LIVE");
    if (rollUp == null) {
      return;
    }
    if (!rollUp.isFresh()) {
      String figures = rollUp.asOf() == null ? "" : "; figures of " + rollUp.asOf();
      row.put("error", rollUp.error() + figures).put("state", suspect ? "SUSPECT" : "SILENT");
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
}

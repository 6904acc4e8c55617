package io.callboard.dashboard.internal.attention;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.dashboard.internal.attention.Facts.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names of the readings that the rules of attention are based on, so that nothing beyond them is
 * taken to be well. Pure.
 */
final class ReadingNames {
  /** Maximum number of nodes that are named. */
  private static final int MOST_NAMED = 3;

  private ReadingNames() {}

  static String of(Facts facts) {
    List<String> parts = new ArrayList<>();
    add(parts, facts.members(), "the members of the cell");
    add(parts, facts.grid(), "what its monitor finds");
    parts.add("actors, failure zones, circuits, mailboxes and threads of " + nodes(facts));
    add(parts, facts.parked(), "parked messages");
    if (facts.has(Part.JOBS)) {
      add(parts, facts.types(), "types of jobs");
      add(parts, facts.dead(), "jobs that died in the last hour");
      parts.add(runs(facts.runs().olderNodes()));
    }
    if (facts.has(Part.WORKFLOWS)) {
      add(parts, facts.brakes(), "brakes of workflows");
      add(parts, facts.work(), "steps that wait for a worker");
    }
    if (facts.has(Part.SOURCES)) {
      add(parts, facts.sources(), "sources");
    }
    return String.join("; ", parts);
  }

  /** An older node reports how many jobs are stalled, but no kills. */
  private static String runs(List<String> olderNodes) {
    String words = "runs without progress and kills that failed";
    return olderNodes.isEmpty() ? words : words + ", but not the kills of " + named(olderNodes);
  }

  private static void add(List<String> parts, Reading<?> reading, String words) {
    if (reading.isFresh()) {
      parts.add(words);
    }
  }

  /** Of a node that did not answer now nothing was read; one that is older tells less. */
  private static String nodes(Facts facts) {
    List<OtherNode> answered =
        facts.others().items().stream().filter(node -> node.rollUp().isFresh()).toList();
    int here = facts.actors().isFresh() ? 1 : 0;
    long others =
        facts.members().orElse(List.of()).stream()
            .filter(member -> !member.name().equals(facts.node()))
            .count();
    long all = 1 + others;
    int read = answered.size() + here;
    String count =
        read == all && read == 1
            ? "node " + facts.node()
            : read == all ? "all %d nodes".formatted(all) : "%d of %d nodes".formatted(read, all);
    String unread =
        Stream.of(
                olderNodes(answered, "circuits", "circuits, full zones and the age of mail"),
                olderNodes(answered, "failing", "what keeps failing"),
                olderNodes(answered, "interrupted", "what stays interrupted"))
            .flatMap(Optional::stream)
            .collect(Collectors.joining(" and not "));
    return unread.isEmpty() ? count : "%s, but not %s".formatted(count, unread);
  }

  /** Returns what nodes do not tell that have not a field, in words; empty if all have it. */
  private static Optional<String> olderNodes(List<OtherNode> answered, String field, String words) {
    List<String> older =
        answered.stream()
            .filter(node -> lacks(node, field))
            .map(node -> node.member().name())
            .toList();
    return older.isEmpty()
        ? Optional.empty()
        : Optional.of("%s of %s".formatted(words, named(older)));
  }

  private static boolean lacks(OtherNode node, String field) {
    JsonNode said = node.rollUp().value();
    return said != null && !said.has(field);
  }

  private static String named(List<String> nodes) {
    String first = nodes.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
    int more = nodes.size() - MOST_NAMED;
    return more > 0 ? "%s and %d more".formatted(first, more) : first;
  }
}

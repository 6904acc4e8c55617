package io.callboard.dashboard.internal.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.admin.ActorStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.dashboard.internal.attention.Listing;
import io.callboard.dashboard.internal.attention.Subject;
import io.callboard.dashboard.internal.attention.Subject.Kind;
import io.callboard.dashboard.internal.model.ActorRows;
import io.callboard.dashboard.internal.model.CellActors;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Search for actors and failure zones: those of this node by any part of their path; the stored
 * ones of the cell by the beginning of their path; those of other nodes by their path.
 */
final class ActorHits {
  private static final String ONLY_HERE =
      "actors that are not in memory here are found by the beginning of their path, from the slash"
          + " on";
  private static final String NO_SPACE =
      "stored actors are found from the whole first part of their path on, as in /orders";

  private final Callboard callboard;
  private final ActorRows rows;
  private final CellActors cell;

  ActorHits(Callboard callboard, ActorRows rows, CellActors cell) {
    this.callboard = callboard;
    this.rows = rows;
    this.cell = cell;
  }

  Future<Listing<Hit>> find(SearchTerm wanted) {
    Future<List<ActorStatus>> here = callboard.admin().named(wanted.text(), wanted.limit() + 1);
    Future<Stored> stored = stored(wanted);
    return Future.all(here, stored)
        .compose(
            both -> {
              Map<String, Hit> found = new LinkedHashMap<>();
              zones(wanted).forEach(hit -> found.put(hit.subject().name(), hit));
              here.result().forEach(actor -> add(found, hit(actor, wanted)));
              stored.result().rows().forEach(row -> add(found, hit(row, wanted)));
              return withExact(found, stored.result().incomplete(), wanted);
            });
  }

  private static void add(Map<String, Hit> found, Hit hit) {
    Hit unused = found.putIfAbsent(hit.subject().name(), hit);
  }

  /**
   * Stored actors.
   *
   * @param incomplete why others may be missing; null if none are
   */
  private record Stored(List<ObjectNode> rows, @Nullable String incomplete) {}

  /** Reads those whose path begins with the text: in the order of paths they follow each other. */
  private Future<Stored> stored(SearchTerm wanted) {
    if (!wanted.isPath()) {
      return Future.succeededFuture(new Stored(List.of(), ONLY_HERE));
    }
    String text = wanted.text();
    Optional<ActorPath> from =
        text.endsWith("/")
            ? new SearchTerm(text.substring(0, text.length() - 1), wanted.limit()).path()
            : wanted.path();
    if (from.isEmpty()) {
      return Future.succeededFuture(new Stored(List.of(), text.equals("/") ? NO_SPACE : null));
    }
    Optional<ActorPath> above = Optional.ofNullable(from.get().parent());
    boolean whole = above.isEmpty() || text.endsWith("/");
    return rows.stored(
            whole ? from.get() : above.get(), whole ? Optional.empty() : from, wanted.limit() + 1)
        .map(
            found ->
                new Stored(
                    found.stream()
                        .filter(row -> row.path("path").asText().startsWith(text))
                        .toList(),
                    above.isEmpty() && !text.endsWith("/") ? NO_SPACE : null));
  }

  private List<Hit> zones(SearchTerm wanted) {
    return callboard.admin().failureZones().stream()
        .filter(zone -> zone.path().toString().contains(wanted.text()))
        .map(
            zone ->
                hit(
                    zone.path().toString(),
                    "failure zone",
                    zone.state().name(),
                    callboard.node(),
                    wanted))
        .limit(wanted.limit() + 1L)
        .toList();
  }

  /** Puts the one of exactly that path first, which the other nodes are asked for if need be. */
  private Future<Listing<Hit>> withExact(
      Map<String, Hit> found, @Nullable String incomplete, SearchTerm wanted) {
    Optional<ActorPath> path = wanted.path();
    if (path.isEmpty() || found.containsKey(path.get().toString())) {
      return Future.succeededFuture(sorted(found, incomplete, wanted));
    }
    return cell.one(path.get(), null)
        .transform(
            read -> {
              String silent = read.failed() ? Causes.message(read.cause()) : null;
              Optional<ObjectNode> row = read.failed() ? Optional.empty() : read.result();
              row.ifPresent(one -> add(found, hit(one, wanted)));
              return Future.succeededFuture(
                  sorted(found, silent == null ? incomplete : silent, wanted));
            });
  }

  private static Listing<Hit> sorted(
      Map<String, Hit> found, @Nullable String incomplete, SearchTerm wanted) {
    List<Hit> all = new ArrayList<>(found.values());
    all.sort(Comparator.comparing(hit -> !hit.exact()));
    return wanted.first(all, incomplete);
  }

  private static Hit hit(ActorStatus actor, SearchTerm wanted) {
    return hit(actor.path().toString(), null, actor.state().name(), actor.node(), wanted);
  }

  private static Hit hit(ObjectNode row, SearchTerm wanted) {
    return hit(
        row.path("path").asText(),
        null,
        row.path("state").asText(),
        row.has("node") ? row.get("node").asText() : null,
        wanted);
  }

  private static Hit hit(
      String path, @Nullable String label, String state, @Nullable String node, SearchTerm wanted) {
    return new Hit(new Subject(Kind.ACTOR, path), label, state, node, path.equals(wanted.text()));
  }
}

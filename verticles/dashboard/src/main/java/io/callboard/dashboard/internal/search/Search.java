package io.callboard.dashboard.internal.search;

import io.callboard.Callboard;
import io.callboard.admin.ZoneStatus;
import io.callboard.cell.NodeVersion;
import io.callboard.dashboard.internal.attention.Listing;
import io.callboard.dashboard.internal.attention.Subject.Kind;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.model.ActorRows;
import io.callboard.dashboard.internal.model.CellActors;
import io.callboard.dashboard.internal.model.CellModel;
import io.callboard.grid.Grid;
import io.callboard.grid.RoleStatus;
import io.callboard.jobs.Jobs;
import io.callboard.pollers.Sources;
import io.callboard.store.Member;
import io.callboard.supervision.Causes;
import io.callboard.workflows.Workflows;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Search of one node over all kinds of things. Thread-safe. */
public final class Search {
  /**
   * Time that a kind has for its answer, in milliseconds: more than what it asks one after the
   * other waits for, such as a member and the archive with 2 s each, so that what others have is
   * not lost.
   */
  public static final long WITHIN_MS = 5_000;

  /** Maximum number of searches at once. */
  public static final int MOST_AT_ONCE = 4;

  private static final String NO_WORKFLOWS = "this node has no workflow engine: ask another node";
  private static final String NO_SOURCES = "this node takes no part in sources: ask another node";

  private final Semaphore searches = new Semaphore(MOST_AT_ONCE);
  private final Map<Kind, Function<SearchTerm, Future<Listing<Hit>>>> kinds = new LinkedHashMap<>();

  /**
   * Hits of one kind.
   *
   * @param kind the kind
   * @param found what was found; {@code incomplete} says why there may be others
   */
  public record Group(Kind kind, Listing<Hit> found) {
    private boolean isExact() {
      return found.items().stream().anyMatch(Hit::exact);
    }
  }

  /** Creates the search of a node, which may have no jobs, no workflow engine and no sources. */
  public Search(
      Callboard callboard,
      ActorRows rows,
      CellActors cell,
      Grid grid,
      Optional<Jobs> jobs,
      Optional<Workflows> workflows,
      Optional<Sources> sources) {
    add(Kind.JOB, jobs, CellModel.NO_JOBS, WorkHits::jobs);
    add(Kind.WORKFLOW, workflows, NO_WORKFLOWS, WorkHits::instances);
    kinds.put(Kind.ACTOR, new ActorHits(callboard, rows, cell)::find);
    add(Kind.DEFINITION, workflows, NO_WORKFLOWS, Search::definitions);
    add(Kind.TYPE, jobs, CellModel.NO_JOBS, Search::types);
    add(Kind.SOURCE, sources, NO_SOURCES, Search::sources);
    kinds.put(Kind.ROLE, wanted -> roles(grid, wanted));
    kinds.put(Kind.NODE, wanted -> nodes(callboard, wanted));
    kinds.put(Kind.ZONE, wanted -> Future.succeededFuture(zones(callboard, wanted)));
  }

  /** Search within one part of a node. */
  @FunctionalInterface
  private interface Finder<P> {
    Future<Listing<Hit>> find(P part, SearchTerm wanted);
  }

  private <P> void add(Kind kind, Optional<P> part, String without, Finder<P> finder) {
    kinds.put(
        kind,
        wanted ->
            part.map(its -> finder.find(its, wanted))
                .orElseGet(() -> Future.succeededFuture(nothing(without))));
  }

  /**
   * Completes with the hits of each kind, those kinds with exact hits first. Fails with {@code
   * OVERLOADED} while {@value #MOST_AT_ONCE} others search, and with nothing else.
   *
   * @param limit maximum number of hits of each kind
   */
  public Future<List<Group>> find(String text, int limit) {
    if (!searches.tryAcquire()) {
      return Future.failedFuture(
          ProblemException.overloaded(
              "%d searches are under way: try again".formatted(MOST_AT_ONCE)));
    }
    SearchTerm wanted = new SearchTerm(text.strip(), limit);
    List<Future<Group>> all = new ArrayList<>();
    kinds.forEach((kind, finder) -> all.add(group(kind, finder, wanted)));
    return Future.all(all)
        .onComplete(done -> searches.release())
        .map(
            done ->
                all.stream()
                    .map(Future::result)
                    .sorted(Comparator.comparing(group -> !group.isExact()))
                    .toList());
  }

  private static Future<Group> group(
      Kind kind, Function<SearchTerm, Future<Listing<Hit>>> finder, SearchTerm wanted) {
    Future<Listing<Hit>> found;
    try {
      found = finder.apply(wanted);
    } catch (RuntimeException e) {
      found = Future.failedFuture(e);
    }
    return found
        .timeout(WITHIN_MS, TimeUnit.MILLISECONDS)
        .otherwise(cause -> nothing(why(cause)))
        .map(listing -> new Group(kind, listing));
  }

  private static String why(Throwable cause) {
    return cause instanceof TimeoutException
        ? "no answer within %d s".formatted(TimeUnit.MILLISECONDS.toSeconds(WITHIN_MS))
        : Causes.message(cause);
  }

  private static Listing<Hit> nothing(String why) {
    return new Listing<>(List.of(), false, why);
  }

  private static Future<Listing<Hit>> definitions(Workflows workflows, SearchTerm wanted) {
    return workflows
        .definitions()
        .map(
            names ->
                wanted.of(
                    names.stream().map(name -> Hit.of(Kind.DEFINITION, name, null, null, wanted))));
  }

  private static Future<Listing<Hit>> types(Jobs jobs, SearchTerm wanted) {
    return jobs.types()
        .map(
            types ->
                wanted.of(
                    types.stream()
                        .map(
                            type ->
                                Hit.of(
                                    Kind.TYPE,
                                    type.name(),
                                    null,
                                    type.paused() ? "PAUSED" : "TAKES",
                                    wanted))));
  }

  private static Future<Listing<Hit>> sources(Sources sources, SearchTerm wanted) {
    return sources
        .list()
        .map(
            all ->
                wanted.of(
                    all.stream()
                        .map(
                            source ->
                                Hit.of(
                                    Kind.SOURCE,
                                    source.name(),
                                    source.kind() + ", " + source.target(),
                                    source.status().name(),
                                    wanted))));
  }

  private static Future<Listing<Hit>> roles(Grid grid, SearchTerm wanted) {
    return grid.roles()
        .map(
            roles ->
                wanted.of(
                    roles.stream()
                        .map(
                            role ->
                                Hit.of(
                                    Kind.ROLE,
                                    role.name(),
                                    role.holder().map(node -> "held by " + node).orElse(null),
                                    state(role),
                                    wanted))));
  }

  private static String state(RoleStatus role) {
    return role.holder().isEmpty() ? "VACANT" : role.standby().isEmpty() ? "ALONE" : "HELD_BY";
  }

  private static Future<Listing<Hit>> nodes(Callboard callboard, SearchTerm wanted) {
    return callboard
        .members()
        .map(
            members ->
                wanted.of(
                    members.stream()
                        .map(node -> Hit.of(Kind.NODE, node.name(), label(node), "LIVE", wanted))));
  }

  private static String label(Member node) {
    return NodeVersion.of(node).map(version -> version + ", ").orElse("") + "boot " + node.bootId();
  }

  private static Listing<Hit> zones(Callboard callboard, SearchTerm wanted) {
    return wanted.of(
        callboard.admin().zones().stream()
            .map(zone -> Hit.of(Kind.ZONE, zone.name(), zone.kind(), state(zone), wanted)));
  }

  private static String state(ZoneStatus zone) {
    return zone.full() ? "FULL_ZONE" : zone.blocked().isEmpty() ? "WELL" : "BLOCKED_THREADS";
  }
}

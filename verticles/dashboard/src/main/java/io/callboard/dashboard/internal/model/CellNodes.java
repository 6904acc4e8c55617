package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.dashboard.internal.attention.CachedReading;
import io.callboard.dashboard.internal.attention.FactsReader;
import io.callboard.dashboard.internal.attention.Reading;
import io.callboard.grid.Grid;
import io.callboard.grid.GridEvent;
import io.callboard.grid.GridStatus;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobHost;
import io.callboard.store.Member;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of the cell, as one of them sees them: each is asked for its roll-up once a second
 * while somebody watches, and not at all otherwise. Thread-safe.
 */
public final class CellNodes {
  /** Interval for what changes more slowly than figures: hosts and events. */
  private static final Duration SLOWLY = Duration.ofSeconds(5);

  private final Callboard callboard;
  private final FactsReader facts;
  private final Clock clock;
  private final CachedReading<List<JobHost>> hosts;
  private final CachedReading<List<GridEvent>> events;

  /** Creates the view of a node, which may have no jobs. */
  public CellNodes(
      Callboard callboard, FactsReader facts, Grid grid, Optional<Jobs> jobs, Clock clock) {
    this.callboard = callboard;
    this.facts = facts;
    this.clock = clock;
    this.hosts =
        new CachedReading<>(
            SLOWLY,
            clock,
            () -> jobs.map(Jobs::hosts).orElseGet(() -> Future.succeededFuture(List.of())));
    this.events = new CachedReading<>(SLOWLY, clock, grid::events);
  }

  /** Completes with a row of each node; fails if the members cannot be read. */
  public Future<List<ObjectNode>> list() {
    Future<Reading<List<Member>>> members = facts.members();
    Future<Reading<GridStatus>> grid = facts.grid();
    Future<Reading<List<JobHost>>> slots = hosts.read();
    Future<Reading<List<GridEvent>>> past = events.read();
    return Future.all(members, grid, slots, past)
        .compose(
            all -> {
              List<Member> known = members.result().value();
              return known == null || !members.result().isFresh()
                  ? Future.failedFuture(
                      new CallboardException(
                          CallboardException.Code.UNAVAILABLE,
                          "the members cannot be read: " + members.result().error()))
                  : list(known, grid.result(), slots.result(), past.result());
            });
  }

  private Future<List<ObjectNode>> list(
      List<Member> members,
      Reading<GridStatus> grid,
      Reading<List<JobHost>> slots,
      Reading<List<GridEvent>> past) {
    return facts
        .rollUps(members)
        .map(
            rollUps -> {
              GridStatus status = grid.value();
              return NodeRows.of(
                  callboard.node(),
                  members,
                  status == null ? List.of() : status.missing(),
                  past.orElse(List.of()),
                  slots.orElse(List.of()),
                  rollUps,
                  unread(grid, slots, past),
                  clock.instant());
            });
  }

  /** Returns what of the rows is old or missing, and why; null if nothing is. */
  private static @Nullable String unread(
      Reading<GridStatus> grid, Reading<List<JobHost>> slots, Reading<List<GridEvent>> past) {
    Map<String, Reading<?>> all = new LinkedHashMap<>();
    all.put("suspects", grid);
    all.put("slots", slots);
    all.put("nodes that have gone", past);
    String unread =
        all.entrySet().stream()
            .filter(each -> !each.getValue().isFresh())
            .map(each -> "%s not read: %s".formatted(each.getKey(), each.getValue().error()))
            .collect(Collectors.joining("; "));
    return unread.isEmpty() ? null : unread;
  }

  /** Completes with the roll-up of the node of that name; empty if there is no such member. */
  public Future<Optional<ObjectNode>> one(String name) {
    return member(name)
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : callboard
                        .admin()
                        .of(found.get())
                        .rollUp()
                        .map(rollUp -> Optional.of(rollUp.put("name", name))));
  }

  /** Completes with the member of that name. */
  public Future<Optional<Member>> member(String name) {
    return callboard
        .members()
        .map(all -> all.stream().filter(each -> each.name().equals(name)).findFirst());
  }
}

package io.callboard.dashboard.internal.bulk;

import io.callboard.dashboard.internal.bulk.BulkScope.Reached;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.model.Partial;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Finds the items of one kind that a bulk action would reach. Thread-safe.
 *
 * @param <S> states that an item can be in
 * @param <A> actions
 */
public final class Selection<S extends Enum<S>, A extends BulkAction<S>> {
  /** Maximum number of items that one request reaches: the oldest. */
  public static final int MOST = 2_000;

  private static final int PAGE = 200;
  private static final int MOST_PAGES = 50;
  private static final int MOST_AT_ONCE = 4;

  private final BulkKind<S, A> kind;
  private final Semaphore searches = new Semaphore(MOST_AT_ONCE);

  /** Creates the finder of a node. */
  public Selection(BulkKind<S, A> kind) {
    this.kind = kind;
  }

  /** Items found so far, each once, the oldest first, with the nodes that did not answer. */
  private static final class Found<S extends Enum<S>> {
    final TreeMap<String, Reached<S>> items = new TreeMap<>();
    final TreeSet<String> missing = new TreeSet<>();
    boolean partial;

    /** Whether there were too many to look at that the action is not for. */
    boolean cut;

    @Nullable String incomplete() {
      if (!partial) {
        return cut
            ? "only the first %,d of a state were looked at".formatted(MOST_PAGES * PAGE)
            : null;
      }
      return Partial.why(List.copyOf(missing));
    }
  }

  /**
   * Completes with the items that an action would reach; fails with {@code INVALID} if the action
   * is impossible in the state that is asked for, with {@code OVERLOADED} if several others are
   * searching.
   *
   * @param limit maximum number of items, up to {@value #MOST}
   */
  public Future<BulkScope<S>> find(A action, BulkFilter filter, int limit) {
    String asked = filter.state();
    S state = asked == null ? null : kind.state(asked);
    if (state != null && !action.possible().contains(state)) {
      return Future.failedFuture(
          ProblemException.invalid(
              "/state",
              "a %s that is %s cannot be asked to %s: one of %s"
                  .formatted(kind.one(), state, action.word(), BulkKind.words(action.possible()))));
    }
    if (!searches.tryAcquire()) {
      return Future.failedFuture(
          ProblemException.overloaded(
              "%d others are finding out what an action would reach: try again"
                  .formatted(MOST_AT_ONCE)));
    }
    Found<S> found = new Found<>();
    Future<Void> all = Future.succeededFuture();
    for (S each : action.meant(state)) {
      all =
          all.compose(done -> pages(new Search<>(action, filter, each, limit), null, 0, 0, found));
    }
    return all.compose(done -> kind.total())
        .map(total -> extent(found, limit, total))
        .onComplete(done -> searches.release());
  }

  private static <S extends Enum<S>> BulkScope<S> extent(Found<S> found, int limit, long total) {
    List<Reached<S>> first = found.items.values().stream().limit(limit).toList();
    return BulkScope.of(first, found.items.size() > first.size(), total, found.incomplete());
  }

  private static boolean isMeant(Reached<?> item, BulkFilter filter) {
    Instant until = filter.createdUntil();
    return until == null || !item.createdAt().isAfter(until);
  }

  /** Search for those in one state. */
  private record Search<S, A>(A action, BulkFilter filter, S state, int limit) {}

  /** Reads those in one state until there are more than the limit, or too many were looked at. */
  private Future<Void> pages(
      Search<S, A> search, @Nullable String cursor, int before, int pages, Found<S> found) {
    if (pages == MOST_PAGES) {
      found.cut = true;
      return Future.succeededFuture();
    }
    return kind.page(search.action(), search.filter(), search.state(), PAGE, cursor)
        .compose(
            page -> {
              page.items().stream()
                  .filter(item -> isMeant(item, search.filter()))
                  .forEach(item -> found.items.put(item.id(), item));
              found.partial |= page.partial();
              found.missing.addAll(page.missing());
              int read = before + page.items().size();
              return page.next() == null || read > search.limit()
                  ? Future.succeededFuture()
                  : pages(search, page.next(), read, pages + 1, found);
            });
  }
}

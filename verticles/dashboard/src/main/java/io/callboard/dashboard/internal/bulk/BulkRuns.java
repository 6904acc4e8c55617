package io.callboard.dashboard.internal.bulk;

import io.callboard.dashboard.internal.contract.Problem;
import io.callboard.dashboard.internal.contract.Problem.Kind;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.contract.Problems;
import io.callboard.time.Time;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs over many items of one kind of this node: one at a time, and the last ones. Thread-safe.
 */
public final class BulkRuns {
  /** Number of runs that are kept. */
  static final int MOST_KEPT = 10;

  private static final Logger log = LoggerFactory.getLogger(BulkRuns.class);

  /** Failures for which the item is to blame, not the node. */
  private static final Set<Kind> OF_ITEM =
      EnumSet.of(Kind.NOT_FOUND, Kind.ILLEGAL_STATE, Kind.INVALID, Kind.CORRUPT);

  private final String one;
  private final String many;
  private final Context context;
  private final Time time;
  private final Clock clock;
  private final String node;
  private final Consumer<BulkStatus> news;
  private final Deque<Kept> kept = new ArrayDeque<>();
  private boolean closed;

  /**
   * Creates an empty list of runs over items of that kind.
   *
   * @param node name of this node
   * @param peers the other nodes, which are told of the runs
   */
  public BulkRuns(
      Vertx vertx, BulkKind<?, ?> kind, Time time, Clock clock, String node, BulkPeers peers) {
    this.node = node;
    this.news = status -> peers.tell(kind.many(), status);
    this.one = kind.one();
    this.many = kind.many();
    this.context = vertx.getOrCreateContext();
    this.time = time;
    this.clock = clock;
  }

  /**
   * Order of a run: its action, who asks for it, and its rate.
   *
   * @param action word of the action
   * @param each does it to the item of an id
   * @param by who asks for it
   * @param reason reason that was given; may be empty
   * @param ratePerSecond items a second
   * @param incomplete why others may be missing among the items; null if none are
   */
  public record Order(
      String action,
      Function<String, Future<Void>> each,
      String by,
      String reason,
      double ratePerSecond,
      @Nullable String incomplete) {}

  /** Run that is kept, with its order; under the lock of this class. */
  private final class Kept {
    final Order order;
    final BulkRun run;
    final Instant startedAt = clock.instant();
    @Nullable Instant endedAt;
    @Nullable Long toldNs;
    Time.@Nullable Alarm timer;

    Kept(Order order, BulkRun run) {
      this.order = order;
      this.run = run;
    }

    BulkStatus status() {
      return new BulkStatus(
          node,
          order.action(),
          order.by(),
          order.reason(),
          run.state(),
          run.why(),
          order.incomplete(),
          run.matched(),
          run.done(),
          run.failed(),
          run.failures(),
          order.ratePerSecond(),
          startedAt,
          endedAt);
    }
  }

  /**
   * Begins a run, which goes on by itself. Each item that it tries is logged.
   *
   * @throws ProblemException {@code ILLEGAL_STATE} while another run goes on, {@code UNAVAILABLE}
   *     after {@link #close}
   */
  public synchronized BulkStatus start(Order order, List<String> ids) {
    if (closed) {
      throw refused(Kind.UNAVAILABLE, "the dashboard of this node is closed: ask another node");
    }
    Kept last = kept.peekFirst();
    if (last != null && !last.run.isOver()) {
      throw refused(
          Kind.ILLEGAL_STATE,
          "this node is still to %s %d %s for %s, and has tried %d: wait for its end, or stop it"
              .formatted(
                  last.order.action(),
                  last.run.matched(),
                  many,
                  last.order.by(),
                  last.run.done() + last.run.failed()));
    }
    Kept made = new Kept(order, new BulkRun(ids, order.ratePerSecond(), time.nanoTime()));
    kept.addFirst(made);
    if (kept.size() > MOST_KEPT) {
      kept.removeLast();
    }
    log.info(
        "{} {} are to be asked to {}, {} a second, by {}",
        ids.size(),
        many,
        order.action(),
        order.ratePerSecond(),
        order.by());
    advance(made);
    return made.status();
  }

  private static ProblemException refused(Kind kind, String detail) {
    return new ProblemException(Problem.of(kind, detail));
  }

  /** Begins what is due, and comes back for the rest. */
  private synchronized void advance(Kept its) {
    if (its.timer != null) {
      its.timer.cancel();
      its.timer = null;
    }
    for (String id : its.run.begin(time.nanoTime())) {
      act(its, id);
    }
    its.run
        .waits(time.nanoTime())
        .ifPresent(wait -> its.timer = time.after(context, wait, () -> advance(its)));
    if (its.run.isOver() && its.endedAt == null) {
      its.endedAt = clock.instant();
      log.info(
          "to {} {} {} for {} has ended: {} done, {} failed{}",
          its.order.action(),
          its.run.matched(),
          many,
          its.order.by(),
          its.run.done(),
          its.run.failed(),
          its.run.why() == null ? "" : "; " + its.run.why());
      its.toldNs = null;
    }
    tell(its);
  }

  /** Tells the other nodes how it stands, unless they were told a while ago. */
  private void tell(Kept its) {
    long now = time.nanoTime();
    if (its.toldNs == null || now - its.toldNs >= BulkPeers.EVERY.toNanos()) {
      its.toldNs = now;
      news.accept(its.status());
    }
  }

  private void act(Kept its, String id) {
    context.runOnContext(
        v ->
            Future.succeededFuture()
                .compose(now -> its.order.each().apply(id))
                .onComplete(acted -> ended(its, id, acted)));
  }

  private synchronized void ended(Kept its, String id, AsyncResult<Void> acted) {
    if (acted.succeeded()) {
      log.info("to {} {} {} for {}: done", its.order.action(), one, id, its.order.by());
      its.run.succeeded();
    } else {
      Throwable cause = acted.cause();
      log.info(
          "to {} {} {} for {}: {}", its.order.action(), one, id, its.order.by(), cause.toString());
      Kind kind = Problems.of(cause).kind();
      its.run.failed(
          new BulkFailure(id, kind.name(), String.valueOf(cause.getMessage())),
          OF_ITEM.contains(kind));
    }
    advance(its);
  }

  /** Stops the run that goes on; empty if there is none. */
  public synchronized Optional<BulkStatus> stop(String cause) {
    Kept last = kept.peekFirst();
    if (last == null || last.run.isOver()) {
      return Optional.empty();
    }
    last.run.stop(cause);
    advance(last);
    return Optional.of(last.status());
  }

  /** Stops the run that goes on, and begins no other. */
  public synchronized void close() {
    closed = true;
    Optional<BulkStatus> unused = stop("the dashboard of its node was closed");
  }

  /** Returns the last runs, the latest first. */
  public synchronized List<BulkStatus> last() {
    return kept.stream().map(Kept::status).toList();
  }
}

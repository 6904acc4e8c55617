package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.Gate;
import io.callboard.jobs.internal.call.OfferedHandler;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.TypeView;
import io.callboard.part.PartTrouble;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Causes;
import io.callboard.supervision.Retries;
import io.callboard.task.BackgroundTasks;
import io.callboard.time.Time;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers of this node's handlers to the scheduler of the cell. Those that wait are reported
 * together, after pauses that grow, until a scheduler knows or refuses them, however long that
 * takes: a worker may start before the nodes that schedule, and its last reports wait in the
 * mailbox of the gate until then. Any thread; what is decided is decided on the context of its
 * tasks.
 */
final class HandlerOffers {
  /**
   * Time for which those that offer wait for a scheduler, together: offers that are made one after
   * the other do not wait longer than one, but for {@link #LEAST_PATIENCE} each.
   */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Minimum time for which one that offers waits, within which a scheduler that is up answers. */
  static final Duration LEAST_PATIENCE = Duration.ofMillis(500);

  /** Pauses before the handlers that no scheduler knows yet are reported again. */
  private static final Backoff AGAIN =
      Backoff.exponential(Duration.ofSeconds(2), Duration.ofSeconds(30));

  /** Time after which an offer that no scheduler knows needs attention. */
  private static final Duration LONG = Duration.ofMinutes(2);

  private static final Logger log = LoggerFactory.getLogger(HandlerOffers.class);

  private final Callboard callboard;
  private final Supplier<Future<Void>> hostReport;
  private final GateClient gate;
  private final Consumer<OfferedHandler<?>> withdraw;
  private final Time time;
  private final BackgroundTasks tasks;
  private final Map<String, Offer> waiting = new ConcurrentHashMap<>();
  private final Map<String, PartTrouble> refused = new ConcurrentHashMap<>();

  /** When those that offer wait no longer; null if the scheduler answered the last offer. */
  private @Nullable Long patienceEndsNs;

  /** Number of reports so far. */
  private long reports;

  /** Whether a report follows as soon as the offers that are made now have begun. */
  private boolean reportsSoon;

  private final RandomGenerator random;
  private Retries pauses = AGAIN.begin();
  private Time.@Nullable Alarm again;

  /** Offer that no scheduler knows yet. */
  private static final class Offer {
    private final OfferedHandler<?> handler;
    private final Promise<Void> placed;
    private final Instant since;
    private volatile String cause = "no scheduler has answered";

    /** First report that has it. */
    private long firstReport = Long.MAX_VALUE;

    Offer(OfferedHandler<?> handler, Promise<Void> placed, Instant since) {
      this.handler = handler;
      this.placed = placed;
      this.since = since;
    }

    String name() {
      return handler.name();
    }
  }

  /**
   * Creates the offers of a node without handlers.
   *
   * @param hostReport reports what this node offers to the gate; fails if nobody reads it
   * @param withdraw takes what is to be offered no more
   */
  HandlerOffers(
      Callboard callboard,
      Supplier<Future<Void>> hostReport,
      GateClient gate,
      Consumer<OfferedHandler<?>> withdraw) {
    this.callboard = callboard;
    this.hostReport = hostReport;
    this.gate = gate;
    this.withdraw = withdraw;
    this.time = callboard.time();
    this.random = callboard.random();
    this.tasks = callboard.tasks("the offers of job handlers");
  }

  /**
   * Reports a handler that this node offers from now on.
   *
   * @return completes when a scheduler knows it, or none has said so within {@link #PATIENCE};
   *     fails if a scheduler refuses it within that time
   */
  Future<Void> add(OfferedHandler<?> handler) {
    Offer offer =
        new Offer(
            handler, BackgroundTasks.callersPromise(callboard.vertx()), time.clock().instant());
    refused.remove(handler.name());
    waiting.put(handler.name(), offer);
    tasks.call(() -> begin(offer)).onFailure(offer.placed::tryFail); // if these tasks have ended
    return offer.placed.future();
  }

  private Future<Void> begin(Offer offer) {
    long now = time.nanoTime();
    Long before = patienceEndsNs;
    long ends = before == null ? now + PATIENCE.toNanos() : before;
    patienceEndsNs = ends;
    offer.firstReport = reports + 1;
    pauses = pauses.reset();
    if (!reportsSoon) {
      reportsSoon = true;
      tasks.run(this::report);
    }
    return tasks
        .pause(Duration.ofNanos(Math.max(ends - now, LEAST_PATIENCE.toNanos())))
        .onSuccess(passed -> waitNoLonger(offer));
  }

  private void waitNoLonger(Offer offer) {
    if (waiting.get(offer.name()) == offer) {
      log.warn(
          "no scheduler knows yet that this node offers the handler {}, which is reported again until one does: {}",
          offer.name(),
          offer.cause);
      offer.placed.tryComplete();
    }
  }

  private void report() {
    Time.Alarm set = again;
    if (set != null) {
      set.cancel();
    }
    reportsSoon = false;
    reports++;
    long its = reports;
    Future.succeededFuture()
        .compose(v -> hostReport.get())
        .recover(JobFailures::translate)
        .compose(sent -> gate.views())
        .onComplete(types -> tasks.run(() -> answered(its, types)));
  }

  private void answered(long report, AsyncResult<List<TypeView>> types) {
    for (Offer offer : waiting.values()) {
      if (offer.firstReport <= report) {
        answered(offer, types);
      }
    }
    if (report == reports && !waiting.isEmpty()) {
      pauses = pauses.next(random);
      again = tasks.after(pauses.delay(), this::report);
    }
  }

  private void answered(Offer offer, AsyncResult<List<TypeView>> types) {
    JobException refusal = types.failed() ? null : refusal(offer.name(), types.result());
    if (refusal != null) {
      patienceEndsNs = null;
      refuse(offer, refusal);
    } else if (types.succeeded() && isKnown(offer.name(), types.result())) {
      patienceEndsNs = null;
      waiting.remove(offer.name(), offer);
      if (!offer.placed.tryComplete()) {
        log.info("a scheduler knows now that this node offers the handler {}", offer.name());
      }
    } else {
      offer.cause =
          types.failed()
              ? Causes.message(types.cause())
              : "the scheduler has made no job type of its name, as one of an earlier version does";
    }
  }

  /** Returns whether a type runs in the handler: that of its name, or another. */
  private static boolean isKnown(String handler, List<TypeView> types) {
    return types.stream().anyMatch(view -> handler.equals(view.type().handler()));
  }

  /** Returns why a handler cannot be offered, whatever happens; null if it can. */
  private static @Nullable JobException refusal(String handler, List<TypeView> types) {
    Optional<TypeView> its =
        types.stream().filter(view -> view.type().name().equals(handler)).findFirst();
    if (its.isPresent() && !handler.equals(its.get().type().handler())) {
      return new JobException(
          Code.ILLEGAL_STATE,
          "the job type \"%s\" is of %s: give the handler another name"
              .formatted(handler, its.get().type().runnerWords()));
    } else if (types.size() >= Gate.MOST_TYPES && !isKnown(handler, types)) {
      return new JobException(
          Code.OVERLOADED,
          "there are %d job types already, which is the limit, so the handler \"%s\" gets none: let one of them name it (PUT /types/{t}), or let a handler do the work of several"
              .formatted(Gate.MOST_TYPES, handler));
    }
    return null;
  }

  /** Withdraws an offer last: another thread may offer the same name from then on. */
  private void refuse(Offer offer, JobException refusal) {
    waiting.remove(offer.name(), offer);
    if (offer.placed.future().isComplete()) { // nobody waits for it any more
      String why = Causes.message(refusal);
      log.error("this node offers the handler {} no more: {}", offer.name(), why);
      refused.put(
          offer.name(),
          new PartTrouble(
              subject(offer.name()),
              true,
              time.clock().instant(),
              "this node offers it no more: " + why,
              "change the program, and start this node again"));
    }
    withdraw.accept(offer.handler);
    offer.placed.tryFail(refusal);
  }

  /**
   * Returns the handlers that were refused after nobody waited for the answer, and those that have
   * waited long for a scheduler.
   */
  List<PartTrouble> troubles() {
    List<PartTrouble> troubles = new ArrayList<>(refused.values());
    Instant now = time.clock().instant();
    for (Offer offer : waiting.values()) {
      if (offer.since.plus(LONG).isBefore(now)) {
        troubles.add(
            new PartTrouble(
                subject(offer.name()),
                true,
                offer.since,
                "no scheduler knows that this node offers it, so it gets no jobs: " + offer.cause,
                "start a node that schedules jobs, of this version"));
      }
    }
    return troubles;
  }

  private static String subject(String handler) {
    return "handler \"%s\"".formatted(handler);
  }

  /** Ends the reports, and the waits for a scheduler, which fail. */
  void close() {
    tasks.close();
  }
}

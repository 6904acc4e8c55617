package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.admin.WaitingMessage;
import io.callboard.jobs.internal.actor.Gate;
import io.callboard.jobs.model.JobException;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats this host's reports and questions to the gate, as long as the gate reads its mailbox. The
 * mailbox is durable, and in a cell where no node schedules jobs, or whose gate is stopped, it
 * would fill. {@link ReportPace} decides by what waits there, whatever the version of the gate's
 * node. What must not be lost is sent without this. Thread-safe.
 */
final class GateReports {
  /** Time after which a report under way, of which nothing is heard, keeps no other back. */
  static final Duration LATE = Duration.ofSeconds(30);

  /** Time for which reports are held back before that is logged: a gate may be moving. */
  static final Duration LONG = Duration.ofMinutes(1);

  private static final String REMEDY =
      "the last reports wait unread; start a node that schedules jobs, or resume " + Gate.PATH;
  private static final Future<Void> DONE = Future.succeededFuture();
  private static final Logger log = LoggerFactory.getLogger(GateReports.class);

  private final Supplier<Future<List<WaitingMessage>>> look;
  private final Supplier<Future<Void>> send;
  private final Time time;
  private final ReportPace pace = new ReportPace();
  private Future<Void> current = Future.succeededFuture();

  /** Number of reports that were begun; what comes of one counts until the next is. */
  private long begun;

  private long begunNs;
  private boolean heldBack;
  private long heldBackNs;
  private boolean said;
  private boolean closed;

  /**
   * Creates the reports of a host.
   *
   * @param send sends one
   */
  GateReports(Callboard callboard, Supplier<Future<Void>> send) {
    this(() -> callboard.admin().waiting(Gate.PATH, 1), send, callboard.time());
  }

  /**
   * Creates the reports of a host.
   *
   * @param look reads the message that has waited longest in the mailbox of the gate, if any does
   * @param send sends one
   */
  GateReports(Supplier<Future<List<WaitingMessage>>> look, Supplier<Future<Void>> send, Time time) {
    this.look = look;
    this.send = send;
    this.time = time;
  }

  /**
   * Sends a report, unless the last ones wait unread, one is being sent, or these reports have
   * ended. Completes when that is done; fails if the report could not be sent.
   */
  synchronized Future<Void> repeat() {
    long nowNs = time.nanoTime();
    if (closed || (!current.isComplete() && nowNs - begunNs < LATE.toNanos())) {
      return current;
    }
    begunNs = nowNs;
    long its = ++begun;
    current = (pace.holdsBack() ? look() : DONE).compose(looked -> report(its));
    return current;
  }

  private synchronized Future<Void> report(long its) {
    if (closed || its != begun || holdsBack()) {
      return DONE;
    }
    return DONE.compose(v -> send.get()).onSuccess(sent -> reported(its));
  }

  private synchronized void reported(long its) {
    if (its == begun) {
      pace.reported();
    }
  }

  /** Returns whether reports are held back now; logs it once it has lasted, and the end of that. */
  private boolean holdsBack() {
    if (!pace.holdsBack()) {
      if (said) {
        log.info("the gate reads its mail, and this host reports to it again");
      }
      said = false;
      heldBack = false;
      return false;
    }
    long nowNs = time.nanoTime();
    if (!heldBack) {
      heldBack = true;
      heldBackNs = nowNs;
    } else if (!said && nowNs - heldBackNs >= LONG.toNanos()) {
      said = true;
      log.warn("this host reports to the gate no more until it reads its mail: {}", REMEDY);
    }
    return true;
  }

  /**
   * Looks whether the gate reads; if the store cannot be read, nothing is known to have changed.
   */
  private Future<Void> look() {
    return DONE.compose(v -> look.get())
        .onSuccess(this::looked)
        .onFailure(cause -> log.debug("it is not known whether the gate reads its mail", cause))
        .transform(looked -> DONE);
  }

  private synchronized void looked(List<WaitingMessage> waiting) {
    pace.looked(waiting.stream().map(WaitingMessage::place).findFirst());
  }

  /**
   * Completes if a question that is repeated may be sent to the gate; fails if the gate does not
   * read its mailbox, since questions would wait there long after their callers have given up.
   */
  synchronized Future<Void> requireReader() {
    return pace.holdsBack() ? look().compose(looked -> reader()) : DONE;
  }

  private synchronized Future<Void> reader() {
    return pace.holdsBack()
        ? JobFailures.fail(
            JobException.Code.UNAVAILABLE, "the gate does not read its mail: " + REMEDY)
        : DONE;
  }

  /** Ends the reports: none is sent from now on. */
  synchronized void close() {
    closed = true;
  }
}

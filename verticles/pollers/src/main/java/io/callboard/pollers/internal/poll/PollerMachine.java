package io.callboard.pollers.internal.poll;

import io.callboard.pollers.internal.poll.TakenMessage.Stage;
import io.callboard.pollers.internal.poll.TakenMessages.Line;
import io.callboard.pollers.model.SourceMode;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides when to poll a source, and how each taken message is processed. Takes the time and what
 * has happened, and says what is to be done. Not thread-safe.
 */
@Machine
public class PollerMachine {
  /**
   * Failures in a row after which the source is opened again: of calls for many messages, or of
   * calls that give one back or set it aside while no such call for another one succeeded.
   */
  static final int MOST_FAILURES = 8;

  /** Failures of what is sent after a success, some hours, after which its message is set aside. */
  static final int MOST_EMITS = 500;

  /**
   * Deliveries for each attempt after which a message that fails again is set aside, if its source
   * counts no failures.
   */
  static final int MOST_DELIVERIES = 10;

  /** Time after which an attempt whose end is told is asked for all the same. */
  static final Duration LOOK = Duration.ofMinutes(5);

  /** Time after which one is asked for of which nobody has said what starts. */
  static final Duration LOOK_UNDECIDED = Duration.ofMinutes(1);

  /** Time after which an attempt is asked for whose end is not told. */
  static final Duration LOOK_UNTOLD = Duration.ofSeconds(10);

  private final PollerRules rules;
  private final RandomGenerator random;
  private final SourceLink link;
  private final TakenMessages held = new TakenMessages();
  private final PollerCounts counts;
  private final PollerCalls calls;
  private final PollerGate gate;
  private final NextCalls next;
  private List<PollerEffect> effects = new ArrayList<>();
  private boolean stopping;

  /**
   * Creates a machine; {@link #tick} begins it.
   *
   * @param mode what operators want
   * @param by who wants it; null for nobody
   */
  public PollerMachine(
      PollerRules rules,
      SourceMode mode,
      @Nullable String by,
      RandomGenerator random,
      Instant now) {
    this.rules = rules;
    this.random = random;
    this.link = new SourceLink(rules.reopen(), random);
    this.counts = new PollerCounts(now);
    this.calls = new PollerCalls(rules.again(), random);
    this.gate = new PollerGate(rules.again(), random, mode, by, now);
    this.next = new NextCalls(rules, random, held, calls, gate, now);
  }

  /** Returns the effects since the last call of this method. */
  public List<PollerEffect> effects() {
    List<PollerEffect> taken = effects;
    effects = new ArrayList<>();
    return taken;
  }

  /** Returns the report of the poller for operators. */
  public PollerReport report(Instant now) {
    return PollerReport.of(rules, link, gate, held, counts, stopping, now);
  }

  /** Returns whether a stopped machine waits for nothing more. */
  public boolean isIdle() {
    return held.size() == 0 && !calls.isUnderWay(PollerCalls.Kind.POLL);
  }

  /** Does what is due. */
  public void tick(Instant now) {
    act(now);
  }

  /**
   * The source is open.
   *
   * @param itsLease time after which what it gave is given to others; null for none
   */
  public void opened(long life, @Nullable Duration itsLease, Instant now) {
    if (link.opened(life)) {
      held.lease(itsLease);
      next.opened(now);
    }
    act(now);
  }

  /** The source could not be opened. */
  public void openFailed(long life, String cause, Instant now) {
    openFailed(life, cause, Duration.ZERO, now);
  }

  /**
   * The source could not be opened.
   *
   * @param after time after which it may be tried again, at least
   */
  public void openFailed(long life, String cause, Duration after, Instant now) {
    if (life == link.life() && link.phase() == SourceLink.Phase.OPENING) {
      breaks("it could not be opened: " + cause, after, now);
    }
    act(now);
  }

  /** The source is closed. */
  public void closed(long life, Instant now) {
    link.closed(life, now);
    act(now);
  }

  /** Changes the mode of the source, as operators want. */
  public void mode(SourceMode mode, @Nullable String by, Instant now) {
    gate.mode(mode, by);
    if (mode == SourceMode.DRAINING) {
      held.all().stream().filter(each -> each.stage == Stage.READY).forEach(e -> release(e, now));
    }
    act(now);
  }

  /**
   * Sets the number of further messages that their target allows.
   *
   * @param room how many; null for any number
   * @param why why not more
   */
  public void room(@Nullable Integer room, String why, Instant now) {
    gate.room(room, why);
    act(now);
  }

  /** Records why the number of further messages is not known; the last known one stays in force. */
  public void roomIsNotKnown(String cause) {
    gate.roomIsNotKnown(cause);
  }

  /** Stops for good: gives back messages that have not ended, and finishes those that have. */
  public void stop(Instant now) {
    stopping = true;
    for (TakenMessage each : held.all()) {
      boolean ended = Line.of(each.stage) != Line.SUBMIT;
      boolean unsent = each.stage == Stage.EMITTING && each.call == 0;
      if (!ended || unsent) {
        release(each, now);
      }
    }
    act(now);
  }

  /** Something does not work at the source, though its calls succeed. */
  public void trouble(String cause, Instant now) {
    counts.error(cause, now);
  }

  /** Messages were taken. */
  public void polled(long call, Collection<SourceMessage> messages, Instant now) {
    if (!calls.ends(call, PollerCalls.Kind.POLL)) {
      return; // its source is closed, and delivers them again
    }
    link.works(held.lease(), now);
    counts.polled(messages.size(), now);
    gate.took(messages.size());
    for (SourceMessage message : messages) {
      take(message, calls.begun(call), now);
    }
    next.polled(messages, now);
    act(now);
  }

  /**
   * Takes a message.
   *
   * @param since when it was asked for: its lease has begun then at the earliest
   */
  private void take(SourceMessage message, Instant since, Instant now) {
    TakenMessage its = held.add(message, now);
    if (its == null) {
      return;
    }
    its.attempt = Math.max(1, Math.min(message.failures(), rules.attempts() - 1) + 1);
    held.extendAfter(its, since);
    if (stopping || gate.isDraining()) {
      release(its, now);
    }
  }

  /** A message's attempt was submitted, or asked for. */
  public void submitted(long call, Outcome outcome, Instant now) {
    TakenMessage its = calls.single(call);
    if (its != null) {
      its.call = 0;
      if (isRefused(outcome)) {
        refused(its, (Outcome.Refused) outcome, now);
      } else {
        gate.accepted();
        known(its, outcome, now);
      }
    }
    act(now);
  }

  boolean isRefused(Outcome outcome) {
    return outcome instanceof Outcome.Refused;
  }

  private void refused(TakenMessage its, Outcome.Refused refused, Instant now) {
    Instant until = gate.refused(refused, now);
    counts.error(refused.why(), now);
    if (its.stage == Stage.SUBMITTING && (stopping || gate.isDraining())) {
      release(its, now);
    } else {
      its.stage = its.stage == Stage.SUBMITTING ? Stage.READY : its.stage;
      its.dueAt = until;
      held.schedule(its, now);
    }
  }

  private void known(TakenMessage its, Outcome outcome, Instant now) {
    if (outcome instanceof Outcome.Undecided undecided) {
      runs(its, LOOK_UNTOLD, now);
      if (undecided.isTrouble()) {
        its.trouble = undecided.why();
        counts.error(undecided.why(), now);
      }
    } else if (!rules.onComplete() && !(outcome instanceof Outcome.Hopeless)) {
      become(its, Stage.COMPLETING, now);
    } else if (outcome instanceof Outcome.Begun begun) {
      Duration told = begun.ref() == null ? LOOK_UNDECIDED : LOOK;
      runs(its, begun.isTold() ? told : LOOK_UNTOLD, now);
    } else if (outcome instanceof Outcome.Failed && its.stage == Stage.SUBMITTING && hasMore(its)) {
      its.attempt++; // it failed before this delivery, which waited for it
      become(its, Stage.READY, now);
    } else {
      ended(its, outcome, now);
    }
  }

  private void runs(TakenMessage its, Duration look, Instant now) {
    its.stage = Stage.RUNNING;
    its.trouble = null;
    its.failures = 0;
    its.dueAt = now.plus(look);
    held.schedule(its, now);
  }

  private boolean hasMore(TakenMessage its) {
    return its.attempt < rules.attempts();
  }

  /** Attempts that are forgotten are not counted unless its source does; deliveries are. */
  private boolean isLast(TakenMessage its) {
    boolean counts = its.message.failures() != SourceMessage.UNCOUNTED;
    boolean isOften = its.message.deliveries() >= rules.attempts() * MOST_DELIVERIES;
    return !hasMore(its) || (isOften && !counts);
  }

  private void ended(TakenMessage its, Outcome outcome, Instant now) {
    if (outcome instanceof Outcome.Succeeded succeeded) {
      its.result = succeeded;
      become(its, rules.emits() ? Stage.EMITTING : Stage.COMPLETING, now);
    } else if (outcome instanceof Outcome.Failed failed) {
      its.cause = isLast(its) ? lastCause(its, failed.cause()) : failed.cause();
      become(its, isLast(its) ? Stage.DYING : Stage.FAILING, now);
    } else if (outcome instanceof Outcome.Hopeless hopeless) {
      its.cause = hopeless.cause();
      become(its, Stage.DYING, now);
    }
  }

  private String lastCause(TakenMessage its, String cause) {
    if (hasMore(its)) {
      return "it was delivered %d times and has failed again, because %s"
          .formatted(its.message.deliveries(), cause);
    }
    return rules.attempts() > 1
        ? "%d attempts failed, the last because %s".formatted(its.attempt, cause)
        : cause;
  }

  private void become(TakenMessage its, Stage stage, Instant now) {
    its.become(stage, now);
    held.schedule(its, now);
  }

  /** Gives a message back. */
  void release(TakenMessage its, Instant now) {
    become(its, Stage.RELEASING, now);
  }

  /** An attempt of a message has ended. */
  public void settled(String id, int attempt, Outcome outcome, Instant now) {
    for (TakenMessage each : held.ofId(id)) {
      boolean open = each.stage == Stage.SUBMITTING || each.stage == Stage.RUNNING;
      if (open && each.attempt == attempt && rules.onComplete()) {
        calls.forget(each.call);
        each.call = 0;
        gate.accepted();
        ended(each, outcome, now);
      }
    }
    act(now);
  }

  /** Messages were extended. */
  public void extended(long call, Collection<String> lost, Instant now) {
    if (calls.ends(call, PollerCalls.Kind.EXTEND)) {
      for (TakenMessage each : calls.batch(call)) {
        if (!NextCalls.leaves(each) && lost.contains(each.receipt())) {
          calls.forget(each.call);
          held.remove(each);
          counts.lost(1);
        } else {
          held.extendAfter(each, calls.begun(call));
        }
      }
    }
    act(now);
  }

  /** A call to the source is done. */
  public void done(long call, Instant now) {
    TakenMessage single = calls.single(call);
    if (single != null) {
      doneSingle(single, now);
    } else if (calls.ends(call, PollerCalls.Kind.COMPLETE)) {
      List<TakenMessage> batch = calls.batch(call);
      batch.forEach(held::remove);
      counts.completed(batch.size(), now);
    } else if (calls.ends(call, PollerCalls.Kind.RELEASE)) {
      List<TakenMessage> batch = calls.batch(call);
      batch.forEach(held::remove);
      counts.released(batch.size());
    }
    act(now);
  }

  private void doneSingle(TakenMessage its, Instant now) {
    its.call = 0;
    calls.singleDone(its.stage);
    if (its.stage == Stage.EMITTING) {
      counts.emitted();
      become(its, Stage.COMPLETING, now);
    } else if (its.stage == Stage.FAILING) {
      counts.failed(now);
      held.remove(its);
    } else if (its.stage == Stage.DYING) {
      counts.dead(now);
      held.remove(its);
    }
  }

  /**
   * Some of the messages that follow a success were sent, and are not sent again with the others;
   * the call goes on.
   */
  public void sent(long call, Collection<Integer> numbers) {
    TakenMessage its = calls.underWay(call);
    if (its != null && its.sent.addAll(numbers)) {
      its.failures = 0; // what is left begins to count anew
    }
  }

  /** Records that the message for {@code onSuccess} cannot be made, or is refused for good. */
  public void emitHopeless(long call, String cause, Instant now) {
    TakenMessage its = calls.single(call);
    if (its != null) {
      unsent(its, cause, now);
    }
    act(now);
  }

  private void unsent(TakenMessage its, String cause, Instant now) {
    its.call = 0;
    String why = "it was done, and what follows was not sent: %s".formatted(cause);
    ended(its, new Outcome.Hopeless(why), now);
  }

  /** A call failed, or was not answered in time. */
  public void failed(long call, String cause, Instant now) {
    failed(call, cause, Duration.ZERO, now);
  }

  /**
   * A call failed, or was not answered in time.
   *
   * @param after time after which the source may be opened again, at least, if this closes it
   */
  public void failed(long call, String cause, Duration after, Instant now) {
    TakenMessage its = calls.single(call);
    if (its != null && its.stage == Stage.EMITTING) {
      counts.error(cause, now);
      emitFailed(its, cause, now);
    } else if (its != null) {
      counts.error(cause, now);
      int inARow = calls.singleFailed(its.stage);
      singleFailed(its, cause, now);
      if (!stopping && its.failures >= MOST_FAILURES && inARow >= MOST_FAILURES) {
        breaks("a call failed: " + cause, after, now);
      }
    } else if (calls.fails(call, now)) {
      counts.error(cause, now);
      PollerCalls.Kind kind = calls.kind(call);
      if (kind == PollerCalls.Kind.POLL || calls.failures(kind) >= MOST_FAILURES) {
        breaks("a call failed: " + cause, after, now);
      } else {
        batchFailed(kind, call, now);
      }
    }
    act(now);
  }

  /** Records a failed emission; not as a failure of the source, as it may be the target's fault. */
  private void emitFailed(TakenMessage its, String cause, Instant now) {
    if (its.failures + 1 < MOST_EMITS || stopping) {
      singleFailed(its, cause, now);
    } else {
      unsent(its, "%d attempts failed, the last because %s".formatted(MOST_EMITS, cause), now);
    }
  }

  private void singleFailed(TakenMessage its, String why, Instant now) {
    its.call = 0;
    its.failed(why);
    if (stopping) { // its source delivers it again
      if (its.stage == Stage.EMITTING) {
        release(its, now);
      } else {
        held.remove(its);
        counts.lost(1);
      }
      return;
    }
    its.dueAt = now.plus(rules.again().delay(its.failures, random));
    held.schedule(its, now);
  }

  private void batchFailed(PollerCalls.Kind kind, long call, Instant now) {
    Instant again = calls.againAt(kind, now);
    for (TakenMessage each : calls.batch(call)) {
      if (kind == PollerCalls.Kind.EXTEND) {
        held.extendAt(each, again);
      } else {
        each.call = 0;
        each.dueAt = again;
        held.schedule(each, now);
      }
    }
  }

  /** Closes the source, which delivers again whatever is taken. */
  private void breaks(String cause, Duration after, Instant now) {
    if (link.closes(cause, after, now)) {
      counts.error(cause, now);
      counts.lost(held.size());
      held.clear();
      calls.clear();
      effects.add(new PollerEffect.Close(link.life()));
    }
  }

  /** Returns whether the lease of a message is extended. */
  boolean isExtended(TakenMessage its) {
    return true;
  }

  private void act(Instant now) {
    if (!stopping && link.opens(now)) {
      effects.add(new PollerEffect.Open(link.life()));
    }
    if (link.isOpen()) {
      held.wake(now);
      next.begin(now, !stopping, this::isExtended, effects);
    }
  }
}

package io.callboard.guard;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.HeldMessage;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Retries;
import io.callboard.time.Time;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Buffer of a guard's messages, and driver of its {@link Circuit}. Confined to the guard's context,
 * except for {@link #status}.
 */
final class GuardBuffer<M> {
  private final ActorPath path;
  private final GuardOptions<M> options;
  private final GuardEnvironment<M> guardEnvironment;
  private final GuardedChild<M> guarded;
  private final Circuit circuit;
  private final Map<Long, Held<M>> messages = new TreeMap<>();

  /** Deliveries of which an attempt is held. */
  private final Set<String> deliveries = new HashSet<>();

  private final GuardCounts guardCounts;
  private final GuardListeners listeners;
  private Retries retries;
  private Time.@Nullable Alarm alarm;
  private long alarmNs;
  private boolean runs;
  private boolean over;

  /** A message, and the attempt under way. */
  private static final class Held<M> {
    final HeldMessage<M> heldMessage;
    HeldMessage.@Nullable Attempt attempt;

    Held(HeldMessage<M> heldMessage) {
      this.heldMessage = heldMessage;
    }
  }

  GuardBuffer(ActorPath path, GuardOptions<M> options, GuardEnvironment<M> guardEnvironment) {
    this.path = path;
    this.options = options;
    this.guardEnvironment = guardEnvironment;
    this.retries = options.backoff().begin();
    this.guardCounts = new GuardCounts(path);
    this.listeners = new GuardListeners(path, options.listeners());
    this.guarded = new GuardedChild<>(guardEnvironment, this::run);
    this.circuit = new Circuit(options.settings(), this::pause, this::begunNs, nowNs());
  }

  private long nowNs() {
    return guardEnvironment.time().nanoTime();
  }

  /** Returns the pause before the next trial; the first opening after a success begins anew. */
  private Duration pause(long openings) {
    retries = (openings == 1 ? retries.reset() : retries).next(guardEnvironment.random());
    return retries.delay();
  }

  private long begunNs(long id) {
    Held<M> held = messages.get(id);
    return held == null || held.attempt == null
        ? InFlight.NOT_BEGUN
        : held.attempt.begunNanos().orElse(InFlight.NOT_BEGUN);
  }

  GuardStatus status() {
    return guardCounts.status();
  }

  /** Completes when the guarded actor has started, or failed to. */
  Future<Void> start() {
    return guarded.start();
  }

  /** Takes a message, unless it is another attempt of a delivery that is held. */
  void offered(HeldMessage<M> message) {
    String delivery = message.attemptOf().orElse(null);
    if (delivery != null && !deliveries.add(delivery)) {
      boolean unused = message.done();
      return;
    }
    messages.put(circuit.offered(), new Held<>(message));
    run();
  }

  private @Nullable Held<M> remove(long id) {
    Held<M> held = messages.remove(id);
    if (held != null) {
      held.heldMessage.attemptOf().ifPresent(deliveries::remove);
    }
    return held;
  }

  /** Takes the actions that are due now. */
  private void run() {
    if (runs || over) {
      return;
    }
    runs = true;
    try {
      for (CircuitAction next = next(); next != null; next = next()) {
        act(next);
      }
    } finally {
      runs = false;
    }
    guardCounts.publish(circuit, guardEnvironment.time().clock(), nowNs());
    arm();
    listeners.changed(circuit.takeChanges(), guardCounts.lastFailure());
  }

  private @Nullable CircuitAction next() {
    return circuit.next(nowNs(), guarded.ref() != null);
  }

  private void act(CircuitAction circuitAction) {
    Held<M> held = messages.get(circuitAction.id());
    if (held == null) {
      return; // it has ended meanwhile
    } else if (circuitAction instanceof CircuitAction.Forward forward) {
      forward(forward, held);
    } else if (circuitAction instanceof CircuitAction.TakeBack back) {
      if (isTakenBack(held)) {
        circuit.takenBack(back.id(), back.attempt());
      }
    } else if (circuitAction instanceof CircuitAction.Expire expired) {
      expire(expired, held);
    } else if (circuitAction instanceof CircuitAction.Fallback) {
      end(circuitAction.id(), this::fallBack);
    } else if (circuitAction instanceof CircuitAction.GiveUp last) {
      end(
          circuitAction.id(),
          heldMessage -> giveUp(heldMessage, last.because(path, options.limit())));
    }
  }

  private void forward(CircuitAction.Forward forward, Held<M> held) {
    ActorRef<M> to = guarded.ref();
    if (to == null || isOver(forward.id(), held)) {
      return;
    }
    HeldMessage.Attempt attempt = held.heldMessage.hand(to);
    held.attempt = attempt;
    attempt
        .outcome()
        .onComplete(outcome -> told(forward.id(), forward.attempt(), held, attempt, outcome));
  }

  private void told(
      long id, int number, Held<M> held, HeldMessage.Attempt attempt, AsyncResult<Void> outcome) {
    if (over) {
      return;
    } else if (outcome.succeeded()) {
      if (circuit.succeeded(id, number, nowNs())) {
        guardCounts.acknowledged();
      }
      var unused = remove(id);
    } else if (held.attempt == attempt) {
      held.attempt = null;
      boolean begun = attempt.begunNanos().isPresent();
      if (begun || !isOver(id, held)) {
        guarded.failedWith(outcome.cause());
        failed(id, number, held, outcome.cause(), begun);
      }
    }
    run();
  }

  private void failed(long id, int number, Held<M> held, Throwable cause, boolean begun) {
    guardCounts.failure(cause);
    circuit.failed(id, number, cause, begun, nowNs());
    boolean unused = isOver(id, held);
  }

  /**
   * Drops a message that its sender no longer wants, or that has ended elsewhere; false if it is
   * neither.
   */
  private boolean isOver(long id, Held<M> held) {
    if (!held.heldMessage.lapsed() && !held.heldMessage.isOver()) {
      return false;
    }
    boolean unused = circuit.lapsed(id);
    end(id, heldMessage -> guardCounts.ended(heldMessage, false));
    return true;
  }

  private boolean isTakenBack(Held<M> held) {
    HeldMessage.Attempt attempt = held.attempt;
    held.attempt = null; // its failure is no news
    boolean taken = attempt != null && attempt.takeBack();
    if (!taken) {
      held.attempt = attempt;
    }
    return taken;
  }

  private void expire(CircuitAction.Expire expired, Held<M> held) {
    HeldMessage.Attempt attempt = held.attempt;
    boolean taken = isTakenBack(held);
    held.attempt = null;
    if (attempt != null && attempt.isHandling()) {
      guarded.replace();
    }
    String why = "%s/guarded had no outcome within %s".formatted(path, options.deadline());
    CallboardException cause = new CallboardException(Code.TIMEOUT, why);
    failed(expired.id(), expired.attempt(), held, cause, !taken);
  }

  private void end(long id, Consumer<HeldMessage<M>> how) {
    Held<M> held = remove(id);
    if (held != null) {
      how.accept(held.heldMessage);
    }
  }

  private void fallBack(HeldMessage<M> heldMessage) {
    Consumer<HeldMessage<M>> instead = options.fallback();
    if (instead == null || heldMessage.lapsed()) {
      guardCounts.ended(heldMessage, false);
      return;
    }
    try {
      instead.accept(heldMessage);
      guardCounts.fallback();
    } catch (RuntimeException | Error e) {
      String why = "the fallback of %s failed: %s".formatted(path, e);
      giveUp(heldMessage, new CallboardException(Code.HANDLER_FAILED, why, e));
    }
  }

  private void giveUp(HeldMessage<M> heldMessage, CallboardException cause) {
    guardCounts.ended(heldMessage, !heldMessage.lapsed() && heldMessage.fail(cause));
  }

  /** Starts the alarm; one that fires too early looks again. */
  private void arm() {
    long delayNs = circuit.untilWakeNs(nowNs());
    long wakeNs = nowNs() + delayNs;
    if (delayNs < 0 || (alarm != null && alarmNs - wakeNs <= 0)) {
      return;
    } else if (alarm != null) {
      alarm.cancel();
    }
    alarmNs = wakeNs;
    alarm =
        guardEnvironment.after(
            Duration.ofNanos(delayNs),
            () -> {
              alarm = null;
              run();
            });
  }

  /** Ends the guard with all messages that it holds. */
  void end() {
    over = true;
    guarded.end();
    if (alarm != null) {
      alarm.cancel();
    }
    CallboardException why = CallboardException.stopped("guard " + path);
    messages.values().forEach(held -> giveUp(held.heldMessage, why));
    messages.clear();
    deliveries.clear();
    guardCounts.publish(circuit, guardEnvironment.time().clock(), nowNs());
  }
}

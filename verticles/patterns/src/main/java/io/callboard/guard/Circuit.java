package io.callboard.guard;

import io.callboard.guard.GuardStatus.State;
import io.callboard.time.Machine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Circuit breaker of a guard: a machine without I/O. Its inputs are events, with {@code now} in
 * nanoseconds of a monotonic clock; the driver asks for the next action until there is none.
 * Messages are represented by numbers, in the order of their arrival. Not thread-safe.
 */
@Machine
final class Circuit {
  private static final long NONE = -1;

  private final Settings settings;
  private final LongFunction<Duration> pause;
  private final TreeMap<Long, GuardedMessage> held = new TreeMap<>();
  private final InFlight underWay;
  private final Deque<CircuitAction> acts = new ArrayDeque<>();
  private final List<Change> changes = new ArrayList<>(2);
  private long ids;
  private State state = State.CLOSED;
  private long failures;
  private long waitUntilNs;
  private long trial = NONE;

  /** Grows when the circuit opens: what was given out before says nothing about it any more. */
  private long round;

  private long redelivered;

  /**
   * @param limit messages kept
   * @param underWay of them given to the guarded actor at a time
   * @param attempts of one message
   * @param deadline of one attempt
   * @param fallback whether there is one
   * @param threshold failures in a row that open the circuit
   */
  record Settings(
      int limit, int underWay, int attempts, Duration deadline, boolean fallback, int threshold) {}

  /** Change of the circuit from one state to another. */
  record Change(State from, State to, long failures) {}

  /**
   * Creates a closed circuit.
   *
   * @param pause how long to wait after it was opened so often in a row, at least 1
   * @param begunNs when the guarded actor began the present attempt of that message, or {@link
   *     InFlight#NOT_BEGUN}
   */
  Circuit(Settings settings, LongFunction<Duration> pause, LongUnaryOperator begunNs, long nowNs) {
    this.settings = settings;
    this.pause = pause;
    this.underWay = new InFlight(settings.deadline(), begunNs, nowNs);
  }

  State state() {
    return state;
  }

  long failures() {
    return failures;
  }

  int held() {
    return held.size();
  }

  int underWay() {
    return underWay.size();
  }

  long redelivered() {
    return redelivered;
  }

  private void become(State next) {
    changes.add(new Change(state, next, failures));
    state = next;
  }

  /** Returns the changes of state since the last call, oldest first. */
  List<Change> takeChanges() {
    if (changes.isEmpty()) {
      return List.of();
    }
    List<Change> taken = List.copyOf(changes);
    changes.clear();
    return taken;
  }

  // Events.

  /** Takes a message that has come, and returns its number. */
  long offered() {
    GuardedMessage message = new GuardedMessage(ids++);
    boolean isTrial = state == State.HALF_OPEN && trial == NONE && held.isEmpty();
    if (settings.fallback() && state != State.CLOSED && !isTrial) {
      acts.add(new CircuitAction.Fallback(message.id));
      return message.id;
    }
    held.put(message.id, message);
    if (held.size() + underWay.size() > settings.limit()) {
      giveUp(held.firstEntry().getValue(), true);
    }
    return message.id;
  }

  private void giveUp(GuardedMessage message, boolean full) {
    held.remove(message.id);
    acts.add(new CircuitAction.GiveUp(message.id, message.cause, message.failed, full));
  }

  /**
   * Takes the success of an attempt; of one that is over already the message is acknowledged all
   * the same.
   *
   * @return whether the message was kept
   */
  boolean succeeded(long id, int attempt, long nowNs) {
    GuardedMessage message = underWay.end(id, attempt, nowNs);
    if (message == null) {
      return lapsed(id);
    }
    if (state == State.HALF_OPEN && trial == id) {
      failures = 0;
      trial = NONE;
      become(State.CLOSED);
    } else if (state == State.CLOSED && message.round == round) {
      failures = 0;
    }
    return true;
  }

  /**
   * Takes the failure of an attempt.
   *
   * @param charged whether it counts as an attempt of the message: it was begun
   */
  void failed(long id, int attempt, Throwable cause, boolean charged, long nowNs) {
    GuardedMessage message = underWay.end(id, attempt, nowNs);
    if (message == null) {
      return;
    }
    if (charged) {
      message.failed++;
      message.cause = cause;
    }
    boolean isNews = state == State.HALF_OPEN ? trial == id : message.round == round;
    if (message.failed >= settings.attempts()) {
      giveUp(message, false);
    } else {
      held.put(id, message);
    }
    if (isNews) {
      failures++;
      if (state != State.CLOSED || failures >= settings.threshold()) {
        open(nowNs);
      }
    }
  }

  private void open(long nowNs) {
    round++;
    trial = NONE;
    become(State.OPEN);
    waitUntilNs = nowNs + pause.apply(failures - settings.threshold() + 1).toNanos();
    underWay.all().forEach(other -> acts.add(new CircuitAction.TakeBack(other.id, other.attempt)));
  }

  /** Takes a message back that the guarded actor had not begun, so that it is given to it again. */
  void takenBack(long id, int attempt) {
    GuardedMessage message = underWay.takeBack(id, attempt);
    if (message != null) {
      held.put(id, message);
    }
  }

  /**
   * Forgets a message that has ended elsewhere, or that its sender no longer wants; the circuit
   * stays as it is.
   *
   * @return whether it was kept
   */
  boolean lapsed(long id) {
    if (trial == id) {
      trial = NONE;
    }
    boolean waited = held.remove(id) != null;
    boolean given = underWay.forget(id);
    return waited || given;
  }

  // Steps.

  /**
   * Returns the next thing to do; null if there is none until something happens, or {@link
   * #untilWakeNs} is over.
   *
   * @param ready whether the guarded actor can be given messages
   */
  @Nullable CircuitAction next(long nowNs, boolean ready) {
    CircuitAction first = acts.poll();
    if (first != null) {
      return first;
    }
    CircuitAction expired = underWay.expired(nowNs);
    if (expired != null) {
      return expired;
    }
    if (state == State.OPEN && nowNs - waitUntilNs >= 0) {
      become(State.HALF_OPEN);
    }
    return ready && mayForward() ? forward(held.firstEntry().getValue(), nowNs) : null;
  }

  private boolean mayForward() {
    return switch (state) {
          case CLOSED -> underWay.size() < settings.underWay();
          case OPEN -> false;
          case HALF_OPEN -> trial == NONE;
        }
        && !held.isEmpty();
  }

  private CircuitAction forward(GuardedMessage message, long nowNs) {
    held.remove(message.id);
    message.attempt++;
    message.round = round;
    if (message.failed > 0) {
      redelivered++;
    }
    if (state == State.HALF_OPEN) {
      trial = message.id;
    }
    underWay.add(message, nowNs);
    return new CircuitAction.Forward(message.id, message.attempt);
  }

  /** Returns the nanoseconds until there may be something to do by itself; negative if never. */
  long untilWakeNs(long nowNs) {
    long lookNs = underWay.untilLookNs(nowNs);
    if (state != State.OPEN) {
      return lookNs;
    }
    long waitNs = Math.max(0, waitUntilNs - nowNs);
    return lookNs < 0 ? waitNs : Math.min(waitNs, lookNs);
  }
}

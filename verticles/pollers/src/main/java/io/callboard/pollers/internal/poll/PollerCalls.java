package io.callboard.pollers.internal.poll;

import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Calls that are under way: one at most of each kind for many messages, and those for one. */
@Machine
final class PollerCalls {
  /** Kind of a call for many messages. */
  enum Kind {
    /** Takes messages. */
    POLL,
    /** Extends leases. */
    EXTEND,
    /** Acknowledges. */
    COMPLETE,
    /** Gives back. */
    RELEASE
  }

  private final ExponentialBackoff pauses;
  private final RandomGenerator random;
  private final Map<Kind, Long> underWay = new EnumMap<>(Kind.class);
  private final Map<Kind, Integer> failures = new EnumMap<>(Kind.class);
  private final Map<Kind, Instant> notBefore = new EnumMap<>(Kind.class);
  private final Map<Long, Single> single = new HashMap<>();
  private final Map<TakenMessage.Stage, Integer> singleFailures =
      new EnumMap<>(TakenMessage.Stage.class);
  private Ended last = new Ended(0, Kind.POLL, List.of(), Instant.EPOCH);
  private final Map<Kind, Ended> begun = new EnumMap<>(Kind.class);
  private long number;
  private int submits;
  private long submitBytes;

  /** Call for one message. */
  private record Single(TakenMessage of, boolean submits) {}

  /** Call for many messages. */
  private record Ended(long call, Kind kind, List<TakenMessage> batch, Instant at) {}

  PollerCalls(ExponentialBackoff pauses, RandomGenerator random) {
    this.pauses = pauses;
    this.random = random;
  }

  int submits() {
    return submits;
  }

  /** Returns the bytes of the messages that are being submitted. */
  long submitBytes() {
    return submitBytes;
  }

  int singles() {
    return single.size() - submits;
  }

  boolean isUnderWay(Kind kind) {
    return underWay.containsKey(kind);
  }

  boolean mayBegin(Kind kind, Instant now) {
    Instant at = notBefore.get(kind);
    return !isUnderWay(kind) && (at == null || !at.isAfter(now));
  }

  long begin(Kind kind, List<TakenMessage> batch, Instant now) {
    underWay.put(kind, ++number);
    begun.put(kind, new Ended(number, kind, List.copyOf(batch), now));
    return number;
  }

  long begin(TakenMessage its, boolean submitted) {
    single.put(++number, new Single(its, submitted));
    submits += submitted ? 1 : 0;
    submitBytes += submitted ? its.bytes() : 0;
    return number;
  }

  /**
   * Ends a call for one message.
   *
   * @return the message; null if there is no such call, or it is forgotten
   */
  @Nullable TakenMessage single(long call) {
    Single its = single.remove(call);
    if (its == null) {
      return null;
    }
    submits -= its.submits() ? 1 : 0;
    submitBytes -= its.submits() ? its.of().bytes() : 0;
    return its.of().gone || its.of().call != call ? null : its.of();
  }

  /**
   * Returns the message of a call that is under way; null if there is no such call, or it is
   * forgotten.
   */
  @Nullable TakenMessage underWay(long call) {
    Single its = single.get(call);
    return its == null || its.of().gone || its.of().call != call ? null : its.of();
  }

  /** A call for one message succeeded. */
  void singleDone(TakenMessage.Stage stage) {
    singleFailures.remove(stage);
  }

  /**
   * Records a failed call for one message.
   *
   * @return how many calls of that kind have failed in a row
   */
  int singleFailed(TakenMessage.Stage stage) {
    return singleFailures.merge(stage, 1, Integer::sum);
  }

  /** Forgets a call for one message. */
  void forget(long call) {
    TakenMessage unused = single(call);
  }

  /**
   * Ends a call that succeeded.
   *
   * @return false if there is no such call of that kind
   */
  boolean ends(long call, Kind kind) {
    Long current = underWay.get(kind);
    if (current == null || current != call) {
      return false;
    }
    end(kind);
    failures.remove(kind);
    notBefore.remove(kind);
    return true;
  }

  private void end(Kind kind) {
    underWay.remove(kind);
    last = Objects.requireNonNull(begun.remove(kind));
  }

  /**
   * Ends a call that failed.
   *
   * @return false if it is not a call for many messages
   */
  boolean fails(long call, Instant now) {
    for (Map.Entry<Kind, Long> each : underWay.entrySet()) {
      if (each.getValue() == call) {
        Kind kind = each.getKey();
        end(kind);
        int times = failures.merge(kind, 1, Integer::sum);
        notBefore.put(kind, now.plus(pauses.delay(times, random)));
        return true;
      }
    }
    return false;
  }

  /** Returns the kind of the call that ended last. */
  Kind kind(long call) {
    return ended(call).kind();
  }

  /** Returns the messages of the call that ended last, without those that are gone. */
  List<TakenMessage> batch(long call) {
    return ended(call).batch().stream().filter(each -> !each.gone).toList();
  }

  /** Returns when the call that ended last began. */
  Instant begun(long call) {
    return ended(call).at();
  }

  private Ended ended(long call) {
    if (last.call() != call) {
      throw new IllegalStateException("call %d is not the one that ended last".formatted(call));
    }
    return last;
  }

  int failures(Kind kind) {
    return failures.getOrDefault(kind, 0);
  }

  Instant againAt(Kind kind, Instant now) {
    return notBefore.getOrDefault(kind, now);
  }

  /** Forgets all calls of a source that is closed. */
  void clear() {
    underWay.clear();
    begun.clear();
    failures.clear();
    notBefore.clear();
    single.clear();
    singleFailures.clear();
    submits = 0;
    submitBytes = 0;
  }
}

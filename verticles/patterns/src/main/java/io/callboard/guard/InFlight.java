package io.callboard.guard;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Messages in flight to the guarded actor, with their deadlines. The deadline of a message counts
 * from the start of its handling; before that, from the last time that the guarded actor began or
 * finished a message: the message waits its turn there, or the actor is down. Not thread-safe.
 */
final class InFlight {
  /** Answer of {@code begunNs} for what the guarded actor has not begun. */
  static final long NOT_BEGUN = Long.MIN_VALUE;

  private final long deadlineNs;
  private final LongUnaryOperator begunNs;
  private final Map<Long, GuardedMessage> messages = new LinkedHashMap<>();
  private long quietSinceNs;

  /** Time before which no message is over its deadline. */
  private long lookAtNs;

  InFlight(Duration deadline, LongUnaryOperator begunNs, long nowNs) {
    this.deadlineNs = deadline.toNanos();
    this.begunNs = begunNs;
    this.quietSinceNs = nowNs;
  }

  int size() {
    return messages.size();
  }

  Collection<GuardedMessage> all() {
    return messages.values();
  }

  void add(GuardedMessage message, long nowNs) {
    if (messages.isEmpty()) {
      lookAtNs = nowNs + deadlineNs;
    }
    message.givenNs = nowNs;
    messages.put(message.id, message);
  }

  /** Ends that attempt and returns its message; null if it is none of these. */
  @Nullable GuardedMessage end(long id, int attempt, long nowNs) {
    GuardedMessage ended = takeBack(id, attempt);
    if (ended != null) {
      quietSinceNs = nowNs;
    }
    return ended;
  }

  /** Takes a message back from the guarded actor; null if that attempt is none of these. */
  @Nullable GuardedMessage takeBack(long id, int attempt) {
    GuardedMessage message = messages.get(id);
    return message == null || message.attempt != attempt ? null : messages.remove(id);
  }

  /** Forgets a message; false if it was not in flight. */
  boolean forget(long id) {
    return messages.remove(id) != null;
  }

  /** Returns the next that is over its deadline; null if none is. */
  CircuitAction.@Nullable Expire expired(long nowNs) {
    if (messages.isEmpty() || nowNs - lookAtNs < 0) {
      return null;
    }
    long nextNs = nowNs + deadlineNs;
    for (GuardedMessage message : messages.values()) {
      long begun = begunNs.applyAsLong(message.id);
      if (begun != NOT_BEGUN) {
        if (nowNs - begun >= deadlineNs) {
          return new CircuitAction.Expire(message.id, message.attempt);
        }
        quietSinceNs = later(quietSinceNs, begun);
        nextNs = earlier(nextNs, begun + deadlineNs);
      }
    }
    for (GuardedMessage message : messages.values()) {
      long since = later(message.givenNs, quietSinceNs);
      if (begunNs.applyAsLong(message.id) != NOT_BEGUN) {
        continue;
      } else if (nowNs - since >= deadlineNs) {
        return new CircuitAction.Expire(message.id, message.attempt);
      }
      nextNs = earlier(nextNs, since + deadlineNs);
    }
    lookAtNs = nextNs;
    return null;
  }

  private static long later(long oneNs, long otherNs) {
    return oneNs - otherNs >= 0 ? oneNs : otherNs;
  }

  private static long earlier(long oneNs, long otherNs) {
    return oneNs - otherNs <= 0 ? oneNs : otherNs;
  }

  /**
   * Returns the nanoseconds until a message may be over its deadline; negative if there is none.
   */
  long untilLookNs(long nowNs) {
    return messages.isEmpty() ? -1 : Math.max(0, lookAtNs - nowNs);
  }
}

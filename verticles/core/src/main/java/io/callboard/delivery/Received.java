package io.callboard.delivery;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Deduplication state of a durable actor for senders outside of the cell, which repeat a message
 * until it is acknowledged: the last message received of each sender. Kept in the actor's state,
 * and changed by the turn that handles the message, it makes the effect of each message exactly
 * once. Immutable.
 *
 * <pre>{@code
 * private void order(Order order) {
 *   switch (state().received().judge(order.shop(), order.session(), order.number())) {
 *     case NEXT -> {
 *       persist(new Ordered(order)); // whose apply calls received().with(…)
 *       reply(new Ok());
 *     }
 *     case DUPLICATE -> reply(new Ok()); // the answer was lost, not the order
 *     case GAP -> reply(new SendFrom(state().received().expected(order.shop(), order.session())));
 *     case STALE -> reply(new Refused("there is a newer session"));
 *   }
 * }
 * }</pre>
 *
 * <p>A sender numbers its messages 1, 2, 3… in each of its sessions, and may have several in
 * flight; a sender that lost its counter, or begins anew, takes a higher session number, such as
 * the time of its start. Messages of one sender are handled in the order of their numbers, however
 * the network reorders or repeats them.
 *
 * <p>One expected number for each sender, as in TCP (RFC 9293) and in the reliable delivery of Akka
 * and Pekko, with a number for each life of the sender.
 *
 * @param senders by name, the last message received of each
 */
public record Received(Map<String, Last> senders) {
  /** Senders of one actor; for more of them give each an actor of its own. */
  public static final int MOST_SENDERS = 1_000;

  /** Characters of a sender's name. */
  public static final int MOST_NAME = 200;

  /** The state of an actor that has received nothing. */
  public static final Received NOTHING = new Received(Map.of());

  /**
   * The last message of one sender.
   *
   * @param session of the sender
   * @param number in that session, from 1
   */
  public record Last(long session, long number) {
    /**
     * Creates the record of a sender's last message.
     *
     * @throws IllegalArgumentException if {@code number} is below 1
     */
    public Last {
      if (number < 1) {
        throw new IllegalArgumentException(
            "message number %d: numbers begin with 1".formatted(number));
      }
    }
  }

  /** Verdict on a message, compared with the next expected one. */
  public enum Verdict {
    /** The expected message: handle it. */
    NEXT,
    /** Handled before: answer as then, and do nothing else. */
    DUPLICATE,
    /** An earlier message is missing: request a repetition from {@link #expected} on. */
    GAP,
    /**
     * A message of a session that a newer one has replaced: its sender is gone, or does not know it
     * yet.
     */
    STALE
  }

  /** Creates a state from the last messages by sender, which are copied. */
  public Received {
    senders = Collections.unmodifiableMap(new TreeMap<>(senders));
  }

  /**
   * Compares a message with the next one that is expected of its sender.
   *
   * @param number of the message in that session
   * @throws IllegalArgumentException if it is below 1
   */
  public Verdict judge(String sender, long session, long number) {
    if (number < 1) {
      throw new IllegalArgumentException(
          "message number %d of \"%s\": numbers begin with 1".formatted(number, sender));
    }
    Last last = senders.get(named(sender));
    if (last != null && session < last.session()) {
      return Verdict.STALE;
    }
    long expected = expected(sender, session);
    if (number == expected) {
      return Verdict.NEXT;
    }
    return number < expected ? Verdict.DUPLICATE : Verdict.GAP;
  }

  /** Returns the next expected number; 1 for an unknown session. */
  public long expected(String sender, long session) {
    Last last = senders.get(named(sender));
    return last == null || last.session() != session ? 1 : last.number() + 1;
  }

  /**
   * Returns this state with that message received, which must be {@link Verdict#NEXT}.
   *
   * @throws IllegalStateException if it is not, or there would be too many senders
   */
  public Received with(String sender, long session, long number) {
    Verdict verdict = judge(sender, session, number);
    if (verdict != Verdict.NEXT) {
      throw new IllegalStateException(
          "message %d of session %d of \"%s\" is %s: number %d is expected"
              .formatted(number, session, sender, verdict, expected(sender, session)));
    }
    Map<String, Last> next = new TreeMap<>(senders);
    next.put(sender, new Last(session, number));
    if (next.size() > MOST_SENDERS) {
      throw new IllegalStateException(
          "there are %d senders, which is the limit: remove one with without(sender), or use one actor for each sender"
              .formatted(MOST_SENDERS));
    }
    return new Received(next);
  }

  /**
   * Returns this state without a sender that sends no more: a repetition of its messages would
   * count as new.
   */
  public Received without(String sender) {
    Map<String, Last> next = new TreeMap<>(senders);
    next.remove(named(sender));
    return new Received(next);
  }

  private static String named(String sender) {
    Objects.requireNonNull(sender, "sender is null: give its name");
    if (sender.isEmpty() || sender.length() > MOST_NAME) {
      throw new IllegalArgumentException(
          "the name of a sender has 1 to %d characters, not %d"
              .formatted(MOST_NAME, sender.length()));
    }
    return sender;
  }
}

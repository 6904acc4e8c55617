package io.callboard;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a crash may do to the messages of an actor that it hits: nothing, repeat some, lose some.
 * The order of the messages of one sender is kept in every mode.
 *
 * <p>In the three durable modes a message that was accepted is in the durable mailbox until its
 * consumption is committed, or was accepted with that commit. State, events and durable messages
 * that a handler sends are always committed together; nothing of them is ever repeated. The modes
 * differ in when the consumption is committed, and in when what is not durable leaves the actor:
 * replies, messages to volatile actors and {@link Actor#afterCommit} effects.
 */
public enum DeliveryMode {
  /** In memory only: what {@link Actor} does. Mail is lost with its process. */
  VOLATILE,

  /**
   * Consumption is committed before the handlers run, a few messages ahead; what they did is
   * committed afterwards. A crash loses those messages, at most 64 ({@code
   * io.callboard.internal.turn.AtMostOnceWindow}), and never repeats one. So does a stop. A message
   * whose handler fails is not tried again.
   */
  AT_MOST_ONCE,

  /**
   * Replies, messages to volatile actors and {@link Actor#afterCommit} effects leave when the
   * handler has succeeded; consumption, state, events and durable messages are committed soon after
   * (10 ms or 512 messages, {@code io.callboard.internal.turn.TurnLoop}). A crash in between
   * handles those messages again.
   */
  AT_LEAST_ONCE,

  /**
   * All that a handler does, and the consumption, is one commit; effects leave after it. What was
   * handled waits for more to commit with while mail waits, for 10 ms and the handler that runs
   * then, or up to 512 messages.
   *
   * <p>What code outside of turns tells an actor of its node while no mail waits may be handled
   * before it is stored: its commit stores and consumes it at once, and {@code tell} succeeds with
   * that. A handler that returns a future or takes longer than some 20 ms does not delay that.
   */
  EXACTLY_ONCE;

  /** As in a configuration: {@code volatile, at-most-once, at-least-once, exactly-once}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The mode of that {@link #key()}.
   *
   * @throws IllegalArgumentException if there is none; the message names those there are
   */
  public static DeliveryMode of(String key) {
    return Arrays.stream(values())
        .filter(mode -> mode.key().equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no delivery \"%s\"; there are %s"
                        .formatted(
                            key,
                            Arrays.stream(values())
                                .map(DeliveryMode::key)
                                .collect(Collectors.joining(", ")))));
  }
}

package io.callboard;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Delivery guarantee of an actor: whether a crash may lose or repeat messages. The order of the
 * messages of one sender is kept in every mode.
 *
 * <p>In the three durable modes an accepted message is in the durable mailbox until its consumption
 * is committed, or was accepted with that commit. State, events and durable messages of a handler
 * are always committed together and never repeated. The modes differ in when the consumption is
 * committed, and in when replies, messages to volatile actors and {@link Actor#afterCommit}
 * effects, which are not durable, leave the actor.
 */
public enum DeliveryMode {
  /** Mail in memory only, lost with its process: the mode of an {@link Actor}. */
  VOLATILE,

  /**
   * Consumption is committed before the handlers run, a few messages ahead; the changes that they
   * make are committed afterwards. A crash or a stop loses those messages, at most 64, and never
   * repeats one. A message whose handler fails is not tried again.
   */
  AT_MOST_ONCE,

  /**
   * Replies, messages to volatile actors and {@link Actor#afterCommit} effects leave when the
   * handler has succeeded; consumption, state, events and durable messages are committed soon after
   * (10 ms, or as long as the last commit took, 100 ms at most; or 512 messages). A crash in
   * between handles those messages again.
   */
  AT_LEAST_ONCE,

  /**
   * All changes of a handler and the consumption are one commit; effects leave after it. While mail
   * waits, handled messages are committed in batches: of up to 512 messages, or after 10 ms (as
   * long as the last commit took, if that is more, but 100 ms at most) and the handler that runs
   * then.
   *
   * <p>A message that code outside of turns sends to an actor of its node while no mail waits may
   * be handled before it is stored: its commit stores and consumes it in one, and {@code tell}
   * succeeds with that. A handler that returns a future or takes longer than some 20 ms does not
   * delay that.
   */
  EXACTLY_ONCE;

  /**
   * Returns the name of the mode in configurations: {@code volatile, at-most-once, at-least-once,
   * exactly-once}.
   */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the mode with that {@link #key()}.
   *
   * @throws IllegalArgumentException if there is none; the message lists the modes
   */
  public static DeliveryMode of(String key) {
    return Arrays.stream(values())
        .filter(mode -> mode.key().equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no delivery mode \"%s\"; there are %s"
                        .formatted(
                            key,
                            Arrays.stream(values())
                                .map(DeliveryMode::key)
                                .collect(Collectors.joining(", ")))));
  }
}

/**
 * Publish and subscribe: a {@link io.callboard.topic.Topic} is a durable actor that passes each
 * event on to its subscribers. Built on the public API alone.
 *
 * <h2>Protocol</h2>
 *
 * <p>Publishing is a tell to the topic. What it passes on is a part of the turn that handles the
 * event, so from a durable publisher to a durable subscriber each event comes exactly once, in the
 * order of the topic's mailbox, through the topic's outbox: a subscriber whose mailbox is full is
 * waited for, or not, as its own options say, as by any other durable sender.
 *
 * <p><b>Limits.</b> One turn sends an event to all: their number times its size is bounded by what
 * one commit takes, {@link io.callboard.topic.Topic#MOST_BYTES}. An event that exceeds it is
 * parked, with this cause, and can be replayed when there are fewer subscribers.
 *
 * <h2>Invariants</h2>
 *
 * <p>P1: an event goes to those that were subscribed when it was handled. P2: a subscription is
 * durable with the turn that answers it, and twice is once. P3: a volatile subscriber that ended is
 * a subscriber no more; events on their way to it are lost.
 *
 * <h2>Failure windows</h2>
 *
 * <p>The topic's node dies: another one takes it over and watches its volatile subscribers again;
 * one that ended meanwhile is found to be gone. A volatile subscriber's node cannot be reached from
 * the new owner for a moment: the watch is tried again.
 */
@NullMarked
@CheckReturnValue
package io.callboard.topic;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

/**
 * Publish and subscribe: a {@link io.callboard.topic.Topic} is a durable actor that passes each
 * event on to its subscribers.
 *
 * <p>Publishing is a tell to the topic. What it passes on is a part of the turn that handles the
 * event, so from a durable publisher to a durable subscriber each event comes exactly once, in the
 * order of the topic's mailbox, through the topic's outbox: a subscriber whose mailbox is full is
 * waited for, or not, as its own options say, like by any other durable sender. Only the front door
 * is used.
 *
 * <p><b>Invariants.</b> P1: an event goes to those who were subscribed when it was handled. P2: a
 * subscription is durable with the turn that answers it, and twice is once. P3: a volatile
 * subscriber that ended is a subscriber no more; what was on its way is lost.
 *
 * <p><b>Limits.</b> One turn sends an event to all: their number times its size is bounded by what
 * one commit takes, {@link io.callboard.topic.Topic#MOST_BYTES}. An event over that is parked, with
 * this cause, and can be replayed when there are fewer subscribers.
 *
 * <p><b>Failure windows.</b> The topic's node dies: another one takes it over and watches its
 * volatile subscribers again; one that ended meanwhile is found to be gone. A volatile subscriber's
 * node cannot be reached from the new owner for a moment: the watch is tried again.
 */
@NullMarked
@CheckReturnValue
package io.callboard.topic;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

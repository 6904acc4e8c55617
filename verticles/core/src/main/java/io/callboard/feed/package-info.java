/**
 * Committed events of many actors, by tag, in the order of their commits: for other actors and for
 * tables of a database.
 *
 * <p>A persistent actor names the tags of each event ({@link io.callboard.PersistentActor#tags}).
 * The commit of the events holds a message to the {@link io.callboard.feed.Feed} of each tag, a
 * durable actor; so what is in its mailbox is what was committed, in that order, over all actors
 * and nodes. The feed numbers the events, has its {@link io.callboard.feed.FeedSink} write them
 * before its own commit, and sends them to its subscribers within it. All events of actors that are
 * archived go to one more feed, {@link io.callboard.feed.Feeds#ARCHIVE}.
 *
 * <p><b>Invariants.</b> F1: the positions of a feed have no gaps, and follow the commits: if an
 * event can have been known where another was persisted, it comes before it. F2: a position is the
 * same event for ever: the mailbox has an order, and what is readable is tried for ever. F3: a
 * subscriber gets each event after its subscription once, in order. F4: a feed's position is not
 * durable before the sink has written what lies before it.
 *
 * <p>What goes to a feed never stays in an outbox: its commit waits for room instead, with all else
 * that it sends, so nobody knows of an event before the feed has it.
 *
 * <p><b>Failure windows.</b> The feed ends between the sink's write and its commit: the same events
 * are written again, with the same positions. The sink cannot write: the feed waits, its mailbox
 * fills up to its limit, 10,000 messages of one commit each, then the actors that persist wait with
 * their turns; nothing is lost. So do they if no node hosts the feeds.
 */
@NullMarked
@CheckReturnValue
package io.callboard.feed;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

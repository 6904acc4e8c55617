/**
 * RSS or Atom feed as a source: each entry is a message, once.
 *
 * <h2>Design</h2>
 *
 * <p>A feed knows no clients: it takes no acknowledgements and shows each entry for as long as its
 * publisher likes. So the source itself remembers what was completed or set aside, in its {@link
 * io.callboard.pollers.source.SourceMemory}; nothing else is kept. Why an entry was set aside is in
 * the log. What was only taken, or has failed, is offered again after a crash because the feed
 * still has it; what has left the feed by then is lost with it, which no client of a feed can
 * avoid. An entry that was once seen is kept until it is completed, though it leaves the feed
 * meanwhile, and though the source is closed and opened again on the same node ({@link
 * io.callboard.pollers.internal.feed.FeedRemains}). A look that fails is no failed poll as long as
 * there are entries that wait or are taken.
 *
 * <p>Ids are forgotten when the feed has not shown them for 30 days, or earlier if there are more
 * than 10,000. There is one client at a time; a second one would be offered the same entries.
 *
 * <p>A server that has answered with a failure, or with what is no feed, is left alone for a
 * period, or for longer if its {@code Retry-After} says so, up to a day, and for a day after a 410;
 * one that has not answered is tried again after the pauses of the poller.
 *
 * <p>The document is asked for with {@code If-None-Match} and {@code If-Modified-Since}, at most
 * once each period, with a jitter of a tenth; and not at all while enough of its entries wait. It
 * is read up to a limit, after decompression, and parsed off the event loop. A document type
 * declaration is refused, and with it all entities of its own.
 *
 * <p>The id is the entry's own ({@code guid}, {@code id}), else its link with a hash of link, title
 * and time, because several may have the same link, else a hash of title, time and summary. A
 * changed entry with the same id is no new message; without an id of its own, one with another
 * title or time is.
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.internal.feed;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

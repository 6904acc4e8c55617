/**
 * How does a query go to many nodes at once, and come back in time, whatever fails meanwhile? The
 * demo {@code scatter-gather}: a search over real text with Lucene.
 *
 * <h2>Who is there</h2>
 *
 * <pre>
 * overseer                     outer failure zone: starts the trees, tells the front ends which serves
 *  ├ front/0, front/1          HTTP servers, each on an event loop          zone front
 *  ├ tree a                    failure zone: restarted as a whole if it fails too often
 *  │  ├ head                   gives each query a gatherer                  zone query
 *  │  │  └ &lt;query&gt;.&lt;attempt&gt;  a gatherer, then gone                        zone query
 *  │  ├ nodes/0 … nodes/3      each has the Lucene index of one share       zone search
 *  │  └ indexers/0 …           make the indexes, then gone                  zone indexing
 *  └ tree b                    the same shares again, with indexes of its own
 * </pre>
 *
 * <h2>The way of a query</h2>
 *
 * <ol>
 *   <li>The front end parses it (a fault is answered with 400), opens the response and tells the
 *       head of the tree that serves.
 *   <li>Its gatherer asks every node what the words weigh there, and then, with the sum, the wanted
 *       ones for their best hits. With the sum each share scores a document as one index of all
 *       would (for words and phrases; a fuzzy word is widened by each share for itself). Equal
 *       scores are ordered by name, so merging the shares' hits gives the list of one index.
 *   <li>Each answer goes to the front end at once, and from there to the client as a line of JSON.
 *   <li>What failed or did not come in time is missing. The front end asks the other tree for just
 *       those shares, in the time that is left ({@code QueryProgress}). At the deadline the
 *       response ends, marked as partial, with how many shares answered.
 * </ol>
 *
 * <h2>What is true</h2>
 *
 * <ul>
 *   <li>A response ends by its deadline, and each share is in it at most once.
 *   <li>A node that fails loses the query it was handling, which is told to the gatherer at once,
 *       and no other: the mail waits for the restart, which opens the index on disk.
 *   <li>If weighing failed at a node, its scores come from the other shares' counts and its own,
 *       and may differ a little.
 *   <li>An index is complete when the commit with its documents' fingerprint is on disk; an
 *       interrupted one is made anew, one whose twin is complete is copied.
 *   <li>A gatherer ends when each of its questions has an answer, a failure or is out of time. One
 *       that fails is not restarted; the overseer clears it away, and the front end goes on after
 *       the attempt's time.
 *   <li>A front end that fails drops its connections; it has no state worth keeping.
 * </ul>
 *
 * <p>Deadlines between actors are points in time; with trees on other hosts their clocks must agree
 * to within a few milliseconds.
 *
 * <p>Lines of a response, each with a {@code type}: {@code start}; {@code hits} (of one share, best
 * first; the client merges by score, then name); {@code rerouted} (another attempt, and why);
 * {@code end}. JSON lines rather than server-sent events, because a browser's {@code EventSource}
 * asks again when the response ends, and hides the body of a 400.
 */
@NullMarked
package io.callboard.examples.search;

import org.jspecify.annotations.NullMarked;

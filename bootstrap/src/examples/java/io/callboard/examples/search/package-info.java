/**
 * Search over real text with Lucene, the demo {@code scatter-gather}: each query goes to many nodes
 * at once and is answered in time, whatever fails meanwhile.
 *
 * <h2>Actors and failure zones</h2>
 *
 * <pre>
 * /search                       outer failure zone: what it cannot mend closes the node
 *  ├ a                          failure zone: tree a         scheduling zone tree-a (fork-join)
 *  │  ├ nodes/0 … nodes/3       each has the Lucene index of one share
 *  │  │  └ indexer              makes a missing index, then gone        scheduling zone blocking
 *  │  └ heads/0                 gives each query a gatherer
 *  │     └ &lt;query&gt;.&lt;attempt&gt;   a gatherer, then gone
 *  ├ b                          failure zone: tree b, the same shares again         zone tree-b
 *  └ front/0-0, front/0-1       HTTP servers, each on an event loop                  zone front
 * </pre>
 *
 * <p>{@code SearchTree} and {@code SearchService} have the policies. A child that fails is
 * restarted alone, after its backoff; more failures in a tree than its budget allows restart the
 * tree, and more of those than the outer zone allows close the node. Supervisors run in the
 * toolkit's own scheduling zone. So no tree takes the other's threads, nor those of the front ends
 * or the supervisors.
 *
 * <p>With several members (processes in one cell, {@code SearchOptions.member}) each has its part
 * of each tree, and heads and front ends of its own. Refs find the nodes wherever they run. The
 * nodes of tree b are one member further than those of tree a: a lost member leaves each share with
 * one of the trees. A failure zone does not reach beyond its process: a member's part of a tree is
 * restarted as a whole.
 *
 * <h2>The way of a query</h2>
 *
 * <ol>
 *   <li>The front end parses it (a fault is answered with 400), opens the response and sends the
 *       query to the head of one tree.
 *   <li>Its gatherer asks every node what the words weigh there, and then, with the sum, the wanted
 *       ones for their best hits. With the sum each share scores a document as one index of all
 *       would (for words and phrases; a fuzzy word is widened by each share for itself). Equal
 *       scores are ordered by name, so merging the shares' hits gives the list of one index.
 *   <li>Each answer goes to the front end at once, and from there to the client as a line of JSON.
 *   <li>With {@code enough} the response ends when so many good hits are there ({@code GoodHits}).
 *   <li>What failed or did not come in time is missing. The front end asks the other tree for just
 *       those shares, in the time that is left ({@code QueryProgress}), and begins with that tree
 *       from then on. At the deadline the response ends, marked as partial, with how many shares
 *       answered.
 * </ol>
 *
 * <h2>What is true</h2>
 *
 * <ul>
 *   <li>A response ends by its deadline, and each share is in it at most once.
 *   <li>A node that fails loses the query it was handling, which is reported to the gatherer at
 *       once, and no other: the mail waits for the restart, which opens the index on disk.
 *   <li>If weighing failed at a node, its scores come from the other shares' counts and its own,
 *       and may differ a little.
 *   <li>An index is complete when the commit with its documents' fingerprint is on disk; an
 *       interrupted one is built again, one whose twin is complete on the same disk is copied.
 *   <li>A gatherer ends when each of its questions has an answer, a failure or is out of time. It
 *       is a temporary child of its head, which the front end watches: if it fails, or its head
 *       does, the other tree is asked at once.
 *   <li>A front end that fails drops its connections; it has no state worth keeping.
 * </ul>
 *
 * <p>Deadlines go to nodes as durations: clocks of two machines are never compared.
 *
 * <p>Lines of a response, each with a {@code type}: {@code start}; {@code hits} (of one share, best
 * first; the client merges by score, then name); {@code rerouted} (another attempt, and why);
 * {@code end}. JSON lines rather than server-sent events, because a browser's {@code EventSource}
 * asks again when the response ends, and hides the body of a 400.
 */
@NullMarked
package io.callboard.examples.search;

import org.jspecify.annotations.NullMarked;

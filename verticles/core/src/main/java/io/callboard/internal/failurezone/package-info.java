/**
 * Machine of one failure zone: decides without I/O which children are started and stopped, and
 * when.
 *
 * <p>{@link FailureZoneMachine} takes {@code now} and what became of children, and gives {@link
 * FailureZoneStep steps}: {@link Directives} decides what a failure leads to, within the limits,
 * and {@link Reconciler} in which order. Its carriers are in {@link
 * io.callboard.internal.supervisor}, the policy and its vocabulary in {@link
 * io.callboard.supervision}.
 *
 * <p>The policy of a zone, and the treatment of a child, may change while it runs. Restarts stay in
 * their {@link RestartWindow}, which any thread may read for a status.
 *
 * <p>Failures of a child in a row are its {@link Streak}, which any thread may read, too. It is
 * over when a life of the child has run well, however that life ends: it has lasted for the time
 * that resets the backoff, and the child has worked in it. It is over, too, when the child says so,
 * when an operator begins it anew, and when another node runs it. For readers a life that runs well
 * just now ends it at once, so that no timer is needed. A child whose start or first message always
 * fails thus has one streak, however its states change: that is what operators are shown.
 *
 * <p>Interruptions count neither there nor as restarts: the child is retried until it runs. That
 * one stays interrupted is kept with the history of the actor, for it says nothing to the machine:
 * see {@link io.callboard.internal.lifecycle}.
 *
 * <h2>Protocol</h2>
 *
 * <p>To the machine a child is a life that begins with {@code Start}. The outcome is reported to
 * it: {@code started}; or {@code failed}, {@code ended} by itself, {@code interrupted} or (a zone)
 * {@code rests}, when nothing of the child is left. After {@code Stop} only {@code stopped} counts,
 * which comes within a bounded time. A zone reports to the one above in the same terms: {@code Up}
 * is started, {@code Escalate} failed, {@code Ended} ended or stopped, {@code RestAll} rests; each
 * of these but the first when nothing of the zone is left. A new life of a zone has a new machine,
 * and the failures counted against the last one are forgotten.
 *
 * <h2>Invariants</h2>
 *
 * <p>Z1: a child has one life at a time. Z2: where children need each other, one is started when
 * all before it are up and nothing behind it is left. Z3: stops are asked for in the reverse order,
 * one at a time; once the time of the zone's end has passed, all at once, and of a child that comes
 * up later as soon as it does. That time counts from the first step of the end, whether it was
 * asked for or the zone ends by itself, and once; a zone whose stop is forced forces ({@code
 * Force}) those in it. Z4: a zone reports its end when nothing of it is left. Z5: after quiet each
 * child is up that is wanted and waits for none that rests. Z6: while a zone rests none of its
 * children reports that it runs, or when it is tried again; each reports what must be resumed. Z7:
 * what an operator stopped begins in no life of its zone before it is resumed. Rehearsed by {@code
 * FailureZoneRehearsalTest}; the carriers' part of Z6 is checked by {@code SupervisionSoakTest}, on
 * real verticles.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>A child fails while it is about to be stopped with others: it is gone, and is not counted.
 *       It fails after it was asked to stop: its stop is reported, too, and only that counts.
 *   <li>A zone is asked to end while it is on its way to escalate: it ends.
 *   <li>A second child fails while the group of the first waits: the group is what both need, and
 *       the later time counts.
 *   <li>A child is added to a zone that ends: it begins in the zone's next life, and if it comes up
 *       by itself before, it is stopped as the others are.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.failurezone;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

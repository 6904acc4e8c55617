/**
 * Supervision carried out: the verticle that drives the machine of one failure zone, and the root
 * supervisor.
 *
 * <p>{@link FailureZoneDriver} does what the machine of {@link io.callboard.internal.failurezone}
 * decides, on the context of a verticle in the supervision zone, where no busy zone can delay a
 * restart. {@link FailureZoneRunner} is a failure zone over all its lives, each of which is a
 * {@link FailureZoneVerticle} below that of the zone above; {@link FailureZoneHistory} is what it
 * is and was, for readers. {@link RootSupervisor} carries one machine for each actor that is in no
 * failure zone, made at its first failure; nothing is kept of an actor that has not failed.
 *
 * <p>The runner holds the current policy for its next lives; the machine of the present life is
 * notified of a change and reads it anew, so of several changes the last one counts. A life that
 * begins meanwhile reads it after it has begun to listen: no change is missed.
 *
 * <p>The runner of an actor reports nothing of a life whose end its supervisor asked for, except
 * that it is gone; so late reports do no harm.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>Other code undeploys a supervisor: its actors end first, as Vert.x has it; then it has
 *       failed in the zone above, which starts it again. If it is that of the root, the node
 *       closes. If the supervisor above is undeployed, too, nothing receives what is reported to it
 *       then, and its own end reports that nothing is left.
 *   <li>An actor stops itself while its zone restarts it: it is gone for its program, and its zone
 *       forgets it. Its path may belong to another actor by then, so a report about one object
 *       never counts for the next of that name.
 *   <li>An actor's failure and its readiness to begin again are reported as one: otherwise whoever
 *       begins it between the two would see the new life fail. Of a zone the failure is reported
 *       first, and a stop that is asked for meanwhile ends after that.
 *   <li>Vert.x refuses to undeploy what is being undeployed, and leaves the deployment above half
 *       undeployed: a zone whose children were ended by Vert.x is undeployed again until its own
 *       stop was called.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.supervisor;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

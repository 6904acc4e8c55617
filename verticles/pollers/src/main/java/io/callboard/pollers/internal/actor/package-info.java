/**
 * Actors of a source: they carry the machine of {@link io.callboard.pollers.internal.poll} out.
 *
 * <pre>
 * SourceActor (role source-NAME, durable)     what operators want, totals; ends are told to it
 *   └ PollerActor (volatile)                  one Poller each life: the machine and its source
 *       └ EmitActor (volatile)                sends through the source
 * SourceMemoryActor (durable)                 what a source remembers whose system keeps nothing
 * </pre>
 *
 * <p>The holder of the role polls; the other nodes are its standbys. A turn of the role's actor is
 * needed only for what must be durable: the end of a message that is acknowledged on completion,
 * and a change by operators. Failures of a source restart nothing: the machine opens it again.
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.internal.actor;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

/**
 * Carries supervision out: the machine of one failure zone, the verticle that drives it, and the
 * root supervisor.
 *
 * <p>The policy of a zone, and how a child is treated, may change while it runs. What counts now is
 * with the runner, for its next lives; the machine of the present life is told, and reads it anew,
 * so of several changes the last one counts. A life that begins meanwhile reads it after it has
 * begun to hear: a change is read, or told, or both. Restarts stay in their {@link
 * io.callboard.internal.supervisor.RestartWindow}, which any thread may read for a status.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.supervisor;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

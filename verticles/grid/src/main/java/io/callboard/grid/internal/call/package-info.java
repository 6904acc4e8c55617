/**
 * Calls of the application's code on threads of its scheduling zones, for all who make them:
 * handlers of jobs, handlers of steps, builders. {@link io.callboard.grid.internal.call.ThreadWait}
 * decides once whether a call begins or is given back.
 */
@NullMarked
@CheckReturnValue
package io.callboard.grid.internal.call;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

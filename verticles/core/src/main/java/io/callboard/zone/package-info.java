/**
 * Scheduling zones: named pools of threads, so that no part of a program starves another.
 *
 * <p>Vert.x keeps the first size of a named pool silently and drops the pool with its last user;
 * hence one registry, {@link io.callboard.zone.Zones}, makes all pools at the start and holds them.
 */
@NullMarked
@CheckReturnValue
package io.callboard.zone;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

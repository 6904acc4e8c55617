/**
 * Runs a durable actor over all its lives: carries the turn loop, recovery, commits and snapshots.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.durable;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

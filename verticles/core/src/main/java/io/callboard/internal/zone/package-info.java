/**
 * The threads of scheduling zones: pools, fork-join pools, event loops, and the watch of blocked
 * threads.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.zone;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

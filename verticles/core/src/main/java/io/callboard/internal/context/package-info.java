/**
 * What every part of a node runs on: the durable context, timeouts, promises, permits and counters.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.context;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

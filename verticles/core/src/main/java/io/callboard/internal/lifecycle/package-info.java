/** One life of an actor object, volatile or durable: start, context, timers, failures, end. */
@NullMarked
@CheckReturnValue
package io.callboard.internal.lifecycle;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

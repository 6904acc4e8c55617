/** The node's time, injected: a clock, a monotonic clock, and timers. A test moves it by hand. */
@NullMarked
@CheckReturnValue
package io.callboard.time;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

/** The WebSocket: states, not events, to those who look, as often as the tick. */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.live;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

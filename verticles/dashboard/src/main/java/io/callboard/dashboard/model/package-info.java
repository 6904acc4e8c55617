/** What the dashboard knows of the node and its cell, as JSON; the same for REST and WebSocket. */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.model;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

/**
 * REST, WebSocket and the page: reads models, and acts by sending messages.
 *
 * <p>{@link io.callboard.dashboard.HttpFrontEnd} listens on an address of its own; {@link
 * io.callboard.dashboard.Dashboard} is the same as a router to mount in an application's server.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

/**
 * REST, WebSocket and the page of a node: reads models, and acts by sending messages.
 *
 * <p>{@link io.callboard.dashboard.DashboardServer} listens on an address of its own; {@link
 * io.callboard.dashboard.Dashboard} is the same as a router to mount in an application's server.
 *
 * <p><b>The way of a request.</b> {@code io.callboard.dashboard.internal.guard} refuses strangers,
 * {@code io.callboard.dashboard.internal.auth} finds out who sends it, {@code
 * io.callboard.dashboard.internal.contract} checks it against {@code openapi.json}, {@code
 * io.callboard.dashboard.internal.rest} reads a model or sends a message, {@code
 * io.callboard.dashboard.internal.model} makes the JSON. {@code
 * io.callboard.dashboard.internal.live} sends the same rows over the WebSocket.
 *
 * <p><b>Invariants.</b> The WebSocket reads nothing while no client is connected. No request
 * reaches an operation unchecked. An error is a {@code Problem}, never a stack trace.
 *
 * <p><b>Failure windows.</b> A client is slow or gone: it gets fewer updates, then its socket is
 * closed. The store cannot be read: health says so (503), and what does not need it still answers.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

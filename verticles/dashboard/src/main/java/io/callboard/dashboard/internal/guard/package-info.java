/**
 * Guard of the front end: rules on the Host and Origin of a request, on its form, and the headers
 * that bind a browser.
 *
 * <p>{@link io.callboard.dashboard.internal.guard.RequestGuard} stands before every route. {@link
 * io.callboard.dashboard.internal.guard.HostRule} refuses names that the node does not have: a
 * stranger's page can make its own name resolve to 127.0.0.1 (DNS rebinding), but the Host header
 * still bears that name. {@code RequestForm} refuses requests that two readers could understand
 * differently.
 *
 * <p>{@link io.callboard.dashboard.internal.guard.OperationGuard} stands before each operation: it
 * refuses callers whose role has no right to it, and every write to a read-only node.
 *
 * <p><b>Invariant.</b> No request reaches a route without having passed. Without a login ({@code
 * io.callboard.dashboard.internal.auth}) any client that can connect may do everything, so the
 * front end then listens on loopback unless that is accepted.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.internal.guard;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

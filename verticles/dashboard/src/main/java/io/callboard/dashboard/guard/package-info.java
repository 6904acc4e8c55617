/**
 * Guard of the front end: rules on the Host and Origin of a request, on its form, and the headers
 * that bind a browser.
 *
 * <p>{@link io.callboard.dashboard.guard.RequestGuard} stands before every route. {@link
 * io.callboard.dashboard.guard.HostRule} refuses names that the node does not have: a stranger's
 * page can make its own name resolve to 127.0.0.1 (DNS rebinding), but the Host header still bears
 * that name. {@code RequestForm} refuses requests that two readers could understand differently.
 *
 * <p><b>Invariant.</b> No request reaches a route without having passed. There is no login yet: any
 * client that can connect may do everything, so the front end listens on loopback unless configured
 * otherwise.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.guard;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

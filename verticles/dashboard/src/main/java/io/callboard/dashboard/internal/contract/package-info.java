/**
 * The REST contract, {@code openapi.json}: it drives the router, and every request is checked
 * against it.
 *
 * <p>{@link io.callboard.dashboard.internal.contract.ContractRouter} makes the routes itself, for
 * actor paths hold slashes, which Vert.x's path parameters cannot. Each misfit is a {@link
 * io.callboard.dashboard.internal.contract.Fault} that names its place and the right form; the
 * answer is a {@link io.callboard.dashboard.internal.contract.Problem} (RFC 9457).
 *
 * <p><b>Invariant.</b> {@code SchemaCheck} knows the keywords that the contract uses and no others.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.internal.contract;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

/**
 * Audit of writes: who asked for what, from where, why, and what came of it.
 *
 * <p>{@link io.callboard.dashboard.internal.audit.AuditTrail} keeps the last ones of this node in
 * memory; the node's log has all of them, below the logger {@code
 * io.callboard.dashboard.internal.audit}.
 *
 * <p><b>Invariants.</b> What is kept is bounded. Attempts of nobody, who could send any number of
 * them, have room of their own and displace no entry of a user; so have refusals and logins, of
 * which a user without rights could send any number. No body is in it, but for what selects that
 * which an action on many reaches, and no secret.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.internal.audit;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

/**
 * Login: who a caller is, and until when.
 *
 * <p>{@link io.callboard.dashboard.internal.auth.Authentication} stands before every operation and
 * the WebSocket, behind {@code io.callboard.dashboard.internal.guard}. A caller is known by the
 * cookie of a session, by user and password (HTTP Basic), or by a token (JWT). {@code Users} has
 * the users file, {@code Sessions} and {@code LoginThrottle} are machines without I/O, {@code
 * Passwords} and {@code Tokens} leave the cryptography to Vert.x and the JDK.
 *
 * <p><b>Invariants.</b> No secret is logged, or kept as it was sent: of a session's token and of a
 * password that was right there is a digest in memory. An unknown user and a wrong password are
 * answered with the same words after the same work. A caller stays known no longer than session,
 * token and users file say; what is open then, ends. Everything is bounded: sessions, failed logins
 * that are remembered, passwords that are checked at once.
 *
 * <p><b>Failure windows.</b> The users file cannot be read: the users stay as they were read last,
 * and the log says so. The node ends: its sessions do, too.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.internal.auth;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;

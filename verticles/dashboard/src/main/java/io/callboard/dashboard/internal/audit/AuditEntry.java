package io.callboard.dashboard.internal.audit;

import java.time.Instant;

/**
 * Write that somebody asked for.
 *
 * @param at when it was answered
 * @param user name of the user, after {@code token:} if it is that of a token; {@code local} where
 *     the node asks for no login, {@code -} if nobody had logged in
 * @param role role of the user
 * @param from address from which it came
 * @param operation operation of the contract; {@code -} if the request was refused before one
 * @param subject path of what it is about, below the API
 * @param detail what it reaches or does, where the path does not say that; may be empty
 * @param status HTTP status of the answer; 0 if the client went before it
 * @param code code of the problem; empty if there was none
 * @param reason reason that was given; may be empty
 */
public record AuditEntry(
    Instant at,
    String user,
    String role,
    String from,
    String operation,
    String subject,
    String detail,
    int status,
    String code,
    String reason) {}

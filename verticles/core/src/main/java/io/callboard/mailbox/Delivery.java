package io.callboard.mailbox;

/**
 * A message on its way to a handler.
 *
 * @param from the sender, for the log
 */
public record Delivery(Object message, String from, Reply reply) {}

package io.callboard.internal.failurezone;

/**
 * Rest of a child of a failure zone: it does not begin again before it is resumed.
 *
 * @param asked whether an operator wants that
 */
public record Rest(String why, boolean asked) {}

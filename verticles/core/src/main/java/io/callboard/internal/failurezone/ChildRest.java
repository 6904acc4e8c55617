package io.callboard.internal.failurezone;

/**
 * State of a child of a failure zone that rests: it does not begin again before it is resumed.
 *
 * @param asked whether an operator wants that
 */
public record ChildRest(String why, boolean asked) {}

package io.callboard.dashboard.contract;

/**
 * One thing that does not fit.
 *
 * @param pointer JSON pointer into the body; for a query parameter, a header or a part of the path
 *     its name after a slash; empty for the whole
 * @param detail what is wrong and what would be right
 */
public record Fault(String pointer, String detail) {}

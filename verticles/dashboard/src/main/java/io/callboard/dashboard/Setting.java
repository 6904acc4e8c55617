package io.callboard.dashboard;

/**
 * Setting of a node as it takes effect, as it is shown to operators.
 *
 * @param name its name, as in the configuration file
 * @param value its value, without secrets
 * @param source where it comes from, such as {@code default} or a file
 */
public record Setting(String name, String value, String source) {}

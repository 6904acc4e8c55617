package io.callboard.jobs.model;

/**
 * Host of runs, with its slots.
 *
 * @param slots runs it takes at once
 * @param used slots taken by granted runs
 * @param live whether its node is a member of the cell
 */
public record JobHost(String name, String boot, int slots, int used, boolean live) {}

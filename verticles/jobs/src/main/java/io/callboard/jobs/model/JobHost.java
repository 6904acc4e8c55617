package io.callboard.jobs.model;

/**
 * Host of runs, with its slots.
 *
 * @param name name of its node
 * @param boot boot id of its node
 * @param slots runs that it takes at once
 * @param used slots taken by granted runs
 * @param live whether its node is a member of the cell
 */
public record JobHost(String name, String boot, int slots, int used, boolean live) {}

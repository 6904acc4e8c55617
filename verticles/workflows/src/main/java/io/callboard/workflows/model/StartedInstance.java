package io.callboard.workflows.model;

/**
 * Result of a request for an instance.
 *
 * @param instance the instance
 * @param existing whether it was there before and holds the unique key of the request
 */
public record StartedInstance(Instance instance, boolean existing) {}

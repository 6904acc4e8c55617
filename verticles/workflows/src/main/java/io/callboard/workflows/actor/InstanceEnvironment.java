package io.callboard.workflows.actor;

import io.callboard.workflows.index.InstanceObserver;

/**
 * What the instances of a node share.
 *
 * @param definitions definitions that the node has read
 * @param requests requests for runs by workers
 * @param jobs runs that are jobs
 * @param observer observer of the instances
 */
public record InstanceEnvironment(
    DefinitionCache definitions, StepRequests requests, StepJobs jobs, InstanceObserver observer) {}

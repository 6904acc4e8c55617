package io.callboard.workflows.internal.actor;

import io.callboard.workflows.internal.index.InstanceObserver;
import io.callboard.workflows.internal.intake.NodeTally;
import io.callboard.workflows.internal.intake.StartGate;
import io.callboard.workflows.internal.output.StepOutputs;

/**
 * Environment that the instances of a node share.
 *
 * @param definitions definitions that the node has read
 * @param lives lives of the instances on the node
 * @param requests requests for runs by workers
 * @param jobs runs that are jobs
 * @param observer observer of the instances
 * @param gate gate of this node, which lets them begin
 * @param tally counts of what they have committed
 * @param outputs large outputs of their steps
 * @param keys claims of their unique keys
 */
public record InstanceEnvironment(
    DefinitionCache definitions,
    InstanceLives lives,
    StepRequests requests,
    StepJobs jobs,
    InstanceObserver observer,
    StartGate gate,
    NodeTally tally,
    StepOutputs outputs,
    KeyClaims keys) {}

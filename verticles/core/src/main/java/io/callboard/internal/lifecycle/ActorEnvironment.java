package io.callboard.internal.lifecycle;

import io.callboard.Callboard;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.membership.Groups;
import io.callboard.internal.messaging.DeadLetters;
import io.callboard.internal.messaging.DeathWatch;
import io.callboard.internal.messaging.MessageSender;
import io.callboard.internal.messaging.WaitForGraph;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.internal.zone.Zones;

/**
 * Parts of a node that run an actor, volatile or durable.
 *
 * @param callboard the API of this node, for actors
 * @param root the supervisor of actors that are in no failure zone
 */
public record ActorEnvironment(
    NodeContext node,
    Callboard callboard,
    Zones zones,
    Supervisor root,
    ActorHost host,
    MessageSender sender,
    DeathWatch deathWatch,
    DeadLetters deadLetters,
    Groups groups,
    WaitForGraph waits,
    RefusedCalls refusedCalls,
    ActorCensus census) {}
